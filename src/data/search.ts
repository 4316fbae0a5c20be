/** Finding objects: SQL fetches the sorted ids of each condition, and the sets are combined here (S 4.0 rule 7). */
import { ServiceError } from '../errors.ts'
import { pathsOf, type Operand, type Query, type TagCondition } from '../query/ast.ts'
import { parsePrimitive, type Primitive } from '../tag-value.ts'
import { patternOf, phraseMatches, wordsOf, type PatternWord } from '../words.ts'
import { idBytes, type ObjectId } from './ids.ts'
import { difference, intersection, sizeOf, union, type IdSet } from './id-sets.ts'
import { permitTagValues, type Permitted } from './permissions.ts'
import { raw, sql, type Sql } from './sql.ts'
import type { ReadTx } from './store.ts'
import { itemTerm, KEY, KEY_STRING_BYTES, sortKey, textsOf, wordRange, wordTerm } from './value-encoding.ts'
import { readTexts } from './values.ts'

/** The most objects that a query, or any operand in it, may match (S 8). */
export const MAX_OBJECTS = 1_000_000

/** A query, its text, and the tags that it asks about, which the caller may read. */
export interface Search {
  readonly query: Query
  readonly text: string
  readonly tags: ReadonlyMap<string, Permitted<'tag-values.read'>>
}

/**
 * The right to run a query: READ on every tag that it asks about. `also` are further tags that the caller wants to
 * read; they are looked up together, so that a missing one is told before a forbidden one. Errors as for
 * `permitTagValues`.
 */
export async function permitSearch(
  tx: ReadTx,
  query: Query,
  text: string,
  also: readonly string[] = [],
): Promise<Search> {
  const paths = [...new Set([...pathsOf(query), ...also])]
  const tags = await permitTagValues(tx, 'read', paths)
  return {
    query,
    text,
    tags: new Map(paths.map((path, i) => [path, tags[i] as Permitted<'tag-values.read'>])),
  }
}

/**
 * The objects that a query matches. Throws `TooManyObjects` when the query or an operand in it matches more than
 * `MAX_OBJECTS`, `TBadRequest` for `matches` on a tag that is not indexed.
 */
export async function search(tx: ReadTx, { query, text, tags }: Search): Promise<IdSet> {
  const evaluate = async (node: Query): Promise<IdSet> => {
    const found = await find(node)
    if (sizeOf(found) <= MAX_OBJECTS) return found
    throw new ServiceError('TooManyObjects', { query: text.slice(node.start, node.end) })
  }
  const find = async (node: Query): Promise<IdSet> => {
    switch (node.kind) {
      case 'id':
        return idBytes(node.id as ObjectId)
      case 'or':
        return union(await evaluate(node.left), await evaluate(node.right))
      case 'and':
        return intersection(await evaluate(node.left), await evaluate(node.right))
      case 'except':
        return difference(await evaluate(node.left), await evaluate(node.right))
      default:
        return findByTag(tx, node, tags.get(node.path) as Permitted<'tag-values.read'>)
    }
  }
  return evaluate(query)
}

type Tag = Permitted<'tag-values.read'>

function findByTag(tx: ReadTx, condition: TagCondition, tag: Tag): Promise<IdSet> {
  switch (condition.kind) {
    case 'has':
      return idsWhere(tx, tag, 'PRIMARY', raw('1 = 1'))
    case 'compare':
      return compared(tx, tag, condition.op, condition.operand)
    case 'contains':
      return tx.ids(sql`SELECT object_id FROM terms WHERE tag_id = ${tag.id} AND term = ${itemTerm(condition.text)}
        ORDER BY object_id ${LIMIT}`)
    case 'matches':
      return matching(tx, tag, patternOf(condition.text))
  }
}

/** One more than is allowed shows that there are too many. */
const LIMIT = raw(`LIMIT ${String(MAX_OBJECTS + 1)}`)

/**
 * The objects whose value of a tag meets a condition. In the order of ids, always: sets are merged by it, and an
 * index on values has another.
 */
function idsWhere(
  tx: ReadTx,
  tag: Tag,
  index: 'PRIMARY' | 'tag_values_by_value',
  condition: Sql,
): Promise<IdSet> {
  return tx.ids(sql`SELECT object_id FROM tag_values ${tx.dialect.useIndex(index)}
    WHERE tag_id = ${tag.id} AND ${condition} ORDER BY object_id ${LIMIT}`)
}

