/**
 * Relying on a row until a write commits, on clusters too. A lock keeps away the writers of its own node alone. Between
 * nodes, Galera and Group Replication let the first of two transactions win that write the same row, and compare nothing
 * else: so whoever relies on a row writes it (decision 71).
 */
import { list, portionsOf, raw, sql } from '../database/connection/sql.ts'
import type { WriteTx } from './views.ts'

/** Keeps rows from being changed or deleted by anybody else before this write commits: one of the two is run again. */
export async function touch<V>(
  tx: WriteTx<V>,
  table: 'namespaces' | 'users',
  ids: readonly number[],
): Promise<void> {
  // Where writers do not overlap, nobody else is there.
  if (!tx.dialect.writersOverlap) return
  // In the order of ids, like all writers, so that no two of them wait for each other.
  for (const some of portionsOf([...ids].sort((a, b) => a - b)))
    await tx.run(sql`UPDATE ${raw(table)} SET touched = 1 - touched WHERE id IN (${list(some)})`)
}
