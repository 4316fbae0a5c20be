/** Checks users, namespaces and tags, with their objects and their numbers, against each other. */
import { findPath, findUsername, baseName, namespaceOf, parentOf, type Path } from '../../model/paths.ts'
import { idText } from '../database/ids/ids.ts'
import { list, raw, sql, type Sql } from '../database/connection/sql.ts'
import { CODES } from '../permissions/rule.ts'
import { ANONYMOUS_USER, BUILT_IN_NAMESPACES, SERVICE_USER, SYSTEM_TAGS } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { stringValue } from '../../model/tag-value.ts'
import { KEY_STRING_BYTES, sortKey } from '../values/encoding.ts'
import type { HighestIds } from './check-values.ts'
import { rowsIn } from './cursor.ts'
import { changes, type Findings } from './findings.ts'
import { portionsIn, THINGS, type ThingRow } from './things.ts'

/** Checks all users, namespaces and tags. `highest` are the highest ids in values. */
export async function checkThings<V>(tx: ReadTx<V>, findings: Findings, highest: HighestIds): Promise<void> {
  await checkBuiltIns(tx, findings)
  await checkUsers(tx, findings)
  await checkPaths(tx, findings, 'namespaces')
  await checkPaths(tx, findings, 'tags')
  await checkObjects(tx, findings)
  await checkPurges(tx, findings)
  await checkIds(tx, findings, highest)
}

async function checkBuiltIns<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const users = [SERVICE_USER, ANONYMOUS_USER].map(({ id, username }) => ({ id, name: username }))
  const namespaces = BUILT_IN_NAMESPACES.map(({ id, path }) => ({ id, name: path }))
  const tags = Object.values(SYSTEM_TAGS).map(({ id, path }) => ({ id, name: path }))
  for (const [kind, wanted] of Object.entries({ users, namespaces, tags })) {
    const column = raw(kind === 'users' ? 'username' : 'path')
    const rows = await tx.all<{ id: number; name: Buffer }>(sql`
      SELECT id, ${column} AS name FROM ${raw(kind)} WHERE id IN (${list(wanted.map(({ id }) => id))})`)
    const names = new Map(rows.map((row) => [row.id, row.name.toString()]))
    for (const { id, name } of wanted) {
      if (names.get(id) !== name)
        await findings.broken(kind as 'users', `number ${String(id)} is not ${name}`)
    }
  }
}

const ROLES: ReadonlySet<string> = new Set(['superuser', 'user', 'anonymous'])

async function checkUsers<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const rows = rowsIn<{ id: number; username: Buffer; role: Buffer }, V>(tx, {
    table: 'users',
    columns: ['id', 'username', 'role'],
    key: ['id'],
  })
  for await (const portion of portionsIn(rows)) {
    findings.checked('users', portion.length)
    const paths = portion.map(({ username }) => namespaceOf(username.toString() as never))
    const found = await tx.table('namespaces').whereIn('path', paths).where('parent_id', 0).select('path')
    const homes = new Set(found.map(({ path }) => path.toString()))
    for (const [i, { id, username, role }] of portion.entries()) {
      const name = username.toString()
      const anonymous = role.toString() === 'anonymous'
      const valid = findUsername(name) === name && ROLES.has(role.toString())
      const fits = valid && anonymous === (id === ANONYMOUS_USER.id) && homes.has(paths[i] ?? '')
      if (!fits) await findings.broken('users', `user ${String(id)}, ${name}`)
    }
  }
}

/** The bits of `open_actions` that stand for permissions. */
function bitsOf(kind: 'namespaces' | 'tags'): number {
  const own = Object.entries(CODES).filter(
    ([permission]) => permission.startsWith('namespaces.') === (kind === 'namespaces'),
  )
  return own.reduce((bits, [, code]) => bits | (1 << code), 0)
}

interface PathRow {
  readonly id: number
  readonly path: Buffer
  readonly name: Buffer
  readonly parent_id: number
  readonly open_actions: number
}

const PARENT = { namespaces: 'parent_id', tags: 'namespace_id' } as const

/** Checks paths, names and parents of namespaces or tags. */
async function checkPaths<V>(tx: ReadTx<V>, findings: Findings, kind: 'namespaces' | 'tags'): Promise<void> {
  const parentColumn = PARENT[kind]
  const bits = bitsOf(kind)
  const columns = ['id', 'path', 'name', `${parentColumn} AS parent_id`, 'open_actions']
  for await (const rows of portionsIn(rowsIn<PathRow, V>(tx, { table: kind, columns, key: ['id'] }))) {
    findings.checked(kind, rows.length)
    const parents = await idsOf(
      tx,
      rows.map(({ path }) => parentOf(path.toString() as Path)),
    )
    for (const row of rows) await checkPath(findings, { kind, bits, parents }, row)
  }
  if (kind === 'namespaces') await checkTopLevel(tx, findings)
}

interface Checked {
  readonly kind: 'namespaces' | 'tags'
  readonly bits: number
  /** The namespaces that may be parents, by path. */
  readonly parents: ReadonlyMap<string, number>
}

