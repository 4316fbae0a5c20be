/** Conditions that need more than a single row: phrases, beginnings of words, and strings longer than sort keys. */
import { parsePrimitive } from '../../model/tag-value.ts'
import { runYielding } from '../../scheduling/yielding.ts'
import { phraseIsIn, phraseTest } from '../../model/phrases.ts'
import type { PatternWord } from '../../model/words.ts'
import { stopPointOf, type LongComparison, type PhraseCondition, type ReadableTag } from './conditions.ts'
import { keysBeside, testOf, testSql } from './key-sets.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { IdSet } from '../database/ids/id-sets.ts'
import { withoutRepeats } from '../database/ids/id-set-merging.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import { SPENT, type ReadTx } from '../store/views.ts'
import { KEY, KEY_STRING_BYTES, textsOf } from '../values/encoding.ts'
import { wordRange, wordTerm } from '../values/terms.ts'
import { readTexts } from '../values/reading.ts'

/** The objects whose value of a tag sorts before or after a long string. */
export async function findLong<V>(tx: ReadTx<V>, { tag, op, operand }: LongComparison<V>): Promise<IdSet> {
  const shared = Buffer.concat([Buffer.of(KEY.string), Buffer.from(operand).subarray(0, KEY_STRING_BYTES)])
  const last = Buffer.concat([shared, Buffer.alloc(40, 0xff)])
  const up = op.startsWith('>')
  const where = (condition: Sql): Promise<IdSet> =>
    tx.ids(sql`SELECT v.object_id FROM tag_values v ${tx.dialect.useIndex('tag_values_by_value')}
      WHERE v.tag_id = ${tag.id} ${stopPointOf(tx.dialect, tag.valueBound, 0)} AND ${condition} ORDER BY v.object_id`)
  const clear = await where(
    testSql(testOf(keysBeside(up ? '>' : '<=', up ? last : shared, KEY.string)), raw('v.sort_key')),
  )
  // Strings that begin like the operand share the beginning of their keys, so they are read and compared.
  const unclear = await where(sql`v.sort_key > ${shared} AND v.sort_key <= ${last}`)
  const bytes = Buffer.from(operand)
  const meets = (json: string): boolean => {
    const order = Buffer.compare(Buffer.from(JSON.parse(json) as string), bytes)
    return order === 0 ? op.endsWith('=') : order > 0 === up
  }
  const met = await filtered(tx, unclear, { tag, meets })
  return tx.merge('union', clear.consume(), met.consume())
}

/** The objects whose text for a tag contains the words in sequence. */
export async function findPhrase<V>(tx: ReadTx<V>, { tag, words }: PhraseCondition<V>): Promise<IdSet> {
  const whole = words.filter(({ prefix }) => !prefix).map(({ word }) => wordTerm(word))
  const begun = words.filter(({ prefix }) => prefix)
  const sets: IdSet[] = whole.length === 0 ? [] : [await withAll(tx, tag, whole)]
  for (const word of begun) sets.push(await withBeginning(tx, tag, word))
  const [first = IdSet.of(undefined), ...rest] = sets
  let found: IdSet = first
  for (const set of rest) found = await tx.merge('intersection', found.consume(), set.consume())
  return onlyTerms(words) === undefined ? phraseAmong(tx, { tag, words }, found) : found
}

/** A range of terms that answers a phrase, from the first to the last. */
type Answering = ReturnType<typeof wordRange>

/** The terms that answer a phrase alone: those with the beginning of a single word, unless it is longer than terms are. */
export function onlyTerms(words: readonly PatternWord[]): Answering | undefined {
  const [first, second] = words
  if (first?.prefix !== true || second !== undefined) return undefined
  const range = wordRange(first.word)
  return range.exact ? range : undefined
}

