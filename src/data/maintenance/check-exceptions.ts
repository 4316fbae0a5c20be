/** Checks that the exceptions of policies name existing users, namespaces and tags. */
import { CODES } from '../permissions/rule.ts'
import { PERMISSION_EXCEPTIONS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { nextIds } from './check-things.ts'
import { rowsIn } from './cursor.ts'
import type { Findings, Repair } from './findings.ts'
import { portionsIn } from './things.ts'

interface ExceptionRow {
  readonly target_id: number
  readonly permission: number
  readonly user_id: number
}

/** Checks all exceptions. */
export async function checkExceptions<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const { name: table, columns, key } = PERMISSION_EXCEPTIONS
  const next = (await nextIds(tx)).get('users') ?? 0
  for await (const rows of portionsIn(rowsIn<ExceptionRow, V>(tx, { table, columns, key }))) {
    findings.checked('exceptions', rows.length)
    const users = await existing(
      tx,
      'users',
      rows.map((row) => row.user_id),
    )
    const targets = {
      namespaces: await existing(
        tx,
        'namespaces',
        rows.map((row) => row.target_id),
      ),
      tags: await existing(
        tx,
        'tags',
        rows.map((row) => row.target_id),
      ),
    }
    for (const row of rows) {
      const hasTarget = targets[kindOf(row.permission)].has(row.target_id)
      if (hasTarget && users.has(row.user_id)) continue
      const known = { target: row.target_id, permission: row.permission, user: row.user_id }
      if (hasTarget && row.user_id < next) {
        // A transaction that inherits policies does not wait for one that deletes a user, so such a row can remain. No other
        // user ever gets that number; and if the row of a user was lost, only this exception still records their rights.
        findings.remains('exceptions')
      } else await findings.broken('exceptions', JSON.stringify(known), removal(row))
    }
  }
}

const LAST_OF_NAMESPACES = CODES['namespaces.control']

const kindOf = (permission: number): 'namespaces' | 'tags' =>
  permission <= LAST_OF_NAMESPACES ? 'namespaces' : 'tags'

const removal =
  ({ target_id: target, permission, user_id: user }: ExceptionRow): Repair =>
  async (tx) => {
    const isThere = async (table: 'users' | 'namespaces' | 'tags', id: number): Promise<boolean> =>
      (await tx.table(table).where('id', id).first('id').forUpdate()) !== undefined
    if ((await isThere(kindOf(permission), target)) && (await isThere('users', user))) return false
    return (
      (await tx
        .table('permission_exceptions')
        .where({ target_id: target, permission, user_id: user })
        .del()) > 0
    )
  }

async function existing<V>(
  tx: ReadTx<V>,
  kind: 'users' | 'namespaces' | 'tags',
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await tx
    .table(kind)
    .whereIn('id', [...new Set(ids)])
    .select('id')
  return new Set(rows.map(({ id }) => id))
}
