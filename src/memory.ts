/** Gives memory back to the system after large requests. V8 does so only in an idle process, which a service never is. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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

/** How often freed memory is given back while memory is scarce, in milliseconds: that takes a few of them. */
const TRIM_MS = 1000

/** How often it is looked, in milliseconds. */
const LOOK_MS = 10_000
/** When it is first looked: a start leaves much behind. */
const FIRST_LOOK_MS = 2000
/** How much the thread may have worked since the last look: a collection takes about a tenth of a second. */
const CALM = 0.25
/** How much an idle one has worked. */
const IDLE = 0.1
/** How much memory makes a collection worth that, in octets. */
const WORTH_BYTES = 32 * 1024 * 1024
/** The same while the thread works: V8 has to compile again most of the code that is in use. */
const WORTH_AT_WORK_BYTES = 8 * WORTH_BYTES

/** How much growth makes a thread that has worked so much collect, in octets: none if it is not calm. */
function worthAt(worked: number): number {
  if (worked > CALM) return Infinity
  return worked > IDLE ? WORTH_AT_WORK_BYTES : WORTH_BYTES
}

/** What is looked at, and what is done about it. */
export interface Memory {
  /** The resident memory of the process, in octets. */
  readonly resident: () => number
  /** How much of the time since the last call the thread has worked, from 0 to 1. */
  readonly busy: () => number
  /** Collects what is no longer used, and gives it back. */
  readonly collect: () => Promise<void>
}

/** How many looks in between are left out at most if a process grows again and again: it is then collected once a minute. */
const LEFT_OUT = 5

/**
 * Returns a function to be called again and again. It collects when the thread has been calm and the process has grown since
 * it was last collected, and once it is idle after the start; resolves to whether it did. A thread that works soon takes again
 * what it was made to give back: unless it is idle, only much growth counts, and while the process has grown at each look, it
 * collects ever more rarely, down to once a minute. A process that stays large without growing is collected ever more rarely,
 * too: what was in use the last time may no longer be.
 */
export function reclaiming({ resident, busy, collect }: Memory): () => Promise<boolean> {
  let least = Infinity
  let last = Infinity
  let collected = false
  let looks = 0
  let pause = 0
  return async () => {
    const now = resident()
    const worked = busy()
    const worth = worthAt(worked)
    last = Math.min(last, now)
    looks += 1
    if (now - least < WORTH_BYTES) pause = 0
    const grown = now - last >= worth && looks > Math.min(pause, LEFT_OUT)
    const large = now - least >= worth && looks > pause
    const first = worked <= IDLE && !collected
    if (!grown && !large && !first) return false
    looks = 0
    if (collected) pause = Math.max(1, 2 * pause)
    await collect()
    collected = true
    last = resident()
    least = Math.min(least, last)
    return true
  }
}

/** Gives memory back from now on, as long as the process lives. */
export function startReclaiming(): void {
  const collect = collector()
  const trimming = trimmer()
  let before = { at: performance.now(), usedMs: usedMs() }
  const reclaim = reclaiming({
    resident: () => process.memoryUsage.rss(),
    busy: () => {
      const now = { at: performance.now(), usedMs: usedMs() }
      const busy = (now.usedMs - before.usedMs) / (now.at - before.at)
      before = now
      return busy
    },
    collect: async () => {
      await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
      const trim = await trimming
      trim()
    },
  })
  setInterval(() => {
    if (isHeapSmall) void trimming.then((trim) => trim())
  }, TRIM_MS).unref()
  setTimeout(() => void reclaim(), FIRST_LOOK_MS).unref()
  setInterval(() => void reclaim(), LOOK_MS).unref()
}

/** The processor time of this thread so far, in milliseconds. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

type Collect = (options: {
  readonly type: 'major'
  readonly execution: 'async'
  readonly flavor: 'last-resort'
}) => Promise<void>

/** Node has no other way to the collector than the flag with which V8 shows it to scripts. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

/**
 * Returns a function that gives back what glibc keeps between pieces in use, which it never does by itself. With another C
 * library, or where koffi has no binary, it does nothing.
 */
async function trimmer(): Promise<() => void> {
  try {
    const { default: koffi } = await import('koffi')
    const trim = koffi.load('libc.so.6').func('int malloc_trim(size_t pad)') as (pad: number) => number
    return () => void trim(0)
  } catch {
    return () => undefined
  }
}
