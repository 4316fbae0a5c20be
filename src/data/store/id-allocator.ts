/**
 * Numbers for tags, namespaces and users, handed out in blocks: no AUTO_INCREMENT, and no row that all writers lock.
 */
import type { Connection } from '../database/connection.ts'
import type { Pool } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { transaction } from '../database/transactions.ts'

/** The kinds of things that get numbers; each kind is numbered separately. */
export type IdSpace = 'namespaces' | 'tags' | 'users'

const BLOCK = 50

/** Hands out numbers that neither this process nor another has handed out before; some numbers are skipped. */
export class IdAllocator {
  readonly #blocks = new Map<IdSpace, { next: number; end: number }>()
  readonly #pool: Pool | undefined

  /** Blocks are reserved on `pool`; without a pool, numbers are taken one by one inside the writer's transaction. */
  constructor(pool: Pool | undefined) {
    this.#pool = pool
  }

  async next(space: IdSpace, connection: Connection): Promise<number> {
    if (this.#pool === undefined) return take(connection, space, 1)
    const known = this.#blocks.get(space)
    if (known !== undefined && known.next < known.end) return known.next++
    const next = await transaction(this.#pool, (other) => take(other, space, BLOCK))
    this.#blocks.set(space, { next: next + 1, end: next + BLOCK })
    return next
  }
}

async function take(connection: Connection, space: IdSpace, count: number): Promise<number> {
  await connection.run(sql`UPDATE id_blocks SET next_id = next_id + ${count} WHERE kind = ${space}`)
  const row = await connection.one<{ next_id: number }>(
    sql`SELECT next_id FROM id_blocks WHERE kind = ${space}`,
  )
  if (row === undefined) throw new Error(`no block of numbers for ${space}`)
  return row.next_id - count
}
