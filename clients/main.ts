/**
 * Generates a client with each generator, unedited, and runs the same scenario with each against a live service
 * (`npm run clients`). Measures what generators make, and tries validators of answers.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { argumentsOf, oneOf, operand, several } from '../scripts/usage.ts'
import { CELLS, OPENAPI_GENERATOR, type Cell } from './cells.ts'
import { tryGenerators } from './generators.ts'
import { markdown } from './markdown.ts'
import { PASSWORD, ROOT, run, startService, type Ran } from './running.ts'
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

const WORK = join(ROOT, 'var', 'clients')
const PAGE = join(ROOT, 'docs', 'clients.md')

const env = {
  DOCUMENT: join(WORK, 'openapi.json'),
  DOCUMENT_3_0: join(WORK, 'openapi-3.0.json'),
  OPENAPI_GENERATOR: join(WORK, OPENAPI_GENERATOR.file),
}

/** The clients, and the tables of generators and validators. */
const NAMES = [...CELLS.map(({ folder }) => folder), 'generators']
const { wanted } = argumentsOf({
  name: 'npm run clients --',
  does: `Generates a client with each generator and runs the same scenario with each (needs Java, Go, Python, PHP, Ruby and Rust).
The name generators stands for the sizes of what generators make, and for validators of answers.
A run of all rewrites the tables in docs/clients.md, and a run of generators its own two.`,
  options: { wanted: operand(several(oneOf('NAME', NAMES), 'a client', NAMES)) },
})

mkdirSync(WORK, { recursive: true })
const service = await startService()
const outcomes: Outcome[] = []
/** The parts of the page that this run has made, by their names. */
const parts: Record<string, string> = {}
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
  if (wanted.includes('generators')) Object.assign(parts, await tryGenerators(service.url, WORK))
} finally {
  await service.stop()
}
const red = new Set(outcomes.filter((outcome) => outcome.faults.length > 0).map(({ cell }) => cell.folder))
if (outcomes.length > 0) parts['matrix'] = matrixOf(outcomes)
for (const table of Object.values(parts)) console.log(`\n${table}`)
if (wanted === NAMES) {
  parts['tools'] = toolsTable(red)
  parts['steps'] = STEPS.map(({ name, does }) => `1. **${name}.** ${does}`).join('\n')
} else delete parts['matrix']
writePage()
console.log(`\n${outcomes.length - red.size} passed, ${red.size} failed`)
process.exitCode = red.size > 0 ? 1 : 0

async function tryOut(cell: Cell, url: string): Promise<Outcome> {
  mkdirSync(join(WORK, cell.folder), { recursive: true })
  const missing = install(cell)
  if (missing.length > 0) return { cell, version: '', faults: [`not installed: ${missing.join(', ')}`] }
  const version = /\d+\.\d+(\.\d+)?/.exec((await runIn(cell, cell.version)).output)?.[0] ?? ''
  for (const command of [...generatorOf(cell), ...cell.build]) {
    const { status, output, errors } = await runIn(cell, command)
    // Compilers report errors on either stream.
    if (status !== 0) return { cell, version, faults: ['it cannot be built', command, output + errors] }
  }
  const { output, errors } = await runIn(cell, cell.run, {
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
    Object.keys(needs).filter((program) => spawnSync('which', [program]).status !== 0)
  const packages = missing().flatMap((program) => needs[program]?.split(' ') ?? [])
  if (packages.length === 0) return []
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' } as const
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

/** Runs a command of a client in its work folder. */
function runIn({ folder }: Cell, command: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return run(command, join(WORK, folder), { ...env, CELL: join(import.meta.dirname, folder), ...more })
}

function matrixOf(all: readonly Outcome[]): string {
  const rows = all.map(({ cell, version, faults: [fault] }) => [
    `${cell.language} ${version}`,
    cell.generator,
    `[clients/${cell.folder}](../clients/${cell.folder})`,
    fault === undefined ? 'green' : `red: ${fault}`,
  ])
  return markdown(['Language', 'Generator', 'Client', 'Scenario'], rows)
}

/** Writes the parts into the documentation. */
function writePage(): void {
  let page = readFileSync(PAGE, 'utf8')
  for (const [name, content] of Object.entries(parts)) {
    page = page.replace(
      new RegExp(`(<!-- ${name} -->)[^]*(<!-- end of ${name} -->)`),
      (_, from: string, to: string) => `${from}\n\n${content}\n\n${to}`,
    )
  }
  writeFileSync(PAGE, page)
  spawnSync(join(ROOT, 'node_modules', '.bin', 'prettier'), ['--write', PAGE], { cwd: ROOT })
}
