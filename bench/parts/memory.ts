/** Memory: how far Gloss swells while several clients read very many ids at a time, slow ones among them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../processes.ts'
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

/** The question that finds the most, a million at the full size. */
const largest = SHAPES.find(({ name }) => name === 'has, 1,000k')

/** Measures all clients at full speed, and with one that is slow. */
export async function measureMemory(sides: Sides): Promise<MemoryResult[]> {
  const path = objectsPath(queryText((largest as (typeof SHAPES)[number]).question))
  await sides.reader.drain(path.replace(/has.*/, 'has%20library%2Funique'))
  const slow = Array.from({ length: CLIENTS }, (_, i) => (i === 0 ? SLOW_PAUSE_MS : undefined))
  return [
    await course(sides, path, `${CLIENTS} clients`, Array<undefined>(CLIENTS).fill(undefined)),
    await course(sides, path, `${CLIENTS} clients, one slow`, slow),
  ]
}

async function course(
  sides: Sides,
  path: string,
  clients: string,
  pauses: readonly (number | undefined)[],
): Promise<MemoryResult> {
  await sleep(SETTLE_MS)
  const idleMb = residentMb(sides.gloss.pid)
  const begin = performance.now()
  const samples: [number, number][] = [[0, idleMb]]
  const done = new AbortController()
  const sampling = (async () => {
    while (!done.signal.aborted) {
      await sleep(SAMPLE_MS)
      samples.push([Math.round(performance.now() - begin), Math.round(residentMb(sides.gloss.pid))])
    }
  })()
  const octets = await Promise.all(pauses.map((pause) => sides.reader.drain(path, pause)))
  done.abort()
  await sampling
  if (new Set(octets).size !== 1)
    throw new Error(`clients read different answers: ${octets.join(', ')} octets`)
  const peakMb = Math.max(...samples.map(([, mb]) => mb))
  return { clients, octets: octets[0] ?? 0, idleMb, peakMb, overIdleMb: peakMb - idleMb, course: samples }
}
