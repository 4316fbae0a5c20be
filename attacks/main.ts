/** Attacks a service with requests that cost, and measures what they cost it and its other users (`npm run attacks`). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeDatabase } from '../bench/loaders.ts'
import { startGloss, type Variant } from '../bench/processes.ts'
import { machine } from '../bench/results.ts'
import { wanted } from '../bench/wanted.ts'
import { randomFor, type Random } from '../test/search/random.ts'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { attackTable, missedGoals, type Measured } from './goals.ts'
import { ATTACKS } from './list.ts'
import { measure, measureTogether, type Scene } from './measure.ts'
import { fill, FULL, SMALL } from './store.ts'

const TOGETHER = 'all'
const NAMES = [...ATTACKS.map(({ name }) => name), TOGETHER]
const DATABASES = ['sqlite', 'mysql']
/** The goal is memory as at rest a minute after. */
const SETTLE_MS = 60_000

const USAGE = `npm run attacks -- [--quick] [--database sqlite|mysql] [--only NAME,...] [--root DIR] [--seed N]

  --quick      smaller attacks on a smaller store: minutes rather than half an hour
  --database   the kind of database: sqlite (the default) or mysql
  --only       some attacks only: ${NAMES.join(', ')}
  --root       attack the service of another checkout, with its packages installed, to compare it with this one
  --seed       attack in the order of a run that printed this seed
`

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

interface Options {
  readonly quick: boolean
  readonly database: string
  readonly only: readonly string[]
  readonly root: string
  readonly random: Random
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      database: { type: 'string', default: 'sqlite' },
      only: { type: 'string', default: NAMES.join(',') },
      root: { type: 'string', default: dirname(import.meta.dirname) },
      seed: { type: 'string' },
    },
  })
  const only = values.only.split(',')
  const known = DATABASES.includes(values.database) && only.every((name) => NAMES.includes(name))
  if (!known) throw new Error(USAGE)
  const { quick, database, root, seed } = values
  return { quick, database, only, root: resolve(root), random: randomFor(seed) }
}

/** An empty database of a kind, until it is dropped. */
async function provideDatabase(
  kind: string,
): Promise<Pick<Scene, 'databaseUrl' | 'databasePids'> & { readonly drop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-attacks-'))
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  if (kind === 'sqlite') {
    return { databaseUrl: `sqlite:${join(folder, 'gloss.db')}`, databasePids: [], drop: async () => remove() }
  }
  const server = await startMysqlServer({ folder })
  await makeDatabase(server.url, 'gloss_attacks')
  return {
    databaseUrl: `${server.url}gloss_attacks`,
    databasePids: [Number(readFileSync(join(folder, 'pid'), 'utf8'))],
    drop: async () => {
      await server.stop()
      remove()
    },
  }
}

async function attack({ quick, database, only, root, random }: Options): Promise<Measured[]> {
  // A service from its sources has a compiler in each thread.
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  const { databaseUrl, databasePids, drop } = await provideDatabase(database)
  // What it reports of the attacks is not what is measured here.
  const variant: Variant = { root, built: true, log: 'ignore' }
  const contents = quick ? SMALL : FULL
  const scene = { databaseUrl, databasePids, contents, variant, settleMs: SETTLE_MS }
  const all: Measured[] = []
  try {
    tell('Filling the store ...')
    const gloss = await startGloss(databaseUrl, variant)
    await fill(gloss.port, contents)
    await gloss.stop()
    const sized = random.shuffled(ATTACKS).map((one) => [one, quick ? one.quick : one.size] as const)
    for (const [one, size] of sized.filter(([{ name }]) => only.includes(name))) {
      tell(`${one.name} ...`)
      all.push(await measure(one, size, scene))
    }
    if (only.includes(TOGETHER)) {
      tell('All at once ...')
      all.push(await measureTogether(sized, scene))
    }
    return all.sort((a, b) => NAMES.indexOf(a.attack.name) - NAMES.indexOf(b.attack.name))
  } finally {
    await drop()
  }
}

/** What was attacked, where and on what. */
function heading({ quick, database, root }: Options): string {
  const commit = execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
  }).trim()
  const { processors, processor, memoryGb, node } = machine()
  const on = `${processors} × ${processor}, ${memoryGb} GB, Node ${node}`
  return `Commit ${commit}, ${database}, ${on}${quick ? '; --quick' : ''}.`
}

const options = wanted(readOptions)
tell(`seed ${String(options.random.seed)}`)
const measured = await attack(options)
console.log(`${heading(options)}\n\n${attackTable(measured)}`)
process.exitCode = measured.some((one) => missedGoals(one).length > 0) ? 1 : 0
