/** The goals, and whether a run reached them. */
import { FULL_SIZE } from './catalogue.ts'
import { FEW } from './parts/queries.ts'
import type { Results } from './results.ts'
import { GROWING_PAGES } from './searches.ts'
import { SHAPES } from './shapes.ts'
import { median, type Spread } from './statistics.ts'
import { number, spread } from './text.ts'

/** A goal, and the result of a run. */
export interface Goal {
  readonly work: string
  readonly goal: string
  readonly measured: string
  /** Some goals need a larger work than small stores have. */
  readonly verdict: 'met' | 'missed' | 'not at this size'
}

/** Whether the measured work is as large as the goal requires. */
type Sized = boolean

const verdictOf = (met: boolean, sized: Sized): Goal['verdict'] =>
  sized ? (met ? 'met' : 'missed') : 'not at this size'

/** A goal with an upper limit for a ratio to another side. */
const atMost = (work: string, limit: number, measured: Spread, of: string, sized: Sized = true): Goal => ({
  work,
  goal: `≤ ${limit} x ${of}`,
  measured: spread(measured),
  verdict: verdictOf(measured.median <= limit, sized),
})

/** A goal with a lower limit for a ratio to another side. */
const atLeast = (work: string, least: number, measured: Spread, of: string): Goal => ({
  work,
  goal: `≥ ${least} x ${of}`,
  measured: spread(measured),
  verdict: verdictOf(measured.median >= least, true),
})

/** The item with the highest ratio. */
const worst = <T>(items: readonly T[], ratio: (item: T) => Spread): T | undefined =>
  [...items].sort((a, b) => ratio(b).median - ratio(a).median)[0]

/** The goals by topic, in the order of the report; each returns none without measurements. */
const GOALS: readonly ((results: Results) => readonly Goal[])[] = [
  singleGoals,
  serviceGoals,
  smallQueryGoals,
  queryGoals,
  refusalGoals,
  loadGoals,
  bulkGoals,
  growthGoals,
  pageGoals,
  countGoals,
  facetGoals,
  spaceGoals,
  isolationGoals,
  memoryGoals,
  signInGoals,
]

/** The goals with the results of a run. */
export const goalsOf = (results: Results): Goal[] => GOALS.flatMap((goals) => goals(results))

const isFull = ({ values }: Results): Sized => values === FULL_SIZE

function singleGoals({ single }: Results): Goal[] {
  return single.map(({ operation, connections, cpuRatio, throughputRatio }) => {
    const over = `over ${connections} connection${connections > 1 ? 's' : ''}`
    if (operation === 'read') {
      return atMost(`read of one value, processor time, ${over}`, 2, cpuRatio, 'a bare server')
    }
    return atLeast(`write of one value, throughput, ${over}`, 0.7, throughputRatio, 'a bare server')
  })
}

function serviceGoals({ services }: Results): Goal[] {
  return services.slice(1).flatMap(({ name, ratios }) => {
    if (ratios === undefined) return []
    const isPocketBase = name.startsWith('PocketBase')
    const read = atLeast('read of one value, throughput', isPocketBase ? 1 : 3, ratios.read, name)
    return isPocketBase ? [read, atLeast('write of one value, throughput', 1, ratios.write, name)] : [read]
  })
}

/** The shapes that find few objects; in a smaller store, only those with the same small number in any store. */
function smallQueryGoals(results: Results): Goal[] {
  const selective = new Set(SHAPES.filter((shape) => shape.selective).map(({ name }) => name))
  const small = (results.queries.at(-1)?.shapes ?? []).flatMap(({ name, found, cpuRatioToBare: ratio }) =>
    ratio !== undefined && found <= FEW && (isFull(results) || selective.has(name)) ? [{ name, ratio }] : [],
  )
  const most = worst(small, ({ ratio }) => ratio)
  if (most === undefined) return []
  const work = `ids, processor time, most of ${small.length} shapes with up to ${number(FEW)}: ${most.name}`
  return [atMost(work, 1.6, most.ratio, 'a bare server')]
}

function queryGoals(results: Results): Goal[] {
  const shapes = (results.queries.at(-1)?.shapes ?? []).filter(({ found }) => found > FEW)
  const slowest = worst(shapes, ({ ratio }) => ratio)
  if (slowest === undefined) return []
  const middle = median(shapes.map(({ ratio }) => ratio.median))
  return [
    {
      work: `ids, median of ${shapes.length} larger shapes`,
      goal: '≤ 1.15 x SQL by hand',
      measured: number(middle),
      verdict: verdictOf(middle <= 1.15, isFull(results)),
    },
    atMost(`ids, slowest of these: ${slowest.name}`, 1.5, slowest.ratio, 'SQL by hand', isFull(results)),
  ]
}

