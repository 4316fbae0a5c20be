/** Views of the store for one caller: for consistent reads, or for writes in one transaction. */
import { ServiceError } from '../../model/errors.ts'
import type { Username } from '../../model/paths.ts'
import { Connection } from '../database/connection/connection.ts'
import type { Sql } from '../database/connection/sql.ts'
import type { IdSpace } from './id-allocator.ts'

/** The user that a request runs as. */
export interface Caller {
  readonly userId: number
  readonly username: Username
  readonly role: Role
  /** The network of an anonymous request, which tells one anonymous caller from another. */
  readonly network?: string
}

/** The party of a caller, among which limited resources are shared: a user, or the anonymous callers of one network. */
export const partyOf = ({ role, userId, network }: Caller): string =>
  role === 'anonymous' ? `anonymous ${network ?? ''}` : `user ${String(userId)}`

/** The limits that end work early. */
export interface Ends {
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal | undefined
  /** How much longer the queries of the work may run, in milliseconds; all queries and all attempts share this time. */
  readonly timeLeft: { ms: number }
  /** How many rows the work may read before it must go on in a long view; undefined for no limit. */
  readonly rows?: number
}

/** Thrown in a short view whose work reads more rows than it may; `store.look` catches it. */
export const SPENT = new Error('the work looks at more rows than a short view may')

export type Role = 'superuser' | 'user' | 'anonymous'

/** Throws `Outdated` if data read on a connection has changed. */
export type Recheck = (connection: Pick<Connection, 'all'>) => Promise<void>

declare const view: unique symbol

type Reads = Pick<Connection, 'dialect' | 'table' | 'all' | 'one' | 'ids' | 'sortedIds' | 'merge'>

/**
 * A consistent view of the store. `V` identifies this one view: a right that was read in it has the same `V`, and
 * cannot be used anywhere else.
 */
export interface ReadTx<V> extends Reads {
  readonly [view]: (v: V) => V
  readonly caller: Caller
  /**
   * Runs `work`, a search for a query, in the time that the request's queries have left. When that is over, the view ends
   * with `QueryTooCostly`, and the database stops the statement.
   */
  inTime<T>(query: string, work: () => Promise<T>): Promise<T>
  /** Whether the work may read only few rows. */
  readonly isShort: boolean
  /** Accounts for rows, as `costs.ts` counts them, before they are read. Throws `SPENT` if a short view may not read them. */
  spend(rows: number): void
  /** The end of a SELECT whose rows must not change until a write commits; empty in a view that only reads. */
  readonly lock: Sql
  /**
   * Registers a condition that must still hold when a write commits but is not locked; `recheck` throws `Outdated` if it
   * does not. Does nothing if no other writer can write in between.
   */
  holdUntilCommit(recheck: Recheck): void
}

/** A transaction: either everything in it takes effect or nothing does. Only `store.write` makes one. */
export interface WriteTx<V> extends ReadTx<V>, Pick<Connection, 'run' | 'insert' | 'insertEach'> {
  /** The time of the change, in microseconds since 1970. */
  readonly now: number
  /** Records that a tag gained that many values or, if negative, lost them. */
  noteValues(tagId: number, values: number): void
  /** Whether a tag, read in this view, is known to have no values; false for some tags that have none. */
  isEmpty(tag: { readonly id: number; readonly valueBound?: number }): boolean
  /** `count` numbers, in ascending order, that nothing else in `space` has or ever had. */
  newIds(space: IdSpace, count: number): Promise<number[]>
  /** One such number. */
  newId(space: IdSpace): Promise<number>
}

/** A view that reads on a connection, until its work ends or is stopped. */
export class View extends Connection {
  readonly caller: Caller
  readonly #ends: Ends
  readonly #onAbort = (): void => {
    this.#stop(this.#ends.signal?.reason as Error)
  }
  /** Resolves when the connection may be used for other work. */
  #stopping: Promise<void> | undefined
  #rows: number
  /** Why this view can no longer be used. */
  #ended: Error | undefined
  /** The running query, and the end of its time. */
  #query: { readonly text: string; readonly deadline: number } | undefined

  constructor(connection: Connection, caller: Caller, ends: Ends) {
    // No `async`: each read of a value passes through here.
    super(
      connection.knex,
      connection.dialect,
      (command) => {
        if (this.#query !== undefined && performance.now() > this.#query.deadline) {
          this.#ended ??= tooCostly(this.#query.text)
        }
        // Knex's builders offer changes of any table.
        if (command.do === 'run' && !this.mayChange) return Promise.reject(READS_ONLY)
        return this.#ended === undefined ? connection.execute(command) : Promise.reject(this.#ended)
      },
      connection.interrupt,
    )
    this.caller = caller
    this.#ends = ends
    this.#rows = ends.rows ?? Infinity
    if (ends.signal?.aborted === true) this.#ended = ends.signal.reason as Error
    ends.signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.patient = ends.signal !== undefined
  }

  /**
   * Waits for the work of this view; afterwards the view can only be committed. Throws the error that stopped it, even if
   * the work was done by then.
   */
  async finish<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work
      await this.inserted()
      if (this.#ended !== undefined) throw this.#ended
      return result
    } catch (error) {
      throw this.#ended ?? error
    } finally {
      this.#ends.signal?.removeEventListener('abort', this.#onAbort)
      if (this.#stopping !== undefined) await this.#stopping
      this.#ended = USED_UP
    }
  }

  async inTime<T>(query: string, work: () => Promise<T>): Promise<T> {
    const { timeLeft } = this.#ends
    const start = performance.now()
    this.#query = { text: query, deadline: start + timeLeft.ms }
    const timer = setTimeout(
      () => {
        this.#stop(tooCostly(query))
      },
      Math.max(timeLeft.ms, 0),
    )
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      this.#query = undefined
      timeLeft.ms -= performance.now() - start
    }
  }

  #stop(reason: Error): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    this.#stopping = this.interrupt()
  }

  /** Whether the view runs statements that change rows. */
  protected get mayChange(): boolean {
    return false
  }

  get isShort(): boolean {
    return this.#ends.rows !== undefined
  }

  spend(rows: number): void {
    this.#rows -= rows
    if (this.#rows < 0) throw SPENT
  }

  get lock(): Sql {
    return NO_LOCK
  }

  holdUntilCommit(): void {
    // A read-only view is one state of the store, so a condition that held in it holds until it ends.
  }

  /** This view, typed so that the compiler tells it apart from every other view. */
  as<V>(): ReadTx<V> {
    return this as unknown as ReadTx<V>
  }
}

const tooCostly = (query: string): ServiceError => new ServiceError('QueryTooCostly', { query })

const USED_UP = new Error('a view of the store was used after its work was done')

const READS_ONLY = new Error('a view that only reads was to change the store')

const NO_LOCK: Sql = { text: '', values: [] }
