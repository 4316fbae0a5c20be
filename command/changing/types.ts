/** The options that give the type of values. */
import type { OptionRow } from '../terminal/declare.ts'

export const TYPE_ROWS: readonly OptionRow[] = [
  { flags: '--int', does: 'values are ints' },
  { flags: '--float', does: 'values are floats: 9 is 9.0' },
  { flags: '--string', does: 'values are strings, whatever they look like' },
  { flags: '--bool', does: 'values are true or false' },
  { flags: '--null', does: 'values are null, which says no more than that the tag is there' },
  { flags: '--list', does: 'values are lists of strings: a,b or ["a","b, c"]' },
]
