/** Rights to the values of tags that must hold until a write commits. */
import { Outdated } from '../database/connection/failures.ts'
import { list, sql } from '../database/connection/sql.ts'
import { ID_TAG } from '../store/tables.ts'
import { allFor } from '../database/connection/connection.ts'
import type { Caller, ReadTx, Recheck } from '../store/views.ts'
import { allowed, type Permission } from './rule.ts'

const held = new WeakMap<object, Map<Permission, Set<number>>>()

/**
 * Makes a write check rights to the values of tags again when it is about to commit. Locking the rows of the tags instead
 * would make all writers of a tag wait for one another.
 */
export function hold<V>(tx: ReadTx<V>, permission: Permission, tagIds: readonly number[]): void {
  // A superuser loses no permission.
  if (tx.caller.role === 'superuser') return
  let rights = held.get(tx)
  if (rights === undefined) {
    const noted = new Map<Permission, Set<number>>()
    held.set(tx, noted)
    tx.holdUntilCommit((connection) => recheck(connection, tx.caller, noted))
    rights = noted
  }
  const ids = rights.get(permission) ?? new Set()
  rights.set(permission, ids)
  // The virtual tag has no row, and its policies cannot be changed.
  for (const id of tagIds) if (id !== ID_TAG.id) ids.add(id)
}

async function recheck(
  connection: Parameters<Recheck>[0],
  caller: Caller,
  rights: ReadonlyMap<Permission, ReadonlySet<number>>,
): Promise<void> {
  for (const [permission, ids] of rights) {
    const rows = await allFor([...ids], (some) =>
      connection.all<{ n: number }>(sql`
        SELECT COUNT(*) AS n FROM tags t
        WHERE t.id IN (${list(some)}) AND ${allowed(caller, permission, 't')}`),
    )
    const left = rows.reduce((sum, { n }) => sum + n, 0)
    if (left < ids.size) throw new Outdated('a right was withdrawn before the write was done')
  }
}
