/** What became of the faults that were tried, kept in a file, one a line, so that a run that was stopped can go on. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Fault } from './operators.ts'

/** `refused`: by the compiler. `undecided`: no test was red when the time was over. */
export type Outcome = 'killed' | 'survived' | 'undecided' | 'refused'

export interface Result {
  /** As of `idOf`. */
  readonly id: string
  readonly file: string
  readonly line: number
  readonly kind: string
  /** The text that was replaced, and what by. */
  readonly change: string
  readonly outcome: Outcome
  /** For how many minutes tests could run. */
  readonly minutes: number
  /** The test files that were run last, one of which is red if it was killed. */
  readonly by: readonly string[]
}

/** What a fault is called as long as its file stays as it is. */
export const idOf = (fault: Fault, source: string): string =>
  createHash('sha256')
    .update(JSON.stringify([source, fault]))
    .digest('hex')
    .slice(0, 16)

/** The results in a file, by their ids. */
export function readResults(file: string): Map<string, Result> {
  if (!existsSync(file)) return new Map()
  // The last line may be torn.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const results = lines.map((line) => JSON.parse(line) as Result)
  return new Map(results.map((result) => [result.id, result]))
}

/** Whether a result still says what comes of a fault if tests may run for so many minutes. */
export const isDecided = ({ outcome, minutes }: Result, given: number): boolean =>
  outcome !== 'undecided' || minutes >= given

export function keepResult(file: string, result: Result): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}

/** The folder of a file, at most three deep. */
const areaOf = (file: string): string => dirname(file).split('/').slice(0, 3).join('/')

/** Killed and tried by area, in all, and what was not killed. */
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
