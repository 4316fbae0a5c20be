/** Completes values: finds the most frequent values of a tag, of all values or of the strings with a beginning. */
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import { permitTagValue } from '../permissions/permissions.ts'
import type { ReadableTag } from '../search/conditions.ts'
import { VALUE } from '../store/costs.ts'
import type { ReadTx } from '../store/views.ts'
import { KEY, KEY_STRING_BYTES } from '../values/encoding.ts'
import type { Asking } from './recent.ts'
import type { Counted } from '../search/counting.ts'
import type { Found } from './suggestions.ts'

export interface ValueSuggestion extends Counted {
  /** The canonical JSON of the value. */
  readonly json: Buffer
}

/** How many index entries are read to find the different values, and as many again to count frequent ones. */
const ENTRIES = 250_000
/** A different value, whose content is looked up, costs as much as this many entries. */
const ENTRIES_PER_VALUE = 10
/** How many entries one statement reads: more where they hold many different values. */
const [FEWEST_AT_ONCE, MOST_AT_ONCE] = [100, 2_000]
/** Up to which number a value is counted at first. */
const FIRST_COUNT = 1_000

/**
 * The `limit` most frequent values of the tag at `path` that are strings beginning with `text`. If `text` is empty, of all
 * values except lists, opaque values and values that are too long for their rows. Throws as `permitTagValue`.
 */
export async function suggestValues(
  { store, caller, signal, limit }: Asking,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Found<ValueSuggestion>> {
  return store.look(caller, signal, async (tx) => {
    const tag = await permitTagValue(tx, 'read', path)
    tx.spend(tag.valueBound * VALUE)
    return frequentOf(tx, tag, { text, limit })
  })
}

/** A value, and the number of objects with it. */
interface Tally extends Counted {
  readonly key: Buffer
  readonly json: Buffer
}

async function frequentOf<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<Found<ValueSuggestion>> {
  const tallies = new Tallies(text, limit)
  const complete = await walk(tx, tag, keysOf(text), tallies)
  const cut = tallies.cut()
  const deeper = FIRST_COUNT + Math.floor(ENTRIES / Math.max(cut.length, 1))
  for (const tally of cut) tallies.put({ ...tally, ...(await countOf(tx, tag, tally.key, deeper)) })
  const suggestions = tallies.best().map(({ json, count, exact }) => ({ json, count, exact }))
  return { suggestions, complete }
}

/** The range of sort keys to read: `from` is included, `before` is not. */
function keysOf(text: string): { readonly from: Buffer; readonly before: Buffer } {
  if (text === '') return { from: Buffer.of(KEY.null), before: Buffer.of(KEY.list) }
  const from = Buffer.from([KEY.string, ...Buffer.from(text).subarray(0, KEY_STRING_BYTES)])
  const before = Buffer.from(from)
  // It never overflows: in UTF-8, no octet is the highest.
  before[before.length - 1] = (before.at(-1) ?? 0) + 1
  return { from, before }
}

/** Reads the values in their order, of a frequent one only the first entries; returns whether it reached the end. */
async function walk<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  { from, before }: { readonly from: Buffer; readonly before: Buffer },
  tallies: Tallies,
): Promise<boolean> {
  let start = sql`>= ${from}`
  let atOnce = FEWEST_AT_ONCE
  for (let left = ENTRIES; left > 0;) {
    const rows = await entries(tx, tag, sql`v.sort_key ${start} AND v.sort_key < ${before}`, atOnce)
    const read = rows.reduce((sum, { n }) => sum + n, 0)
    const last = read < atOnce ? undefined : rows.pop()
    for (const row of rows) tallies.add(row, { count: row.n, exact: true })
    left -= read + ENTRIES_PER_VALUE * rows.length
    if (last === undefined) return true
    // The last value may have further entries.
    const counted = await countOf(tx, tag, last.sort_key, FIRST_COUNT)
    tallies.add(last, counted)
    left -= counted.count
    start = sql`> ${last.sort_key}`
    atOnce = rows.length === 0 ? FEWEST_AT_ONCE : Math.min(2 * atOnce, MOST_AT_ONCE)
  }
  return false
}

/** A value in a part of the index, its number of entries there, and its content unless that is in parts. */
interface EntryRow {
  readonly sort_key: Buffer
  readonly n: number
  readonly content: Buffer | null
}

function entries<V>(tx: ReadTx<V>, tag: ReadableTag<V>, among: Sql, atOnce: number): Promise<EntryRow[]> {
  const { dialect } = tx
  return tx.all<EntryRow>(sql`
    SELECT g.sort_key, g.n, s.content FROM (
      SELECT e.sort_key, COUNT(*) AS n, MIN(e.object_id) AS object_id FROM (
        SELECT v.sort_key, v.object_id FROM tag_values v ${dialect.useIndex('tag_values_by_value')}
        WHERE v.tag_id = ${tag.id} AND ${among} ORDER BY v.sort_key LIMIT ${raw(String(atOnce))}) e
      GROUP BY e.sort_key) g
    ${dialect.thenJoin} tag_values s ${dialect.useIndex('PRIMARY')}
      ON s.tag_id = ${tag.id} AND s.object_id = g.object_id
    ORDER BY g.sort_key`)
}

async function countOf<V>(tx: ReadTx<V>, tag: ReadableTag<V>, key: Buffer, most: number): Promise<Counted> {
  const row = await tx.one<{ n: number }>(sql`
    SELECT COUNT(*) AS n FROM (
      SELECT 1 AS found FROM tag_values v ${tx.dialect.useIndex('tag_values_by_value')}
      WHERE v.tag_id = ${tag.id} AND v.sort_key = ${key} LIMIT ${raw(String(most + 1))}) c`)
  const n = row?.n ?? 0
  return { count: Math.min(n, most), exact: n <= most }
}

/** How many tallies are in memory before all but the best are dropped. */
const HELD = 1_000

/** The values found, in their order, as long as they can be among the most frequent. */
class Tallies {
  readonly #text: string
  readonly #limit: number
  readonly #held = new Map<string, Tally>()
  /** The count of the last of the `limit` best: a later value that is no more frequent need not be kept. */
  #least = 0

  constructor(text: string, limit: number) {
    this.#text = text
    this.#limit = limit
  }

  /** Keeps a value, unless it is too long to be suggested, or does not contain the whole text at its beginning. */
  add({ sort_key: key, content: json }: EntryRow, counted: Counted): void {
    if (json === null || (counted.exact && counted.count <= this.#least)) return
    const long = Buffer.byteLength(this.#text) > KEY_STRING_BYTES
    if (long && !(JSON.parse(json.toString()) as string).startsWith(this.#text)) return
    this.put({ key, json, ...counted })
    if (this.#held.size < HELD) return
    // A value that is not counted to its end is never dropped: it is more frequent than all that are.
    const best = this.best()
    const kept = [...this.cut(), ...best]
    this.#held.clear()
    for (const tally of kept) this.put(tally)
    this.#least = best[this.#limit - 1]?.count ?? 0
  }

  put(tally: Tally): void {
    this.#held.set(tally.key.toString('latin1'), tally)
  }

  /** The values that are not counted to their end. */
  cut(): Tally[] {
    return [...this.#held.values()].filter(({ exact }) => !exact)
  }

  best(): Tally[] {
    return [...this.#held.values()].sort(moreFrequent).slice(0, this.#limit)
  }
}

const moreFrequent = (a: Tally, b: Tally): number =>
  b.count - a.count || Number(a.exact) - Number(b.exact) || Buffer.compare(a.key, b.key)
