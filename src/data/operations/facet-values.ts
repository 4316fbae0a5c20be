/** Converts the keys by which values are counted back to values, as JSON. */
import { floatText } from '../../model/tag-value.ts'
import { raw, sql } from '../database/connection/sql.ts'
import { textWithin } from '../values/terms.ts'
import type { ReadableTag } from '../search/conditions.ts'
import type { ReadTx } from '../store/views.ts'
import { INLINE_BYTES, KEY, KEY_STRING_BYTES, numberOfKey, stringOfKey } from '../values/encoding.ts'

/** Values that compare as equal, and the number of objects with one of them. */
export interface Group {
  readonly key: Buffer
  readonly count: number
  /** How many of them are ints. */
  readonly ints: number
}

/** A value as canonical JSON, or the beginning of a text whose JSON takes more than 512 octets; and its count. */
export type CountedValue = { readonly count: number } & (
  { readonly json: string } | { readonly beginning: string }
)

/** A counted text, whole if it is short enough. */
export function countedText(text: string, count: number): CountedValue {
  const json = JSON.stringify(text)
  return Buffer.byteLength(json) <= INLINE_BYTES
    ? { json, count }
    : { beginning: beginningOf(Buffer.from(json)), count }
}

/** The text whose JSON is `json`, or the beginning of it that the first 512 octets of the JSON show. */
function beginningOf(json: Buffer): string {
  const shown = textWithin(json.subarray(0, INLINE_BYTES))
  // Drops an escape that was cut off. A pair of backslashes is whole.
  const whole = /^(?:[^\\]|\\u[\da-f]{4}|\\[^u])*/u.exec(shown)?.[0] ?? ''
  return (JSON.parse(`${whole}"`) as string).toWellFormed()
}

/** The number of a group: an int if one of its values is an int. */
export function numberJson({ key, ints }: Group): string {
  const number = numberOfKey(key)
  if (number === undefined) throw new Error('a number has the key of something else')
  return ints > 0 && number.int !== undefined ? String(number.int) : floatText(number.double)
}

/** The values of groups of a tag, in their final order. */
export async function countedValues<V>(
  tx: ReadTx<V>,
  tag: ReadableTag<V>,
  groups: readonly Group[],
): Promise<CountedValue[]> {
  const values: (Ranked & { readonly value: CountedValue })[] = []
  for (const group of groups) {
    const value = shortValue(group) ?? (await longText(tx, tag, group))
    values.push({ ...group, value })
  }
  return values.sort(byRank).map(({ value }) => value)
}

/** The fields that decide the order: the count, then the key, and for long texts with the same beginning the texts. */
interface Ranked {
  readonly key: Buffer
  readonly count: number
  readonly value: CountedValue
}

/** Orders the most frequent first, and equally frequent ones by value. */
export const byRank = (a: Ranked, b: Ranked): number =>
  b.count - a.count || compareTexts(a, b) || Buffer.compare(a.key, b.key)

/** The keys of long strings do not order them like the strings themselves. */
function compareTexts(a: Ranked, b: Ranked): number {
  const [left, right] = [stringBytes(a.value), stringBytes(b.value)]
  return left === undefined || right === undefined ? 0 : Buffer.compare(left, right)
}

function stringBytes(value: CountedValue): Buffer | undefined {
  if ('beginning' in value) return Buffer.from(value.beginning)
  return value.json.startsWith('"') ? Buffer.from(JSON.parse(value.json) as string) : undefined
}

function shortValue(group: Group): CountedValue | undefined {
  const { key, count } = group
  if (key[0] === KEY.null) return { json: 'null', count }
  if (key[0] === KEY.boolean) return { json: key[1] === 1 ? 'true' : 'false', count }
  if (key[0] === KEY.number) return { json: numberJson(group), count }
  const text = stringOfKey(key)
  return text === undefined ? undefined : countedText(text, count)
}

/** A string that is longer than its key: any row with the key has it. */
async function longText<V>(tx: ReadTx<V>, tag: ReadableTag<V>, { key, count }: Group): Promise<CountedValue> {
  const row = await tx.one<{ object_id: Buffer; content: Buffer | null }>(sql`
    SELECT v.object_id, v.content FROM tag_values v ${tx.dialect.useIndex('tag_values_by_value')}
    WHERE v.tag_id = ${tag.id} AND v.sort_key = ${key} LIMIT 1`)
  if (row?.content != null) return { json: row.content.toString(), count }
  const part = await tx.one<{ content: Buffer }>(sql`
    SELECT SUBSTR(p.content, 1, ${raw(String(INLINE_BYTES))}) AS content FROM value_parts p ${tx.dialect.useKeyOfLarge}
    WHERE p.tag_id = ${tag.id} AND p.object_id = ${row?.object_id ?? null} AND p.part = 0`)
  return { beginning: beginningOf(part?.content ?? key.subarray(1, 1 + KEY_STRING_BYTES)), count }
}