/** How many rows of terms answer a phrase, or `limit + 1` if more than `limit` do; undefined if the answer needs texts. */
export async function countTerms<V>(
  tx: ReadTx<V>,
  { tag, words }: PhraseCondition<V>,
  limit: number,
): Promise<number | undefined> {
  const range = onlyTerms(words)
  if (range === undefined) return undefined
  const row = await tx.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM (
    SELECT 1 FROM terms WHERE ${within(tag, range)} LIMIT ${raw(String(limit + 1))}) c`)
  return row?.n ?? 0
}

/** The objects of the rows of a range of terms. Throws `SPENT` if there are more than `limit` rows. */
export async function findWithin<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  range: Answering,
  limit: number,
): Promise<IdSet> {
  const rows = await tx.sortedIds(sql`SELECT object_id FROM terms WHERE ${within(tag, range)}`, limit + 1)
  if (rows.size > limit) throw SPENT
  // An object may have several of the terms.
  return IdSet.inOrder(withoutRepeats(rows.consume()))
}

const within = <V>(
  tag: ReadableTag<V>,
  { first, last }: { readonly first: Buffer; readonly last: Buffer },
): Sql => sql`tag_id = ${tag.id} AND term >= ${first} AND term <= ${last}`

/** The objects of `ids` whose text for a tag contains the words in sequence. */
export function phraseAmong<V>(
  tx: ReadTx<V>,
  { tag, words }: Pick<PhraseCondition<V>, 'tag' | 'words'>,
  ids: IdSet,
): Promise<IdSet> {
  const mayMatch = phraseTest(words)
  const meets = (json: string): boolean | Promise<boolean> =>
    mayMatch(json) && runYielding(isInOne(json, words))
  return filtered(tx, ids, { tag, meets, further: mayHold(tx.dialect, words) })
}

/** How many words, and how long ones, the database searches for in each text. */
const [WORDS_LOOKED_FOR, LONGEST_LOOKED_FOR] = [3, 64]

/** SQL that is true for all rows whose texts have the words in sequence, and for few others, so that few others are read. */
function mayHold(dialect: Dialect, words: readonly PatternWord[]): Sql {
  const looked = words.map(({ word }) => word).filter(({ length }) => length <= LONGEST_LOOKED_FOR)
  const content = raw('v.content')
  const holds = dialect.holds(content, looked.slice(0, WORDS_LOOKED_FOR))
  // An ASCII text contains its words as the pattern spells them, except for letter case. Long contents are in parts.
  return sql`(v.content IS NULL OR ${holds} OR NOT ${dialect.isPlain(content)})`
}

/** Whether a text of a value contains the words in sequence. */
function* isInOne(json: string, words: readonly PatternWord[]): Generator<undefined, boolean> {
  for (const text of textsOf(parsePrimitive(json))) if (yield* phraseIsIn(text, words)) return true
  return false
}

/** An upper estimate: values may have many terms. */
const TERMS_PER_VALUE = 100

const withBeginning = <V>(tx: ReadTx<V>, tag: ReadableTag<V>, { word }: PatternWord): Promise<IdSet> =>
  tx.ids(sql`SELECT DISTINCT object_id FROM terms WHERE ${within(tag, wordRange(word))}
    ${stopPointOf(tx.dialect, tag.valueBound * TERMS_PER_VALUE, 0)} ORDER BY object_id`)

/** Databases join up to about sixty tables; with this many joins, few texts are left to read. */
const MAX_JOINS = 20

/**
 * The objects that have all of these terms: the objects of the rarest term are probed for the others. If there are very many
 * terms, only the first ones are joined, since the texts are read anyway.
 */
async function withAll<V>(tx: ReadTx<V>, tag: ReadableTag<V>, terms: readonly Buffer[]): Promise<IdSet> {
  const rarest = terms.length === 1 ? 0 : await rarestOf(tx, tag, terms)
  const { dialect } = tx
  const primary = dialect.useIndex('PRIMARY')
  const joins = terms
    .filter((_, i) => i !== rarest)
    .slice(0, MAX_JOINS)
    .map((term, i) => {
      const alias = raw(`j${String(i)}`)
      return sql`${dialect.thenJoin} terms ${alias} ${primary}
        ON ${alias}.tag_id = ${tag.id} AND ${alias}.term = ${term} AND ${alias}.object_id = d.object_id`
    })
  return tx.ids(sql`SELECT d.object_id FROM terms d ${primary} ${join(joins, ' ')}
    WHERE d.tag_id = ${tag.id} AND d.term = ${terms[rarest] ?? null}
      ${stopPointOf(dialect, tag.valueBound, joins.length)} ORDER BY d.object_id`)
}

/** The index of the term that the fewest objects have. No term is counted beyond the rarest one so far. */
async function rarestOf<V>(tx: ReadTx<V>, tag: ReadableTag<V>, terms: readonly Buffer[]): Promise<number> {
  let rarest = 0
  let fewest = tag.valueBound + 1
  for (const [i, term] of terms.entries()) {
    const row = await tx.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM (
      SELECT 1 FROM terms WHERE tag_id = ${tag.id} AND term = ${term} LIMIT ${raw(String(fewest))}) c`)
    if (row === undefined || row.n >= fewest) continue
    rarest = i
    fewest = row.n
  }
  return rarest
}

/** A test on the canonical JSON of a tag's values, and SQL that is true for all values that pass it. */
interface Filter<V> {
  readonly tag: ReadableTag<V>
  readonly meets: (json: string) => boolean | Promise<boolean>
  readonly further?: Sql
}

/** The objects of `ids` whose value of the tag passes a test. */
async function filtered<V>(tx: ReadTx<V>, ids: IdSet, { tag, meets, further }: Filter<V>): Promise<IdSet> {
  const met: Buffer[] = []
  for await (const { id, json } of readTexts(tx, ids, tag, further)) {
    const isMet = meets(json)
    // Most values fail the quick test, and awaiting a promise for each would cost more than the test.
    if (typeof isMet === 'boolean' ? isMet : await isMet) met.push(id)
  }
  return IdSet.inOrder(Buffer.concat(met))
}
