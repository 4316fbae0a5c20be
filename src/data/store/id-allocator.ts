/** Numbers for tags, namespaces and users, in blocks: no AUTO_INCREMENT, and no row that all writers lock. */
import type { Connection } from '../database/connection/connection.ts'
import type { Pool } from '../database/pool.ts'
import { transaction } from '../database/transactions.ts'

/** The kinds of things that get numbers; each kind is numbered separately. */
export type IdSpace = 'namespaces' | 'tags' | 'users'

const BLOCK = 50

/** Assigns numbers that neither this process nor another has assigned before; skips some numbers. */
export class IdAllocator {
  readonly #blocks = new Map<IdSpace, { next: number; end: number }>()
  readonly #pool: Pool | undefined

  /** Reserves blocks on `pool`; without a pool, in the writer's transaction. */
  constructor(pool: Pool | undefined) {
    this.#pool = pool
  }

  /** For a writer on `connection`: returns a function for `count` numbers in ascending order. */
  on(connection: Connection): (space: IdSpace, count: number) => Promise<number[]> {
    return (space, count) => this.#next(space, count, connection)
  }

  async #next(space: IdSpace, count: number, connection: Connection): Promise<number[]> {
    if (this.#pool === undefined) return numbers(await take(connection, space, count), count)
    const block = this.#blocks.get(space) ?? { next: 0, end: 0 }
    const known = numbers(block.next, Math.min(count, block.end - block.next))
    block.next += known.length
    const missing = count - known.length
    if (missing === 0) return known
    const first = await transaction(this.#pool, (other) => take(other, space, missing + BLOCK))
    this.#blocks.set(space, { next: first + missing, end: first + missing + BLOCK })
    return [...known, ...numbers(first, missing)]
  }
}

const numbers = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i)

async function take(connection: Connection, space: IdSpace, count: number): Promise<number> {
  await connection.table('id_blocks').where('kind', space).increment('next_id', count)
  const row = await connection.table('id_blocks').where('kind', space).first('next_id')
  if (row === undefined) throw new Error(`no block of numbers for ${space}`)
  return row.next_id - count
}
