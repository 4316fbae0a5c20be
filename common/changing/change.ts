/** A change of many objects, and how programs show it before they make it. */
import { cellText, visible, type Cell } from '../values.ts'

/** A change: the new value for each tag; undefined deletes the value. */
export interface Change {
  readonly query: string
  readonly tags: readonly string[]
  readonly after: readonly Cell[]
}

/** The number of objects that programs show before they ask for confirmation. */
export const EXAMPLES = 10

/** The query for objects that match `query` and also meet a condition. */
export const among = (query: string, condition: string): string => `(${query}\n) and (${condition})`

/** `1 object`, `347 objects`. */
export const objects = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'}`

/** The text of a value before or after a change. */
export const shownOf = (cell: Cell): string => (cell === undefined ? 'nothing' : visible(cellText(cell)))
