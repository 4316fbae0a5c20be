/**
 * Runs all tests and checks, and prints the total on the last line (`npm test`).
 *
 * Arguments are those of jest: with any, only jest runs, and only the selected tests. Each test file about a store runs
 * on one of the database servers, selected by `TEST_SEED`, which is random if not set. With `--selectProjects` it runs on
 * all named ones.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { CHECK_NAMES, runCheck, runChecks, SERVICE_TYPES, type Tally } from './checks.ts'
import { judgeDrift } from './drift.ts'
import { engineOf } from '../test/support/engines.ts'
import type { ServerOfProject } from '../test/support/server-of-project.ts'
import { fuzz } from './fuzz.ts'
import { describeServers, missedIn, readServers } from './servers-used.ts'
import { answerHelp, operand, several, text } from './usage.ts'

/** The part of jest's summary that this script reads. */
interface JestResults {
  numPassedTests: number
  numFailedTests: number
  /** Files that failed before their tests began. */
  numRuntimeErrorTestSuites: number
}

answerHelp({
  name: 'npm test --',
  does: `Without arguments it runs everything that can fail: static checks, tests on SQLite and on one other server for each file,
chosen by TEST_SEED, and Schemathesis for a short time. With arguments, only Jest runs, and only what they select.`,
  options: {
    arguments: operand(
      several(text('ARGUMENT'), 'what Jest takes: options, and parts of the paths of tests', []),
    ),
  },
  examples: [
    'npm test -- test/contract',
    'npm test -- test/data/races.test.ts --selectProjects mysql',
    'npm test -- test/unit --selectProjects pure',
  ],
})
const root = dirname(import.meta.dirname)
const selection = process.argv.slice(2)
const seed = chooseSeed()
const servers: ServerOfProject[] = []
let interrupted = false

// The service needs the built console, also when it runs from its sources.
buildConsole()
const tallies = selection.length === 0 ? await runAll() : [await runJest(selection)]
for (const line of describeServers(servers, seed)) console.log(line)
if (process.env['CI'] && missedIn(servers)) tallies.push({ passed: 0, failed: 1 })
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
console.log(`\n${String(passed)} passed, ${String(failed)} failed`)
process.exitCode = failed > 0 ? 1 : 0

function chooseSeed(): string | undefined {
  const { TEST_DATABASE_URL: named, TEST_SEED: given } = process.env
  const namesProjects = selection.some((argument) => argument.startsWith('--selectProjects'))
  return named || namesProjects ? undefined : (given ?? String(randomInt(1_000_000)))
}

/** Runs everything, and then checks that the tests have produced all that the contract declares. */
async function runAll(): Promise<Tally[]> {
  const answers = mkdtempSync(join(tmpdir(), 'gloss-answers-'))
  try {
    const isBuilt = await runCheck(SERVICE_TYPES, 'node scripts/build.ts')
    const built = { passed: Number(isBuilt), failed: Number(!isBuilt) }
    // Tests start the service hundreds of times, and the compiled one starts faster.
    if (existsSync(join(root, 'dist', 'sources.sha256'))) process.env['TEST_COMPILED'] = 'dist'
    const others = CHECK_NAMES.filter((name) => name !== SERVICE_TYPES)
    // Jest rewrites the last lines of a terminal, so this prints the output of the checks after it.
    const said: string[] = []
    const [jest, checked] = await Promise.all([
      runJest([], { ANSWERS_FOLDER: answers }),
      runChecks(others, { atOnce: 1, say: (text) => void said.push(text) }),
    ])
    for (const text of said) console.error(text)
    const tallies = [built, checked, jest]
    return interrupted ? tallies : [...tallies, judgeDrift(answers), await fuzzShortly()]
  } finally {
    rmSync(answers, { recursive: true, force: true })
  }
}

/** Runs Schemathesis with few examples, the same ones each time. */
async function fuzzShortly(): Promise<Tally> {
  try {
    const project = engineOf('scripts/fuzz.ts', seed ?? '')
    // Selects the same server as for a test file of that project.
    Object.assign(globalThis, { engine: servers.find((server) => server.project === project)?.engine })
    return await fuzz({ examples: 10, seed: 1 })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

async function runJest(args: string[], env: Readonly<Record<string, string>> = {}): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-jest-'))
  const summary = join(folder, 'results.json')
  const notes = join(folder, 'servers')
  writeFileSync(notes, '')
  // ES modules in jest need this flag of Node.
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const jest = [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${summary}`]
  // Only the file of --json is of use; jest prints the report for people on standard error.
  const child = spawn(process.execPath, [...flags, ...jest, ...args], {
    cwd: root,
    // Tests start the service hundreds of times, and compiling would take half of that time.
    env: {
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ...process.env,
      TEST_SEED: seed,
      TEST_SERVERS: notes,
      ...env,
    },
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true
      child.kill(signal)
    })
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  servers.push(...readServers(readFileSync(notes, 'utf8')))
  try {
    const results = JSON.parse(readFileSync(summary, 'utf8')) as JestResults
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    // Jest also fails for reasons outside its counts, for example without any test to run.
    return { passed: results.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
