/**
 * Puts small faults into a sample of the files of src and command, one at a time, and lists the faults that no test
 * detects (`npm run mutants`).
 *
 * It puts each fault into a copy of the project. If the compiler accepts it, the script runs test files on SQLite,
 * beginning with those nearest to the faulty file, until one fails or the time for the fault is over. After an
 * interruption, a new run continues.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Checkout, FOREVER_MS } from './mutants/checkout.ts'
import { importersIn, testsFor } from './mutants/nearest.ts'
import { faultsFor, type Fault } from './mutants/operators.ts'
import {
  describeResults,
  idOf,
  isDecided,
  keepResult,
  readResults,
  type Outcome,
  type Result,
} from './mutants/results.ts'
import { sampleOf } from './mutants/sample.ts'
import { argumentsOf, option, text, wholeNumber } from './usage.ts'

const root = dirname(import.meta.dirname)
const KEPT = join(root, 'var', 'mutants.jsonl')
/**
 * The number of test files in the first run; each further run has twice as many, because each start of jest takes time.
 */
const FIRST_FILES = 4

const options = argumentsOf({
  name: 'npm run mutants --',
  does: `Puts small faults into a sample of files, one at a time, and shows which of them no test notices.
Results are kept in var/mutants.jsonl: a run that was stopped goes on where it was, and one
with more minutes tries again what was undecided.`,
  options: {
    seed: option(text('TEXT'), 'chooses the sample; the same for the same files', '1'),
    sample: option(wholeNumber(1, 999_999), 'how many faults', 150),
    minutes: option(wholeNumber(1, 999_999), 'for how long tests of one fault run at most', 10),
    files: option(text('GLOB'), 'which files, from the root', '{src,common,command}/**/*.ts'),
  },
})

/** Runs the tests for faults. */
class Trial {
  readonly #checkout: Checkout
  readonly #limitMs: number
  readonly #importers = importersIn(root)
  /** The test files, without those that fail without any fault. */
  #tests = globSync('test/**/*.test.ts', { cwd: root })
  readonly #known = new Set<string>()

  constructor(checkout: Checkout, limitMs: number) {
    this.#checkout = checkout
    this.#limitMs = limitMs
  }

  /** The outcome of a fault, and the test files that determined it. */
  async judge(fault: Fault): Promise<Pick<Result, 'outcome' | 'by'>> {
    for (;;) {
      const found = await this.#checkout.with(fault, () => this.#tried(fault))
      if (found.outcome !== 'killed' || (await this.#areGreen(found.by))) return found
    }
  }

  async #tried({ file }: Fault): Promise<Pick<Result, 'outcome' | 'by'>> {
    const decided = (outcome: Outcome, by: readonly string[] = []) => ({ outcome, by })
    if (!(await this.#checkout.compiles())) return decided('refused')
    const tests = testsFor(file, this.#tests, this.#importers)
    const end = performance.now() + this.#limitMs
    for (let at = 0, size = FIRST_FILES; at < tests.length; at += size, size *= 2) {
      const some = tests.slice(at, at + size)
      const ended = await this.#checkout.test(some, Math.max(1, Math.ceil(end - performance.now())))
      if (ended === 'too late') return decided('undecided', some)
      if (ended === 'failed') return decided('killed', some)
    }
    return decided('survived')
  }

  /** Returns whether test files pass without a fault; the trial does not run failing ones again. */
  async #areGreen(files: readonly string[]): Promise<boolean> {
    const unknown = files.filter((file) => !this.#known.has(file))
    if (unknown.length === 0) return true
    const isGreen = (await this.#checkout.test(unknown, FOREVER_MS)) === 'passed'
    const [only] = unknown
    if (isGreen) for (const file of unknown) this.#known.add(file)
    else if (unknown.length > 1) {
      const middle = unknown.length >> 1
      const first = await this.#areGreen(unknown.slice(0, middle))
      return (await this.#areGreen(unknown.slice(middle))) && first
    } else {
      console.log(`red without a fault: ${String(only)}`)
      this.#tests = this.#tests.filter((test) => test !== only)
    }
    return isGreen
  }
}

async function run(stop: AbortSignal): Promise<void> {
  const { seed, sample, minutes, files } = options
  const sources = new Map(
    globSync(files, { cwd: root, exclude: (name) => name === 'node_modules' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
  const faults = sampleOf(
    Array.from(sources, ([file, source]) => faultsFor(file, source)),
    seed,
    sample,
  )
  const kept = readResults(KEPT)
  const checkout = new Checkout(root, stop)
  try {
    if (!(await checkout.compiles())) throw new Error('the project does not compile without a fault')
    const trial = new Trial(checkout, minutes * 60_000)
    const results: Result[] = []
    for (const [i, fault] of faults.entries()) {
      const source = sources.get(fault.file) ?? ''
      const id = idOf(fault, source)
      const before = kept.get(id)
      const result =
        before !== undefined && isDecided(before, minutes)
          ? before
          : { id, ...told(fault, source), ...(await trial.judge(fault)), minutes }
      if (result !== before) keepResult(KEPT, result)
      results.push(result)
      const { outcome, file, line, kind } = result
      console.log(`${String(i + 1)} of ${String(faults.length)}: ${outcome}: ${file}:${String(line)} ${kind}`)
    }
    console.log('')
    for (const line of describeResults(results)) console.log(line)
  } finally {
    checkout.remove()
  }
}

/** Describes a fault, with the change on one line. */
function told(fault: Fault, source: string): Pick<Result, 'file' | 'line' | 'kind' | 'change'> {
  const { file, line, kind, start, end, replacement } = fault
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  return { file, line, kind, change: `${short(source.slice(start, end))} → ${short(replacement)}` }
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort(new Error(`stopped by ${signal}; what was decided is in var/mutants.jsonl`))
  })
try {
  await run(stop.signal)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
