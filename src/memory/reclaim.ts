/** Collects garbage after large requests. V8 by itself lets it lie until the heap grows again, so it would stay for hours. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often the process is looked at, in milliseconds. */
const LOOK_MS = 10_000
/** Up to which share of the time an idle thread works: a collection stops it for 50 to 100 ms. */
const IDLE = 0.1
/** How many bytes make a collection worth that. */
const WORTH_BYTES = 32 * 1024 * 1024
/** A process that stays large is collected once in so many looks. */
const LOOKS_BETWEEN = 3

/** What a look needs to know, and what it does. */
interface Reclaimable {
  /** The resident memory of the process, in bytes. */
  readonly resident: () => number
  /** Which share of the time since the last call the thread has worked, from 0 to 1. */
  readonly busy: () => number
  readonly collect: () => Promise<void>
}

/**
 * Returns a function to be called every ten seconds, which resolves to whether it has collected garbage: once when the thread
 * is first idle, as a start leaves much behind, and then at most every half minute, when the thread is idle and the process is 32 MiB
 * larger than it has been after a collection.
 */
export function reclaiming({ resident, busy, collect }: Reclaimable): () => Promise<boolean> {
  let smallest: number | undefined
  let looks = 0
  return async () => {
    looks += 1
    // It counts since the last call, so it is asked at each look.
    const idle = busy() <= IDLE
    if (!idle) return false
    if (smallest !== undefined && (looks < LOOKS_BETWEEN || resident() - smallest < WORTH_BYTES)) return false
    looks = 0
    await collect()
    smallest = Math.min(smallest ?? Infinity, resident())
    return true
  }
}

/** Collects from now on, as long as the process lives. */
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

/** Returns a function that collects the garbage of this thread and gives back the pages that are then empty. */
export function collector(): () => Promise<void> {
  // Node has no other way to the collector than the flag with which V8 shows it to scripts.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  return async () => collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
