/** The newest tag values on objects or by users, limited to those that the caller may read. */
import type { SortedIds } from '../database/id-sets.ts'
import { idText } from '../database/ids.ts'
import { list, portionsOf, raw, sql, type Sql } from '../database/sql.ts'
import { permitEveryTagValue } from '../permissions/permissions.ts'
import type { ReadTx } from '../store/views.ts'
import { readAbout } from '../things/objects.ts'
import { contentOf, headOf, VALUE_COLUMNS, type ListedValue, type ValueRow } from '../values/reading.ts'

/** A value with what `/recent` says about it; `username` is undefined if that user was deleted. */
export interface RecentValue extends ListedValue {
  readonly about: string | undefined
  readonly username: string | undefined
}

interface RecentRow extends ValueRow {
  readonly path: Buffer
  readonly username: Buffer | null
}

/** The `limit` newest values on objects, newest first. */
export const recentOnObjects = <V>(tx: ReadTx<V>, ids: SortedIds, limit: number): Promise<RecentValue[]> =>
  newest(tx, ids.each(), limit, {
    index: 'tag_values_by_object',
    among: (some) => sql`v.object_id IN (${list(some)})`,
  })

/** The `limit` newest values last written by users with these ids, newest first. */
export const recentByUsers = <V>(
  tx: ReadTx<V>,
  userIds: readonly number[],
  limit: number,
): Promise<RecentValue[]> =>
  newest(tx, userIds, limit, {
    index: 'tag_values_by_user',
    among: (some) => sql`v.user_id IN (${list(some)})`,
  })

/** The ids of the users whose objects are among `ids`. */
export async function usersAmong<V>(tx: ReadTx<V>, ids: SortedIds): Promise<number[]> {
  const users = await tx.all<{ id: number; object_id: Buffer }>(sql`SELECT id, object_id FROM users`)
  const objects = new Set(ids.texts())
  return users.filter((user) => objects.has(idText(user.object_id))).map((user) => user.id)
}

/** How to find values by their keys: the index, and the condition on a portion of the keys. */
interface Access<Key> {
  readonly index: string
  readonly among: (some: readonly Key[]) => Sql
}

async function newest<Key extends number | Buffer, V>(
  tx: ReadTx<V>,
  keys: readonly Key[],
  limit: number,
  { index, among }: Access<Key>,
): Promise<RecentValue[]> {
  let rows: RecentRow[] = []
  for (const portion of portionsOf(keys)) {
    const some = await tx.all<RecentRow>(sql`
      SELECT ${VALUE_COLUMNS}, t.path, u.username
      FROM tag_values v ${tx.dialect.useIndex(index)}
      ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
      LEFT JOIN users u ON u.id = v.user_id
      WHERE ${among(portion)} AND ${permitEveryTagValue(tx, 'read').restriction}
      ORDER BY v.updated_at DESC, t.path, v.object_id LIMIT ${raw(String(limit))}`)
    rows = [...rows, ...some].sort(newestFirst).slice(0, limit)
  }
  const values: RecentValue[] = []
  for (const row of rows) {
    const object = idText(row.object_id)
    values.push({
      ...headOf(row),
      object,
      path: row.path.toString(),
      json: row.content_type === null ? await contentOf(tx, row) : undefined,
      about: await readAbout(tx, object),
      username: row.username?.toString(),
    })
  }
  return values
}

const newestFirst = (a: RecentRow, b: RecentRow): number =>
  b.updated_at - a.updated_at || Buffer.compare(a.path, b.path) || Buffer.compare(a.object_id, b.object_id)
