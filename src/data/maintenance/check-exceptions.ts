/** Holds the exceptions of policies against the users, namespaces and tags that they name. */
import { list, raw, sql } from '../database/connection/sql.ts'
import { CODES } from '../permissions/rule.ts'
import { PERMISSION_EXCEPTIONS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { nextIds } from './check-things.ts'
import { rowsIn } from './cursor.ts'
import { changes, type Findings, type Repair } from './findings.ts'
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
        // Who inherits policies does not wait for who deletes a user. Nobody else ever gets that number; and if the row of
        // a user was lost, only this still says what they may do.
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
    const known = sql`SELECT id FROM users WHERE id = ${user} ${tx.lock}`
    const kind = raw(kindOf(permission))
    const hasTarget =
      (await tx.one(sql`SELECT id FROM ${kind} WHERE id = ${target} ${tx.lock}`)) !== undefined
    if (hasTarget && (await tx.one(known)) !== undefined) return false
    return changes(
      tx,
      sql`
      DELETE FROM permission_exceptions
      WHERE target_id = ${target} AND permission = ${permission} AND user_id = ${user}`,
    )
  }

async function existing<V>(
  tx: ReadTx<V>,
  kind: 'users' | 'namespaces' | 'tags',
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await tx.all<{ id: number }>(
    sql`SELECT id FROM ${raw(kind)} WHERE id IN (${list([...new Set(ids)])})`,
  )
  return new Set(rows.map(({ id }) => id))
}
