/** Measures the cost of an attack for the service and for its other users. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, startGloss, type Gloss, type Variant } from '../bench/processes.ts'
import { together, type Attack, type Outcome } from './attack.ts'
import { startBystanders, type Kind, type Seen } from './bystander.ts'
import { SETTLED_MB, type Measured, type Round } from './goals.ts'
import type { Contents } from './store.ts'

/** The store under attack, and the service on it. */
export interface Scene {
  readonly databaseUrl: string
  /** The processes of the database, if it has any; their processor time counts as the service's. */
  readonly databasePids: readonly number[]
  readonly contents: Contents
  readonly variant: Variant
  /** The longest time for the memory of the service to fall, in milliseconds. */
  readonly settleMs: number
}

/** The measurement stops an attack that takes longer. */
const CUT_OFF_MS = 60_000
/** The measurement does not repeat a first attack that took longer. */
const WARM_MS = 5_000
/** The milliseconds with bystanders alone, first to warm the service up and then to measure them. */
const ALONE_MS = 2_000
/** The milliseconds between the start of the bystanders and the attack. */
const HEAD_START_MS = 300
const SETTLING_STEP_MS = 2_000
/** A service is quiet if it uses at most this processor time, in milliseconds, between two samples. */
const QUIET_MS = 50
const LOOK_MS = 500

const READERS: readonly Kind[] = ['read']

/** Measures an attack at half its size and at its full size, on a service that has just started. */
export async function measure(attack: Attack, size: number, scene: Scene): Promise<Measured> {
  const { databaseUrl, variant } = scene
  const settings = { ...variant.settings, ...attack.settings }
  const gloss = await startGloss(databaseUrl, { ...variant, settings })
  try {
    const kinds = attack.bystanders ?? READERS
    await watched(gloss, kinds, () => sleep(ALONE_MS))
    const pids = [gloss.pid, ...scene.databasePids]
    const before = cpuMs(pids)
    const alone = await watched(gloss, kinds, () => sleep(ALONE_MS))
    const each = (cpuMs(pids) - before) / alone.seen.requests
    const round = (of: number): Promise<Round> => strike(gloss, { attack, size: of, scene, each })
    const cold = await round(size / 2)
    // Code is slow on its first run. Without a repetition that would hide growth.
    const half = cold.tookMs < WARM_MS ? await round(size / 2) : cold
    const full = half.cut ? undefined : await round(size)
    const last = full ?? half
    const laterMb = last.cut ? undefined : await settled(gloss, alone.seen.lastMb, scene.settleMs)
    return { attack, size, half, full, idleMb: alone.seen.lastMb, laterMb }
  } finally {
    await gloss.kill()
  }
}

/** Measures several attacks at the same time. */
export async function measureTogether(
  attacks: readonly (readonly [Attack, number])[],
  scene: Scene,
): Promise<Measured> {
  const all: Attack = {
    name: 'all',
    what: () => 'all of these at once',
    size: 1,
    quick: 1,
    expected: [...new Set(attacks.flatMap(([{ expected }]) => expected)), '503'],
    prepare: (share, contents) => {
      const strikes = attacks.map(([attack, size]) => attack.prepare(size * share, contents))
      return async (target) => together(await Promise.all(strikes.map((one) => one(target))))
    },
  }
  const settings = Object.assign({}, ...attacks.map(([attack]) => attack.settings ?? {})) as NonNullable<
    Attack['settings']
  >
  return measure({ ...all, settings }, 1, scene)
}

interface Strike {
  readonly attack: Attack
  readonly size: number
  readonly scene: Scene
  /** The cost of one request of a bystander, in milliseconds of processor time. */
  readonly each: number
}

/** Runs the attack once. The processor time is that of the service and its database, minus the cost of the bystanders. */
async function strike(gloss: Gloss, { attack, size, scene, each }: Strike): Promise<Round> {
  const send = attack.prepare(size, scene.contents)
  const pids = [gloss.pid, ...scene.databasePids]
  await quiet(pids)
  const before = cpuMs(pids)
  const { seen, result } = await watched(gloss, attack.bystanders ?? READERS, async () => {
    await sleep(HEAD_START_MS)
    const begin = performance.now()
    const outcome = await orCut(send(gloss))
    return { outcome, tookMs: performance.now() - begin }
  })
  const cpu = cpuMs(pids) - before
  const { outcome, tookMs } = result
  const times = outcome?.times ?? 1
  return {
    answers: outcome?.answers ?? new Map<string, number>(),
    cut: outcome === undefined,
    tookMs: tookMs / times,
    cpuMs: Math.max(0, cpu - each * seen.requests) / times,
    longestMs: seen.longestMs,
    failed: seen.failed,
    peakMb: seen.peakMb,
  }
}

/** Waits until the service has finished earlier work, or gives up after some time. */
async function quiet(pids: readonly number[]): Promise<void> {
  const end = performance.now() + CUT_OFF_MS
  let busyMs = Infinity
  while (busyMs > QUIET_MS && performance.now() < end) {
    const before = cpuMs(pids)
    await sleep(LOOK_MS)
    busyMs = cpuMs(pids) - before
  }
}

/** The outcome; undefined if it does not come in time. */
async function orCut(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
  const end = new AbortController()
  const cut = sleep(CUT_OFF_MS, undefined, { signal: end.signal }).catch(() => undefined)
  try {
    return await Promise.race([outcome, cut])
  } finally {
    end.abort()
  }
}

/** Runs work while bystanders use the service. */
async function watched<T>(
  { port, pid }: Gloss,
  kinds: readonly Kind[],
  work: () => Promise<T>,
): Promise<{ seen: Seen; result: T }> {
  const stop = await startBystanders({ port, pid, kinds })
  const result = await work()
  return { seen: await stop(), result }
}

/** The resident memory in MB after it has fallen, or after the given time. A bystander continues to use the service. */
async function settled(gloss: Gloss, idleMb: number, withinMs: number): Promise<number> {
  const end = performance.now() + withinMs
  let mb = Infinity
  while (mb > idleMb + SETTLED_MB && performance.now() < end) {
    const { seen } = await watched(gloss, READERS, () => sleep(SETTLING_STEP_MS))
    mb = seen.lastMb
  }
  return mb
}
