/**
 * Typed columns of CSV exports. Their headings end in the type of most of their values, such as `alice/rating (int)`. A
 * field that reads as its value in a column of that type is a plain text; any other field is a backslash and the JSON of
 * the value. An empty field is no value.
 */
import { parseExact, toJson } from '../../packages/client/json.ts'
import { cellText, type Cell } from '../values.ts'
import { CONVERSIONS, quoted } from './conversions.ts'
import { isObject, isTexts, type Field } from './fields.ts'
import { Refusal } from './refusals.ts'

const COLUMN_TYPES = ['boolean', 'int', 'float', 'string', 'list'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** The heading of a typed column. */
export const typedHeading = (name: string, type: ColumnType): string => `${name} (${type})`

/** The name and the type in a heading; undefined if it has no type. No path of a tag has a blank or a parenthesis. */
export function typedName(heading: string): { readonly name: string; readonly type: ColumnType } | undefined {
  const [, name = '', type = ''] = /^(.+) \((\w+)\)$/.exec(heading) ?? []
  return (COLUMN_TYPES as readonly string[]).includes(type) ? { name, type: type as ColumnType } : undefined
}

/** The text of a value in a typed column. `isHarmless` avoids texts that a spreadsheet program would calculate. */
export function typedField(cell: Cell, type: ColumnType, isHarmless: boolean): string {
  if (cell === undefined) return ''
  const text = cellText(cell)
  const json = toJson(cell)
  const isPlain =
    text !== '' &&
    !text.startsWith('\\') &&
    !text.includes('\ufffd') &&
    !(isHarmless && type === 'string' && /^[=+\-@\t\r]/.test(text)) &&
    CONVERSIONS[type](text, {}) === json
  return isPlain ? text : `\\${json.replaceAll('\ufffd', String.raw`\ufffd`)}`
}

/** Returns whether a field is a backslash and JSON. */
export const isEscaped = (column: string, field: Field): field is string =>
  typeof field === 'string' && field.startsWith('\\') && typedName(column) !== undefined

/** The JSON of the value in a field that begins with a backslash; undefined for other fields and in other columns. */
export function escapedJson(column: string, field: Field): string | Refusal | undefined {
  if (!isEscaped(column, field)) return undefined
  const refusal = new Refusal(`${quoted(field)} is no value in JSON after the backslash`)
  let value: Field
  try {
    value = parseExact(field.slice(1)) as Field
  } catch {
    return refusal
  }
  if (isObject(value)) return new Refusal('it stands for an opaque value, and the file lacks its octets')
  return Array.isArray(value) && !isTexts(value) ? refusal : toJson(value)
}
