/** A plan as text, for tests and for operators who look for the cause of a slow query. */
import type { Clause } from './clauses.ts'
import type { RowCondition } from './conditions.ts'
import {
  MAX_OBJECTS,
  type FetchPlan,
  type MergePlan,
  type Plan,
  type ProbePlan,
  type UnionProof,
} from './plan.ts'

/** Receives the plan before it runs, as a function that makes its text. */
export type NotePlan = (plan: () => string) => void

/**
 * A plan with one line per step; its parts are indented below it, in the order in which they run. `<= n` is an upper bound
 * and `~ n` an estimate of how many objects match. The text contains no values except those in the query itself.
 */
export const describePlan = <V>(plan: Plan<V>): string => linesOf(plan).join('\n')

function linesOf<V>(plan: Plan<V>): string[] {
  switch (plan.kind) {
    case 'id':
      return [`id ${shortText(plan)}`]
    case 'long':
      return [`compare strings ${sized(plan)}`]
    case 'phrase':
      return [`find phrase ${sized(plan)}`]
    case 'fetch':
      return fetchLines(plan)
    case 'compound':
      return [
        'compound',
        ...plan.arms.flatMap(({ operator, fetch }, i) =>
          below(fetchLines(fetch), i === 0 ? '' : `${operator} `),
        ),
      ]
    case 'probe':
      return probeLines(plan)
    case 'merge':
      return mergeLines(plan)
  }
}

/** The lines of a step, indented by one level, with `label` before the first. */
const below = ([head = '', ...rest]: readonly string[], label = ''): string[] =>
  [label + head, ...rest].map((line) => `  ${line}`)

function fetchLines<V>({ condition, index, sortedBy, about, prove }: FetchPlan<V>): string[] {
  const fetch = `fetch ${sized(condition, about)} by ${index}${sortedBy === 'index' ? '' : `, sorted by the ${sortedBy}`}`
  return [fetch, ...(prove ? proofLines(condition) : [])]
}

function probeLines<V>({ proofs, first, about, joins, keep, drop }: ProbePlan<V>): string[] {
  const from = first.kind === 'rows' ? [`${sized(first, about)} by ${first.index}`] : linesOf(first)
  return [
    'probe',
    ...proofs.flatMap(proofLines),
    ...below(from, 'from '),
    ...joins.flatMap((condition) => below([`join ${sized(condition)}`])),
    ...keep.flatMap((clause) => below([`keep ${sized(clause)}`])),
    ...drop.flatMap((clause) => below([`drop ${sized(clause)}`])),
  ]
}

const mergeLines = <V>({ proof, first, steps }: MergePlan<V>): string[] => [
  'merge',
  ...(proof === undefined ? [] : unionProofLines(proof)),
  ...below(linesOf(first)),
  ...steps.flatMap(({ merge, plan }) => below(linesOf(plan), `${merge} `)),
]

const proofLines = <V>(condition: RowCondition<V>): string[] =>
  below([`prove ${shortText(condition)} <= ${number(MAX_OBJECTS)}`])

const unionProofLines = <V>({ text, larger, smaller, sampled }: UnionProof<V>): string[] => [
  ...below([`prove ${shortText({ text })} <= ${number(MAX_OBJECTS)}`]),
  ...below(below([`count ${shortText(larger)}`])),
  ...below(below([`sample ${number(sampled)} of ${shortText(smaller)}`])),
]

/** A clause and the number of objects that match it. */
const sized = <V>(clause: Clause<V>, about?: number): string =>
  `${shortText(clause)} (${about === undefined || about >= clause.bound ? '' : `~ ${number(about)}, `}<= ${number(clause.bound)})`

const MAX_TEXT = 120

/** The source of a clause. */
const shortText = ({ text }: { readonly text: string }): string => oneLine(text, MAX_TEXT)

/** The text of a query on one line without control characters, cut after `length`. */
export function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{Cc}/gu, '\u{fffd}')
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed()}…`
}

const number = (value: number): string => value.toLocaleString('en')
