/** Gives memory back to the system after large requests. V8 does so only in an idle process, which a service never is. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * From how many octets glibc gives a freed piece of memory back to the system. By itself it raises this number to the
 * largest piece ever freed, and keeps what is smaller: all bodies and answers.
 */
const GIVEN_BACK = { name: 'MALLOC_MMAP_THRESHOLD_', value: String(1024 * 1024) }

/**
 * Puts this program in the place of itself, with the environment that makes glibc give large pieces of memory back. glibc
 * reads it only when a process begins. Does nothing where the operator has chosen a number, and on other systems.
 */
export function continueGivingBack(): void {
  if (process.platform !== 'linux' || GIVEN_BACK.name in process.env) return
  process.env[GIVEN_BACK.name] = GIVEN_BACK.value
  continueAnew()
}

/**
 * Puts this program in the place of itself, with the environment as it is now, if there is a call for that. A process with
 * a channel to another one, such as `node --watch`, would lose it and goes on.
 */
export function continueAnew(): void {
  if (process.platform === 'win32' || process.channel != null) return
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)])
}

/** How often it is looked, in milliseconds. */
const LOOK_MS = 10_000
/** When it is first looked: a start leaves much behind. */
const FIRST_LOOK_MS = 2000
/** How much the thread may have worked since the last look: a collection takes about a tenth of a second. */
const CALM = 0.25
/** How much memory makes a collection worth that, in octets. */
const WORTH_BYTES = 32 * 1024 * 1024

/** What is looked at, and what is done about it. */
export interface Memory {
  /** The resident memory of the process, in octets. */
  readonly resident: () => number
  /** How much of the time since the last call the thread has worked, from 0 to 1. */
  readonly busy: () => number
  /** Collects what is no longer used, and gives it back. */
  readonly collect: () => Promise<void>
}

/**
 * Returns a function to be called again and again. It collects when the thread has been calm and the process has grown since
 * it was last collected, or was not collected yet, and resolves to whether it did. While a process is larger than it has
 * been, it collects now and then all the same, ever more rarely: what was in use the last time may no longer be.
 */
export function reclaiming({ resident, busy, collect }: Memory): () => Promise<boolean> {
  let least = Infinity
  let last = 0
  let looks = 0
  let pause = 1
  return async () => {
    const now = resident()
    last = Math.min(last, now)
    looks += 1
    const grown = now - last >= WORTH_BYTES
    const large = now - least >= WORTH_BYTES && looks > pause
    if (busy() > CALM || !(grown || large)) return false
    looks = 0
    pause = grown ? 1 : 2 * pause
    await collect()
    last = resident()
    least = Math.min(least, last)
    return true
  }
}

/** Gives memory back from now on, as long as the process lives. */
export function startReclaiming(): void {
  const collect = collector()
  let before = { at: performance.now(), usedMs: usedMs() }
  const reclaim = reclaiming({
    resident: () => process.memoryUsage.rss(),
    busy: () => {
      const now = { at: performance.now(), usedMs: usedMs() }
      const busy = (now.usedMs - before.usedMs) / (now.at - before.at)
      before = now
      return busy
    },
    collect: () => collect({ type: 'major', execution: 'async', flavor: 'last-resort' }),
  })
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
