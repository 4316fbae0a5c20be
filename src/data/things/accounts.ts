/** Accounts for signing in, remembered for a moment: a busy client costs one look-up a second, not one a request. */
import { findAccount, type Account } from './users.ts'
import type { Store } from '../store/store.ts'

/** So long may a change that another process made go unnoticed here; this one's own changes count at once. */
const REMEMBERED_MS = 1000
const MOST_REMEMBERED = 10_000

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

  /** The account of that name as it was at most a second ago; undefined where nobody can sign in by it. */
  async find(username: string): Promise<Account | undefined> {
    const known = this.#remembered.get(username)
    if (known !== undefined && known.until > performance.now()) return known.account
    const changes = this.#changes
    const account = await findAccount(this.#store, username)
    // Not what was read before a change that is known by now.
    if (account !== undefined && changes === this.#changes) this.#remember(username, account)
    return account
  }

  /** Forgets all accounts: one of them was changed. */
  forget(): void {
    this.#changes++
    this.#remembered.clear()
  }

  #remember(username: string, account: Account): void {
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(username, { account, until: performance.now() + REMEMBERED_MS })
  }
}
