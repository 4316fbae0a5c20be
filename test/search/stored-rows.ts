/** The rows that the tables hold for alice's tags, and the rows that they must hold by a model. */
import { sql } from '../../src/data/database/connection/sql.ts'
import type { Store } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { itemTerm, wordTerm } from '../../src/data/values/terms.ts'
import { wordsOf } from '../../src/model/words.ts'
import type { Value } from './model.ts'
import type { Random } from './random.ts'
import type { ModelledService } from './modelled-service.ts'

/** Rows as lines of text, by table; each line begins with the tag's path. */
export interface Rows {
  readonly values: readonly string[]
  readonly parts: readonly string[]
  readonly terms: readonly string[]
}

interface Row {
  readonly path: Buffer
  readonly object_id: Buffer
}

const INLINE_BYTES = 512

/**
 * The rows of alice's tags; the number of tags with rows that neither exist nor await their purge; and the number of
 * tags with more values than their bounds allow.
 */
export async function storedRows(
  store: Store,
): Promise<Rows & { readonly stray: number; readonly beyondBound: number }> {
  return store.read(SERVICE, async (tx) => {
    const alices = sql`JOIN tags t ON t.id = x.tag_id WHERE t.path > ${'alice/'} AND t.path < ${'alice0'}`
    const values = await tx.all<Row & { content: Buffer | null; size: number }>(
      sql`SELECT t.path, x.object_id, x.content, x.size FROM tag_values x ${alices}`,
    )
    const parts = await tx.all<Row & { part: number; content: Buffer }>(
      sql`SELECT t.path, x.object_id, x.part, x.content FROM value_parts x ${alices} ORDER BY part`,
    )
    const terms = await tx.all<Row & { term: Buffer }>(
      sql`SELECT t.path, x.object_id, x.term FROM terms x ${alices}`,
    )
    const known = sql`(SELECT id FROM tags UNION SELECT tag_id FROM tag_purges)`
    const stray = await tx.all(sql`
      SELECT tag_id FROM tag_values WHERE tag_id NOT IN ${known}
      UNION SELECT tag_id FROM value_parts WHERE tag_id NOT IN ${known}
      UNION SELECT tag_id FROM terms WHERE tag_id NOT IN ${known}`)
    const beyondBound = await tx.all(sql`
      SELECT t.id FROM tags t WHERE t.value_bound < (SELECT COUNT(*) FROM tag_values v WHERE v.tag_id = t.id)`)
    return {
      beyondBound: beyondBound.length,
      values: values
        .map((row) => line(row, row.content === null ? '' : row.content.toString('hex'), String(row.size)))
        .sort(),
      parts: parts.map((row) => line(row, String(row.part), row.content.toString('hex'))).sort(),
      terms: terms.map((row) => line(row, row.term.toString('hex'))).sort(),
      stray: stray.length,
    }
  })
}

const line = ({ path, object_id: id }: Row, ...rest: string[]): string =>
  [path.toString(), id.toString('hex'), ...rest].join(' ')

/** The rows that the tables must hold by the model. */
export function impliedRows({ model, indexed, paths }: ModelledService): Rows {
  const values: string[] = []
  const parts: string[] = []
  const terms: string[] = []
  for (const path of paths) {
    for (const [object, value] of model.get(path) ?? []) {
      const start = `${path} ${object.replaceAll('-', '')}`
      const content = contentOf(value)
      const inline = content.length <= INLINE_BYTES
      values.push(`${start} ${inline ? content.toString('hex') : ''} ${String(content.length)}`)
      if (!inline) parts.push(`${start} 0 ${content.toString('hex')}`)
      for (const term of termsOf(value, indexed.has(path))) terms.push(`${start} ${term}`)
    }
  }
  return { values: values.sort(), parts: parts.sort(), terms: terms.sort() }
}

/** Canonical JSON; a float is the shortest text that is still a float. */
function contentOf(value: Value): Buffer {
  if (value.type !== 'float') return Buffer.from(value.text)
  const text = Object.is(value.value, -0) ? '-0' : String(value.value)
  return Buffer.from(/[.e]/.test(text) ? text : `${text}.0`)
}

function termsOf(value: Value, indexed: boolean): Set<string> {
  if (value.type !== 'string' && value.type !== 'list-of-strings') return new Set()
  const items = value.type === 'string' ? [] : value.value.map(itemTerm)
  const words = indexed ? [value.value].flat().flatMap(wordsOf).map(wordTerm) : []
  return new Set([...items, ...words].map((term) => term.toString('hex')))
}

/** Gives every tag a random bound that its values do not exceed; each bound can make a query run by another plan. */
export const loosenBounds = (store: Store, random: Random): Promise<void> =>
  store.write(SERVICE, async (tx) => {
    for (const { id } of await tx.all<{ id: number }>(sql`SELECT id FROM tags`)) {
      const surplus = random.pick([0, 0, 1, 40, 5_000, 3_000_000])
      await tx.run(sql`UPDATE tags SET value_bound =
        (SELECT COUNT(*) FROM tag_values v WHERE v.tag_id = ${id}) + ${surplus} WHERE id = ${id}`)
    }
  })
