/** Formats the age of something in words. */
import { once } from '../../../src/scheduling/once.ts'

const SECONDS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const words = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))

/** The distance between two times in milliseconds: `yesterday`, `3 hours ago`, `just now`. */
export function ago(then: number, now: number): string {
  // Clocks differ, so a new value may seem to be in the future.
  const seconds = Math.min(0, (then - now) / 1000)
  const found = SECONDS.find(([, size]) => -seconds >= size)
  if (found === undefined) return 'just now'
  const [unit, size] = found
  return words().format(Math.trunc(seconds / size), unit)
}

/** A time of the service without rounding. */
export const exactTime = (at: string): string => at.replace('T', ' ').replace(/Z$/, ' UTC')
