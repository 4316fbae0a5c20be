/** Compares attacks with their goals, and formats the table of all attacks. */
import { number, table } from '../bench/text.ts'
import type { Attack } from './attack.ts'
import type { Kind } from './bystander.ts'

/** One run of an attack. */
export interface Round {
  readonly answers: ReadonlyMap<string, number>
  /** Whether the run stopped because it took too long; the measurements then cover the time until the stop. */
  readonly cut: boolean
  /** Both per request, if the attack repeats a request. */
  readonly tookMs: number
  readonly cpuMs: number
  /** The longest waits of bystanders. */
  readonly longestMs: Readonly<Record<Kind, number>>
  /** The number of failed requests of bystanders. */
  readonly failed: number
  readonly peakMb: number
}

/** The measurements of an attack. */
export interface Measured {
  readonly attack: Attack
  readonly size: number
  readonly half: Round
  /** Undefined if half the size already took too long. */
  readonly full: Round | undefined
  readonly idleMb: number
  /** The memory afterwards; undefined if the attack did not end by itself. */
  readonly laterMb: number | undefined
}

/** The longest wait of bystanders, in milliseconds; for writers an attack may set another limit. */
const WAIT_MS = 250
const GROWTH = 2.2
const PEAK_MB = 300
/** The most that the memory may stay above idle, in MB. */
export const SETTLED_MB = 50
/** Below this processor time in milliseconds, growth is noise. */
const NOISE_MS = 20

/** The missed goals, as words for the table. */
export function missedGoals(measured: Measured): string[] {
  const { attack, half, full, idleMb, laterMb } = measured
  const last = full ?? half
  if (last.cut) return ['end']
  const { read, search, write } = last.longestMs
  const missed: Readonly<Record<string, boolean>> = {
    answer: [...last.answers.keys()].some((answer) => !attack.expected.includes(answer)),
    time: last.tookMs > (attack.withinMs ?? Infinity),
    wait: Math.max(read, search) > WAIT_MS || write > (attack.writersWaitMs ?? attack.withinMs ?? WAIT_MS),
    bystander: last.failed > 0,
    growth: last.cpuMs > NOISE_MS && growthOf(measured) > (attack.growth ?? GROWTH),
    peak: last.peakMb - idleMb > PEAK_MB,
    memory: laterMb !== undefined && laterMb - idleMb > SETTLED_MB,
  }
  return Object.keys(missed).filter((goal) => missed[goal])
}

/** The growth of the cost at twice the size; 1 if only half the size ran, or if it cost no more than the bystanders. */
const growthOf = ({ half, full }: Measured): number =>
  full === undefined || half.cpuMs === 0 ? 1 : full.cpuMs / half.cpuMs

const HEAD = [
  'Attack',
  'Name',
  'Answers',
  'Took, ms',
  'CPU, ms',
  'CPU at half the size, ms',
  'Growth',
  'Longest wait, ms',
  'Peak over idle, MB',
  'Later, MB',
  'Goals',
]

/** The table of the measurements. */
export const attackTable = (all: readonly Measured[]): string => table(HEAD, all.map(rowOf))

function rowOf(measured: Measured): string[] {
  const { attack, size, half, full, idleMb, laterMb } = measured
  const last = full ?? half
  const missed = missedGoals(measured)
  const atLeast = last.cut ? 'over ' : ''
  return [
    attack.what(full === undefined ? size / 2 : size),
    attack.name,
    last.cut ? 'cut off' : [...last.answers].map(([answer, count]) => `${answer} × ${count}`).join(', '),
    atLeast + number(last.tookMs),
    atLeast + number(last.cpuMs),
    full === undefined ? '' : number(half.cpuMs),
    full === undefined || full.cut ? '' : number(growthOf(measured)),
    waitsOf(last),
    number(Math.max(0, last.peakMb - idleMb)),
    laterMb === undefined ? '' : number(Math.max(0, laterMb - idleMb)),
    missed.length === 0 ? 'met' : `**missed**: ${missed.join(', ')}`,
  ]
}

function waitsOf({ longestMs, failed }: Round): string {
  const waits = Object.entries(longestMs).filter(([, ms]) => ms > 0)
  const texts = waits.map(([kind, ms]) => `${kind} ${number(Math.round(ms))}`)
  return [...texts, ...(failed > 0 ? [`${failed} failed`] : [])].join(', ')
}
