/** Views of the store for one caller: for consistent reads, or for writes in one transaction. */
import { ServiceError } from '../../errors.ts'
import type { Username } from '../../paths.ts'
import { Connection } from '../database/connection.ts'
import type { Sql } from '../database/sql.ts'
import type { IdSpace } from './id-allocator.ts'

/** Who a request runs as. */
export interface Caller {
  readonly userId: number
  readonly username: Username
  readonly role: Role
  /** Where an anonymous request comes from, which tells one anonymous caller from another. */
  readonly network?: string
}

/** Who shares what there is only so much of: a user, or those who come anonymously from one network. */
export const partyOf = ({ role, userId, network }: Caller): string =>
  role === 'anonymous' ? `anonymous ${network ?? ''}` : `user ${String(userId)}`

/** When work ends early. */
export interface Ends {
  /** Aborts when nobody is waiting any more. */
  readonly signal: AbortSignal | undefined
  /** How much longer the queries of the work may run, in milliseconds; they use it up together, in all attempts. */
  readonly timeLeft: { ms: number }
}

export type Role = 'superuser' | 'user' | 'anonymous'

/** When this process began, in milliseconds since 1970, as the system's clock says it now. */
let origin = performance.timeOrigin
/** How far the system's clock may differ before it counts as set, in milliseconds: a busy machine may pause between two looks. */
const SET_MS = 100

/** The time of the system's clock, which may be set, in microseconds since 1970. */
export function microsecondsNow(): number {
  const sinceStart = performance.now()
  const ahead = Date.now() - origin - sinceStart
  if (Math.abs(ahead) > SET_MS) origin += ahead
  return Math.floor((origin + sinceStart) * 1000)
}

/** Throws `Outdated` if what was read on a connection no longer holds. */
export type Recheck = (connection: Pick<Connection, 'all'>) => Promise<void>

declare const view: unique symbol

/**
 * A consistent view of the store. `V` identifies this one view: a right that was read in it has the same `V`, and
 * cannot be used anywhere else.
 */
export interface ReadTx<V> extends Pick<
  Connection,
  'dialect' | 'table' | 'all' | 'one' | 'ids' | 'sortedIds' | 'merge'
> {
  readonly [view]: (v: V) => V
  readonly caller: Caller
  /**
   * Runs `work`, which finds what a query matches, in the time that the request's queries have left. When it is over,
   * the view ends with `QueryTooCostly`, and the database stops.
   */
  inTime<T>(query: string, work: () => Promise<T>): Promise<T>
  /** The end of a SELECT whose rows must not change until a write commits; empty in a view that only reads. */
  readonly lock: Sql
  /**
   * Registers something that must still hold when a write commits but is not locked; `recheck` throws `Outdated` if it
   * does not. Does nothing where nobody can write in between.
   */
  holdUntilCommit(recheck: Recheck): void
}

/** A transaction: either everything in it takes effect or nothing does. Only `store.write` makes one. */
export interface WriteTx<V> extends ReadTx<V>, Pick<Connection, 'run' | 'insert' | 'insertEach'> {
  /** The time of the change, in microseconds since 1970. */
  readonly now: number
  /** Records that a tag gained that many values or, if negative, lost them. */
  noteValues(tagId: number, values: number): void
  /** Whether a tag, read in this view, has no values; some that have none are not known to. */
  isEmpty(tag: { readonly id: number; readonly valueBound?: number }): boolean
  /** As many numbers, in ascending order, that nothing else in `space` has or ever had. */
  newIds(space: IdSpace, count: number): Promise<number[]>
  /** One such number. */
  newId(space: IdSpace): Promise<number>
}

/** A view that reads on a connection, until its work is done or is stopped. */
export class View extends Connection {
  readonly caller: Caller
  readonly #ends: Ends
  readonly #onAbort = (): void => {
    this.#stop(this.#ends.signal?.reason as Error)
  }
  /** What must be over before the connection is used for something else. */
  #stopping: Promise<void> | undefined
  /** Why this view can no longer be used. */
  #ended: Error | undefined
  /** The query that is running, and when its time is over. */
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
        // Knex's builders offer changes on any table.
        if (command.do === 'run' && !(this instanceof WritingView)) return Promise.reject(READS_ONLY)
        return this.#ended === undefined ? connection.execute(command) : Promise.reject(this.#ended)
      },
      connection.interrupt,
    )
    this.caller = caller
    this.#ends = ends
    if (ends.signal?.aborted === true) this.#ended = ends.signal.reason as Error
    ends.signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.patient = ends.signal !== undefined
  }

  /**
   * Waits for the work of this view, which cannot be used afterwards except for what commits it. Throws what stopped
   * it, even if the work was done by then.
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

  get lock(): Sql {
    return NO_LOCK
  }

  holdUntilCommit(): void {
    // A read-only view is one state of the store: what held in it holds until it ends.
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

/** A view that writes. Its owner calls `recheck`, then commits. */
export class WritingView extends View {
  readonly now = microsecondsNow()
  /** How many values each tag gained or, if negative, lost. */
  readonly values = new Map<number, number>()
  readonly newIds: (space: IdSpace, count: number) => Promise<number[]>
  readonly #connection: Connection
  readonly #rechecks: Recheck[] = []

  constructor(
    connection: Connection,
    caller: Caller,
    ends: Ends,
    newIds: (space: IdSpace, count: number) => Promise<number[]>,
  ) {
    super(connection, caller, ends)
    this.#connection = connection
    this.newIds = newIds
  }

  async newId(space: IdSpace): Promise<number> {
    return (await this.newIds(space, 1))[0] as number
  }

  override get lock(): Sql {
    return this.dialect.forUpdate
  }

  noteValues(tagId: number, values: number): void {
    this.values.set(tagId, (this.values.get(tagId) ?? 0) + values)
  }

  isEmpty({ id, valueBound }: { readonly id: number; readonly valueBound?: number }): boolean {
    // The bound is raised only when this transaction ends.
    return valueBound === 0 && (this.values.get(id) ?? 0) === 0
  }

  override holdUntilCommit(recheck?: Recheck): void {
    if (recheck !== undefined && this.dialect.writersOverlap) this.#rechecks.push(recheck)
  }

  /** Also rechecks what an error of the service is about to say: it may be about what the caller may no longer know. */
  override async finish<T>(work: Promise<T>): Promise<T> {
    try {
      return await super.finish(work)
    } catch (error) {
      if (error instanceof ServiceError) await this.recheck()
      throw error
    }
  }

  /** Throws `Outdated` if something that had to hold no longer does. */
  async recheck(): Promise<void> {
    for (const recheck of this.#rechecks) await recheck(this.#connection)
  }

  override as<V>(): WriteTx<V> {
    return this as unknown as WriteTx<V>
  }
}
