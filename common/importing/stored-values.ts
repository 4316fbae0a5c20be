/** What a field becomes in the store. */
import { toJson } from '../../packages/client/json.ts'
import { CONVERSIONS, type TextForm } from './conversions.ts'
import { isTexts, textOfField, type Field } from './fields.ts'
import type { Mapping, Written } from './mapping.ts'
import { Refusal } from './refusals.ts'
import { escapedJson } from './typed-columns.ts'

/** A column whose value is in the same element as the row. */
export type Primitive = Exclude<Written, { type: 'file' }>

type ValueMapping = Pick<Mapping, 'format' | 'empty' | 'list-separator'>

/** Returns whether a field stands for no value. */
export const isMissing = (column: Written, field: Field, { format }: ValueMapping): boolean =>
  field === undefined || (format.name === 'csv' && isMissingText(column, field))

const isMissingText = (column: Written, field: Field): boolean =>
  field === '' ||
  (column.type !== 'file' && typeof field === 'string' && column.null?.includes(field) === true)

/**
 * The JSON of the value that a field becomes; undefined if the importer writes none. `isMerged`: the field of a column of
 * strings may be the list of several rows.
 */
export function storedJson(
  column: Primitive,
  field: Field,
  mapping: ValueMapping,
  isMerged = false,
): string | Refusal | undefined {
  if (field === undefined) return undefined
  if (field === null) return 'null'
  if (isMissing(column, field, mapping)) return mapping.empty === 'null' ? 'null' : undefined
  return unreadable(field) ?? jsonOf(column, field, mapping, isMerged)
}

/** The text of a field as the importer writes it; the field itself if it is refused. */
export function shownText(column: Primitive, field: Field, mapping: ValueMapping): string {
  const json = storedJson(column, field, mapping)
  if (json === undefined) return ''
  if (json instanceof Refusal) return textOfField(field)
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

const unreadable = (field: Field): Refusal | undefined =>
  typeof field === 'string' && field.includes('\ufffd')
    ? new Refusal('it holds U+FFFD, which stands where octets could not be read')
    : undefined

function jsonOf(column: Primitive, field: Field, mapping: ValueMapping, isMerged: boolean): string | Refusal {
  if (isMerged && column.type === 'string' && isTexts(field)) return toJson(field)
  const form: TextForm = { decimal: column.decimal, separator: mapping['list-separator'] }
  return escapedJson(column.column, field) ?? CONVERSIONS[column.type](field, form)
}
