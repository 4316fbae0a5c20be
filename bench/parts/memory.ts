/** Memory: how far Gloss swells while several clients read very many ids at a time, slow ones among them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { READER } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { residentMb, startGloss } from '../processes.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { objectsPath, type Sides } from '../sides.ts'

/** Resident memory over what the idle service takes, in MB. */
export interface MemoryResult {
  readonly clients: string
  /** Octets that each client read. */
  readonly octets: number
  readonly idleMb: number
  readonly peakMb: number
  readonly overIdleMb: number
  /** Milliseconds since the begin, and resident MB. */
  readonly course: readonly (readonly [number, number])[]
}

const CLIENTS = 4
/** After each piece that arrives, of 64 KiB at most; about 7 MB a second. */
const SLOW_PAUSE_MS = 8
const SAMPLE_MS = 25
const SETTLE_MS = 2_000
const WARM_UP = 200

/** Where the ids of a shape are read. */
function pathOf(shape: string): string {
  const found = SHAPES.find(({ name }) => name === shape)
  if (found === undefined) throw new Error(`no shape ${shape}`)
  return objectsPath(queryText(found.question))
}

/** Measures all clients at full speed, and with one that is slow; each time with a Gloss that has done nothing else. */
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
    // Signed in and warm: what the first requests take is not what many ids take.
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
