/** The most frequent items of lists, each counted once for every object whose list holds it. */
import type { SortedIds } from '../database/ids/id-sets.ts'
import { ID_BYTES } from '../database/ids/ids.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import { ITEM_TERMS, itemOfTerm, itemTerm } from '../values/terms.ts'
import { isProbeable } from '../search/clauses.ts'
import { stopPointOf, type ReadableTag } from '../search/conditions.ts'
import { testOf } from '../search/execution.ts'
import type { ReadTx } from '../store/views.ts'
import { KEY } from '../values/encoding.ts'
import { contentOf, contentsInParts, isInParts, VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'
import { byCount } from './facet-groups.ts'
import { isEvery, type Held, type Matches, type Rows } from './facet-rows.ts'
import { byRank, countedText, type CountedValue } from './facet-values.ts'

/** A term of an item, and the number of objects with it. */
interface ItemGroup {
  readonly key: Buffer
  readonly count: number
  readonly ints: 0
  /** The item, if it is known. */
  readonly text?: string
}

/** Which items to count. */
interface Wanted<V> {
  readonly tag: ReadableTag<V>
  readonly matches: Matches<V>
  readonly rows: Rows
  readonly top: number
  readonly held: Held
}

/** The limit in octets above which a list is not read to find one item. */
const SHORT_LIST = 256 * 1024

/** The most frequent items: from short lists themselves, else from their terms; and `how` they were counted. */
export async function topItems<V>(
  tx: ReadTx<V>,
  wanted: Wanted<V>,
): Promise<{ items: CountedValue[]; how: string }> {
  if (wanted.top === 0) return { items: [], how: '' }
  const inLists = (await octetsOfLists(tx, wanted.rows)) <= wanted.held.octets
  const membership = inLists ? undefined : membershipOf(tx, wanted)
  const [groups, how] = inLists
    ? [await itemsOfLists(tx, wanted), 'reading its lists']
    : membership === undefined
      ? [await walkedTerms(tx, wanted), 'walking its terms']
      : [await groupedTerms(tx, wanted, membership), 'its terms']
  const items: { key: Buffer; count: number; value: CountedValue }[] = []
  for (const group of groups) items.push({ ...group, value: await itemValue(tx, wanted.tag, group) })
  return { items: items.sort(byRank).map(({ value }) => value), how: `, items by ${how}` }
}

const IS_LIST = sql`v.sort_key = ${Buffer.of(KEY.list)}`

async function octetsOfLists<V>(tx: ReadTx<V>, rows: Rows): Promise<number> {
  let octets = 0
  for (const from of rows.statements()) {
    const row = await tx.one<{ octets: number | string | Buffer | null }>(
      sql`SELECT SUM(v.size) AS octets ${from} AND ${IS_LIST}`,
    )
    octets += Number(String(row?.octets ?? 0))
  }
  return octets
}

async function itemsOfLists<V>(tx: ReadTx<V>, { rows, top }: Wanted<V>): Promise<ItemGroup[]> {
  const counts = new Map<string, number>()
  for (const from of rows.statements()) {
    const lists = await tx.all<ValueRow>(
      sql`SELECT ${VALUE_COLUMNS} ${from} AND ${IS_LIST} AND v.size > 2 ORDER BY v.object_id`,
    )
    const inParts = contentsInParts(tx, lists.filter(isInParts))
    for (const list of lists) {
      const items = JSON.parse((list.content ?? (await inParts(list))).toString()) as string[]
      for (const item of new Set(items)) counts.set(item, (counts.get(item) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([text, count]): ItemGroup => ({ key: itemTerm(text), count, ints: 0, text }))
    .sort(byCount)
    .slice(0, top)
}

/** SQL that is true for terms aliased `v` on objects that match; undefined if this cannot be a condition in SQL. */
function membershipOf<V>({ dialect }: ReadTx<V>, { tag, matches }: Wanted<V>): Sql | undefined {
  const { clause, found } = matches
  if (isEvery(clause, tag)) return raw('1 = 1')
  if (found.size <= dialect.mostIds) return sql`v.object_id IN (${dialect.inIds(found.bytes)})`
  return isProbeable(clause) ? testOf(dialect, clause, { object: raw('v.object_id') }) : undefined
}

/** The terms of the items of a tag. */
const itemTerms = <V>({ dialect }: ReadTx<V>, tag: ReadableTag<V>): Sql => sql`
  FROM terms v ${dialect.useIndex('PRIMARY')}
  WHERE v.tag_id = ${tag.id} AND v.term >= ${ITEM_TERMS.from} AND v.term < ${ITEM_TERMS.to}`

async function groupedTerms<V>(
  tx: ReadTx<V>,
  { tag, top }: Wanted<V>,
  membership: Sql,
): Promise<ItemGroup[]> {
  const stop = stopPointOf(tx.dialect, tag.valueBound, 1)
  const rows = await tx.all<{ term: Buffer; n: number }>(sql`
    SELECT v.term, COUNT(*) AS n ${itemTerms(tx, tag)} ${stop} AND ${membership}
    GROUP BY v.term ORDER BY n DESC, v.term LIMIT ${raw(String(top))}`)
  return rows.map(({ term, n }) => ({ key: term, count: n, ints: 0 }))
}

/** How many terms one statement reads. */
const TERMS_AT_ONCE = 10_000

/** Looks up the object of each term in the set: slow, but with little memory. */
async function walkedTerms<V>(tx: ReadTx<V>, { tag, matches, top }: Wanted<V>): Promise<ItemGroup[]> {
  let best: ItemGroup[] = []
  let last = { term: ITEM_TERMS.from, object_id: Buffer.alloc(0) }
  let run = { key: last.term, count: 0, ints: 0 as const }
  const end = (): void => {
    if (run.count > 0) best.push(run)
    if (best.length > 2 * top) best = best.sort(byCount).slice(0, top)
  }
  for (let rows = [last]; rows.length > 0; last = rows.at(-1) ?? last) {
    rows = await tx.all(sql`SELECT v.term, v.object_id ${itemTerms(tx, tag)}
      AND v.term >= ${last.term} AND (v.term > ${last.term} OR v.object_id > ${last.object_id})
      ORDER BY v.term, v.object_id LIMIT ${raw(String(TERMS_AT_ONCE))}`)
    for (const { term, object_id } of rows) {
      if (!term.equals(run.key)) {
        end()
        run = { key: term, count: 0, ints: 0 }
      }
      if (has(matches.found, object_id)) run.count += 1
    }
  }
  end()
  return best.sort(byCount).slice(0, top)
}

/** Whether a set has an id; binary search. */
function has({ bytes }: SortedIds, id: Buffer): boolean {
  let [from, to] = [0, bytes.length / ID_BYTES]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = bytes.compare(id, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES)
    if (order === 0) return true
    if (order < 0) from = middle + 1
    else to = middle
  }
  return false
}

async function itemValue<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  { key, count, text }: ItemGroup,
): Promise<CountedValue> {
  const item = itemOfTerm(key)
  const known = text ?? (item.whole ? item.text : await longItem(tx, tag, key))
  return known === undefined ? { beginning: item.text, count } : countedText(known, count)
}

/** Among this many lists with an item, the shortest is read. */
const LOOKED_AT = 10

/** The item of a term that does not hold the whole item, if a list with the item is short. */
async function longItem<V>(tx: ReadTx<V>, tag: ReadableTag<V>, term: Buffer): Promise<string | undefined> {
  const { dialect } = tx
  const list = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM (
      SELECT t.object_id FROM terms t ${dialect.useIndex('PRIMARY')}
      WHERE t.tag_id = ${tag.id} AND t.term = ${term} LIMIT ${raw(String(LOOKED_AT))}) m
    ${dialect.thenJoin} tag_values v ${dialect.useIndex('PRIMARY')} ON v.tag_id = ${tag.id} AND v.object_id = m.object_id
    ORDER BY v.size LIMIT 1`)
  if (list === undefined || list.size > SHORT_LIST) return undefined
  const items = JSON.parse((await contentOf(tx, list)).toString()) as string[]
  return items.find((item) => itemTerm(item).equals(term))
}
