/** Measures one work that several sides do in turn: the time and the processor time of each side. */
import { CpuMeter, type Sides } from './sides.ts'
import { interleaved, ratiosOf, spreadOf, type Rounds, type Spread } from './statistics.ts'

/** A side that does a work. */
export interface Contender {
  /** The processes that do the work, including those of the database. */
  readonly pids: readonly number[]
  /** Preparations before each turn, outside the measurement. */
  readonly prepare?: () => Promise<void>
  /** Does the work once; returns the milliseconds. */
  readonly once: () => Promise<number>
}

/** Milliseconds of time and of processor time for one work, by round. */
export interface Took {
  readonly ms: readonly number[]
  readonly cpuMs: readonly number[]
}

/** The measurements of a work of Gloss and of another side; times in milliseconds. */
export interface Beside {
  readonly gloss: Spread
  readonly other: Spread
  readonly glossCpuMs: number
  readonly otherCpuMs: number
  /** The ratio of Gloss to the other side. */
  readonly ratio: Spread
  readonly cpuRatio: Spread
}

/** Gloss and the hand-written SQL on its store, as contenders. */
export const glossSide = ({ gloss, databasePids }: Sides, once: Contender['once']): Contender => ({
  pids: [gloss.pid, ...databasePids],
  once,
})
export const handSide = ({ byHand, databasePids }: Sides, once: Contender['once']): Contender => ({
  pids: [byHand.pid, ...databasePids],
  once,
})

/**
 * Runs contenders in turn. Each does its work this many times in a row, because work that a process does after its answer
 * counts toward the next time.
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

/** The ratios of Gloss to the other side. */
export const besideOf = (gloss: Took, other: Took): Beside => ({
  gloss: spreadOf(gloss.ms),
  other: spreadOf(other.ms),
  glossCpuMs: spreadOf(gloss.cpuMs).median,
  otherCpuMs: spreadOf(other.cpuMs).median,
  ratio: ratiosOf(gloss.ms, other.ms),
  cpuRatio: ratiosOf(gloss.cpuMs, other.cpuMs),
})
