/** Computes axes: the position of a number, the number at a position, and the labels. */
import { once } from '../../../src/scheduling/once.ts'

export type Scale = 'linear' | 'logarithmic'

/** An axis between two numbers. A logarithmic one has only positive numbers. */
export interface Axis {
  readonly from: number
  readonly to: number
  readonly scale: Scale
}

/** An axis that contains these numbers, with some margin. */
export function axisOf(numbers: readonly number[], scale: Scale): Axis {
  const shown = scale === 'linear' ? numbers : numbers.filter((number) => number > 0)
  const from = shown.reduce((least, number) => Math.min(least, number), Infinity)
  const to = shown.reduce((most, number) => Math.max(most, number), -Infinity)
  if (from > to) return { from: 1, to: 10, scale }
  if (scale === 'logarithmic') {
    const room = from === to ? 2 : (to / from) ** 0.03
    return { from: from / room, to: to * room, scale }
  }
  const room = from === to ? Math.max(Math.abs(from) * 0.1, 1) : (to - from) * 0.03
  return { from: from - room, to: to + room, scale }
}

/** The position of a number between the ends of an axis: 0 at the first, 1 at the last. */
export function placeOn({ from, to, scale }: Axis, number: number): number {
  if (from === to) return 0.5
  if (scale === 'linear') return (number - from) / (to - from)
  return Math.log(number / from) / Math.log(to / from)
}

/** The number at a position on an axis. */
export const numberAt = ({ from, to, scale }: Axis, place: number): number =>
  scale === 'linear' ? from + (to - from) * place : from * (to / from) ** place

/**
 * The number at a position, with only the digits that distinguish it from its neighbours; an axis has `steps` positions.
 */
export function writtenAt(axis: Axis, place: number, steps: number): string {
  const number = numberAt(axis, place)
  const apart = Math.abs(numberAt(axis, place + 1 / steps) - number)
  return rounded(number, apart)
}

/** A number as text, with the digits that matter at such a distance. */
export function rounded(number: number, apart: number): string {
  const digits = apart > 0 ? Math.ceil(-Math.log10(apart)) : 0
  const text = number.toFixed(Math.min(Math.max(digits, 0), 20))
  return (text.includes('.') ? text.replace(/(?<!0)0+$/, '') : text).replace(/\.$/, '').replace(/^-0$/, '0')
}

/** Labels for an axis, about as many as `wanted`, in steps of 1, 2 or 5 times a power of ten. */
export function ticksOf({ from, to, scale }: Axis, wanted: number): readonly number[] {
  if (scale === 'logarithmic' && from > 0) {
    const powers = powersOf(from, to, wanted)
    if (powers.length >= 2) return powers
  }
  const step = stepOf((to - from) / wanted)
  if (!(step > 0) || !Number.isFinite(step)) return [from]
  const first = Math.ceil(from / step)
  const count = Math.min(Math.floor(to / step) - first + 1, 100)
  return Array.from({ length: Math.max(count, 0) }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

function powersOf(from: number, to: number, wanted: number): readonly number[] {
  const [start, end] = [Math.log10(from), Math.log10(to)]
  const apart = Math.max(1, Math.ceil((end - start) / wanted))
  const times = 3 * (end - start) <= wanted + 2 ? [1, 2, 5] : [1]
  const all: number[] = []
  for (let power = Math.floor(start); power <= end; power += apart) {
    all.push(...times.map((one) => Number(`${one}e${power}`)))
  }
  return all.filter((number) => number >= from && number <= to)
}

function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10)
}

const short = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }))
/** Writes numbers with six significant digits. */
export const sixDigits = once(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }))

/** Formats a number for the limited space of an axis. */
export function brief(number: number): string {
  const size = Math.abs(number)
  if (number !== 0 && (size < 1e-4 || size >= 1e15)) return number.toExponential(1).replace('.0e', 'e')
  return size >= 10_000 ? short().format(number) : sixDigits().format(number)
}
