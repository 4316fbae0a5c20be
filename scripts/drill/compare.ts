/** Compares two stores row by row, on any databases. */
import type { Bindable } from '../../src/data/database/connection/sql.ts'
import { Cursor } from '../../src/data/maintenance/cursor.ts'
import type { Store } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'

/** The comparison of a table in two stores. */
export interface Comparison {
  readonly table: string
  /** The number of rows in the first one. */
  readonly rows: number
  /** The number of rows that differ or that only one store has. */
  readonly differences: number
  /** The keys of the first of these. */
  readonly examples: readonly string[]
}

interface Compared {
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/**
 * All tables except that of deleted tags that await their purge. Upper bounds may be too high, so they do not count as
 * content.
 */
const TABLES: Readonly<Record<string, Compared>> = {
  users: { key: ['id'], columns: ['username', 'role', 'password_hash', 'object_id'] },
  namespaces: { key: ['id'], columns: ['path', 'parent_id', 'name', 'object_id', 'open_actions'] },
  tags: { key: ['id'], columns: ['path', 'namespace_id', 'name', 'object_id', 'indexed', 'open_actions'] },
  permission_exceptions: { key: ['target_id', 'permission', 'user_id'], columns: [] },
  about_values: { key: ['about_hash'], columns: ['object_id'] },
  tag_values: {
    key: ['tag_id', 'object_id'],
    columns: ['type', 'sort_key', 'content', 'size', 'content_type', 'updated_at', 'user_id'],
  },
  value_parts: { key: ['tag_id', 'object_id', 'part'], columns: ['content'] },
  terms: { key: ['tag_id', 'term', 'object_id'], columns: [] },
  id_blocks: { key: ['kind'], columns: ['next_id'] },
}

type Row = Readonly<Record<string, Bindable>>

const EXAMPLES = 5

/** Compares all tables, each store in one view. Remains of deleted tags do not count. */
export function compareStores(one: Store, other: Store): Promise<Comparison[]> {
  const signal = new AbortController().signal
  return one.scan(SERVICE, signal, (a) =>
    other.scan(SERVICE, signal, async (b) => {
      const tags = await Cursor.open<{ id: number }, unknown>(a as never, {
        table: 'tags',
        columns: ['id'],
        key: ['id'],
      })
      const known = new Set<Bindable>()
      for (let tag = tags.head; tag !== undefined; tag = tags.head) {
        known.add(tag.id)
        await tags.advance()
      }
      const comparisons: Comparison[] = []
      for (const [table, { key, columns }] of Object.entries(TABLES)) {
        const listing = {
          table,
          key,
          columns: [...key, ...columns],
          large: table === 'value_parts',
        }
        const isKept = (row: Row): boolean => !('tag_id' in row) || known.has(row['tag_id'] ?? null)
        const sides = [
          await Cursor.open<Row, unknown>(a as never, listing),
          await Cursor.open<Row, unknown>(b as never, listing),
        ] as const
        comparisons.push({ table, ...(await compare(sides, key, isKept)) })
      }
      return comparisons
    }),
  )
}

async function compare(
  [one, other]: readonly [Cursor<Row>, Cursor<Row>],
  key: readonly string[],
  isKept: (row: Row) => boolean,
): Promise<Omit<Comparison, 'table'>> {
  let [rows, differences] = [0, 0]
  const examples: string[] = []
  for (;;) {
    const [a, b] = [await nextKept(one, isKept), await nextKept(other, isKept)]
    const order = orderOf(key, a, b)
    if (order === undefined) return { rows, differences, examples }
    const row = order > 0 ? b : a
    if (order !== 0 || rowText(a) !== rowText(b)) {
      differences += 1
      if (examples.length < EXAMPLES) examples.push(rowText(row, key))
    }
    if (order <= 0) {
      rows += 1
      await one.advance()
    }
    if (order >= 0) await other.advance()
  }
}

/**
 * Compares the keys of two rows: negative if the first row comes first, 0 if the keys are equal; undefined if both rows
 * are missing.
 */
function orderOf(key: readonly string[], a: Row | undefined, b: Row | undefined): number | undefined {
  if (a === undefined) return b === undefined ? undefined : 1
  return b === undefined ? -1 : byKey(key, a, b)
}

async function nextKept(cursor: Cursor<Row>, isKept: (row: Row) => boolean): Promise<Row | undefined> {
  while (cursor.head !== undefined && !isKept(cursor.head)) await cursor.advance()
  return cursor.head
}

function byKey(key: readonly string[], a: Row, b: Row): number {
  for (const column of key) {
    const [one, other] = [a[column], b[column]]
    const order =
      Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.compare(other) : Number(one) - Number(other)
    if (order !== 0) return order
  }
  return 0
}

const rowText = (row: Row = {}, columns: readonly string[] = Object.keys(row)): string =>
  columns
    .map((column) => row[column])
    .map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : String(cell)))
    .join(' ')
