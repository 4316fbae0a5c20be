/**
 * Runs Schemathesis, with valid and invalid requests of the contract, against the service on both kinds of database, as a
 * user and anonymously (`npm run fuzz`).
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stockShelf } from '../mock/shelf.ts'
import { engineOfProject, freshDatabase, type DatabaseKind } from '../test/support/database.ts'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { listening, runProcess } from '../test/support/process.ts'
import { PASSWORD, send, type Answer, type Options } from '../test/support/service.ts'
import type { Tally } from './checks.ts'
import { PHASES, printTable, type Summary } from './fuzz/table.ts'
import { pythonEnvironment } from './python-environment.ts'
import { argumentsOf, operand, option, wholeNumber } from './usage.ts'

const root = dirname(import.meta.dirname)
const inContract = (file: string): string => join(root, 'test', 'contract', file)

const EXAMPLES = 10_000
const FUZZER = 'fuzzer'

/** The thoroughness of a run. */
interface Effort {
  /** The number of generated requests for each operation. */
  readonly examples: number
  /** With the same seed, it generates the same requests. */
  readonly seed?: number
}

interface Run {
  readonly name: string
  readonly summary: Summary
  readonly output: string
  readonly exitCode: number | null
}

/** Runs all phases and checks in all four ways, and prints how often each check ran and failed. */
export async function fuzz(effort: Effort): Promise<Tally> {
  const schemathesis = join(pythonEnvironment('schemathesis', inContract('requirements.txt')), 'schemathesis')
  const folder = mkdtempSync(join(tmpdir(), 'gloss-fuzz-'))
  for (const signal of SIGNALS) process.on(signal, endAll)
  try {
    const onSqlite = await fuzzOn('sqlite', { schemathesis, folder, effort })
    const onMysql = await withMysqlServer(() => fuzzOn('mysql', { schemathesis, folder, effort }))
    return report([...onSqlite, ...onMysql])
  } finally {
    for (const signal of SIGNALS) process.off(signal, endAll)
    rmSync(folder, { recursive: true, force: true })
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const children = new Set<ChildProcess>()

/** Stops the services and fuzzers. All steps in progress then fail, and clean up themselves. */
function endAll(): void {
  for (const child of children) child.kill('SIGTERM')
}

function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.on('error', (error) => {
      resolve({ exitCode: null, output: error.message })
    })
    child.on('close', (exitCode) => {
      children.delete(child)
      resolve({ exitCode, output })
    })
  })
}

async function withMysqlServer<T>(work: () => Promise<T>): Promise<T> {
  if (process.env.TEST_DATABASE_URL) return work()
  const server = await startMysqlServer({ engine: engineOfProject() })
  process.env.TEST_DATABASE_URL = server.url
  try {
    return await work()
  } finally {
    delete process.env.TEST_DATABASE_URL
    await server.stop()
  }
}

interface Means {
  readonly schemathesis: string
  readonly folder: string
  readonly effort: Effort
}

/** Runs both ways on one kind of database concurrently, because anonymous requests change no data. */
async function fuzzOn(kind: DatabaseKind, means: Means): Promise<Run[]> {
  const database = await freshDatabase(kind)
  // Operators determine the minimum length of passwords, so the contract does not.
  const env = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, MIN_PASSWORD_LENGTH: '1' }
  const service = runProcess(env)
  console.error(`Schemathesis on ${kind}, signed in and anonymous ...`)
  try {
    const url = `http://127.0.0.1:${String(await listening(service))}`
    await prepare(url)
    const credentials = ['--auth', `${FUZZER}:${PASSWORD}`]
    return await Promise.all([
      runSchemathesis(url, `${kind}, signed in`, credentials, means),
      runSchemathesis(url, `${kind}, anonymous`, [], means),
    ])
  } finally {
    service.process.kill('SIGTERM')
    await service.end
    await database.drop()
  }
}

/** Creates the things in the examples of the contract, and the superuser of the requests. */
async function prepare(url: string): Promise<void> {
  const ok = async (method: string, path: string, options: Options = {}): Promise<Answer> => {
    const answer = await send(url, method, path, options)
    if (answer.status < 400) return answer
    throw new Error(`${method} ${path} was answered with ${answer.status}`)
  }
  const as = 'service'
  for (const username of ['alice', 'bob', FUZZER]) {
    await ok('POST', '/users', { as, json: { username, password: PASSWORD } })
  }
  await ok('PUT', `/users/${FUZZER}`, { as, json: { role: 'superuser' } })
  await stockShelf({ ok })
}

async function runSchemathesis(
  url: string,
  name: string,
  args: readonly string[],
  { schemathesis, folder, effort }: Means,
): Promise<Run> {
  const cwd = mkdtempSync(join(folder, 'run-'))
  const summary = join(cwd, 'summary.json')
  const seeding =
    effort.seed === undefined ? [] : ['--seed', String(effort.seed), '--generation-database', 'none']
  const { exitCode, output } = await run(
    schemathesis,
    [
      ...[
        '--config-file',
        inContract('schemathesis.toml'),
        'run',
        join(root, 'generated', 'openapi.yaml'),
        '--no-color',
      ],
      ...['--url', url, '--phases', PHASES.join(','), '--max-examples', String(effort.examples)],
      ...seeding,
      ...args,
    ],
    {
      cwd,
      env: {
        FUZZ_HOOKS: inContract('schemathesis_hooks.py'),
        FUZZ_SUMMARY: summary,
        FUZZ_USER: FUZZER,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  )
  if (exitCode === null || !existsSync(summary)) {
    throw new Error(`Schemathesis (${name}) did not come to its end:\n${output}`)
  }
  return { name, exitCode, output, summary: JSON.parse(readFileSync(summary, 'utf8')) as Summary }
}

/** Prints the table of all runs, and the output of failing ones. Every check of every phase of a run counts as one. */
function report(runs: readonly Run[]): Tally {
  const tally: Tally = { passed: 0, failed: 0 }
  for (const { name, output, exitCode, summary } of runs) {
    const made = new Set(summary.checks.map(({ phase, check }) => `${phase} ${check}`))
    const failing = summary.checks.filter(({ status }) => status !== 'success')
    const failed = new Set(failing.map(({ phase, check }) => `${phase} ${check}`))
    tally.passed += made.size - failed.size
    tally.failed += exitCode === 0 ? 0 : Math.max(failed.size, 1)
    if (exitCode !== 0) console.log(`\nSchemathesis (${name}):\n${output}`)
  }
  const version =
    /^schemathesis==(.*)$/m.exec(readFileSync(inContract('requirements.txt'), 'utf8'))?.[1] ?? ''
  console.log(
    `\nSchemathesis ${version}: how often each check was made (${runs.map(({ name }) => name).join('; ')})\n`,
  )
  printTable(runs.map(({ summary }) => summary))
  return tally
}

if (import.meta.main) {
  const { examples } = argumentsOf({
    name: 'npm run fuzz --',
    does: 'Has Schemathesis try what the contract admits, and what it does not, on both kinds of database, for hours.',
    options: { examples: operand(option(wholeNumber(1), 'examples of each operation', EXAMPLES)) },
  })
  const { passed, failed } = await fuzz({ examples })
  console.log(`\n${String(passed)} passed, ${String(failed)} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
