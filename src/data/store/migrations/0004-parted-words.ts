/**
 * Makes the words of values anew: a colon, full stop, middle dot or low line between two letters now ends a word
 * (docs/decisions/0064-parted-words.md). One transaction for all would be more than clusters take, so each portion has
 * its own. What is done already changes nothing when it is done again.
 */
import type { Knex } from 'knex'
import { JOINED, wordsInPortions } from '../../../words.ts'
import { MYSQL, SQLITE, type Dialect } from '../../database/dialects.ts'
import { isSqlite } from '../../database/knex-config.ts'
import { insertText, portionsOf, sql, type Sql } from '../../database/sql.ts'
import { retried } from '../../database/transactions.ts'
import { wordTerm } from '../../database/terms.ts'

export const config = { transaction: false }

/** The words of a text. */
type Words = (text: string) => Iterable<readonly string[]>

/** By which rule the stored words were made, and by which they will be. */
interface Rules {
  readonly from: Words
  readonly to: Words
}

const joined: Words = (text) => wordsInPortions(text, undefined, JOINED)
const parted: Words = (text) => wordsInPortions(text)

export const up = (knex: Knex): Promise<void> => remake(knex, { from: joined, to: parted })

export const down = (knex: Knex): Promise<void> => remake(knex, { from: parted, to: joined })

/** The types of values with words: strings and lists of strings. */
const TYPES = [4, 5]

/** The table as it is at this migration. */
const TERMS = { name: 'terms', columns: ['tag_id', 'term', 'object_id'] }

/** How many values a portion has, and how many octets unless a single value has more. */
const [VALUES_AT_ONCE, OCTETS_AT_ONCE] = [1_000, 1024 * 1024]

async function remake(knex: Knex, rules: Rules): Promise<void> {
  const tags = await knex<{ id: number; indexed: number }>('tags').where('indexed', 1).orderBy('id')
  for (const { id } of tags) {
    let last: Buffer | undefined = Buffer.alloc(0)
    while (last !== undefined) {
      const after: Buffer = last
      last = await retried(() => knex.transaction((tx) => remakePortion(tx, { tagId: id, after }, rules)))
    }
  }
}

/** Where a portion of values begins: after an object. */
interface Start {
  readonly tagId: number
  readonly after: Buffer
}

/** Remakes the words of one portion of values, and returns its last object; undefined if there is no value. */
async function remakePortion(tx: Knex.Transaction, start: Start, rules: Rules): Promise<Buffer | undefined> {
  const dialect = isSqlite(tx) ? SQLITE : MYSQL
  const values = await nextValues(tx, dialect, start)
  const [gone, added]: [Rows, Rows] = [[], []]
  for (const value of values) {
    const texts = await textsOf(tx, start.tagId, value)
    const [before, now] = [wordsOfAll(texts, rules.from), wordsOfAll(texts, rules.to)]
    const rowOf = (word: string): Rows[number] => [start.tagId, wordTerm(word), value.object_id]
    for (const word of before) if (!now.has(word)) gone.push(rowOf(word))
    for (const word of now) if (!before.has(word)) added.push(rowOf(word))
  }
  for (const some of inKeyOrder(gone)) {
    await run(tx, sql`DELETE FROM terms WHERE (tag_id, term, object_id) IN (${dialect.inRows(some)})`)
  }
  const conflict = dialect.ignoreExisting(TERMS.columns).text
  for (const some of inKeyOrder(added)) {
    await run(tx, {
      text: insertText(TERMS.name, TERMS.columns, some.length, conflict),
      values: some.flat(),
    })
  }
  return values.at(-1)?.object_id
}

function wordsOfAll(texts: readonly string[], rule: Words): Set<string> {
  const all = new Set<string>()
  for (const text of texts) for (const words of rule(text)) for (const word of words) all.add(word)
  return all
}

/** Rows of `terms`. */
type Rows = [tagId: number, term: Buffer, object: Buffer][]

const inKeyOrder = (rows: Rows): Iterable<Rows> =>
  portionsOf(rows.sort(([, a, one], [, b, other]) => a.compare(b) || one.compare(other)))

const run = (tx: Knex.Transaction, { text, values }: Sql): Promise<unknown> => tx.raw(text, [...values])

interface ValueRow {
  readonly object_id: Buffer
  readonly content: Buffer | null
  readonly size: number
}

/** The next values of a tag, locked against other writers. */
async function nextValues(
  tx: Knex.Transaction,
  dialect: Dialect,
  { tagId, after }: Start,
): Promise<ValueRow[]> {
  const rows = await tx<ValueRow>(tx.raw(`tag_values ${dialect.useIndex('PRIMARY').text}`) as never)
    .select<ValueRow[]>('object_id', 'content', 'size')
    .where('tag_id', tagId)
    .where('object_id', '>', after)
    .whereIn('type', TYPES)
    .orderBy('object_id')
    .limit(VALUES_AT_ONCE)
    .forUpdate()
  let octets = 0
  const tooMany = rows.findIndex(({ size }, i) => (octets += size) > OCTETS_AT_ONCE && i > 0)
  return tooMany === -1 ? rows : rows.slice(0, tooMany)
}

/** The texts of a value: a string, or the strings of a list. */
async function textsOf(tx: Knex.Transaction, tagId: number, row: ValueRow): Promise<string[]> {
  const json = row.content ?? (await contentInParts(tx, tagId, row.object_id))
  return [JSON.parse(json.toString()) as string | string[]].flat()
}

async function contentInParts(tx: Knex.Transaction, tagId: number, object: Buffer): Promise<Buffer> {
  const parts = await tx('value_parts')
    .select<{ content: Buffer }[]>('content')
    .where('tag_id', tagId)
    .where('object_id', object)
    .orderBy('part')
  return Buffer.concat(parts.map(({ content }) => content))
}
