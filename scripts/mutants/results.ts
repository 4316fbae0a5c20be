/** Keeps the outcomes of faults in a file, one per line, so that an interrupted run can continue. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Fault } from './operators.ts'

/** `refused`: by the compiler. `undecided`: no test failed in the available time. */
export type Outcome = 'killed' | 'survived' | 'undecided' | 'refused'

export interface Result {
  /** The id from `idOf`. */
  readonly id: string
  readonly file: string
  readonly line: number
  readonly kind: string
  /** The replaced text, and the replacement. */
  readonly change: string
  readonly outcome: Outcome
  /** The time for tests, in minutes. */
  readonly minutes: number
  /** The test files of the last run, one of which fails if the fault was killed. */
  readonly by: readonly string[]
}

/** The id of a fault; it stays the same while the file is unchanged. */
export const idOf = (fault: Fault, source: string): string =>
  createHash('sha256')
    .update(JSON.stringify([source, fault]))
    .digest('hex')
    .slice(0, 16)

/** The results in a file, by their ids. */
export function readResults(file: string): Map<string, Result> {
  if (!existsSync(file)) return new Map()
  // The last line may be incomplete.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const results = lines.map((line) => JSON.parse(line) as Result)
  return new Map(results.map((result) => [result.id, result]))
}

/** Returns whether a result is still valid if tests may run for that many minutes. */
export const isDecided = ({ outcome, minutes }: Result, given: number): boolean =>
  outcome !== 'undecided' || minutes >= given

export function keepResult(file: string, result: Result): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}

/** The folder of a file, up to three levels. */
const areaOf = (file: string): string => dirname(file).split('/').slice(0, 3).join('/')

/** The numbers of killed and tried faults by area and in total, and the faults that were not killed. */
export function* describeResults(results: readonly Result[]): Generator<string> {
  const tried = results.filter(({ outcome }) => outcome !== 'refused')
  const killedIn = (some: readonly Result[]): string =>
    `${String(some.filter(({ outcome }) => outcome === 'killed').length)} / ${String(some.length)}`
  const areas = Map.groupBy(tried, ({ file }) => areaOf(file))
  for (const [area, some] of [...areas].sort(([a], [b]) => (a < b ? -1 : 1)))
    yield `${area.padEnd(28)} ${killedIn(some)}`
  yield `${'killed / tried'.padEnd(28)} ${killedIn(tried)}`
  for (const { outcome, file, line, kind, change } of tried)
    if (outcome !== 'killed') yield `${outcome}: ${file}:${String(line)} ${kind}: ${change}`
}
