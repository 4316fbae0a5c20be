/** The records of a backup for users, namespaces and tags. */
import type { KeptNamespace, KeptTag, KeptUser } from '../../copy/records.ts'
import { idText } from '../database/ids/ids.ts'
import { list, sql } from '../database/connection/sql.ts'
import { NAMESPACES, SYSTEM_TAGS, TAGS, USERS, type SystemTag } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { storedPolicies, type ExceptionRow } from '../permissions/policies.ts'
import { contentOf, VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'
import { rowsIn } from './cursor.ts'
import { permissionsOf } from './kept-policies.ts'
import { valueOf } from './stored-values.ts'
import { portionsIn } from './things.ts'

type Users = ReadonlyMap<number, string>

interface UserRow {
  readonly id: number
  readonly username: Buffer
  readonly role: Buffer
  readonly password_hash: Buffer | null
  readonly object_id: Buffer
}

interface GovernedRow {
  readonly id: number
  readonly path: Buffer
  readonly object_id: Buffer
  readonly open_actions: number
}

export async function* usersIn<V>(tx: ReadTx<V>): AsyncGenerator<KeptUser> {
  const rows = rowsIn<UserRow, V>(tx, { table: USERS.name, columns: USERS.columns, key: USERS.key })
  for await (const some of portionsIn(rows)) {
    const names = await textsOf(tx, 'userName', some)
    const emails = await textsOf(tx, 'userEmail', some)
    for (const row of some) {
      const id = idText(row.object_id)
      yield {
        user: row.username.toString(),
        name: names.get(id),
        email: emails.get(id),
        role: row.role.toString(),
        hash: row.password_hash?.toString() ?? null,
        number: row.id,
        id,
      }
    }
  }
}

/** By path: parents come before what they hold. */
export async function* namespacesIn<V>(tx: ReadTx<V>, users: Users): AsyncGenerator<KeptNamespace> {
  const listing = {
    table: 'namespaces',
    columns: NAMESPACES.columns,
    key: ['path'],
    index: 'namespaces_by_path',
  }
  for await (const some of portionsIn(rowsIn<GovernedRow, V>(tx, listing))) {
    const members = await membersOf(tx, 'namespaces', some, users)
    for (const row of some) yield { namespace: row.path.toString(), ...members(row) }
  }
}

export async function* tagsIn<V>(tx: ReadTx<V>, users: Users): AsyncGenerator<KeptTag> {
  const listing = { table: 'tags', columns: TAGS.columns, key: TAGS.key }
  for await (const some of portionsIn(rowsIn<GovernedRow & { readonly indexed: number }, V>(tx, listing))) {
    const members = await membersOf(tx, 'tags', some, users)
    for (const row of some) yield { tag: row.path.toString(), indexed: row.indexed === 1, ...members(row) }
  }
}

/** Returns a function that returns what records of namespaces and of tags have in common. */
async function membersOf<V>(
  tx: ReadTx<V>,
  table: 'namespaces' | 'tags',
  rows: readonly GovernedRow[],
  users: Users,
): Promise<(row: GovernedRow) => Omit<KeptNamespace, 'namespace'>> {
  const described = table === 'tags' ? 'tagDescription' : 'namespaceDescription'
  const descriptions = await textsOf(tx, described, rows)
  const ids = list(rows.map(({ id }) => id))
  const found = await tx.all<ExceptionRow>(sql`
    SELECT target_id, permission, user_id FROM permission_exceptions WHERE target_id IN (${ids})`)
  const exceptions = Map.groupBy(found, (row) => row.target_id)
  return ({ id: number, object_id: object, open_actions: open }) => {
    const id = idText(object)
    const policies = storedPolicies(table, open, exceptions.get(number) ?? [])
    return { description: descriptions.get(id), permissions: permissionsOf(policies, users), number, id }
  }
}

/** The texts of a system tag on the objects of some rows, by id; without those that cannot be read. */
async function textsOf<V>(
  tx: ReadTx<V>,
  tag: SystemTag,
  rows: readonly { readonly object_id: Buffer }[],
): Promise<Map<string, string>> {
  const objects = tx.dialect.inIds(Buffer.concat(rows.map((row) => row.object_id)))
  const found = await tx.all<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v
    WHERE v.tag_id = ${SYSTEM_TAGS[tag].id} AND v.object_id IN (${objects})`)
  const texts = new Map<string, string>()
  for (const row of found) {
    const value = valueOf(row, await contentOf(tx, row))
    if (value?.type === 'string') texts.set(idText(row.object_id), value.value)
  }
  return texts
}
