/**
 * Compares the service with that of another checkout. Both do the same works in turn, each on its own store that the
 * script fills over HTTP (`npm run compare -- --beside DIR`).
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { argumentsOf, oneOf, option, required, several, text, type Kind } from '../scripts/usage.ts'
import { fillOverHttp } from './comparison/filling.ts'
import { comparedWorks, type ComparedWork, type Part } from './comparison/works.ts'
import { startGloss, type Gloss } from './processes.ts'
import { machine } from './results.ts'
import { geometricMean, interleaved, ratiosOf, spreadOf, type Spread } from './statistics.ts'
import { mysqlStores, sqliteStores, type DatabaseKind } from './store.ts'
import { number, spread, table } from './text.ts'

/**
 * The limit for the ratio of a part of the benchmark to its earlier time. The script only marks single works: in a
 * comparison of two equal versions on MariaDB, one in five exceeds the limit.
 */
const LIMIT = 1.05
/** The time for which both sides work before the measurement, because Node must compile new code. */
const WARM_UP_MS = 20_000
/** The number of starts of both sides: two processes of the same version differ, on MariaDB by up to a fifth. */
const STARTS = 3
const HERE = join(import.meta.dirname, '..')

const STORE: Kind<number> = {
  shown: 'N',
  must: 'a power of ten from 10000 on',
  read: (given) => (/^10{4,15}$/.test(given) ? Number(given) : undefined),
}
const TURNS: Kind<number> = {
  shown: 'N',
  must: `a multiple of ${STARTS}`,
  read: (given) => (/^[1-9]\d{0,8}$/.test(given) && Number(given) % STARTS === 0 ? Number(given) : undefined),
}

const NAMED: Kind<string> = {
  shown: 'TEXT',
  must: 'part of the name of a work',
  read: (given) => (comparedWorks(10_000).some(({ name }) => name.includes(given)) ? given : undefined),
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

interface Options {
  readonly beside: string
  readonly database: DatabaseKind
  readonly values: number
  readonly turns: number
  readonly works: readonly ComparedWork[]
}

function readOptions(): Options {
  const { beside, only, ...others } = argumentsOf({
    name: 'npm run compare --',
    does: 'Compares the service with that of another checkout: both do the same works in turns, each on a store of its own.',
    options: {
      beside: required(text('DIR'), 'the other checkout, with its packages installed'),
      database: option(
        oneOf<DatabaseKind>('KIND', ['sqlite', 'mysql']),
        'on which kind of database',
        'sqlite',
      ),
      values: option(STORE, 'values in each store: a power of ten', 1_000_000),
      turns: option(
        TURNS,
        `turns of each work on each side, in ${STARTS} processes one after another: a multiple of ${STARTS}`,
        9,
      ),
      only: several(NAMED, 'only works with this in their names; by default all', []),
    },
  })
  const isWanted = ({ name }: ComparedWork): boolean =>
    only.length === 0 || only.some((part) => name.includes(part))
  return { ...others, beside: resolve(beside), works: comparedWorks(others.values).filter(isWanted) }
}

/** A checkout, and its store. */
interface Side {
  readonly root: string
  readonly url: string
}

/** The service of this checkout, and that of the other one. */
interface Running {
  readonly here: Gloss
  readonly other: Gloss
}

/** The times of both for a work in each turn, in milliseconds. */
interface Times {
  readonly here: number[]
  readonly other: number[]
}

/** A work with the times of both sides, in milliseconds. */
interface Compared {
  readonly part: Part
  readonly name: string
  readonly here: Spread
  readonly other: Spread
  readonly ratio: Spread
}

async function compare(options: Options): Promise<Compared[]> {
  const stores = options.database === 'sqlite' ? await sqliteStores() : await mysqlStores()
  try {
    const filled = async (name: string, root: string): Promise<Side> => {
      tell(`Filling a store for ${root} ...`)
      const side = { root, url: await stores.empty(name) }
      await whileRunning(side, ({ port }) => fillOverHttp(port, options.values))
      return side
    }
    const beside = await filled('beside', options.beside)
    const here = await filled('here', HERE)
    const times = new Map<string, Times>(options.works.map(({ name }) => [name, { other: [], here: [] }]))
    for (let start = 1; start <= STARTS; start++) {
      tell(`Start ${start} of ${STARTS} ...`)
      await whileRunning(beside, (other) =>
        whileRunning(here, (gloss) => takeTurns(options, { other, here: gloss }, times)),
      )
    }
    return options.works.map(({ part, name }) => {
      const { here: ours, other } = times.get(name) as Times
      return { part, name, here: spreadOf(ours), other: spreadOf(other), ratio: ratiosOf(ours, other) }
    })
  } finally {
    await stores.close()
  }
}

/** Runs the service of a side on its store while some work uses it. */
async function whileRunning({ root, url }: Side, work: (started: Gloss) => Promise<void>): Promise<void> {
  const gloss = await startGloss(url, { root, log: 'ignore' })
  try {
    await work(gloss)
  } finally {
    await gloss.stop()
  }
}

/** Warms two services up, and runs all works on them in turn. */
async function takeTurns(
  { works, turns }: Options,
  { other, here }: Running,
  times: ReadonlyMap<string, Times>,
): Promise<void> {
  const end = performance.now() + WARM_UP_MS
  for (let i = 0; performance.now() < end; i++) {
    for (const gloss of [other, here]) await works[i % works.length]?.turn(gloss)
  }
  const each = turns / STARTS
  for (const { name, turn } of works) {
    const contenders = { other: () => turn(other), here: () => turn(here) }
    const taken = await interleaved(contenders, { forMs: 0, least: each, most: each })
    tell(`  ${name.padEnd(48)} ${spread(ratiosOf(taken.here, taken.other))}`)
    times.get(name)?.other.push(...taken.other)
    times.get(name)?.here.push(...taken.here)
  }
}

/** A part of the benchmark, and the ratio of the times of its works. */
interface ComparedPart {
  readonly part: Part
  readonly works: number
  readonly ratio: number
}

const partsOf = (results: readonly Compared[]): ComparedPart[] =>
  [...Map.groupBy(results, ({ part }) => part)].map(([part, some]) => ({
    part,
    works: some.length,
    ratio: geometricMean(some.map(({ ratio }) => ratio.median)),
  }))

const isSlower = (ratio: number): boolean => ratio > LIMIT

const commitOf = (root: string): string =>
  execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

function report(results: readonly Compared[], { beside, database, values, turns }: Options): string {
  const { processors, processor, node } = machine()
  const works = table(
    ['Work', `${commitOf(beside)}, ms`, `${commitOf(HERE)}, ms`, 'Time', `Over ${LIMIT}`],
    results.map(({ name, other, here, ratio }) => [
      name,
      number(other.median),
      number(here.median),
      spread(ratio),
      isSlower(ratio.median) ? 'yes' : '',
    ]),
  )
  const parts = table(
    ['Part', 'Works', 'Time', 'Goal'],
    partsOf(results).map(({ part, works: count, ratio }) => [
      part,
      String(count),
      number(ratio),
      isSlower(ratio) ? '**missed**' : 'met',
    ]),
  )
  return `${database}, ${number(values)} values, ${processors} × ${processor}, Node ${node}. Medians of ${turns} turns, with the quartiles of the ratios.

${works}

Each part by the geometric mean of its works:

${parts}`
}

const options = readOptions()
const results = await compare(options)
console.log(report(results, options))
process.exitCode = partsOf(results).some(({ ratio }) => isSlower(ratio)) ? 1 : 0
