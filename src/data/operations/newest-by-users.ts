/**
 * Finds the newest values by users. The cost grows with the number of tags that the users have used, not with the number of
 * their values, most of which the caller may not be allowed to read. All reads use `tag_values_by_user`, whose entries are
 * in the order of user, tag, time and object.
 */
import { list, portionsOf, raw, sql, type Sql } from '../database/connection/sql.ts'
import { permitEveryTagValue } from '../permissions/permissions.ts'
import type { ReadTx } from '../store/views.ts'
import { VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'

/** A value, the path of its tag, and its last writer; `username` is null if that user was deleted. */
export interface RecentRow extends ValueRow {
  readonly path: Buffer
  readonly username: Buffer | null
}

/** Newest first, then in the order of paths, then of objects. */
export const newestFirst = (a: RecentRow, b: RecentRow): number =>
  b.updated_at - a.updated_at || Buffer.compare(a.path, b.path) || Buffer.compare(a.object_id, b.object_id)

/** The `limit` newest values that users with these ids wrote last and that the caller may read, newest first. */
export async function newestByUsers<V>(
  tx: ReadTx<V>,
  userIds: readonly number[],
  limit: number,
): Promise<RecentRow[]> {
  let first: UsedTag[] = []
  for await (const some of readableTags(tx, userIds)) first = firstOf([...first, ...some], limit)
  let rows: RecentRow[] = []
  for (const tag of first) {
    const last = rows[limit - 1]
    if (last !== undefined && tag.newest < last.updated_at) break
    rows = [...rows, ...(await newestUnder(tx, tag, limit))].sort(newestFirst).slice(0, limit)
  }
  return rows
}

/** A tag under which a user has values. */
interface UsedTag {
  readonly user_id: number
  readonly tag_id: number
  readonly path: Buffer
  /** When the user wrote the newest of these values. */
  readonly newest: number
}

const byNewest = (a: UsedTag, b: UsedTag): number => b.newest - a.newest || Buffer.compare(a.path, b.path)

/**
 * The first `limit` tags by their newest values: no other tag can have one of the `limit` newest values. Tags that tie with
 * the last one are kept, because their objects decide.
 */
function firstOf(tags: UsedTag[], limit: number): UsedTag[] {
  const ranked = tags.sort(byNewest)
  const last = ranked[limit - 1]
  return last === undefined ? ranked : ranked.filter((tag, i) => i < limit || byNewest(tag, last) === 0)
}

/** How many index entries one statement reads; further entries of a tag are skipped. */
const ENTRIES = 100

/** A tag that a user has used, readable or not, and how many of its entries were read. */
interface WalkedTag extends Omit<UsedTag, 'path' | 'newest'> {
  readonly entries: number
  /** Null if the tag was deleted. */
  readonly path: Buffer | null
  /** Null if the caller may not read the tag. */
  readonly newest: number | null
}

/** The tags that the caller may read and under which users have values, some at a time. */
async function* readableTags<V>(tx: ReadTx<V>, userIds: readonly number[]): AsyncGenerator<UsedTag[]> {
  const sorted = [...userIds].sort((a, b) => a - b)
  for (const portion of portionsOf(sorted)) {
    let left = portion
    let from: WalkedTag | undefined
    while (from !== undefined || left.length > 0) {
      const walked = await walk(tx, entriesAfter(from, left))
      yield walked.filter((tag): tag is WalkedTag & UsedTag => tag.path !== null && tag.newest !== null)
      const ended = walked.reduce((sum, { entries }) => sum + entries, 0) < ENTRIES
      const last = ended ? undefined : walked.at(-1)
      if (last !== undefined) left = left.filter((user) => user > last.user_id)
      else if (from === undefined) left = []
      from = last
    }
  }
}

/** The entries after those of `from`, or else those of `users`, in the order of the index. */
function entriesAfter(from: WalkedTag | undefined, users: readonly number[]): Sql {
  const [user] = from === undefined ? users : [from.user_id]
  // MariaDB would read and sort all entries if the order named a column that a bound value fixes.
  return from === undefined && users.length > 1
    ? sql`user_id IN (${list(users)}) ORDER BY user_id, tag_id`
    : sql`user_id = ${user ?? 0} AND tag_id > ${from?.tag_id ?? 0} ORDER BY tag_id`
}

/** The tags of the first `ENTRIES` entries, in the order of users and tags. */
const walk = <V>(tx: ReadTx<V>, entries: Sql): Promise<WalkedTag[]> =>
  tx.all<WalkedTag>(sql`
    SELECT c.user_id, c.tag_id, c.entries, t.path,
      CASE WHEN ${permitEveryTagValue(tx, 'read').restriction} THEN (
        SELECT v.updated_at FROM tag_values v ${byUser(tx)}
        WHERE v.user_id = c.user_id AND v.tag_id = c.tag_id ORDER BY v.updated_at DESC LIMIT 1) END AS newest
    FROM (
      SELECT user_id, tag_id, COUNT(*) AS entries FROM (
        SELECT user_id, tag_id FROM tag_values ${byUser(tx)}
        WHERE ${entries} LIMIT ${raw(String(ENTRIES))}) e
      GROUP BY user_id, tag_id) c
    LEFT JOIN tags t ON t.id = c.tag_id
    ORDER BY c.user_id, c.tag_id`)

const byUser = <V>(tx: ReadTx<V>): Sql => tx.dialect.useIndex('tag_values_by_user')

/** The `limit` newest values of one tag by one user, in no particular order. */
async function newestUnder<V>(
  tx: ReadTx<V>,
  { user_id: user, tag_id: tag, path }: UsedTag,
  limit: number,
): Promise<RecentRow[]> {
  const theirs = sql`FROM tag_values v ${byUser(tx)} WHERE v.user_id = ${user} AND v.tag_id = ${tag}`
  // One request may have written millions of values at the same moment: this reads only those that can be among the newest.
  const oldest = await tx.one<{ updated_at: number }>(sql`
    SELECT v.updated_at ${theirs} ORDER BY v.updated_at DESC LIMIT 1 OFFSET ${raw(String(limit - 1))}`)
  const columns = sql`${VALUE_COLUMNS}, (SELECT username FROM users WHERE id = ${user}) AS username`
  type Row = ValueRow & Pick<RecentRow, 'username'>
  // Both statements are sent before the first answer arrives.
  const [newer, oldestOnes] = await Promise.all([
    tx.all<Row>(sql`SELECT ${columns} ${theirs} AND v.updated_at > ${oldest?.updated_at ?? -1}`),
    oldest === undefined
      ? []
      : tx.all<Row>(sql`
          SELECT ${columns} ${theirs} AND v.updated_at = ${oldest.updated_at}
          ORDER BY v.object_id LIMIT ${raw(String(limit))}`),
  ])
  return [...newer, ...oldestOnes].map((row) => ({ ...row, path }))
}
