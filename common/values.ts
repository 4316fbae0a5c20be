/**
 * Formats values for the command and the console: with all digits, and without control characters that a terminal would
 * interpret.
 */
import { isExact, toJson, type ExactNumber } from '../packages/client/json.ts'

/** An opaque value in a list, without its octets. */
export interface OpaqueCell {
  readonly 'value-type': string
  readonly size: number | ExactNumber
}

/** The content of a column in a row; undefined if the object has no such value. */
export type Cell =
  undefined | null | boolean | string | number | bigint | ExactNumber | readonly string[] | OpaqueCell

/** Converts an exactly parsed number for calculations. */
export const toNumber = (value: number | ExactNumber): number =>
  typeof value === 'number' ? value : Number(value.rawJSON)

export const isNumber = (cell: Cell): cell is number | bigint | ExactNumber =>
  typeof cell === 'number' || typeof cell === 'bigint' || isExact(cell)

const isList = (cell: Cell): cell is readonly string[] => Array.isArray(cell)

/** The type of a value, with its name in the contract. */
export function typeOf(cell: Exclude<Cell, undefined>): string {
  if (cell === null) return 'null'
  if (isNumber(cell)) return /[.eE]/.test(cellText(cell)) ? 'float' : 'int'
  if (isList(cell)) return 'list-of-strings'
  return typeof cell === 'object' ? 'opaque' : typeof cell
}

/** The value of an entry of `/values` or `/search`; undefined without an entry. */
export function cellOf(entry: object | undefined): Cell {
  if (entry === undefined) return undefined
  if ('value' in entry) return entry.value as Cell
  const { 'value-type': type, size } = entry as OpaqueCell
  return { 'value-type': type, size }
}

/** The text of a cell: strings unchanged, lists as JSON, undefined as an empty text, null as null. */
export function cellText(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (isExact(cell)) return cell.rawJSON
  if (cell === null || typeof cell !== 'object') return String(cell)
  if (isList(cell)) return toJson(cell)
  return `${cell['value-type']}, ${toNumber(cell.size).toLocaleString('en')} bytes`
}

/**
 * Characters that a terminal interprets: control characters, and those that change the direction of text, with which a
 * value could look like another one.
 */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text on one line, with visible control characters. */
export const visible = (text: string): string =>
  text.replace(
    OBEYED,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Escapes a field of TSV: a backslash as two, and tabs and line ends as \t, \n and \r. */
export const tsvField = (text: string): string =>
  text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '\\\\')
