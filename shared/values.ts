/** Values as the command and the console show them: numbers to the digit, and nothing that a terminal would obey. */
import { isExact, toJson, type ExactNumber } from '../packages/client/json.ts'

/** An opaque value, of which lists show no more. */
export interface OpaqueCell {
  readonly 'value-type': string
  readonly size: number | ExactNumber
}

/** What stands in one column of one row; undefined where there is nothing. */
export type Cell =
  undefined | null | boolean | string | number | bigint | ExactNumber | readonly string[] | OpaqueCell

/** A number that was parsed exactly, for calculating with it. */
export const toNumber = (value: number | ExactNumber): number =>
  typeof value === 'number' ? value : Number(value.rawJSON)

export const isNumber = (cell: Cell): cell is number | bigint | ExactNumber =>
  typeof cell === 'number' || typeof cell === 'bigint' || isExact(cell)

const isList = (cell: Cell): cell is readonly string[] => Array.isArray(cell)

/** The type of a value, by the name that it has in the contract. */
export function typeOf(cell: Exclude<Cell, undefined>): string {
  if (cell === null) return 'null'
  if (isNumber(cell)) return /[.eE]/.test(textOf(cell)) ? 'float' : 'int'
  if (isList(cell)) return 'list-of-strings'
  return typeof cell === 'object' ? 'opaque' : typeof cell
}

/** What an entry of `/values` and `/search` holds; undefined without one. */
export function cellOf(entry: object | undefined): Cell {
  if (entry === undefined) return undefined
  if ('value' in entry) return entry.value as Cell
  const { 'value-type': type, size } = entry as OpaqueCell
  return { 'value-type': type, size }
}

/** A cell as text: strings as they are, lists as JSON, nothing as an empty text, null as null. */
export function textOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (isExact(cell)) return cell.rawJSON
  if (cell === null || typeof cell !== 'object') return String(cell)
  if (isList(cell)) return toJson(cell)
  return `${cell['value-type']}, ${toNumber(cell.size).toLocaleString('en')} bytes`
}

/**
 * What a terminal obeys rather than shows: control characters, and those that turn the direction of the text, by which a
 * value could look like another one.
 */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text on one line, in which control characters are visible. */
export const visible = (text: string): string =>
  text.replace(
    OBEYED,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A field of TSV: a backslash before itself, and as \t, \n and \r what would end the field or the line. */
export const tsvField = (text: string): string =>
  text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '\\\\')
