/** Facets with hand-written SQL: the database groups values, and the other numbers follow from the groups. */
import { TOP, type FacetShape } from './searches.ts'
import type { Target } from './sql-forms.ts'
import { findTypeOfCode, numberOfKey, stringOfKey } from '../src/data/values/encoding.ts'

/** A group of equal values of one type: the tag, the key, the type and the number of values. */
export type GroupRow = [tagId: number, key: Buffer, type: number, n: number]

/**
 * The statements for facets: one that counts the matches, and one or several that return groups. They find objects by a
 * join, or by a look-up of each value's object; one form handles all tags at once.
 */
export function facetForms({ question, tags }: FacetShape, { dialect, tagId }: Target): string[][] {
  const primary = dialect.useIndex('PRIMARY').text
  const asked = tagId(question.tag)
  const count = `SELECT count(*) AS n FROM tag_values WHERE tag_id = ${asked}`
  const what = 'SELECT v.tag_id, v.sort_key, v.type, count(*) AS n FROM'
  const joined = (of: string): string =>
    `${what} tag_values f ${primary} ${dialect.thenJoin.text} tag_values v ${primary}
      ON v.tag_id ${of} AND v.object_id = f.object_id WHERE f.tag_id = ${asked} GROUP BY v.tag_id, v.sort_key, v.type`
  const probed = (of: string): string =>
    `${what} tag_values v ${primary} WHERE v.tag_id ${of} AND EXISTS (SELECT 1 FROM tag_values f ${primary}
      WHERE f.tag_id = ${asked} AND f.object_id = v.object_id) GROUP BY v.tag_id, v.sort_key, v.type`
  const ids = tags.map(tagId)
  const all = `IN (${ids.join(', ')})`
  return [joined, probed].flatMap((form) => [
    [count, ...ids.map((id) => form(`= ${id}`))],
    [count, form(all)],
  ])
}

/** The facets in the form of Gloss's answer. */
export function facetsFrom(
  { tags }: FacetShape,
  count: number,
  groups: readonly GroupRow[],
  { tagId }: Target,
): object {
  const byTag = Map.groupBy(groups, ([id]) => id)
  return {
    count,
    facets: Object.fromEntries(tags.map((path) => [path, facetFrom(byTag.get(tagId(path)) ?? [])])),
  }
}

function facetFrom(rows: readonly GroupRow[]): object {
  const types: Record<string, number> = {}
  const counts = new Map<string, { key: Buffer; count: number }>()
  for (const [, key, type, n] of rows) {
    const name = findTypeOfCode(type) ?? ''
    types[name] = (types[name] ?? 0) + n
    const group = counts.get(key.toString('latin1')) ?? { key, count: 0 }
    group.count += n
    counts.set(key.toString('latin1'), group)
  }
  const frequent = [...counts.values()].sort((a, b) => b.count - a.count || a.key.compare(b.key))
  const numbers = [...counts.values()]
    .map(({ key }) => numberOfKey(key)?.double)
    .filter((one) => one !== undefined)
  return {
    objects: rows.reduce((sum, [, , , n]) => sum + n, 0),
    types,
    top: frequent.slice(0, TOP).map(({ key, count }) => ({ value: valueOf(key), count })),
    ...(numbers.length === 0 ? {} : { numbers: endsOf(numbers) }),
  }
}

/** A number or a short string; the measured tags have no other values. */
const valueOf = (key: Buffer): number | string | undefined => numberOfKey(key)?.double ?? stringOfKey(key)

const endsOf = (numbers: readonly number[]): object => ({
  smallest: numbers.reduce((least, one) => Math.min(least, one)),
  largest: numbers.reduce((most, one) => Math.max(most, one)),
})
