/**
 * Lets a write rely on a row until it commits, on clusters too. A lock blocks only writers of the same node. If two nodes
 * write the same row, Galera and Group Replication let the first transaction win, and they compare nothing else: so a
 * transaction that relies on a row writes it (decision 71).
 */
import { list, portionsOf, raw, sql } from '../database/connection/sql.ts'
import type { WriteTx } from './views.ts'

/** Keeps other writes from changing or deleting rows before this write commits: one of the two runs again. */
export async function touch<V>(
  tx: WriteTx<V>,
  table: 'namespaces' | 'users',
  ids: readonly number[],
): Promise<void> {
  // On this database no other writer runs at the same time.
  if (!tx.dialect.writersOverlap) return
  // In the order of ids, like all writers, so that no two of them wait for each other.
  for (const some of portionsOf([...ids].sort((a, b) => a - b)))
    await tx.run(sql`UPDATE ${raw(table)} SET touched = 1 - touched WHERE id IN (${list(some)})`)
}
