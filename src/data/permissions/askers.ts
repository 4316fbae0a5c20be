/** Who a request runs as, from what its credentials claim to what the store confirms. */
import { sql, type Sql } from '../database/sql.ts'
import { partyOf, type Caller } from '../store/views.ts'

/**
 * A caller as an earlier request found their account, which may have changed since. It is no `Caller`: it can do nothing
 * but take part in a statement that finds something only if the account is still the same.
 */
export class RememberedCaller {
  readonly #caller: Caller
  readonly #passwordHash: Buffer

  constructor(caller: Caller, passwordHash: string) {
    this.#caller = caller
    this.#passwordHash = Buffer.from(passwordHash)
  }

  /** As `partyOf`. */
  get party(): string {
    return partyOf(this.#caller)
  }

  /** SQL that is true if `condition` holds for the caller and their account has not changed. */
  ifCurrent(condition: (caller: Caller) => Sql): Sql {
    const { userId, role } = this.#caller
    return sql`${condition(this.#caller)} AND EXISTS (
      SELECT 1 FROM users u WHERE u.id = ${userId} AND u.role = ${role} AND u.password_hash = ${this.#passwordHash})`
  }

  /** The caller, if a statement with `ifCurrent` found a row. */
  confirmedBy(row: object | undefined): Caller | undefined {
    return row === undefined ? undefined : this.#caller
  }
}

/** Who a single statement may run as: it confirms a remembered caller by itself. */
export type Claimed = Caller | RememberedCaller

/** Who sends a request. */
export interface Asker {
  /** Whether the request has no credentials. */
  readonly isAnonymous: boolean
  /** As `partyOf`. */
  readonly party: string
  /** For a single statement: whatever it does not find says nothing, because the account may have changed. */
  readonly claimed: Claimed
  /**
   * The caller, whose account was looked up after the request began. Throws `WrongCredentials`, `TooManyRequests` and
   * `ServiceUnavailable`.
   */
  readonly confirmed: () => Promise<Caller>
}

/** SQL that is true if `condition` holds for whoever is claimed, provided that the claim is true. */
export const ifConfirmed = (claimed: Claimed, condition: (caller: Caller) => Sql): Sql =>
  claimed instanceof RememberedCaller ? claimed.ifCurrent(condition) : condition(claimed)

/** Whoever is claimed, if known or if a statement with `ifConfirmed` found a row. */
export const confirmedBy = (claimed: Claimed, row: object | undefined): Caller | undefined =>
  claimed instanceof RememberedCaller ? claimed.confirmedBy(row) : claimed

/** Somebody whose account was looked up for this request, or who has none. */
export const confirmedAsker = (caller: Caller): Asker => ({
  isAnonymous: caller.role === 'anonymous',
  party: partyOf(caller),
  claimed: caller,
  confirmed: () => Promise.resolve(caller),
})
