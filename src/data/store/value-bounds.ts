/**
 * Upper bounds of how many values each tag has, which prove without counting that a query matches no more objects
 * than it may. A bound is a number in the tag's row. It is raised before it is needed, by many at a time, so that writers
 * seldom meet there, and never below the number of values in any view of the store.
 */
import type { Connection } from '../database/connection.ts'
import { sql } from '../database/sql.ts'

/** How far a bound is raised beyond what is needed; the process then writes as many values without touching it. */
const LEASE = 1000

/** How many values this process may still write below the bounds that it has raised. */
export class ValueBounds {
  readonly #left = new Map<number, number>()

  /** Takes the place of one value of a tag; false where a transaction must raise the bound first. */
  take(tagId: number): boolean {
    const left = this.#left.get(tagId) ?? 0
    if (left === 0) return false
    this.#left.set(tagId, left - 1)
    return true
  }

  /**
   * Covers what a transaction has written, by tag, as its last step: a tag's row is locked from here to the commit
   * only. What is returned is to be called after the commit. A place that is taken and not used is lost: the bound
   * is then too high, which costs a count some day, and never a wrong answer.
   */
  async settle(connection: Connection, counts: ReadonlyMap<number, number>): Promise<() => void> {
    const gained: (readonly [tagId: number, values: number])[] = []
    // By number, as all writers do, so that none waits for another crosswise.
    for (const [tagId, count] of [...counts].sort(([a], [b]) => a - b)) {
      const left = this.#left.get(tagId) ?? 0
      if (count > left) {
        await raise(connection, tagId, count + LEASE)
        gained.push([tagId, LEASE])
      } else if (left - count > 2 * LEASE) {
        // Many were deleted: their places go back.
        this.#left.set(tagId, Math.min(left, LEASE))
        await raise(connection, tagId, Math.min(left, LEASE) - left + count)
      } else if (count > 0) {
        this.#left.set(tagId, left - count)
      } else {
        gained.push([tagId, -count])
      }
    }
    return () => {
      for (const [tagId, values] of gained) this.#left.set(tagId, (this.#left.get(tagId) ?? 0) + values)
    }
  }
}

async function raise(connection: Connection, tagId: number, by: number): Promise<void> {
  await connection.run(sql`UPDATE tags SET value_bound = value_bound + ${by} WHERE id = ${tagId}`)
}