function refusalGoals({ refusals }: Results): Goal[] {
  const slowest = worst(refusals, ({ ratio }) => ratio)
  if (slowest === undefined) return []
  return [atMost(`413, slowest: ${slowest.name}`, 1.1, slowest.ratio, 'the count that proves it')]
}

function loadGoals({ loads = [] }: Results): Goal[] {
  return loads.map(({ name, cpuRatio }) => atMost(`${name}, processor time`, 2, cpuRatio, 'SQL by hand'))
}

function bulkGoals(results: Results): Goal[] {
  return results.bulk
    .filter(({ name }) => !name.startsWith('DELETE'))
    .map(({ name, ratio }) => atMost(name, 1.5, ratio, 'SQL by hand', isFull(results)))
}

/** The works with a growth goal of their own; all others should hardly grow. */
const OR_GROWS = 'nested: selective and (or)'

function growthGoals({ growth }: Results): Goal[] {
  const of = (what: string, limit: number, works: Results['growth']): Goal[] => {
    const most = worst(works, ({ ratio }) => ratio)
    if (most === undefined) return []
    const [first, last] = [most.stores[0], most.stores.at(-1)]
    const sizes = `from ${first?.values.toLocaleString('en')} to ${last?.values.toLocaleString('en')} values`
    return [atMost(`${what}${most.name}`, limit, most.ratio, sizes, last?.values === FULL_SIZE)]
  }
  const isPage = ({ name }: Results['growth'][number]): boolean =>
    GROWING_PAGES.some((page) => page.name === name)
  return [
    ...of(
      'growth of ',
      1.3,
      growth.filter(({ name }) => name === OR_GROWS),
    ),
    ...of('growth, most of pages: ', 1.2, growth.filter(isPage)),
    ...of(
      'growth, most of all else: ',
      1.2,
      growth.filter((work) => work.name !== OR_GROWS && !isPage(work)),
    ),
  ]
}

function pageGoals(results: Results): Goal[] {
  return (results.search ?? []).flatMap(({ pages }) =>
    pages.map(({ name, ratio }) => atMost(`search, ${name}`, 1.5, ratio, 'a bare server', isFull(results))),
  )
}

/** The number of matches that the goal for counts requires, and that for facets. */
const [COUNTED, FACETED] = [1_000_000, 100_000]

function countGoals({ search = [] }: Results): Goal[] {
  return search.flatMap(({ counts }) =>
    counts.map(({ name, matches, ratio }) =>
      atMost(`search, ${name}`, 1.1, ratio, "SQL's count", matches >= COUNTED),
    ),
  )
}

function facetGoals({ search = [] }: Results): Goal[] {
  return search.flatMap(({ facets }) =>
    facets.map(({ name, matches, ratio }) =>
      atMost(`facets of ${name}`, 1.3, ratio, 'SQL by hand', matches >= FACETED),
    ),
  )
}

/** The bytes per value before the goal of a quarter less. */
const BYTES_BEFORE = { sqlite: 219, mysql: 267 } as const

function spaceGoals(results: Results): Goal[] {
  const { database, space = [] } = results
  return space.slice(0, 1).map(({ name, bytes, values }) => {
    const most = BYTES_BEFORE[database] * 0.75
    return {
      work: `space on disk, ${name}`,
      goal: `≤ ${number(most)} bytes a value`,
      measured: number(bytes / values),
      verdict: verdictOf(bytes / values <= most, isFull(results)),
    }
  })
}

function isolationGoals(results: Results): Goal[] {
  return results.isolation.map(({ name, ratio }) =>
    atMost(`99th percentile of single reads during '${name}'`, 3, ratio, 'alone', isFull(results)),
  )
}

function memoryGoals(results: Results): Goal[] {
  return results.memory.map(({ clients, octets, overIdleMb }) => ({
    work: `memory, ${clients} of ${number(octets / 1e6)} MB each`,
    goal: '≤ 300 MB over idle',
    measured: `${number(overIdleMb)} MB`,
    verdict: verdictOf(overIdleMb <= 300, isFull(results)),
  }))
}

function signInGoals({ signIn }: Results): Goal[] {
  return signIn.map(({ ratio }) =>
    atMost('median of single reads during 10,000 wrong passwords a minute', 1.2, ratio, 'alone'),
  )
}