type Comparator = Extract<TagCondition, { kind: 'compare' }>['op']

const keyOf = (operand: Operand): Buffer => sortKey({ ...operand, json: '' } as Primitive)

function compared(tx: ReadTx, tag: Tag, op: Comparator, operand: Operand): Promise<IdSet> {
  const key = keyOf(operand)
  if (op === '=') return idsWhere(tx, tag, 'tag_values_by_value', sql`sort_key = ${key}`)
  if (op === '!=') return idsWhere(tx, tag, 'PRIMARY', sql`sort_key <> ${key}`)
  if (operand.type === 'string' && Buffer.byteLength(operand.value) > KEY_STRING_BYTES) {
    return beyondLongString(tx, tag, op, operand.value)
  }
  const type = operand.type === 'string' ? KEY.string : KEY.number
  const bounds = sql`sort_key >= ${Buffer.of(type)} AND sort_key < ${Buffer.of(type + 1)}`
  return idsWhere(tx, tag, 'tag_values_by_value', sql`${bounds} AND sort_key ${raw(op)} ${key}`)
}

/**
 * Strings that share the whole beginning that a sort key holds stand there in no order: they are read and compared,
 * and all others are told by the key.
 */
async function beyondLongString(
  tx: ReadTx,
  tag: Tag,
  op: '<' | '<=' | '>' | '>=',
  text: string,
): Promise<IdSet> {
  const shared = Buffer.concat([Buffer.of(KEY.string), Buffer.from(text).subarray(0, KEY_STRING_BYTES)])
  const last = Buffer.concat([shared, Buffer.alloc(40, 0xff)])
  const up = op.startsWith('>')
  const told = await idsWhere(
    tx,
    tag,
    'tag_values_by_value',
    up
      ? sql`sort_key > ${last} AND sort_key < ${Buffer.of(KEY.string + 1)}`
      : sql`sort_key >= ${Buffer.of(KEY.string)} AND sort_key <= ${shared}`,
  )
  const alike =
    await tx.ids(sql`SELECT object_id FROM tag_values ${tx.dialect.useIndex('tag_values_by_value')}
    WHERE tag_id = ${tag.id} AND sort_key > ${shared} AND sort_key <= ${last} ORDER BY object_id`)
  const operand = Buffer.from(text)
  const meets = (json: string): boolean => {
    const order = Buffer.compare(Buffer.from(JSON.parse(json) as string), operand)
    return order === 0 ? op.endsWith('=') : order > 0 === up
  }
  return union(told, await filtered(tx, tag, alike, meets))
}

/** Those of `ids` whose value of the tag, given as canonical JSON, meets a condition. */
async function filtered(tx: ReadTx, tag: Tag, ids: IdSet, meets: (json: string) => boolean): Promise<IdSet> {
  const met: Buffer[] = []
  for await (const { id, json } of readTexts(tx, ids, tag)) if (meets(json)) met.push(id)
  return Buffer.concat(met)
}

async function matching(tx: ReadTx, tag: Tag, pattern: readonly PatternWord[]): Promise<IdSet> {
  if (!tag.indexed) {
    throw new ServiceError('TBadRequest', {
      message: `matches needs an indexed tag, and ${tag.path} is not indexed`,
    })
  }
  if (pattern.length === 0) {
    const texts = sql`sort_key >= ${Buffer.of(KEY.string)} AND sort_key < ${Buffer.of(KEY.list + 1)}`
    return idsWhere(tx, tag, 'PRIMARY', texts)
  }
  let candidates: IdSet | undefined
  let exact = pattern.length === 1
  for (const { word, prefix } of pattern) {
    const range = wordRange(word)
    exact &&= !prefix || range.exact
    const terms = prefix
      ? sql`term >= ${range.first} AND term <= ${range.last}`
      : sql`term = ${wordTerm(word)}`
    const found = await tx.ids(sql`SELECT DISTINCT object_id FROM terms
      WHERE tag_id = ${tag.id} AND ${terms} ORDER BY object_id ${exact ? LIMIT : raw('')}`)
    candidates = candidates === undefined ? found : intersection(candidates, found)
  }
  if (candidates === undefined || exact) return candidates ?? Buffer.alloc(0)
  return filtered(tx, tag, candidates, (json) =>
    textsOf(parsePrimitive(json)).some((text) => phraseMatches(wordsOf(text), pattern)),
  )
}
