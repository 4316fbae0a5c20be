/**
 * Prints the table at the end of a full run: facts that the contract declares and facts that the tests produced, compared
 * both ways.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerRecord } from '../test/support/answer-recorder.ts'
import { DECLARED, type Fact, type Kind } from '../test/support/contract-judge.ts'
import type { Tally } from './checks.ts'

const ROWS: readonly (readonly [title: string, kind: Kind])[] = [
  ['statuses', 'status'],
  ['error classes', 'error class'],
  ['headers', 'header'],
  ['media types', 'media type'],
  ['bodies', 'body'],
]

const factKey = ({ operation, status, kind, name = '' }: Fact): string =>
  [operation, status, ...(name === '' ? [] : [kind, name])].join(' ')

/** Joins the records of the test processes in a folder, prints the table, and fails for differences of either kind. */
export function judgeDrift(folder: string): Tally {
  const records = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as AnswerRecord,
  )
  const produced = new Set(records.flatMap(({ facts }) => facts.map(factKey)))
  const faults = new Map(records.flatMap((record) => record.faults.map((fault) => [fault.text, fault])))
  const missing = DECLARED.filter((fact) => !produced.has(factKey(fact)))
  const answers = records.reduce((sum, record) => sum + record.answers, 0)
  const operations = (facts: readonly Fact[]): number => new Set(facts.map((fact) => fact.operation)).size
  const shown = DECLARED.filter((fact) => produced.has(factKey(fact)))

  const line = (title: string, cells: readonly (number | string)[]): string =>
    title.padEnd(14) + cells.map((cell) => cell.toLocaleString('en').padStart(16)).join('')
  console.log(`\nThe contract and ${answers.toLocaleString('en')} answers:\n`)
  console.log(line('', ['declared', 'produced', 'never produced', 'undeclared']))
  console.log(line('operations', [operations(DECLARED), operations(shown)]))
  for (const [title, kind] of ROWS) {
    const count = (facts: readonly { kind: Kind }[]): number =>
      facts.filter((fact) => fact.kind === kind).length
    const both = kind === 'body' ? ['', '', ''] : [DECLARED, shown, missing].map(count)
    console.log(line(title, [...both, count([...faults.values()])]))
  }
  for (const fact of missing) console.log(`never produced: ${factKey(fact)}`)
  for (const text of faults.keys()) console.log(`undeclared: ${text}`)
  const outcomes = [faults.size === 0, missing.length === 0]
  return { passed: outcomes.filter(Boolean).length, failed: outcomes.filter((well) => !well).length }
}
