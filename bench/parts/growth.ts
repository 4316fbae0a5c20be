/** Growth: works that find or touch the same number of values, in stores of several sizes. */
import { load } from '../load.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { CpuMeter, objectsPath, timed, type Patience, type Sides } from '../sides.ts'
import { interleaved, median, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { cycle, singleRequests, STATUS } from './single.ts'

/** The measurements of one work in all stores, smallest first; times in milliseconds. */
export interface GrowthResult {
  readonly name: string
  readonly stores: readonly { readonly values: number; readonly ms: Spread; readonly cpuMs: number }[]
  /** The largest store divided by the smallest. */
  readonly ratio: Spread
  readonly cpuRatio: number
}

/** Measures Gloss on several stores, smallest first. */
export async function measureGrowth(stores: readonly Sides[], patience: Patience): Promise<GrowthResult[]> {
  const results: GrowthResult[] = []
  for (const { name, question } of SHAPES.filter(({ selective }) => selective)) {
    const path = objectsPath(queryText(question))
    results.push(
      await compared(
        name,
        stores,
        patience,
        ({ reader }) =>
          () =>
            timed(() => reader.drain(path)),
      ),
    )
  }
  for (const operation of ['read', 'write'] as const) {
    const some = { connections: 1, forMs: patience.loadMs / 5 }
    const one = (sides: Sides): (() => Promise<number>) => {
      const next = cycle(singleRequests(sides.values)[operation].gloss)
      return async () => median((await load(sides.gloss.port, next, STATUS[operation], some)).latencies)
    }
    results.push(await compared(`${operation} of one value`, stores, patience, one))
  }
  return results
}

async function compared(
  name: string,
  stores: readonly Sides[],
  { question: rounds }: Patience,
  work: (sides: Sides) => () => Promise<number>,
): Promise<GrowthResult> {
  const meters = stores.map((sides) => new CpuMeter([sides.gloss.pid, ...sides.databasePids]))
  const contenders = stores.map((sides, i) => {
    const once = work(sides)
    return [String(sides.values), () => (meters[i] as CpuMeter).around(once)] as const
  })
  const times = await interleaved(Object.fromEntries(contenders), rounds)
  const measured = stores.map(({ values }, i) => ({
    values,
    ms: spreadOf(times[String(values)] ?? []),
    cpuMs: meters[i]?.ms ?? NaN,
  }))
  const [first, last] = [measured[0], measured.at(-1)]
  const ratio = ratiosOf(times[String(last?.values)] ?? [], times[String(first?.values)] ?? [])
  return { name, stores: measured, ratio, cpuRatio: (last?.cpuMs ?? NaN) / (first?.cpuMs ?? NaN) }
}
