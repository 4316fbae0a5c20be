/**
 * Compares the service with that of another checkout: both do the same works in turns, each on a store of its own that was
 * filled over HTTP (`npm run compare -- --beside DIR`).
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fillOverHttp } from './comparison/filling.ts'
import { comparedWorks, type ComparedWork } from './comparison/works.ts'
import { startGloss, type Gloss } from './processes.ts'
import { machine } from './results.ts'
import { interleaved, median, ratiosOf, spreadOf, type Spread } from './statistics.ts'
import { mysqlStores, sqliteStores, type DatabaseKind } from './store.ts'
import { number, spread, table } from './text.ts'
import { wanted } from './wanted.ts'

/** What a change may cost: up to so many times the time before. */
const LIMIT = 1.05
/** How long both sides work before they are measured, at least: Node has to compile what is new to it. */
const WARM_UP_MS = 20_000
const HERE = join(import.meta.dirname, '..')

const USAGE = `npm run compare -- --beside DIR [--database sqlite|mysql] [--values N] [--turns N] [--only TEXT]...

  --beside     another checkout, with its packages installed: what this one is compared with
  --database   the kind of database: sqlite (the default) or mysql
  --values     values in each store: a power of ten from 10,000 on; 1,000,000 by default
  --turns      turns of each work on each side; 9 by default
  --only       only works with this in their name; may be given several times
`

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

interface Options {
  readonly beside: string
  readonly database: DatabaseKind
  readonly values: number
  readonly turns: number
  readonly works: readonly ComparedWork[]
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      beside: { type: 'string' },
      database: { type: 'string', default: 'sqlite' },
      values: { type: 'string', default: '1000000' },
      turns: { type: 'string', default: '9' },
      only: { type: 'string', multiple: true, default: [''] },
    },
  })
  const { beside, database, only } = values
  const known = database === 'sqlite' || database === 'mysql'
  if (beside === undefined || !known || !/^10{4,}$/.test(values.values) || !/^[1-9]\d*$/.test(values.turns))
    throw new Error(USAGE)
  const isWanted = ({ name }: ComparedWork): boolean => only.some((text) => name.includes(text))
  const works = comparedWorks(Number(values.values)).filter(isWanted)
  if (works.length === 0) throw new Error(USAGE)
  return {
    beside: resolve(beside),
    database,
    values: Number(values.values),
    turns: Number(values.turns),
    works,
  }
}

/** The service of this checkout, and that of the other one. */
interface Sides {
  readonly here: Gloss
  readonly other: Gloss
}

/** A work, and how long both sides took, in milliseconds. */
interface Compared {
  readonly name: string
  readonly here: Spread
  readonly other: Spread
  readonly ratio: Spread
}

async function compare(options: Options): Promise<Compared[]> {
  const stores = options.database === 'sqlite' ? await sqliteStores() : await mysqlStores()
  const started: Gloss[] = []
  try {
    const start = async (name: string, root: string): Promise<Gloss> => {
      const gloss = await startGloss(await stores.empty(name), { root, log: 'ignore' })
      started.push(gloss)
      tell(`Filling a store for ${root} ...`)
      await fillOverHttp(gloss.port, options.values)
      return gloss
    }
    const sides = { other: await start('beside', options.beside), here: await start('here', HERE) }
    tell('Warming up ...')
    const end = performance.now() + WARM_UP_MS
    do for (const { turn } of options.works) for (const gloss of Object.values(sides)) await turn(gloss)
    while (performance.now() < end)
    const results: Compared[] = []
    for (const work of options.works) results.push(await comparedOn(work, sides, options.turns))
    return results
  } finally {
    await Promise.all(started.map((gloss) => gloss.stop()))
    await stores.close()
  }
}

async function comparedOn({ name, turn }: ComparedWork, sides: Sides, turns: number): Promise<Compared> {
  const contenders = { other: () => turn(sides.other), here: () => turn(sides.here) }
  const { other, here } = await interleaved(contenders, { forMs: 0, least: turns, most: turns })
  const ratio = ratiosOf(here, other)
  tell(`  ${name.padEnd(48)} ${spread(ratio)}`)
  return { name, here: spreadOf(here), other: spreadOf(other), ratio }
}

const isSlower = ({ ratio }: Compared): boolean => ratio.median > LIMIT

const commitOf = (root: string): string =>
  execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

function report(results: readonly Compared[], { beside, database, values, turns }: Options): string {
  const { processors, processor, node } = machine()
  const head = ['Work', `${commitOf(beside)}, ms`, `${commitOf(HERE)}, ms`, 'Time', 'Goal']
  const rows = results.map((result) => [
    result.name,
    number(result.other.median),
    number(result.here.median),
    spread(result.ratio),
    isSlower(result) ? '**missed**' : 'met',
  ])
  const ratios = results.map(({ ratio }) => ratio.median)
  const slower = results.filter(isSlower).length
  return `${database}, ${number(values)} values, ${processors} × ${processor}, Node ${node}. Medians of ${turns} turns, with the quartiles of the ratios.

${table(head, rows)}

Half of the ${results.length} works take at most ${number(median(ratios))} times as long. More than ${LIMIT} times as long: ${slower}.`
}

const options = wanted(readOptions)
const results = await compare(options)
console.log(report(results, options))
process.exitCode = results.some(isSlower) ? 1 : 0
