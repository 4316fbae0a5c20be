/** The works for hand-written SQL, each with its forms; trials of all forms find the fastest. */
import { tagPath } from './catalogue.ts'
import { REFUSALS, SHAPES, type Question } from './shapes.ts'
import { facetForms } from './facets-by-hand.ts'
import { FACETS, type FacetShape } from './searches.ts'
import { countsOf, formsOf, literal, phraseForms, phraseOf, type Target } from './sql-forms.ts'
import { WRITTEN } from './store.ts'
import { Encoded } from '../src/data/values/encoding.ts'
import { parsePrimitive } from '../src/model/tag-value.ts'
import type { PatternWord } from '../src/model/words.ts'

/** A work; a form is a statement, or several in one transaction. */
export interface Work {
  readonly name: string
  /** The effect of its statement: it returns ids, a count or values of objects, or makes a change. */
  readonly gives: 'ids' | 'count' | 'values' | 'change'
  readonly forms: readonly (readonly string[])[]
  /** The words that must be in sequence in the texts that its statement returns with the ids. */
  readonly phrase?: readonly PatternWord[]
  /** The facets for which its statements return groups of values. */
  readonly facets?: FacetShape
  /** Statements to run before the work, and to undo it so that another form can be tried. */
  readonly before?: readonly string[]
  readonly undo?: readonly string[]
}

/** The tags that `GET /values` reads, and the query for the objects. */
export const READ_TAGS = ['title', 'year', 'price', 'language', 'author'].map(tagPath)
export const READ_OF: Question = { kind: 'has', tag: tagPath('damaged') }

/** The query for the objects on which `PUT` and `DELETE` of `/values` set and delete a value, and that value. */
export const CHANGED: Question = { kind: 'has', tag: tagPath('favourite') }
export const CHANGED_TO = 'false'

export const idsWork = (shape: string): string => `ids: ${shape}`
export const countWork = (refusal: string): string => `count: ${refusal}`
export const exactWork = (shape: string): string => `exact count: ${shape}`
export const facetWork = (facets: string): string => `facets: ${facets}`

/** The shapes whose matches the benchmark counts completely; trials of forms for more of them would take minutes. */
export const COUNTED = SHAPES.filter(({ name }) => name === 'has, 1,000k')

/** One more than the most objects that a query may match. */
const TOO_MANY = 1_000_001

/** All works on a database. */
export function worksOf(target: Target): Map<string, Work> {
  const one = (statement: string): string[] => [statement]
  const works: Work[] = [
    ...SHAPES.map(({ name, question }) => idsOf(name, question, target)),
    ...REFUSALS.map(({ name, excess }) => ({
      name: countWork(name),
      gives: 'count' as const,
      forms: countsOf(excess, target, TOO_MANY).map(one),
    })),
    ...COUNTED.map(({ name, question }) => ({
      name: exactWork(name),
      gives: 'count' as const,
      forms: countsOf(question, target).map(one),
    })),
    ...FACETS.map((facets) => ({
      name: facetWork(facets.name),
      gives: 'values' as const,
      forms: facetForms(facets, target),
      facets,
    })),
    { name: 'values', gives: 'values', forms: readForms(target).map(one) },
    ...changes(target),
  ]
  return new Map(works.map((work) => [work.name, work]))
}

function idsOf(shape: string, question: Question, target: Target): Work {
  const phrase = phraseOf(question)
  const statements =
    phrase === undefined || !('tag' in question)
      ? formsOf(question, target)
      : phraseForms(question.tag, phrase, target)
  const forms = statements.map((statement) => [statement])
  return { name: idsWork(shape), gives: 'ids', forms, ...(phrase === undefined ? {} : { phrase }) }
}

function readForms({ dialect, tagId }: Target): string[] {
  const from = tagId('tag' in READ_OF ? READ_OF.tag : '')
  const tags = READ_TAGS.map(tagId).join(', ')
  const indexes = ['tag_values_by_object', 'PRIMARY'].map((index) => dialect.useIndex(index).text)
  return ['', ...indexes].map(
    (hint) => `SELECT v.object_id, v.tag_id, v.content FROM tag_values f ${dialect.useIndex('PRIMARY').text}
      ${dialect.thenJoin.text} tag_values v ${hint} ON v.object_id = f.object_id AND v.tag_id IN (${tags})
      WHERE f.tag_id = ${from}`,
  )
}

function changes({ dialect, tagId }: Target): Work[] {
  const [from, to] = [tagId('tag' in CHANGED ? CHANGED.tag : ''), tagId(WRITTEN.byHand)]
  const { type, sortKey, content } = new Encoded(parsePrimitive(CHANGED_TO))
  const columns = ['type', 'sort_key', 'content', 'size', 'content_type', 'updated_at', 'user_id']
  const now =
    dialect.name === 'mysql' ? 'UNIX_TIMESTAMP(NOW(6)) * 1000000' : `CAST(unixepoch('subsec') * 1e6 AS INT)`
  const value = `${type}, ${literal(sortKey)}, ${literal(content)}, ${content.length}, NULL, ${now}, 1`
  const overwrite = dialect.overwrite(['tag_id', 'object_id'], columns).text
  const put = (index: string): string => `INSERT INTO tag_values (tag_id, object_id, ${columns.join(', ')})
    SELECT ${to}, object_id, ${value} FROM tag_values ${dialect.useIndex(index).text}
    WHERE tag_id = ${from} ORDER BY object_id ${overwrite}`
  const puts = ['PRIMARY', 'tag_values_by_value'].map((index) => [put(index)])
  const all = [`DELETE FROM tag_values WHERE tag_id = ${to}`]
  const deletes =
    dialect.name === 'mysql'
      ? [
          `DELETE w FROM tag_values f STRAIGHT_JOIN tag_values w ON w.tag_id = ${to} AND w.object_id = f.object_id WHERE f.tag_id = ${from}`,
          `DELETE w FROM tag_values w STRAIGHT_JOIN tag_values f ON f.tag_id = ${from} AND f.object_id = w.object_id WHERE w.tag_id = ${to}`,
        ]
      : [
          `DELETE FROM tag_values WHERE tag_id = ${to} AND object_id IN (SELECT object_id FROM tag_values WHERE tag_id = ${from})`,
          `DELETE FROM tag_values WHERE tag_id = ${to} AND EXISTS (SELECT 1 FROM tag_values f WHERE f.tag_id = ${from} AND f.object_id = tag_values.object_id)`,
        ]
  return [
    { name: 'put', gives: 'change', forms: puts, before: all, undo: all },
    {
      name: 'delete',
      gives: 'change',
      forms: deletes.map((statement) => [statement]),
      before: puts[0] ?? [],
      undo: puts[0] ?? [],
    },
  ]
}
