/**
 * Upper bounds on the number of values of each tag. They prove, without counting, that a query matches no more objects than
 * it may. A tag's bound is in its row. Writers raise it ahead of need, in large steps, so that they rarely collide there. It
 * is never below the number of values in any view of the store.
 */
import type { Connection } from '../database/connection/connection.ts'
import { join, list, portionsOf, sql, type Sql } from '../database/connection/sql.ts'

/**
 * How far a bound is raised beyond the current need; the process can then write that many values without changing the bound.
 */
const LEASE = 1000

/** How many values this process may still write below the bounds that it has raised. */
export class ValueBounds {
  readonly #left = new Map<number, number>()

  /** Reserves room for one value of a tag; false if a transaction must raise the bound first. */
  take(tagId: number): boolean {
    const left = this.#left.get(tagId) ?? 0
    if (left === 0) return false
    this.#left.set(tagId, left - 1)
    return true
  }

  /** Returns reserved room that no write used. */
  giveBack(tagId: number): void {
    this.#left.set(tagId, (this.#left.get(tagId) ?? 0) + 1)
  }

  /**
   * Accounts for the values that a transaction has written, by tag. It must be the last step, so that a tag's row is locked
   * only from here to the commit. Call the returned function after the commit. Reserved room that is never used is lost: the
   * bound is then too high, which may cost a count later, but never gives a wrong answer.
   */
  async settle(connection: Connection, counts: ReadonlyMap<number, number>): Promise<() => void> {
    const gained: (readonly [tagId: number, values: number])[] = []
    const raises: Raise[] = []
    // In the order of ids, like all writers, so that no two of them wait for each other.
    for (const [tagId, count] of [...counts].sort(([a], [b]) => a - b)) {
      const left = this.#left.get(tagId) ?? 0
      if (count > left) {
        raises.push({ tagId, by: count + LEASE })
        gained.push([tagId, LEASE])
      } else if (left - count > 2 * LEASE) {
        // Many values were deleted: this returns their room.
        this.#left.set(tagId, Math.min(left, LEASE))
        raises.push({ tagId, by: Math.min(left, LEASE) - left + count })
      } else if (count > 0) {
        this.#left.set(tagId, left - count)
      } else {
        gained.push([tagId, -count])
      }
    }
    await raise(connection, raises)
    return () => {
      for (const [tagId, values] of gained) this.#left.set(tagId, (this.#left.get(tagId) ?? 0) + values)
    }
  }
}

/** By how much the bound of a tag is raised. */
export interface Raise {
  readonly tagId: number
  readonly by: number
}

/** How many bounds one statement raises by different numbers: for each tag it compares all of them. */
const RAISES_AT_ONCE = 100

/** Raises bounds, in the order given. */
export async function raise(connection: Pick<Connection, 'run'>, raises: readonly Raise[]): Promise<void> {
  for (const some of portionsOf(raises)) {
    const by = new Set(some.map((one) => one.by))
    if (by.size === 1) await connection.run(raising(some, sql`${[...by][0] as number}`))
    else await raiseEach(connection, some)
  }
}

async function raiseEach(connection: Pick<Connection, 'run'>, raises: readonly Raise[]): Promise<void> {
  for (let start = 0; start < raises.length; start += RAISES_AT_ONCE) {
    const some = raises.slice(start, start + RAISES_AT_ONCE)
    const cases = some.map((one) => sql`WHEN ${one.tagId} THEN ${one.by}`)
    await connection.run(raising(some, sql`CASE id ${join(cases, ' ')} END`))
  }
}

const raising = (raises: readonly Raise[], by: Sql): Sql => sql`
  UPDATE tags SET value_bound = value_bound + ${by} WHERE id IN (${list(raises.map((one) => one.tagId))})`