async function checkPath(findings: Findings, { kind, bits, parents }: Checked, row: PathRow): Promise<void> {
  const { id, parent_id: parentId, open_actions: open } = row
  const path = row.path.toString() as Path
  const [name, parentPath] = [baseName(path), parentOf(path)]
  const parent = parentPath === undefined ? 0 : parents.get(parentPath)
  if (findPath(path, kind === 'tags' ? 2 : 1) !== path || parent === undefined || (open & ~bits) !== 0) {
    await findings.broken(kind, `${path}, number ${String(id)}`)
  } else if (parent !== parentId || row.name.toString() !== name) {
    const column = raw(PARENT[kind])
    await findings.broken(kind, `${path}, number ${String(id)}: parent or name`, (tx) =>
      changes(
        tx,
        sql`UPDATE ${raw(kind)} SET ${column} = ${parent}, name = ${name} WHERE id = ${id} AND path = ${path}`,
      ),
    )
  }
}

async function idsOf<V>(tx: ReadTx<V>, paths: readonly (Path | undefined)[]): Promise<Map<string, number>> {
  const known = [...new Set(paths.filter((path) => path !== undefined))]
  const rows = await tx.table('namespaces').whereIn('path', known).select('id', 'path')
  return new Map(rows.map(({ id, path }) => [path.toString(), id]))
}

/** Every top-level namespace belongs to a user. */
async function checkTopLevel<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const rows = await tx.all<{ path: Buffer }>(sql`
    SELECT n.path FROM namespaces n LEFT JOIN users u ON u.username = n.path
    WHERE n.parent_id = 0 AND u.id IS NULL LIMIT 1000`)
  for (const { path } of rows) {
    // A path with a slash here has the wrong parent, which `checkPath` reports.
    if (!path.includes('/')) await findings.broken('namespaces', `${path.toString()}: no such user`)
  }
}

/**
 * The object of each user is about that user. That of a namespace or tag is about a thing of the kind, whose path may have been
 * its own, or about nothing: an object keeps its about value when the thing moves, and so another one has none.
 */
async function checkObjects<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  for (const { kind, column, about } of THINGS) {
    const columns = ['id', `${column} AS name`, 'object_id']
    for await (const rows of portionsIn(rowsIn<ThingRow, V>(tx, { table: kind, columns, key: ['id'] }))) {
      findings.checked('things and objects', rows.length)
      const found = await tx
        .table('tag_values')
        .where('tag_id', SYSTEM_TAGS.about.id)
        .whereIn(
          'object_id',
          rows.map((row) => row.object_id),
        )
        .select('object_id', 'sort_key')
      const keys = new Map(found.map((row) => [idText(row.object_id), row.sort_key]))
      for (const { name, object_id: object } of rows) {
        const key = keys.get(idText(object))
        const own = sortKey(stringValue(about(name.toString())))
        const fits = kind === 'users' ? key?.equals(own) === true : key === undefined || beginAlike(key, own)
        if (fits) continue
        await findings.broken('things and objects', `${kind} ${name.toString()}: ${idText(object)}`)
      }
    }
  }
}

/** Whether two strings begin alike, as far as their sort keys tell. */
const beginAlike = (a: Buffer, b: Buffer): boolean =>
  a.subarray(0, 1 + KEY_STRING_BYTES).equals(b.subarray(0, 1 + KEY_STRING_BYTES))

async function checkPurges<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  const rows = await tx.all<{ tag_id: number; id: number | null }>(sql`
    SELECT p.tag_id, t.id FROM tag_purges p LEFT JOIN tags t ON t.id = p.tag_id ORDER BY p.tag_id`)
  findings.checked('purges', rows.length)
  for (const { tag_id: tagId, id } of rows) {
    if (id === null) findings.remains('purges')
    else
      await findings.broken('purges', `tag ${String(tagId)} exists, and its values are about to be deleted`)
  }
}

/** The next free number of each kind. */
export async function nextIds<V>(tx: ReadTx<V>): Promise<Map<string, number>> {
  const rows = await tx.table('id_blocks').select('kind', 'next_id')
  return new Map(rows.map((row) => [row.kind.toString(), row.next_id]))
}

/** Ids are never used again, not even those of deleted things. */
async function checkIds<V>(tx: ReadTx<V>, findings: Findings, highest: HighestIds): Promise<void> {
  const next = await nextIds(tx)
  const inUse: Readonly<Record<string, Sql>> = {
    users: sql`SELECT MAX(id) AS n FROM users`,
    namespaces: sql`SELECT MAX(id) AS n FROM namespaces`,
    tags: sql`SELECT MAX(id) AS n FROM (SELECT MAX(id) AS id FROM tags UNION ALL SELECT MAX(tag_id) FROM tag_purges) x`,
  }
  const inValues: Readonly<Record<string, number>> = { users: highest.user, namespaces: 0, tags: highest.tag }
  for (const [kind, statement] of Object.entries(inUse)) {
    findings.checked('ids')
    const used = Math.max((await tx.one<{ n: number | null }>(statement))?.n ?? 0, inValues[kind] ?? 0)
    const free = next.get(kind)
    if (free !== undefined && free > used) continue
    await findings.broken(
      'ids',
      `${kind}: ${String(used)} is in use, next ${String(free ?? 'none')}`,
      (write) => raiseNext(write, kind, used + 1),
    )
  }
}

async function raiseNext<V>(tx: WriteTx<V>, kind: string, least: number): Promise<boolean> {
  const row = await tx.one(sql`SELECT kind FROM id_blocks WHERE kind = ${kind} ${tx.lock}`)
  return changes(
    tx,
    row === undefined
      ? sql`INSERT INTO id_blocks (kind, next_id) VALUES (${kind}, ${least})`
      : sql`UPDATE id_blocks SET next_id = ${least} WHERE kind = ${kind} AND next_id < ${least}`,
  )
}
