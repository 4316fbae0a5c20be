/** Reads and writes single values as a signed-in user, compared with a plain server that runs only that statement. */
import { bookId, booksWith, catalogueTags, OWNER, READER, tagPath } from '../catalogue.ts'
import { basic } from '../http.ts'
import { load, requestBytes, type Load } from '../load.ts'
import { cpuMs } from '../processes.ts'
import type { Patience, Sides } from '../sides.ts'
import { median, quantile, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { idText } from '../../src/data/database/ids/ids.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { WRITTEN } from '../store.ts'

/** The measurements of a load on one server, by round. */
interface Rounds {
  readonly perSecond: number[]
  readonly medianMs: number[]
  readonly p99Ms: number[]
  readonly cpuMs: number[]
  readonly databaseCpuMs: number[]
}

type RoundsSpread = { readonly [Key in keyof Rounds]: Spread }

/** The measurements of an operation over a number of connections. */
export interface SingleResult {
  readonly operation: 'read' | 'write'
  readonly connections: number
  readonly gloss: RoundsSpread
  readonly bare: RoundsSpread
  /** The ratios of Gloss to the plain server: processor time per request, and requests per second. */
  readonly cpuRatio: Spread
  readonly throughputRatio: Spread
}

const REQUESTS = 4_000

/** Requests for one value each, spread over the whole store; both sides get the same values. */
export function singleRequests(
  values: number,
): Record<'read' | 'write', { gloss: Buffer[]; bare: Buffer[] }> {
  const title = catalogueTags(values).find(({ path }) => path === tagPath('title'))
  if (title === undefined) throw new Error('there are no titles')
  const books = [...booksWith(title, values)]
  const step = Math.max(1, Math.floor(books.length / REQUESTS))
  const ids = books.filter((_, i) => i % step === 0).map(bookId)
  // Not in the order of the table's key.
  ids.sort((a, b) => a.compare(b, 12, 16, 12, 16))
  const owner = { ...basic(OWNER.username, OWNER.password), 'Content-Type': PRIMITIVE_MEDIA_TYPE }
  const reader = basic(READER.username, READER.password)
  const value = (i: number): string => String((i * 7919) % 100_000)
  return {
    read: {
      gloss: ids.map((id) => requestBytes('GET', `/objects/${idText(id)}/${title.path}`, reader)),
      bare: ids.map((id) => requestBytes('GET', `/value/${id.toString('hex')}`, {})),
    },
    write: {
      gloss: ids.map((id, i) =>
        requestBytes('PUT', `/objects/${idText(id)}/${WRITTEN.gloss}`, owner, value(i)),
      ),
      bare: ids.map((id, i) => requestBytes('PUT', `/value/${id.toString('hex')}`, {}, value(i))),
    },
  }
}

/** Returns one item after another, and begins again after the last. */
export function cycle<T>(items: readonly T[]): () => T {
  let next = 0
  return () => items[next++ % items.length] as T
}

/** The status of success for each operation. */
export const STATUS = { read: 200, write: 204 } as const

export async function measureSingle(
  sides: Sides,
  patience: Patience,
  loads: readonly { operation: 'read' | 'write'; connections: number }[],
): Promise<SingleResult[]> {
  const requests = singleRequests(sides.values)
  const results: SingleResult[] = []
  for (const { operation, connections } of loads) {
    const rounds = { gloss: noRounds(), bare: noRounds() }
    const pace = { connections, forMs: patience.loadMs }
    const servers = { gloss: sides.gloss, bare: sides.byHand } as const
    const next = { gloss: cycle(requests[operation].gloss), bare: cycle(requests[operation].bare) }
    for (let round = 0; round <= patience.loadRounds; round++) {
      for (const side of round % 2 === 0 ? (['gloss', 'bare'] as const) : (['bare', 'gloss'] as const)) {
        const { port, pid } = servers[side]
        const before = [cpuMs([pid]), cpuMs(sides.databasePids)] as const
        const loaded = await load(port, next[side], STATUS[operation], pace)
        const cpu = [cpuMs([pid]) - before[0], cpuMs(sides.databasePids) - before[1]] as const
        if (round > 0) add(rounds[side], loaded, cpu)
      }
    }
    results.push({
      operation,
      connections,
      gloss: spreads(rounds.gloss),
      bare: spreads(rounds.bare),
      cpuRatio: ratiosOf(rounds.gloss.cpuMs, rounds.bare.cpuMs),
      throughputRatio: ratiosOf(rounds.gloss.perSecond, rounds.bare.perSecond),
    })
  }
  return results
}

const noRounds = (): Rounds => ({ perSecond: [], medianMs: [], p99Ms: [], cpuMs: [], databaseCpuMs: [] })

function add(rounds: Rounds, { latencies, ms }: Load, [own, database]: readonly [number, number]): void {
  rounds.perSecond.push((latencies.length / ms) * 1000)
  rounds.medianMs.push(median(latencies))
  rounds.p99Ms.push(quantile(latencies, 0.99))
  rounds.cpuMs.push(own / latencies.length)
  rounds.databaseCpuMs.push(database / latencies.length)
}

const spreads = (rounds: Rounds): RoundsSpread => ({
  perSecond: spreadOf(rounds.perSecond),
  medianMs: spreadOf(rounds.medianMs),
  p99Ms: spreadOf(rounds.p99Ms),
  cpuMs: spreadOf(rounds.cpuMs),
  databaseCpuMs: spreadOf(rounds.databaseCpuMs),
})
