/**
 * Accounts for signing in, remembered for a second: a busy client costs one look-up per second, not one per request.
 */
import { findAccount, type Account } from './users.ts'
import type { Store } from '../store/store.ts'

/** How long a change made by another process may go unnoticed; changes by this process take effect at once. */
const REMEMBERED_MS = 1000
const MAX_REMEMBERED = 10_000

interface Remembered {
  readonly account: Account
  readonly until: number
}

/** The accounts of a store, for one process. */
export class Accounts {
  readonly #store: Store
  readonly #remembered = new Map<string, Remembered>()
  #changes = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** The account of that name as it was at most a second ago; undefined if nobody can sign in with that name. */
  async find(username: string): Promise<Account | undefined> {
    const known = this.#remembered.get(username)
    if (known !== undefined && known.until > performance.now()) return known.account
    const changes = this.#changes
    const account = await findAccount(this.#store, username)
    // An account read before a change that is known by now is not remembered.
    if (account !== undefined && changes === this.#changes) this.#remember(username, account)
    return account
  }

  /** Forgets all accounts, because one of them was changed. */
  forget(): void {
    this.#changes++
    this.#remembered.clear()
  }

  #remember(username: string, account: Account): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(username, { account, until: performance.now() + REMEMBERED_MS })
  }
}
