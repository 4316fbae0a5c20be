/** One work done by several sides in turn: the time and the processor time that each of them takes. */
import { CpuMeter, type Sides } from './sides.ts'
import { interleaved, ratiosOf, spreadOf, type Rounds, type Spread } from './statistics.ts'

/** A side that does a work. */
export interface Contender {
  /** The processes that it needs for that, those of the database included. */
  readonly pids: readonly number[]
  /** What has to be done before each turn and is not measured. */
  readonly prepare?: () => Promise<void>
  /** Does the work once; returns the milliseconds that it took. */
  readonly once: () => Promise<number>
}

/** Milliseconds of time and of processor time for doing a work once, by round. */
export interface Took {
  readonly ms: readonly number[]
  readonly cpuMs: readonly number[]
}

/** The measurements of a work that Gloss and another side do; times in milliseconds. */
export interface Beside {
  readonly gloss: Spread
  readonly other: Spread
  readonly glossCpuMs: number
  readonly otherCpuMs: number
  /** Gloss divided by the other side. */
  readonly ratio: Spread
  readonly cpuRatio: Spread
}

/** Gloss and what works by hand on its store, as contenders. */
export const glossSide = ({ gloss, databasePids }: Sides, once: Contender['once']): Contender => ({
  pids: [gloss.pid, ...databasePids],
  once,
})
export const handSide = ({ byHand, databasePids }: Sides, once: Contender['once']): Contender => ({
  pids: [byHand.pid, ...databasePids],
  once,
})

/**
 * Lets contenders take turns, each of them doing its work this many times in a row: what a process still does after it has
 * answered is counted with what comes next.
 */
export async function inTurn<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  rounds: Rounds,
  inARow = 1,
): Promise<Record<Name, Took>> {
  const sides = (Object.entries(contenders) as [Name, Contender][]).map(([name, { pids, prepare, once }]) => {
    const meter = new CpuMeter(pids)
    const turn = async (): Promise<number> => {
      await prepare?.()
      return meter.around(async () => {
        let ms = 0
        for (let i = 0; i < inARow; i++) ms += await once()
        return ms / inARow
      })
    }
    return { name, meter, turn }
  })
  const times = await interleaved(Object.fromEntries(sides.map(({ name, turn }) => [name, turn])), rounds)
  const took = sides.map(({ name, meter }): [Name, Took] => [
    name,
    { ms: times[name] ?? [], cpuMs: meter.rounds.map((ms) => ms / inARow) },
  ])
  return Object.fromEntries(took) as Record<Name, Took>
}

/** What Gloss took beside what the other side took. */
export const besideOf = (gloss: Took, other: Took): Beside => ({
  gloss: spreadOf(gloss.ms),
  other: spreadOf(other.ms),
  glossCpuMs: spreadOf(gloss.cpuMs).median,
  otherCpuMs: spreadOf(other.cpuMs).median,
  ratio: ratiosOf(gloss.ms, other.ms),
  cpuRatio: ratiosOf(gloss.cpuMs, other.cpuMs),
})
