/** Converts fields to the JSON of values of each type. */
import { floatText } from '../../src/model/tag-value.ts'
import { toJson } from '../../packages/client/json.ts'
import { isObject, isTexts, textOfField, type Field } from './fields.ts'
import { isFloat, isInt, plainNumber, type Decimal } from './numbers.ts'
import { Refusal } from './refusals.ts'
import { isBoolean, listIn, type Type } from './types.ts'

/** How the texts of a column are read. */
export interface TextForm {
  readonly decimal?: Decimal | undefined
  /** The text between the items of lists. */
  readonly separator?: string | undefined
}

const SHOWN = 40

/** Quotes a text, cut after 40 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

type ToJson = (field: Field, form: TextForm) => string | Refusal

/**
 * The conversions by type. An int column keeps floats and a float column keeps ints: the service sorts and finds both
 * together.
 */
export const CONVERSIONS: Readonly<Record<Exclude<Type, 'file'>, ToJson>> = {
  boolean: (field) => {
    const text = textOfField(field).trim()
    return isBoolean(text) ? text.toLowerCase() : new Refusal(`${quoted(text)} is neither true nor false`)
  },
  int: (field, { decimal }) => {
    const text = plainNumber(textOfField(field), decimal)
    if (isInt(text)) return text
    if (isFloat(text) && !/^-?\d+$/.test(text)) return floatText(Number(text))
    return new Refusal(`${quoted(textOfField(field))} is no int of 64 bits`)
  },
  float: (field, { decimal }) => {
    const text = plainNumber(textOfField(field), decimal)
    if (!isFloat(text)) return new Refusal(`${quoted(textOfField(field))} is no number`)
    const number = Number(text)
    if (!/^-?\d+$/.test(text) || BigInt(text) === BigInt(number)) return floatText(number)
    return isInt(text) ? text : new Refusal(`${quoted(text)} is beyond 64 bits`)
  },
  string: (field) => JSON.stringify(textOfField(field)),
  any: (field) =>
    isObject(field) || (Array.isArray(field) && !isTexts(field))
      ? new Refusal(`${quoted(toJson(field))} cannot be a value`)
      : toJson(field),
  list: (field, { separator }) => {
    const items = itemsOf(field, separator)
    return items instanceof Refusal ? items : toJson(items)
  },
}

/** The items of a list: those of a list, also of one in JSON, or those between separators. */
export function itemsOf(field: Field, separator: string | undefined): readonly string[] | Refusal {
  if (isTexts(field)) return field
  if (Array.isArray(field)) return new Refusal(`${quoted(toJson(field))} is no list of strings`)
  const text = textOfField(field)
  const items = listIn(text)
  if (items !== undefined) return items
  return separator === undefined ? [text] : text.split(separator).map((item) => item.trim())
}
