/** The goals, and whether a run reached them. */
import type { Results } from './results.ts'
import { median, type Spread } from './statistics.ts'
import { number, spread } from './text.ts'

/** A goal, and what a run reached. */
export interface Goal {
  readonly work: string
  readonly goal: string
  readonly measured: string
  readonly met: boolean
}

/** A goal that limits a ratio to another side. */
const atMost = (work: string, limit: number, measured: Spread, of: string): Goal => ({
  work,
  goal: `≤ ${limit} x ${of}`,
  measured: spread(measured),
  met: measured.median <= limit,
})

/** A goal that wants a ratio to another side to be at least this. */
const atLeast = (work: string, least: number, measured: Spread, of: string): Goal => ({
  work,
  goal: `≥ ${least} x ${of}`,
  measured: spread(measured),
  met: measured.median >= least,
})

/** The item with the highest ratio. */
const worst = <T>(items: readonly T[], ratio: (item: T) => Spread): T | undefined =>
  [...items].sort((a, b) => ratio(b).median - ratio(a).median)[0]

/** The goals by what they are about, in the order of the report; each gives none for what was not measured. */
const GOALS: readonly ((results: Results) => readonly Goal[])[] = [
  queryGoals,
  refusalGoals,
  singleGoals,
  serviceGoals,
  bulkGoals,
  growthGoals,
  memoryGoals,
  isolationGoals,
  signInGoals,
]

/** What a run reached of the goals. */
export const goalsOf = (results: Results): Goal[] => GOALS.flatMap((goals) => goals(results))

function queryGoals({ queries }: Results): Goal[] {
  const shapes = queries.at(-1)?.shapes ?? []
  const slowest = worst(shapes, ({ ratio }) => ratio)
  if (slowest === undefined) return []
  const middle = median(shapes.map(({ ratio }) => ratio.median))
  return [
    {
      work: `ids of a query, median of ${shapes.length} shapes`,
      goal: '≤ 1.3 x SQL by hand',
      measured: number(middle),
      met: middle <= 1.3,
    },
    atMost(`ids of a query, slowest shape: ${slowest.name}`, 2, slowest.ratio, 'SQL by hand'),
  ]
}

function refusalGoals({ refusals }: Results): Goal[] {
  const slowest = worst(refusals, ({ ratio }) => ratio)
  if (slowest === undefined) return []
  return [atMost(`413, slowest: ${slowest.name}`, 1.1, slowest.ratio, 'the count that proves it')]
}

function singleGoals({ single }: Results): Goal[] {
  return single.map(({ operation, connections, cpuRatio, throughputRatio }) => {
    const over = `over ${connections} connection${connections > 1 ? 's' : ''}`
    if (operation === 'read') {
      return atMost(`read of one value, processor time, ${over}`, 2.5, cpuRatio, 'a bare server')
    }
    return atLeast(`write of one value, throughput, ${over}`, 0.7, throughputRatio, 'a bare server')
  })
}

function serviceGoals({ services }: Results): Goal[] {
  return services
    .slice(1)
    .flatMap(({ name, ratios }) =>
      ratios === undefined ? [] : [atLeast('read of one value, throughput', 3, ratios.read, name)],
    )
}

function bulkGoals({ bulk }: Results): Goal[] {
  return bulk
    .filter(({ name }) => name.startsWith('PUT'))
    .map(({ name, ratio }) => atMost(name, 1.5, ratio, 'SQL by hand'))
}

function growthGoals({ growth }: Results): Goal[] {
  const most = worst(growth, ({ ratio }) => ratio)
  if (most === undefined) return []
  const [first, last] = [most.stores[0], most.stores.at(-1)]
  const sizes = `from ${first?.values.toLocaleString('en')} to ${last?.values.toLocaleString('en')} values`
  return [atMost(`growth, most: ${most.name}`, 1.2, most.ratio, sizes)]
}

function memoryGoals({ memory }: Results): Goal[] {
  return memory.map(({ clients, octets, overIdleMb }) => ({
    work: `memory, ${clients} of ${number(octets / 1e6)} MB each`,
    goal: '≤ 300 MB over idle',
    measured: `${number(overIdleMb)} MB`,
    met: overIdleMb <= 300,
  }))
}

function isolationGoals({ isolation }: Results): Goal[] {
  return isolation.map(({ name, ratio }) =>
    atMost(`99th percentile of single reads during '${name}'`, 3, ratio, 'alone'),
  )
}

function signInGoals({ signIn }: Results): Goal[] {
  return signIn.map(({ ratio }) =>
    atMost('median of single reads during 10,000 wrong passwords a minute', 1.2, ratio, 'alone'),
  )
}
