/** Numbers for tags, namespaces and users, given out in blocks: no AUTO_INCREMENT, no row that all writers lock. */
import type { Connection, Pool } from '../database/connections.ts'
import { sql } from '../database/sql.ts'
import type { Kind } from './store.ts'
import { transaction } from '../database/transactions.ts'

const BLOCK = 50

/** Gives out numbers that were never given out before, by this process or another; some are left out. */
export class IdAllocator {
  readonly #blocks = new Map<Kind, { next: number; end: number }>()
  readonly #pool: Pool | undefined

  /** Blocks are taken on `pool`; without one, numbers are taken one by one inside the writer's transaction. */
  constructor(pool: Pool | undefined) {
    this.#pool = pool
  }

  async next(kind: Kind, connection: Connection): Promise<number> {
    if (this.#pool === undefined) return take(connection, kind, 1)
    const known = this.#blocks.get(kind)
    if (known !== undefined && known.next < known.end) return known.next++
    const next = await transaction(this.#pool, (other) => take(other, kind, BLOCK))
    this.#blocks.set(kind, { next: next + 1, end: next + BLOCK })
    return next
  }
}

async function take(connection: Connection, kind: Kind, count: number): Promise<number> {
  await connection.run(sql`UPDATE id_blocks SET next_id = next_id + ${count} WHERE kind = ${kind}`)
  const [row] = await connection.all<{ next_id: number }>(
    sql`SELECT next_id FROM id_blocks WHERE kind = ${kind}`,
  )
  if (row === undefined) throw new Error(`no block of numbers for ${kind}`)
  return row.next_id - count
}
