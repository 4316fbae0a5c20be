/** Who a request runs as, from what its credentials claim to what the store confirms. */
import { raw, sql, type Sql } from '../database/sql.ts'
import type { Store } from '../store/store.ts'
import { partyOf, type Caller, type ReadTx } from '../store/views.ts'
import type { PermittedTags } from './rights.ts'

/**
 * Builds a statement of a caller from what is to follow its `FROM`: a join that finds nothing unless the account is still the
 * same. A condition with a subquery would do the same, and take MariaDB longer.
 */
type Build = (caller: Caller, confirming: Sql) => Sql

/** Runs work on a view of a caller: a short one, or a long one. */
export type Open = Store['read']

/** Tags whose values the caller of a view may read. */
type Readable<V> = PermittedTags<'tag-values.read', V>

/**
 * A caller as an earlier request found their account, which may have changed since. It is no `Caller`: it can do nothing
 * but take part in statements that find something only if the account is still the same.
 */
export class RememberedCaller {
  readonly #caller: Caller
  readonly #confirming: Sql

  constructor(caller: Caller, passwordHash: string) {
    this.#caller = caller
    const { userId, role } = caller
    this.#confirming = sql`JOIN users u
      ON u.id = ${userId} AND u.role = ${Buffer.from(role)} AND u.password_hash = ${Buffer.from(passwordHash)}`
  }

  /** As `partyOf`. */
  get party(): string {
    return partyOf(this.#caller)
  }

  get username(): string {
    return this.#caller.username
  }

  /** A statement of the caller, built with the join that confirms their account. */
  statement(build: Build): Sql {
    return build(this.#caller, this.#confirming)
  }

  /**
   * Runs `work` on a view of the caller with the tags that `permit` finds there, by statements with the join that
   * confirms the account. Undefined if that finds undefined: then the account may have changed.
   */
  reading<T>(
    open: Open,
    permit: <V>(tx: ReadTx<V>, confirming: Sql) => Promise<Readable<V> | undefined>,
    work: <V>(tx: ReadTx<V>, tags: Readable<V>) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    return open(this.#caller, async (tx) => {
      const tags = await permit(tx, this.#confirming)
      return tags && { result: await work(tx, tags) }
    })
  }

  /** The caller, if their `statement` found a row. */
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
  /** The name of the account, which may have changed since an earlier request. */
  readonly username: string
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

/** A statement of whoever is claimed, built with what confirms the claim. */
export const statementOf = (claimed: Claimed, build: Build): Sql =>
  claimed instanceof RememberedCaller ? claimed.statement(build) : build(claimed, raw(''))

/** Whoever is claimed, if known or if their `statementOf` found a row. */
export const confirmedBy = (claimed: Claimed, row: object | undefined): Caller | undefined =>
  claimed instanceof RememberedCaller ? claimed.confirmedBy(row) : claimed

/** Somebody whose account was looked up for this request, or who has none. */
export const confirmedAsker = (caller: Caller): Asker => ({
  isAnonymous: caller.role === 'anonymous',
  username: caller.username,
  party: partyOf(caller),
  claimed: caller,
  confirmed: () => Promise.resolve(caller),
})
