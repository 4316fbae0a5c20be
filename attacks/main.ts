/**
 * Attacks a service with expensive requests, and measures their cost for the service and its other users (`npm run
 * attacks`).
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDatabase } from '../bench/loaders.ts'
import { startGloss, type Variant } from '../bench/processes.ts'
import { machine } from '../bench/results.ts'
import { argumentsOf, commas, flag, oneOf, option, optional, text, wholeNumber } from '../scripts/usage.ts'
import { Random } from '../test/search/random.ts'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { attackTable, missedGoals, type Measured } from './goals.ts'
import { ATTACKS } from './list.ts'
import { measure, measureTogether, type Scene } from './measure.ts'
import { fill, FULL, SMALL } from './store.ts'

const TOGETHER = 'all'
const NAMES = [...ATTACKS.map(({ name }) => name), TOGETHER]
const DATABASES = ['sqlite', 'mysql']
/** The goal is that the memory is as when idle one minute after the attack. */
const SETTLE_MS = 60_000

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

interface Options {
  readonly quick: boolean
  readonly database: string
  readonly only: readonly string[]
  readonly root: string
  readonly random: Random
}

function readOptions(): Options {
  const { seed, root, ...others } = argumentsOf({
    name: 'npm run attacks --',
    does: 'Attacks a service with requests that cost, and measures what they cost it and its other users, for half an hour.',
    options: {
      quick: flag('smaller attacks on a smaller store, for minutes'),
      database: option(oneOf('KIND', DATABASES), 'on which kind of database', 'sqlite'),
      only: commas(oneOf('NAME', NAMES), 'which attacks', NAMES),
      root: option(
        text('DIR'),
        'attacks the service of another checkout, with its packages installed',
        dirname(import.meta.dirname),
      ),
      seed: optional(wholeNumber(0), 'attacks in the order of a run that printed this seed', 'at random'),
    },
  })
  return { ...others, root: resolve(root), random: new Random(seed) }
}

/** Creates an empty database of a kind, and drops it at the end. */
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
  // A service that runs from its sources has a compiler in each thread.
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  const { databaseUrl, databasePids, drop } = await provideDatabase(database)
  // The log about the attacks is not part of the measurement.
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

/** Names the target and the sizes of the run. */
function heading({ quick, database, root }: Options): string {
  const commit = execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
  }).trim()
  const { processors, processor, memoryGb, node } = machine()
  const on = `${processors} × ${processor}, ${memoryGb} GB, Node ${node}`
  return `Commit ${commit}, ${database}, ${on}${quick ? '; --quick' : ''}.`
}

const options = readOptions()
tell(`seed ${String(options.random.seed)}`)
const measured = await attack(options)
console.log(`${heading(options)}\n\n${attackTable(measured)}`)
process.exitCode = measured.some((one) => missedGoals(one).length > 0) ? 1 : 0
