/** A change of many objects, and what is shown of it before it is made. */
import { textOf, visible, type Cell } from '../values.ts'

/** A change: what it makes of the values of each tag, undefined being nothing. */
export interface Change {
  readonly query: string
  readonly tags: readonly string[]
  readonly after: readonly Cell[]
}

/** How many objects are shown before the question. */
export const EXAMPLES = 10

/** The query that finds what also meets a condition. */
export const among = (query: string, condition: string): string => `(${query}\n) and (${condition})`

/** `1 object`, `347 objects`. */
export const objects = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'}`

/** A value before or after a change. */
export const shownOf = (cell: Cell): string => (cell === undefined ? 'nothing' : visible(textOf(cell)))
