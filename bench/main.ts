/** Measures Gloss, hand-written SQL, a plain server and other services in one run (`npm run bench`). */
import { join } from 'node:path'
import { argumentsOf, commas, flag, oneOf, optional } from '../scripts/usage.ts'
import { FULL_SIZE } from './catalogue.ts'
import { OTHERS } from './others/index.ts'
import { startGlossService } from './others/gloss.ts'
import { measureBulk } from './parts/bulk.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureIsolation } from './parts/isolation.ts'
import { measureLoads } from './parts/loads.ts'
import { measureMemory } from './parts/memory.ts'
import { measureQueries, type QueryResult } from './parts/queries.ts'
import { measureRefusals } from './parts/refusals.ts'
import { measureSearch } from './parts/search.ts'
import { measureServices } from './parts/services.ts'
import { measureSignIn } from './parts/sign-in.ts'
import { measureSingle } from './parts/single.ts'
import { measureSpace } from './parts/space.ts'
import { publish } from './report.ts'
import { machine, type Results } from './results.ts'
import { openSides, type Patience, type Sides } from './sides.ts'
import { KEPT, mysqlStores, sqliteStores, type DatabaseKind, type Stores } from './store.ts'
import { tablesOf } from './tables.ts'

const PATIENT: Patience = {
  question: { forMs: 1_000, least: 5, most: 40 },
  bulk: { forMs: 10_000, least: 3, most: 8 },
  loadMs: 1_500,
  loadRounds: 5,
}
const QUICK: Patience = {
  question: { forMs: 200, least: 5, most: 15 },
  bulk: { forMs: 1_000, least: 3, most: 5 },
  loadMs: 300,
  loadRounds: 3,
}
const SMALLEST = FULL_SIZE / 100
const SIZES = [SMALLEST, FULL_SIZE / 10, FULL_SIZE]
const FACTS = 1_000
const DATABASES: readonly DatabaseKind[] = ['sqlite', 'mysql']
const PARTS = [
  'queries',
  'refusals',
  'single',
  'bulk',
  'loads',
  'search',
  'space',
  'growth',
  'memory',
  'isolation',
  'sign-in',
  'services',
] as const
type Part = (typeof PARTS)[number]

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

interface Options {
  readonly quick: boolean
  readonly databases: readonly DatabaseKind[]
  readonly sizes: readonly number[]
  readonly parts: ReadonlySet<Part>
}

function readOptions(): Options {
  const { quick, database, ...given } = argumentsOf({
    name: 'npm run bench --',
    does: 'Measures Gloss beside SQL written by hand, a bare server and other services, for half an hour, into docs/performance.md.',
    options: {
      quick: flag(
        'the smallest store and short measurements, by default without services and growth: under three minutes; nothing is published',
      ),
      database: optional(oneOf('KIND', DATABASES), 'on one kind of database only', 'each'),
      size: optional(
        oneOf('VALUES', SIZES),
        'values in the store; without --quick, smaller ones are measured beside it',
        'the most, with --quick the least',
      ),
      only: commas(
        oneOf('PART', PARTS),
        'which parts, whose results are published only if all are measured',
        PARTS,
      ),
    },
  })
  const size = given.size ?? (quick ? SMALLEST : FULL_SIZE)
  // The installation of other services takes minutes, and growth needs more than one store.
  const isLeftOut = (part: Part): boolean =>
    quick && given.only === PARTS && (part === 'services' || part === 'growth')
  return {
    quick,
    databases: database === undefined ? DATABASES : [database],
    sizes: quick ? [size] : SIZES.filter((one) => one <= size),
    parts: new Set(PARTS.filter((part) => given.only.includes(part) && !isLeftOut(part))),
  }
}

async function measure(stores: Stores, { quick, sizes, parts }: Options): Promise<Results> {
  const patience = quick ? QUICK : PATIENT
  const values = sizes.at(-1) ?? FULL_SIZE
  const run = async <T>(part: Part, work: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    if (!parts.has(part)) return []
    tell(`${stores.kind}: ${part}`)
    return work()
  }
  const signIn = await run('sign-in', async () => [await measureSignIn(await stores.empty(), patience)])
  const loads = await run('loads', () => measureLoads(stores, patience))
  const services = await run('services', () => compareServices(stores, patience))
  const needed = parts.has('growth') ? sizes : [values]
  const opened: Sides[] = []
  try {
    for (const size of needed) opened.push(await openSides(stores, size))
    const full = opened.at(-1) as Sides
    const space = await run('space', () => measureSpace(full))
    const growth = await run('growth', () => measureGrowth(opened, patience))
    const queries = await run('queries', () => measureSizes(opened, patience))
    return {
      database: stores.kind,
      databaseVersion: stores.version,
      values,
      quick,
      at: new Date().toISOString(),
      machine: machine(),
      signIn,
      services,
      loads,
      space,
      growth,
      queries,
      refusals: values === FULL_SIZE ? await run('refusals', () => measureRefusals(full, patience)) : [],
      single: await run('single', () => measureSingle(full, patience, LOADS)),
      bulk: await run('bulk', () => measureBulk(full, patience)),
      search: await run('search', async () => [await measureSearch(full, patience)]),
      memory: await run('memory', () => measureMemory(full)),
      isolation: await run('isolation', () => measureIsolation(full, patience)),
    }
  } finally {
    await Promise.all(opened.map((sides) => sides.close()))
  }
}

const LOADS = [
  { operation: 'read', connections: 1 },
  { operation: 'read', connections: 16 },
  { operation: 'write', connections: 1 },
  { operation: 'write', connections: 16 },
] as const

async function measureSizes(opened: readonly Sides[], patience: Patience): Promise<Results['queries']> {
  const sizes: { values: number; shapes: QueryResult[] }[] = []
  for (const sides of opened) {
    tell(`  ${sides.values.toLocaleString('en')} values`)
    sizes.push({ values: sides.values, shapes: await measureQueries(sides, patience, tellQuery) })
  }
  return sizes
}

function compareServices(stores: Stores, patience: Patience): Promise<Results['services']> {
  const gloss = {
    version: `on ${stores.version}`,
    start: async () => startGlossService(await stores.empty(), stores.pids),
  }
  return measureServices(gloss, OTHERS, FACTS, join(KEPT, 'others'), patience)
}

function tellQuery({ name, found, gloss, byHand, bare, ratio }: QueryResult): void {
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8)
  const times = `${ms(gloss.median)} ms, by hand ${ms(byHand.median)}, bare ${ms(bare.median)}`
  const spread = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)})`
  tell(`  ${name.padEnd(42)} ${found.toLocaleString('en').padStart(9)} found ${times}   ratio ${spread}`)
}

/** The stores of a kind; undefined in a quick run if there is no server. */
async function storesOf(kind: DatabaseKind, quick: boolean): Promise<Stores | undefined> {
  if (kind === 'sqlite') return sqliteStores()
  try {
    return await mysqlStores()
  } catch (error) {
    if (!quick) throw error
    tell(`${kind}: left out. ${String(error)}`)
    return undefined
  }
}

async function main(options: Options): Promise<void> {
  for (const kind of options.databases) {
    const stores = await storesOf(kind, options.quick)
    if (stores === undefined) continue
    try {
      const results = await measure(stores, options)
      const whole =
        !options.quick && options.sizes.length === SIZES.length && options.parts.size === PARTS.length
      if (whole) publish(results)
      console.log(tablesOf(results))
    } finally {
      await stores.close()
    }
  }
}

const options = readOptions()
await main(options)
