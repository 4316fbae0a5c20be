/** Collects garbage after large requests. V8 itself collects it only when the heap grows again, perhaps hours later. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often the process checks its memory, in milliseconds. */
const LOOK_MS = 10_000
/** Up to this share of busy time a thread counts as idle: a collection stops it for 50 to 100 ms. */
const IDLE = 0.1
/** How many bytes of garbage are worth a collection. */
const WORTH_BYTES = 32 * 1024 * 1024
/** A process that stays large is collected once in this many checks. */
const LOOKS_BETWEEN = 3

/** The inputs of a check, and its action. */
interface Reclaimable {
  /** The resident memory of the process, in bytes. */
  readonly resident: () => number
  /** The share of the time since the last call in which the thread was busy, from 0 to 1. */
  readonly busy: () => number
  readonly collect: () => Promise<void>
}

/**
 * Returns a function for the caller to call every ten seconds. It resolves to whether it has collected garbage: once when
 * the thread is first idle, since a start leaves much garbage; then at most every half minute, when the thread is idle and
 * the process is 32 MiB larger than its smallest size after a collection.
 */
export function reclaiming({ resident, busy, collect }: Reclaimable): () => Promise<boolean> {
  let smallest: number | undefined
  let looks = 0
  return async () => {
    looks += 1
    // `busy` counts from its last call, so each check calls it.
    const idle = busy() <= IDLE
    if (!idle) return false
    if (smallest !== undefined && (looks < LOOKS_BETWEEN || resident() - smallest < WORTH_BYTES)) return false
    looks = 0
    await collect()
    smallest = Math.min(smallest ?? Infinity, resident())
    return true
  }
}

/** Starts to collect, for the life of the process. */
export function startReclaiming(): void {
  let before = { at: performance.now(), cpu: process.threadCpuUsage() }
  const look = reclaiming({
    resident: () => process.memoryUsage.rss(),
    busy: () => {
      const { user, system } = process.threadCpuUsage(before.cpu)
      const passedMs = performance.now() - before.at
      before = { at: performance.now(), cpu: process.threadCpuUsage() }
      return (user + system) / 1000 / passedMs
    },
    collect: collector(),
  })
  setInterval(() => void look(), LOOK_MS).unref()
}

/** Returns a function that collects the garbage of this thread and returns the empty pages to the system. */
export function collector(): () => Promise<void> {
  // Node offers no other access to the collector than this flag of V8, which shows it to scripts.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  return async () => collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
