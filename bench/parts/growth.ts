/** Growth: works that find or touch the same number of values, in stores of several sizes. */
import { glossSide, inTurn } from '../beside.ts'
import { load } from '../load.ts'
import { GROWING_PAGES } from '../searches.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { objectsPath, timed, type Patience, type Sides } from '../sides.ts'
import { median, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { pathOfPage, SUGGEST_PATHS } from './search.ts'
import { cycle, singleRequests, STATUS } from './single.ts'

/** The measurements of one work in all stores, smallest first; times in milliseconds. */
export interface GrowthResult {
  readonly name: string
  readonly stores: readonly { readonly values: number; readonly ms: Spread; readonly cpuMs: number }[]
  /** The ratio of the times in the largest and in the smallest store. */
  readonly ratio: Spread
  readonly cpuRatio: number
}

/** Does a work in a store once; returns the milliseconds. */
type Once = () => Promise<number>

/** Measures Gloss on several stores, smallest first. */
export async function measureGrowth(stores: readonly Sides[], patience: Patience): Promise<GrowthResult[]> {
  const results: GrowthResult[] = []
  const measure = async (name: string, work: (sides: Sides) => Promise<Once>): Promise<void> => {
    results.push(await compared(name, stores, patience, work))
  }
  for (const { name, question } of SHAPES.filter(({ selective }) => selective)) {
    await measure(name, async ({ reader }) => reading(reader, objectsPath(queryText(question))))
  }
  for (const page of GROWING_PAGES) {
    await measure(page.name, async (sides) => reading(sides.reader, await pathOfPage(sides, page)))
  }
  await measure('suggestions of paths', async ({ reader }) => reading(reader, SUGGEST_PATHS))
  for (const operation of ['read', 'write'] as const) {
    const some = { connections: 1, forMs: patience.loadMs / 5 }
    await measure(`${operation} of one value`, async (sides) => {
      const next = cycle(singleRequests(sides.values)[operation].gloss)
      return async () => median((await load(sides.gloss.port, next, STATUS[operation], some)).latencies)
    })
  }
  return results
}

const reading =
  (reader: Sides['reader'], path: string): Once =>
  () =>
    timed(() => reader.drain(path))

async function compared(
  name: string,
  stores: readonly Sides[],
  { question: rounds }: Patience,
  work: (sides: Sides) => Promise<Once>,
): Promise<GrowthResult> {
  const contenders = []
  for (const sides of stores) {
    contenders.push([String(sides.values), glossSide(sides, await work(sides))] as const)
  }
  const took = await inTurn(Object.fromEntries(contenders), rounds)
  const times = stores.map(({ values }) => took[String(values)] ?? { ms: [], cpuMs: [] })
  const measured = stores.map(({ values }, i) => ({
    values,
    ms: spreadOf(times[i]?.ms ?? []),
    cpuMs: median(times[i]?.cpuMs ?? []),
  }))
  const [first, last] = [measured[0], measured.at(-1)]
  const ratio = ratiosOf(times.at(-1)?.ms ?? [], times[0]?.ms ?? [])
  return { name, stores: measured, ratio, cpuRatio: (last?.cpuMs ?? NaN) / (first?.cpuMs ?? NaN) }
}
