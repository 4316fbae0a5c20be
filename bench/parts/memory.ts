/** Memory: the growth of Gloss while several clients, some of them slow, read very many ids concurrently. */
import { setTimeout as sleep } from 'node:timers/promises'
import { READER } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { residentMb, startGloss } from '../processes.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { objectsPath, type Sides } from '../sides.ts'

/** Resident memory above that of the idle service, in MB. */
export interface MemoryResult {
  readonly clients: string
  /** The octets that each client read. */
  readonly octets: number
  readonly idleMb: number
  readonly peakMb: number
  readonly overIdleMb: number
  /** Milliseconds since the start, and resident MB. */
  readonly course: readonly (readonly [number, number])[]
}

const CLIENTS = 4
/** The pause after each piece of at most 64 KiB, which gives about 7 MB per second. */
const SLOW_PAUSE_MS = 8
const SAMPLE_MS = 25
const SETTLE_MS = 2_000
const WARM_UP = 200

/** The path and query string that return the ids of a shape. */
function pathOf(shape: string): string {
  const found = SHAPES.find(({ name }) => name === shape)
  if (found === undefined) throw new Error(`no shape ${shape}`)
  return objectsPath(queryText(found.question))
}

/** Measures all clients at full speed, then with one slow client; each time with a new Gloss. */
export async function measureMemory({ databaseUrl }: Sides): Promise<MemoryResult[]> {
  const swift = Array<undefined>(CLIENTS).fill(undefined)
  return [
    await course(databaseUrl, `${CLIENTS} clients`, swift),
    await course(databaseUrl, `${CLIENTS} clients, one slow`, [SLOW_PAUSE_MS, ...swift.slice(1)]),
  ]
}

async function course(
  databaseUrl: string,
  clients: string,
  pauses: readonly (number | undefined)[],
): Promise<MemoryResult> {
  const gloss = await startGloss(databaseUrl)
  const reader = new HttpClient(gloss.port, basic(READER.username, READER.password))
  try {
    // Signs in and warms up, because first requests need memory that has nothing to do with many ids.
    for (let i = 0; i < WARM_UP; i++) await reader.drain(pathOf('has, 10 objects'))
    await sleep(SETTLE_MS)
    const idleMb = residentMb(gloss.pid)
    const begin = performance.now()
    const samples: [number, number][] = [[0, Math.round(idleMb)]]
    const done = new AbortController()
    const sampling = (async () => {
      while (!done.signal.aborted) {
        await sleep(SAMPLE_MS)
        samples.push([Math.round(performance.now() - begin), Math.round(residentMb(gloss.pid))])
      }
    })()
    const octets = await Promise.all(pauses.map((pause) => reader.drain(pathOf('has, 1,000k'), pause)))
    done.abort()
    await sampling
    if (new Set(octets).size !== 1)
      throw new Error(`clients read different answers: ${octets.join(', ')} octets`)
    const peakMb = Math.max(...samples.map(([, mb]) => mb))
    return { clients, octets: octets[0] ?? 0, idleMb, peakMb, overIdleMb: peakMb - idleMb, course: samples }
  } finally {
    reader.close()
    await gloss.stop()
  }
}
