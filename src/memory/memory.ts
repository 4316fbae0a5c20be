/** How little memory V8, glibc and caches keep for themselves, at all times and while large requests make it scarce. */
import { setFlagsFromString } from 'node:v8'

/**
 * From which length on, in octets, glibc gives a freed piece of memory back, and how much it keeps free at the end of a heap. By
 * itself it learns both from the longest piece ever freed, which excludes all bodies and answers. Memory that was given back
 * must be filled with zeros when it is taken again, which for the ids of 100,000 objects takes a tenth of the whole answer.
 */
const KEPT_BYTES = String(4 * 1024 * 1024)

/** How glibc keeps freed memory. By itself it makes eight heaps for each processor, which threads leave full of gaps. */
const OF_GLIBC = {
  MALLOC_MMAP_THRESHOLD_: KEPT_BYTES,
  MALLOC_TRIM_THRESHOLD_: KEPT_BYTES,
  MALLOC_ARENA_MAX: '2',
}

/**
 * How far V8's nursery may grow, in MiB for each of its halves: by itself to 64, all of which garbage fills before it is
 * collected.
 */
const NURSERY = { name: '--max-semi-space-size', mib: 8 }

/**
 * V8 also collects the nursery once what its objects have outside the heap, as buffers do, has four times this number of MiB: by
 * itself 128.
 */
const OUTSIDE = '--scavenger-max-new-space-capacity-mb=8'

/**
 * How V8 collects. By itself it makes objects in its old space whose like have outlived the nursery: in a small one, a single
 * burst of requests is enough for that, and such objects keep the rest of every later request until the old space is collected.
 */
const COLLECTING = '--no-allocation-site-pretenuring'

/**
 * By how much V8's heap may grow before the next collection, in percent of what is in use, usually and while memory is scarce.
 * By itself it may grow to a multiple. The flag is for all threads: with little growth, one that reads many rows collects all
 * the time.
 */
const GROWTH = { name: '--heap-growing-percent', usual: 100, scarce: 30 }

/** What a process begins with. */
export interface Beginning {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Node's own arguments. */
  readonly execArgv: readonly string[]
}

/** What gives memory back and is not there: environment variables and arguments. What the operator has chosen stays. */
export function missingOf({ env, execArgv }: Beginning): { env: Record<string, string>; execArgv: string[] } {
  const given = [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-')
  return {
    env: Object.fromEntries(Object.entries(OF_GLIBC).filter(([name]) => env[name] === undefined)),
    execArgv: given.includes(NURSERY.name) ? [] : [`${NURSERY.name}=${String(NURSERY.mib)}`],
  }
}

/**
 * Puts this program in the place of itself, with the environment that makes glibc give memory back and a small nursery, unless
 * they are there: both are read only when a process begins. Then has V8 collect as is best for this service. Does nothing on
 * other systems than Linux.
 */
export function continueGivingBack(): void {
  if (process.platform !== 'linux') return
  const { env, execArgv } = missingOf(process)
  const isMissing = Object.keys(env).length > 0 || execArgv.length > 0
  // A process with a password is replaced anyway, once that is set (`first-password.ts`).
  if (isMissing && !('ADMIN_PASSWORD' in process.env)) continueAnew()
  // The threads of connections have smaller ones, which the argument would replace.
  setFlagsFromString(`${NURSERY.name}=0`)
  setFlagsFromString(COLLECTING)
  setFlagsFromString(OUTSIDE)
  setGrowth(GROWTH.usual)
}

/** Which part of the room for large bodies and answers is taken when memory is scarce, and when what is merely kept must go, too. */
const SCARCE = { heap: 1 / 12, kept: 1 / 3 }

/** What all threads look at: 1 while caches must be small. */
export type SmallCaches = Int32Array<SharedArrayBuffer>

/** That of this process. */
export const smallCaches: SmallCaches = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

let isHeapSmall = false

/** Whether large bodies and answers make memory scarce at the moment. */
export const isMemoryScarce = (): boolean => isHeapSmall

/** Notes which part of the room for large bodies and answers is taken, from 0 to 1: the more, the less memory goes elsewhere. */
export function noteTaken(part: number): void {
  const small = part > SCARCE.kept ? 1 : 0
  if (Atomics.exchange(smallCaches, 0, small) !== small) setKeepingPages(small === 0)
  if (isHeapSmall === part > SCARCE.heap) return
  isHeapSmall = part > SCARCE.heap
  setGrowth(isHeapSmall ? GROWTH.scarce : GROWTH.usual)
}

/**
 * Whether V8 keeps the pages that its collections empty, for all threads. By itself it keeps them until a heap has nothing to do,
 * and nobody sees them in its statistics: 80 MB under attack. This is what the flag does once V8 has begun.
 */
function setKeepingPages(keeping: boolean): void {
  if (process.platform === 'linux')
    setFlagsFromString(keeping ? '--no-optimize-for-size' : '--optimize-for-size')
}

function setGrowth(percent: number): void {
  if (process.platform === 'linux') setFlagsFromString(`${GROWTH.name}=${String(percent)}`)
}

/**
 * Puts this program in the place of itself, with the environment as it is now and with what gives memory back, if there is a
 * call for that. A process with a channel to another one, such as `node --watch`, would lose it and goes on.
 */
export function continueAnew(): void {
  const { env, execArgv: further } = process.platform === 'linux' ? missingOf(process) : NOTHING
  Object.assign(process.env, env)
  if (process.platform === 'win32' || process.channel != null) return
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...further, ...argv.slice(1)])
}

const NOTHING: Beginning = { env: {}, execArgv: [] }
