/** The goals, and whether a run reached them. */
import type { Results } from './results.ts'
import { median, type Spread } from './statistics.ts'
import { number, spread } from './text.ts'

/** What is to be reached, and what was. */
export interface Goal {
  readonly work: string
  readonly goal: string
  readonly measured: string
  readonly met: boolean
}

/** The goal for one figure, with its spread. */
const atMost = (work: string, limit: number, measured: Spread, of: string): Goal => ({
  work,
  goal: `≤ ${limit} x ${of}`,
  measured: spread(measured),
  met: measured.median <= limit,
})

const worst = <T>(items: readonly T[], ratio: (item: T) => Spread): T | undefined =>
  [...items].sort((a, b) => ratio(b).median - ratio(a).median)[0]

/** What was reached of the goals; what was not measured is left out. */
export function goalsOf(results: Results): Goal[] {
  const goals: Goal[] = []
  const shapes = results.queries.at(-1)?.shapes ?? []
  const worstShape = worst(shapes, ({ ratio }) => ratio)
  if (worstShape !== undefined) {
    const middle = median(shapes.map(({ ratio }) => ratio.median))
    goals.push({
      work: `ids of a query, median of ${shapes.length} shapes`,
      goal: '≤ 1.3 x SQL by hand',
      measured: number(middle),
      met: middle <= 1.3,
    })
    goals.push(
      atMost(`ids of a query, slowest shape: ${worstShape.name}`, 2, worstShape.ratio, 'SQL by hand'),
    )
  }
  const refusal = worst(results.refusals, ({ ratio }) => ratio)
  if (refusal !== undefined)
    goals.push(atMost(`413, slowest: ${refusal.name}`, 1.1, refusal.ratio, 'the count that proves it'))
  for (const { operation, connections, cpuRatio, throughputRatio } of results.single) {
    const over = `over ${connections} connection${connections > 1 ? 's' : ''}`
    if (operation === 'read') {
      goals.push(atMost(`read of one value, processor time, ${over}`, 2.5, cpuRatio, 'a bare server'))
    } else {
      goals.push({
        work: `write of one value, throughput, ${over}`,
        goal: '≥ 0.7 x a bare server',
        measured: spread(throughputRatio),
        met: throughputRatio.median >= 0.7,
      })
    }
  }
  for (const { name, ratios } of results.services.slice(1)) {
    if (ratios === undefined) continue
    goals.push({
      work: 'read of one value, throughput',
      goal: `≥ 3 x ${name}`,
      measured: spread(ratios.read),
      met: ratios.read.median >= 3,
    })
  }
  for (const { name, ratio } of results.bulk.filter((result) => result.name.startsWith('PUT'))) {
    goals.push(atMost(name, 1.5, ratio, 'SQL by hand'))
  }
  const growth = worst(results.growth, ({ ratio }) => ratio)
  if (growth !== undefined) {
    const [first, last] = [growth.stores[0], growth.stores.at(-1)]
    goals.push(
      atMost(
        `growth, most: ${growth.name}`,
        1.2,
        growth.ratio,
        `from ${first?.values.toLocaleString('en')} to ${last?.values.toLocaleString('en')} values`,
      ),
    )
  }
  for (const { clients, octets, overIdleMb } of results.memory) {
    goals.push({
      work: `memory, ${clients} of ${number(octets / 1e6)} MB each`,
      goal: '≤ 300 MB over idle',
      measured: `${number(overIdleMb)} MB`,
      met: overIdleMb <= 300,
    })
  }
  for (const { name, ratio } of results.isolation)
    goals.push(atMost(`99th percentile of single reads during '${name}'`, 3, ratio, 'alone'))
  for (const { ratio } of results.signIn) {
    goals.push(atMost('median of single reads during 10,000 wrong passwords a minute', 1.2, ratio, 'alone'))
  }
  return goals
}
