/** Gives memory back to the system after large requests. V8 does so only in an idle process, which a service never is. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMemoryScarce, type SmallCaches } from './memory.ts'

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

/** Whether a process that is so much larger than at its smallest, in octets, is to give back what is free. */
const isWorthTrimming = (larger: number, worked: number): boolean => worked <= IDLE && larger >= WORTH_BYTES

/** What is looked at, and what is done about it. */
export interface Memory {
  /** The resident memory of the process, in octets. */
  readonly resident: () => number
  /** How much of the time since the last call the thread has worked, from 0 to 1. */
  readonly busy: () => number
  /** Collects what is no longer used, and gives it back. */
  readonly collect: () => Promise<void>
  /** Gives back what is free already. */
  readonly trim: () => Promise<void>
}

/** How many looks in between are left out at most if a process grows again and again: it is then collected once a minute. */
const LEFT_OUT = 5

/**
 * Returns a function to be called again and again. It collects when the thread has been calm and the process has grown since
 * it was last collected, and once it is idle after the start; resolves to whether it did. A thread that works soon takes again
 * what it was made to give back: unless it is idle, only much growth counts, and while the process has grown at each look, it
 * collects ever more rarely, down to once a minute. A process that stays large without growing is collected ever more rarely,
 * too: what was in use the last time may no longer be. In between it is trimmed, as connections that nobody uses are closed,
 * and what they had lies between pieces in use.
 */
export function reclaiming({ resident, busy, collect, trim }: Memory): () => Promise<boolean> {
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
    if (!grown && !large && !first) {
      if (isWorthTrimming(now - least, worked)) await trim()
      return false
    }
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
  const trim = async (): Promise<void> => (await trimming)()
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
      await trim()
    },
    trim,
  })
  setInterval(() => {
    if (isMemoryScarce()) void trim()
  }, TRIM_MS).unref()
  setTimeout(() => void reclaim(), FIRST_LOOK_MS).unref()
  setInterval(() => void reclaim(), LOOK_MS).unref()
}

/** The processor time of this thread so far, in milliseconds. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How often a thread of a connection is collected while caches must be small, in milliseconds. */
const COLLECT_MS = 1000

/**
 * From now on collects the heap of this thread, which is one of a connection, each second in which caches must be small, if it has
 * worked since the last time. Returns a function that notes that it works.
 */
export function startCollecting(small: SmallCaches): () => void {
  const collect = collector()
  let hasWorked = false
  setInterval(() => {
    if (!hasWorked || Atomics.load(small, 0) === 0) return
    hasWorked = false
    void collect({ type: 'major', execution: 'async', flavor: 'regular' })
  }, COLLECT_MS).unref()
  return () => {
    hasWorked = true
  }
}

type Collect = (options: {
  readonly type: 'major'
  readonly execution: 'async'
  readonly flavor: 'regular' | 'last-resort'
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
