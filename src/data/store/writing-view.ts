/** A view that writes, in one transaction. */
import { ServiceError } from '../../model/errors.ts'
import { microsecondsNow } from '../../scheduling/clock.ts'
import type { Connection } from '../database/connection/connection.ts'
import type { Sql } from '../database/connection/sql.ts'
import type { IdSpace } from './id-allocator.ts'
import { View, type Caller, type Ends, type Recheck, type WriteTx } from './views.ts'

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

  protected override get mayChange(): boolean {
    return true
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

  /** Also rechecks before it throws an error of the service: the error may reveal data that the caller may no longer know. */
  override async finish<T>(work: Promise<T>): Promise<T> {
    try {
      return await super.finish(work)
    } catch (error) {
      if (error instanceof ServiceError) await this.recheck()
      throw error
    }
  }

  /** Throws `Outdated` if a registered condition no longer holds. */
  async recheck(): Promise<void> {
    for (const recheck of this.#rechecks) await recheck(this.#connection)
  }

  override as<V>(): WriteTx<V> {
    return this as unknown as WriteTx<V>
  }
}
