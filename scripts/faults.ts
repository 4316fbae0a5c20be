/**
 * Makes system calls on the files of an SQLite store fail, and checks afterwards for lost or partial data (`npm run
 * faults`, `npm run faults -- --scenario put`).
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../test/search/random.ts'
import type { Run } from './faults/runs.ts'
import { SCENARIOS, type Scenario } from './faults/scenarios.ts'
import { ERRORS, installedStrace, Trace, type Call, type Fault } from './faults/strace.ts'
import { KINDS, type Violation } from './faults/writes.ts'
import { argumentsOf, oneOf, option, optional, several, wholeNumber } from './usage.ts'

/** The number of calls of a scenario that fail one by one; of the others, a sample fails. */
const FIRST = 100
const SAMPLE = 10

const NAMES = Object.keys(SCENARIOS)

interface Settings {
  readonly scenarios: readonly string[]
  readonly sample: number
  readonly seed: number
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function readSettings(): Settings {
  const { scenario, sample, seed } = argumentsOf({
    name: 'npm run faults --',
    does: `Makes calls fail that write, sync, open, rename or cut files of a store on SQLite, with ${ERRORS.join(' and ')}: the first
${FIRST} of each scenario one by one, then a sample of the rest. Then opens the store again, and counts what was acknowledged
and is lost, what is half there, what is there though it was refused, and what does not come to an end. Needs strace.`,
    options: {
      scenario: several(oneOf('NAME', NAMES), 'what is done while they fail', NAMES),
      sample: option(wholeNumber(0), `how many of the calls after the first ${FIRST}`, SAMPLE),
      seed: optional(wholeNumber(0), 'chooses these as in a run that printed this seed', 'at random'),
    },
  })
  return { scenarios: scenario, sample, seed: seed ?? Date.now() % 1_000_000 }
}

/** A run with a fault. */
interface Case {
  readonly fault: Fault
  readonly goesOn: boolean
}

/** The observations in one run. */
interface Seen {
  readonly violations: readonly Violation[]
  readonly calls: readonly Call[]
  readonly failed: number
}

/** The results of the runs of a scenario. */
interface Result {
  readonly seen: number
  readonly runs: number
  readonly failed: number
  readonly violations: readonly Violation[]
}

/** The calls that fail: each once with either error. After one error clients continue, after the other they stop. */
function casesOf(calls: readonly Call[], { sample, seed }: Settings): Case[] {
  const random = new Random(seed)
  const distinct = [...new Map(calls.map((call) => [Object.values(call).join(' '), call])).values()]
  const rest = distinct.slice(FIRST)
  const sampled = Array.from({ length: Math.min(sample, rest.length) }, () =>
    rest.splice(random.below(rest.length), 1),
  )
  return [...distinct.slice(0, FIRST), ...sampled.flat()].flatMap((call, i) =>
    ERRORS.map((error, j) => ({ fault: { call, error }, goesOn: (i + j) % 2 === 0 })),
  )
}

const caseText = ({ fault: { call, error }, goesOn }: Case): string =>
  `${error} of ${call.name} ${String(call.nth)} on '${call.file}'${goesOn ? '' : ', killed at the first refusal'}`

/** Runs a scenario on a copy of the prepared folder, and deletes the copy. */
async function runOnce(
  scenario: Scenario,
  { folder, prepared }: Pick<Run, 'folder' | 'prepared'>,
  { fault, goesOn = true }: Partial<Case>,
): Promise<Seen> {
  if (existsSync(prepared)) cpSync(prepared, folder, { recursive: true })
  const trace = new Trace(folder, fault)
  try {
    const violations = await scenario
      .run({ folder, prepared, trace, goesOn })
      .catch((error: unknown): Violation[] => [{ kind: 'half', text: String(error) }])
    return { violations, calls: trace.calls(), failed: trace.failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    trace.remove()
  }
}

/** Runs a scenario without faults to list its calls, and then once with each fault. */
async function runAll(name: string, root: string, settings: Settings): Promise<Result> {
  const scenario = SCENARIOS[name] as Scenario
  const prepared = join(root, `${name}-prepared`)
  await scenario.prepare(prepared)
  const calm = await runOnce(scenario, { folder: join(root, name), prepared }, {})
  const [violation] = calm.violations
  if (violation !== undefined) throw new Error(`${name} without faults: ${violation.kind}: ${violation.text}`)
  if (calm.calls.length === 0) throw new Error(`strace saw no call of ${name}: may it trace here?`)
  const cases = [...casesOf(calm.calls, settings).entries()]
  const result = { seen: calm.calls.length, runs: cases.length, failed: 0, violations: [] as Violation[] }
  const waiting = cases.values()
  const work = async (): Promise<void> => {
    for (const [i, one] of waiting) {
      const folder = join(root, `${name}-${String(i)}`)
      const { failed, violations } = await runOnce(scenario, { folder, prepared }, one)
      result.failed += failed
      result.violations.push(...violations)
      for (const { kind, text } of violations) print(`  ${name}, ${caseText(one)}: ${kind}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return result
}

/** Prepares the runs. Prints a sentence and ends the process if that is impossible. */
function prepare(): void {
  try {
    installedStrace()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
  const build = [join(import.meta.dirname, 'build.ts')]
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  process.env['TEST_COMPILED'] = '1'
}

async function main(settings: Settings): Promise<boolean> {
  prepare()
  print(`seed ${String(settings.seed)}`)
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gloss-faults-')))
  process.once('exit', () => {
    rmSync(root, { recursive: true, force: true })
  })
  const results: Result[] = []
  for (const name of settings.scenarios) {
    const begin = performance.now()
    const result = await runAll(name, root, settings)
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    const { seen, runs, failed, violations } = result
    const counts = `${String(seen)} calls seen, ${String(failed)} failed in ${String(runs)} runs`
    print(`${name}: ${counts}, ${String(violations.length)} violations, ${seconds} s`)
    results.push(result)
  }
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  const violations = results.flatMap((result) => result.violations)
  const counts = KINDS.map(
    (kind) => `${String(violations.filter((one) => one.kind === kind).length)} ${kind}`,
  )
  print([`${String(failed)} calls failed`, ...counts].join(', '))
  return violations.length === 0
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
process.exit((await main(readSettings())) ? 0 : 1)
