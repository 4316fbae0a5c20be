/** The newest tag values on objects or by users, limited to those that the caller may read. */
import type { Query } from '../../query/ast.ts'
import { IdSet, type SortedIds } from '../database/ids/id-sets.ts'
import { idText } from '../database/ids/ids.ts'
import { list, portionsOf, raw, sql, type Sql } from '../database/connection/sql.ts'
import { permitEveryTagValue } from '../permissions/permissions.ts'
import { search, searching, type Observe } from '../search/search.ts'
import { SHORT_MATCHES, VALUE } from '../store/costs.ts'
import type { Store } from '../store/store.ts'
import { SPENT, type Caller, type ReadTx } from '../store/views.ts'
import { readAbouts } from '../values/object-reading.ts'
import { contentOf, headOf, VALUE_COLUMNS, type ListedValue } from '../values/reading.ts'
import { newestByUsers, newestFirst, type RecentRow } from './newest-by-users.ts'

/** A value with the further fields of `/recent`; `username` is undefined if that user was deleted. */
export interface RecentValue extends ListedValue {
  readonly about: string | undefined
  readonly username: string | undefined
}

/** The subjects whose newest values to find: objects, or the users who wrote the values last. */
export type Subject = { readonly objects: SortedIds } | { readonly users: readonly number[] }

/** The store, the caller, and the maximum number of results. */
export interface Asking {
  readonly store: Store
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly limit: number
}

/**
 * The newest values of the subject that `find` returns, newest first. A short view reads subjects with few values, a long
 * view all others; `signal` is as for `store.scan`.
 */
export async function recentValues(
  { store, caller, signal, limit }: Asking,
  find: <V>(tx: ReadTx<V>) => Promise<Subject>,
): Promise<RecentValue[]> {
  return store.look(caller, signal, async (tx) => newest(tx, await find(tx), limit))
}

/**
 * The newest values of the subject that `subjectOf` finds among the objects that a query matches; otherwise like
 * `recentValues`. `observe` and errors as for `search`.
 */
export async function recentByQuery(
  asking: Asking,
  { query, observe }: { readonly query: Query; readonly observe: Observe },
  subjectOf: <V>(tx: ReadTx<V>, found: IdSet) => Subject | Promise<Subject>,
): Promise<RecentValue[]> {
  return searching({ ...asking, observe }, { query }, async (tx, permitted, observed) =>
    newest(tx, await subjectOf(tx, await search(tx, permitted, observed)), asking.limit),
  )
}

/** The users whose objects are among `found`. */
export async function usersAmong<V>(tx: ReadTx<V>, found: IdSet): Promise<Subject> {
  if (tx.isShort && (await hasMany(tx))) throw SPENT
  const users = await tx.all<{ id: number; object_id: Buffer }>(
    sql`SELECT id, object_id FROM users ORDER BY object_id`,
  )
  const all = IdSet.inOrder(Buffer.concat(users.map((user) => user.object_id)))
  const matched = new Set((await tx.merge('intersection', all.consume(), found.consume())).texts())
  return { users: users.filter((user) => matched.has(idText(user.object_id))).map(({ id }) => id) }
}

const hasMany = async <V>(tx: ReadTx<V>): Promise<boolean> =>
  (await tx.one(
    sql`SELECT 1 AS found FROM users ORDER BY id LIMIT 1 OFFSET ${raw(String(SHORT_MATCHES))}`,
  )) !== undefined

/** In a short view, accounts for the values that subjects have, readable or not. */
async function spendOn<V>(tx: ReadTx<V>, subject: Subject): Promise<void> {
  if (!tx.isShort) return
  if ('objects' in subject) tx.spend(subject.objects.size * VALUE)
  const [index, wanted] =
    'users' in subject
      ? ['tag_values_by_user', conditions(subject.users, 'user_id')]
      : ['tag_values_by_object', conditions(subject.objects.each(), 'object_id')]
  for (const condition of wanted) {
    const row = await tx.one<{ n: number }>(sql`
      SELECT COUNT(*) AS n FROM (
        SELECT 1 FROM tag_values v ${tx.dialect.useIndex(index)} WHERE ${condition} LIMIT ${raw(String(SHORT_MATCHES + 1))}) c`)
    const values = row?.n ?? 0
    if (values > SHORT_MATCHES) throw SPENT
    tx.spend(values * VALUE)
  }
}

/** Conditions that together select the values with these keys, one for each statement. */
const conditions = (keys: readonly (number | Buffer)[], column: 'user_id' | 'object_id'): Sql[] =>
  [...portionsOf(keys)].map((some) => sql`v.${raw(column)} IN (${list(some)})`)

async function newest<V>(tx: ReadTx<V>, subject: Subject, limit: number): Promise<RecentValue[]> {
  await spendOn(tx, subject)
  const rows =
    'users' in subject
      ? await newestByUsers(tx, subject.users, limit)
      : await newestOnObjects(tx, subject.objects, limit)
  const aboutOf = await readAbouts(
    tx,
    rows.map((row) => row.object_id),
  )
  const values: RecentValue[] = []
  for (const row of rows) {
    const object = idText(row.object_id)
    const about = await aboutOf(row.object_id)
    values.push({
      ...headOf(row),
      object,
      path: row.path.toString(),
      json: row.content_type === null ? await contentOf(tx, row) : undefined,
      about: about && (JSON.parse(about.toString()) as string),
      username: row.username?.toString(),
    })
  }
  return values
}

async function newestOnObjects<V>(tx: ReadTx<V>, ids: SortedIds, limit: number): Promise<RecentRow[]> {
  let rows: RecentRow[] = []
  for (const condition of conditions(ids.each(), 'object_id')) {
    const some = await tx.all<RecentRow>(sql`
      SELECT ${VALUE_COLUMNS}, t.path, u.username
      FROM tag_values v ${tx.dialect.useIndex('tag_values_by_object')}
      ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
      LEFT JOIN users u ON u.id = v.user_id
      WHERE ${condition} AND ${permitEveryTagValue(tx, 'read').restriction}
      ORDER BY v.updated_at DESC, t.path, v.object_id LIMIT ${raw(String(limit))}`)
    rows = [...rows, ...some].sort(newestFirst).slice(0, limit)
  }
  return rows
}
