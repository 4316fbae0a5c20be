/** Formats numbers. */
import type { Total } from './looking.ts'

/** A number with separators, and a plus if there may be more. */
export const totalText = ({ count, exact }: Total): string =>
  `${count.toLocaleString('en')}${exact ? '' : '+'}`
