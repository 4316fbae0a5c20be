/**
 * Generates a client with each generator, unedited, and runs the same scenario with each against a live service
 * (`npm run clients`). A full run rewrites the tables in docs/clients.md.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { argumentsOf, oneOf, operand, several } from '../scripts/usage.ts'
import { CELLS, OPENAPI_GENERATOR, type Cell } from './cells.ts'
import { faults, STEPS } from './scenario.ts'
import { toolsTable } from './tools.ts'

/** The outcome for a client. */
interface Outcome {
  readonly cell: Cell
  /** The version of the language's runtime or compiler. */
  readonly version: string
  /** What went wrong; empty if the client is green. */
  readonly faults: readonly string[]
}

const ROOT = dirname(import.meta.dirname)
const WORK = join(ROOT, 'var', 'clients')
const PAGE = join(ROOT, 'docs', 'clients.md')
const PASSWORD = 'only for this run'

const env = {
  ...process.env,
  ROOT,
  PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
  DOCUMENT: join(WORK, 'openapi.json'),
  DOCUMENT_3_0: join(WORK, 'openapi-3.0.json'),
  OPENAPI_GENERATOR: join(WORK, OPENAPI_GENERATOR.file),
}

const NAMES = CELLS.map(({ folder }) => folder)
const { wanted } = argumentsOf({
  name: 'npm run clients --',
  does: `Generates a client with each generator and runs the same scenario with each (needs Java, Go, Python, PHP, Ruby and Rust).
A run of all rewrites the tables in docs/clients.md.`,
  options: { wanted: operand(several(oneOf('NAME', NAMES), 'a client', NAMES)) },
})

mkdirSync(WORK, { recursive: true })
const service = await startService()
const outcomes: Outcome[] = []
try {
  for (const file of [env.DOCUMENT, env.DOCUMENT_3_0]) {
    writeFileSync(file, await (await fetch(`${service.url}/${basename(file)}`)).text())
  }
  for (const cell of CELLS.filter(({ folder }) => wanted.includes(folder))) {
    const outcome = await tryOut(cell, service.url)
    console.error(`${outcome.faults.length === 0 ? 'PASS' : 'FAIL'} ${cell.folder}`)
    for (const fault of outcome.faults) console.error(`     ${fault}`)
    outcomes.push(outcome)
  }
} finally {
  await service.stop()
}
const matrix = matrixOf(outcomes)
console.log(`\n${matrix}`)
const red = new Set(outcomes.filter((outcome) => outcome.faults.length > 0).map(({ cell }) => cell.folder))
const failed = red.size
if (wanted === NAMES) writePage(matrix, toolsTable(red))
console.log(`\n${String(outcomes.length - failed)} passed, ${String(failed)} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Starts the service on a temporary database. */
async function startService(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-clients-'))
  const child = spawn(process.execPath, [join(ROOT, 'src', 'main.ts')], {
    env: {
      ...env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      const address = /listens on (\S+)\s/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('close', () => {
      reject(new Error('The service did not start.'))
    })
  })
  const stop = async (): Promise<void> => {
    child.kill()
    await once(child, 'close')
    rmSync(folder, { recursive: true })
  }
  return { url, stop }
}

async function tryOut(cell: Cell, url: string): Promise<Outcome> {
  const cwd = join(WORK, cell.folder)
  mkdirSync(cwd, { recursive: true })
  const missing = install(cell)
  if (missing.length > 0) return { cell, version: '', faults: [`not installed: ${missing.join(', ')}`] }
  const version = /\d+\.\d+(\.\d+)?/.exec((await run(cell.version, cell, cwd)).output)?.[0] ?? ''
  for (const command of [...generatorOf(cell), ...cell.build]) {
    const { status, output, errors } = await run(command, cell, cwd)
    // Compilers report errors on either stream.
    if (status !== 0) return { cell, version, faults: ['it cannot be built', command, output + errors] }
  }
  const { output, errors } = await run(cell.run, cell, cwd, {
    GLOSS_URL: url,
    GLOSS_ADMIN_PASSWORD: PASSWORD,
    GLOSS_USER: cell.folder,
  })
  const found = await faults(url, PASSWORD, cell.folder, output)
  return { cell, version, faults: found.length > 0 ? [...found, errors] : [] }
}

/** Installs missing programs of a client by apt; returns those that are still missing. */
function install({ needs }: Cell): string[] {
  const missing = (): string[] =>
    Object.keys(needs).filter((program) => spawnSync('which', [program], { env }).status !== 0)
  const packages = missing().flatMap((program) => needs[program]?.split(' ') ?? [])
  if (packages.length === 0) return []
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' } as const
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options)
  return missing()
}

/** The commands that download and verify openapi-generator, if a client needs it. */
function generatorOf({ build }: Cell): string[] {
  if (!build.some((command) => command.includes('$OPENAPI_GENERATOR'))) return []
  try {
    const hash = createHash('sha256').update(readFileSync(env.OPENAPI_GENERATOR)).digest('hex')
    if (hash === OPENAPI_GENERATOR.sha256) return []
  } catch {
    // Not there yet.
  }
  return [
    `mvn -q -B dependency:copy -Dartifact=${OPENAPI_GENERATOR.artifact} -DoutputDirectory="${WORK}"`,
    `echo "${OPENAPI_GENERATOR.sha256}  $OPENAPI_GENERATOR" | sha256sum --check --quiet`,
  ]
}

/** Runs a command without blocking, so that this process notices connections that the service closes meanwhile. */
async function run(
  command: string,
  { folder }: Cell,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; output: string; errors: string }> {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...env, CELL: join(import.meta.dirname, folder), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output, errors }
}

/** A Markdown table. */
function matrixOf(all: readonly Outcome[]): string {
  const rows = all.map(({ cell, version, faults: [fault] }) => {
    const verdict = fault === undefined ? 'green' : `red: ${fault}`
    return `| ${cell.language} ${version} | ${cell.generator} | [clients/${cell.folder}](../clients/${cell.folder}) | ${verdict} |`
  })
  return ['| Language | Generator | Client | Scenario |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** Writes the two tables and the steps into the documentation. */
function writePage(matrix: string, tools: string): void {
  const steps = STEPS.map(({ name, does }) => `1. **${name}.** ${does}`).join('\n')
  const part = (text: string, name: string, content: string): string =>
    text.replace(
      new RegExp(`(<!-- ${name} -->)[^]*(<!-- end of ${name} -->)`),
      (_, from: string, to: string) => `${from}\n\n${content}\n\n${to}`,
    )
  const page = part(part(readFileSync(PAGE, 'utf8'), 'matrix', matrix), 'steps', steps)
  writeFileSync(PAGE, part(page, 'tools', tools))
  spawnSync(join(ROOT, 'node_modules', '.bin', 'prettier'), ['--write', PAGE], { cwd: ROOT })
}
