/** The measured queries. */
import { SYSTEM_TAGS } from '../src/data/store/tables.ts'
import { aboutOf, author, RARE_WORD, tagPath, topic } from './catalogue.ts'

export type Condition =
  | { readonly kind: 'has'; readonly tag: string }
  | { readonly kind: 'compare'; readonly tag: string; readonly op: string; readonly json: string }
  | { readonly kind: 'contains' | 'matches'; readonly tag: string; readonly text: string }

export type Combination = { readonly kind: 'and' | 'or' | 'except'; readonly parts: readonly Question[] }

/** A query of the catalogue. */
export type Question = Condition | Combination

const has = (name: string): Question => ({ kind: 'has', tag: tagPath(name) })
const compare = (name: string, op: string, value: number | string): Question => ({
  kind: 'compare',
  tag: tagPath(name),
  op,
  json: JSON.stringify(value),
})
const matches = (name: string, text: string): Question => ({ kind: 'matches', tag: tagPath(name), text })
const contains = (name: string, text: string): Question => ({ kind: 'contains', tag: tagPath(name), text })
const and = (...parts: Question[]): Question => ({ kind: 'and', parts })
const or = (...parts: Question[]): Question => ({ kind: 'or', parts })
const except = (...parts: Question[]): Question => ({ kind: 'except', parts })

/** A shape of query. */
export interface Shape {
  readonly name: string
  readonly question: Question
  /** Whether it finds the same number of objects in stores of any size, so that its time should not grow. */
  readonly selective?: boolean
}

/** The shapes; numbers in their names are thousands of values at the full size. */
export const SHAPES: readonly Shape[] = [
  { name: 'has, 10 objects', question: has('unique'), selective: true },
  { name: 'has, 1,000 objects', question: has('signed'), selective: true },
  { name: 'has, 100k', question: has('favourite') },
  { name: 'has, 1,000k', question: has('title') },
  { name: '1,000k and 10k', question: and(has('title'), has('damaged')) },
  { name: '1,000k and 250k', question: and(has('title'), has('note')) },
  { name: '1,000k and 700k', question: and(has('title'), has('rating')) },
  { name: '1,000k and 100 objects', question: and(has('title'), has('stolen')), selective: true },
  {
    name: '1,000k and 500k and 10k',
    question: and(has('title'), has('pages'), has('damaged')),
  },
  { name: '600k or 500k', question: or(has('topics'), has('pages')) },
  { name: '1,000k except 500k', question: except(has('title'), has('pages')) },
  { name: '10k except 1,000k', question: except(has('damaged'), has('title')) },
  {
    name: '1,000 objects except 1,000k',
    question: except(has('signed'), has('price')),
    selective: true,
  },
  {
    name: '= unique string',
    question: { kind: 'compare', tag: SYSTEM_TAGS.about.path, op: '=', json: JSON.stringify(aboutOf(4_321)) },
    selective: true,
  },
  { name: '= frequent string', question: compare('author', '=', author(2)) },
  { name: '= int', question: compare('year', '=', 1987) },
  { name: '!= string', question: compare('language', '!=', 'en') },
  { name: 'narrow range of floats', question: compare('price', '>', 97.5) },
  { name: 'wide range of ints', question: compare('year', '>=', 1990) },
  { name: 'range of dates', question: compare('borrowed', '>=', '2025-01-01') },
  { name: 'selective range', question: compare('signed', '<', 500), selective: true },
  { name: 'range and has', question: and(compare('rating', '>=', 10), has('topics')) },
  { name: 'wide range and has', question: and(compare('year', '>=', 1990), has('pages')) },
  { name: 'contains, frequent', question: contains('topics', topic(0)) },
  { name: 'contains, rare', question: contains('topics', topic(800)) },
  { name: 'matches a frequent word', question: matches('title', 'and') },
  { name: 'matches a middling word', question: matches('title', 'world') },
  { name: 'matches a rare word', question: matches('title', RARE_WORD), selective: true },
  { name: 'matches a beginning', question: matches('title', 'worl*') },
  { name: 'matches a phrase', question: matches('title', 'of the') },
  { name: 'matches and has', question: and(matches('title', 'and'), has('damaged')) },
  { name: 'matches and contains', question: and(matches('title', 'the'), contains('topics', topic(3))) },
  {
    name: 'nested: (has and has except has) or has',
    question: or(except(and(has('title'), has('rating')), has('pages')), has('damaged')),
  },
  {
    name: 'nested: (= or =) and range except has',
    question: except(
      and(
        or(compare('author', '=', author(1)), compare('author', '=', author(2))),
        compare('year', '>=', 1950),
      ),
      has('favourite'),
    ),
  },
  {
    name: 'nested: selective and (or)',
    question: and(has('signed'), or(has('pages'), compare('rating', '<', 5))),
    selective: true,
  },
]

/** A query that the service must refuse because its operand `excess` matches more than 1,000,000 objects. */
export interface Refusal {
  readonly name: string
  readonly question: Question
  readonly excess: Question
}

/** The queries that the service refuses in a store of the full size. */
export const REFUSALS: readonly Refusal[] = [
  { name: 'has too many', question: has('listed'), excess: has('listed') },
  { name: '10k and too many', question: and(has('damaged'), has('listed')), excess: has('listed') },
  {
    name: '10 objects except too many',
    question: except(has('unique'), has('listed')),
    excess: has('listed'),
  },
  {
    name: 'or of 1,000k and 600k',
    question: or(has('title'), has('topics')),
    excess: or(has('title'), has('topics')),
  },
]

/** The query in the query language of Gloss. */
export function queryText(question: Question): string {
  switch (question.kind) {
    case 'has':
      return `has ${question.tag}`
    case 'compare':
      return `${question.tag} ${question.op} ${question.json}`
    case 'contains':
    case 'matches':
      return `${question.tag} ${question.kind} ${JSON.stringify(question.text)}`
    default:
      return question.parts
        .map((part) => ('parts' in part ? `(${queryText(part)})` : queryText(part)))
        .join(` ${question.kind} `)
  }
}
