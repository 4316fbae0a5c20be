/** Replays outages, and measures which alerts fire, after how long, and that they go away. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Seen } from './instance.ts'
import { hasShortened, type Prometheus } from './prometheus.ts'

/** An outage. */
export interface Outage {
  readonly name: string
  /** The alerts that must fire. */
  readonly fires: readonly string[]
  readonly begin: () => unknown
  readonly end: () => unknown
  /** How long it lasts at least, in seconds. */
  readonly lasts?: number
}

const LOOK_MS = 250
/** How long an alert may take to fire, or to go away, in milliseconds: a slow machine must be slow, not red. */
const PATIENCE_MS = 240_000

/** The times at which alerts began to fire, or were gone, in milliseconds since the epoch of `performance`. */
type Times = Map<string, number>

const HEAD = `| Outage | Alerts: they fired after, and went away after its end | Failed requests |
| --- | --- | --- |`

/** Replays outages in turn; returns what went wrong. Prints a table with a row for each. */
export async function replay(
  prometheus: Prometheus,
  seen: Seen,
  outages: readonly Outage[],
): Promise<string[]> {
  console.log(HEAD)
  const faults: string[] = []
  for (const outage of outages) {
    if (!(await untilQuiet(prometheus, new Map())))
      faults.push(`${outage.name}: other alerts fire before it begins`)
    const before = { ...seen }
    const began = performance.now()
    const fired: Times = new Map()
    await outage.begin()
    const missing = await untilFiring(prometheus, { outage, began, fired })
    await outage.end()
    const ended = performance.now()
    const gone: Times = new Map([...fired.keys()].map((name) => [name, ended]))
    const quiet = await untilQuiet(prometheus, gone)
    if (missing.length > 0) faults.push(`${outage.name}: no ${missing.join(', ')}`)
    if (!quiet) faults.push(`${outage.name}: alerts went on after its end`)
    const alerts = [...fired].map(([name, at]) => {
      const [after, until] = [seconds(at - began), seconds((gone.get(name) ?? ended) - ended)]
      return `${name}${hasShortened(name) ? '*' : ''} ${after} s, ${until} s`
    })
    const requests = `${String(seen.failed - before.failed)} of ${String(seen.requests - before.requests)}`
    console.log(`| ${outage.name} | ${alerts.join('; ')} | ${requests} |`)
  }
  return faults
}

const seconds = (ms: number): string => Math.round(ms / 1000).toFixed(0)

/** Waits until the outage has lasted long enough and its alerts have fired; returns those that have not. */
async function untilFiring(
  prometheus: Prometheus,
  { outage, began, fired }: { readonly outage: Outage; readonly began: number; readonly fired: Times },
): Promise<string[]> {
  for (;;) {
    for (const name of await prometheus.firing()) if (!fired.has(name)) fired.set(name, performance.now())
    const missing = outage.fires.filter((name) => !fired.has(name))
    const elapsed = performance.now() - began
    if (missing.length === 0 && elapsed >= (outage.lasts ?? 0) * 1000) return []
    if (elapsed > PATIENCE_MS) return missing
    await sleep(LOOK_MS)
  }
}

/** Waits until no alert fires; whether that was so in time. Notes when each one was last seen. */
async function untilQuiet(prometheus: Prometheus, gone: Times): Promise<boolean> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const firing = await prometheus.firing()
    for (const name of firing) gone.set(name, performance.now())
    if (firing.size === 0) return true
    await sleep(LOOK_MS)
  }
  return false
}
