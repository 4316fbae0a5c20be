/** Isolation: the effect of a query with very many ids on the latency of other clients' single reads. */
import { setTimeout as sleep } from 'node:timers/promises'
import { READER } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { load } from '../load.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { objectsPath, type Patience, type Sides } from '../sides.ts'
import { median, quantile, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { inThread, startThread } from '../thread.ts'
import { cycle, singleRequests } from './single.ts'

/** Latencies of single reads alone and while queries run, in milliseconds. */
export interface IsolationResult {
  readonly name: string
  readonly alone: { readonly medianMs: Spread; readonly p99Ms: Spread }
  readonly during: { readonly medianMs: Spread; readonly p99Ms: Spread }
  /** The ratio of the 99th percentiles. */
  readonly ratio: Spread
  /** The number of queries during the reads, in all rounds. */
  readonly queries: number
}

const READERS = { connections: 4, pauseMs: 5 }
const SHAPES_MEANT = ['has, 1,000k', '1,000k and 700k']

export async function measureIsolation(sides: Sides, patience: Patience): Promise<IsolationResult[]> {
  const results: IsolationResult[] = []
  for (const { name, question } of SHAPES.filter((shape) => SHAPES_MEANT.includes(shape.name))) {
    results.push({ name, ...(await besideQueries(sides, patience, objectsPath(queryText(question)))) })
  }
  return results
}

async function besideQueries(
  sides: Sides,
  patience: Patience,
  path: string,
): Promise<Omit<IsolationResult, 'name'>> {
  const next = cycle(singleRequests(sides.values).read.gloss)
  const pace = { ...READERS, forMs: patience.loadMs * 2 }
  const rounds = {
    alone: { median: [] as number[], p99: [] as number[] },
    during: { median: [] as number[], p99: [] as number[] },
  }
  let queries = 0
  for (let round = 0; round <= patience.loadRounds; round++) {
    for (const side of ['alone', 'during'] as const) {
      const stop =
        side === 'during'
          ? await startThread<number>(import.meta.url, { port: sides.gloss.port, path } satisfies Querying)
          : undefined
      const { latencies } = await load(sides.gloss.port, next, 200, pace)
      queries += (await stop?.()) ?? 0
      if (round === 0) continue
      rounds[side].median.push(median(latencies))
      rounds[side].p99.push(quantile(latencies, 0.99))
    }
  }
  const spreads = (side: 'alone' | 'during') => ({
    medianMs: spreadOf(rounds[side].median),
    p99Ms: spreadOf(rounds[side].p99),
  })
  return {
    alone: spreads('alone'),
    during: spreads('during'),
    ratio: ratiosOf(rounds.during.p99, rounds.alone.p99),
    queries,
  }
}

interface Querying {
  readonly port: number
  readonly path: string
}

/** The thread: sends one query after another, and returns the number of answers. */
async function query({ port, path }: Querying, stop: AbortSignal): Promise<number> {
  const client = new HttpClient(port, basic(READER.username, READER.password))
  let count = 0
  while (!stop.aborted) {
    await client.drain(path)
    count++
    // This lets the message arrive that stops the thread.
    await sleep(0)
  }
  client.close()
  return count
}

await inThread(query)
