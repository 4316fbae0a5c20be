/** The kinds of fields, from which the type of a column follows. */
import { isNumber, type Cell } from '../values.ts'
import { isTexts, textOfField, type Field } from './fields.ts'
import { isFloat, isInt, plainNumber, type Decimal } from './numbers.ts'
import { isBoolean, listIn } from './types.ts'

/** The kind of a single field. */
export type Kind = 'empty' | 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list' | 'object'

/** Texts that stand for no value where all others are numbers. In a column of texts, `NA` may be Namibia. */
export const MISSING = new Set(['NA', 'N/A', 'n/a', 'NULL', 'null', String.raw`\N`, '-'])

function kindOfText(text: string, decimal: Decimal | undefined): Kind {
  if (text === '') return 'empty'
  if (isBoolean(text.trim())) return 'boolean'
  const number = plainNumber(text, decimal)
  if (isInt(number)) return 'int'
  // Digits alone that are not a valid int are not a float either.
  if (isFloat(number) && !/^-?\d+$/.test(number)) return 'float'
  return listIn(text) === undefined ? 'string' : 'list'
}

/** The kind of a field, with this decimal separator in texts. */
export function kindOf(field: Field, isJson: boolean, decimal: Decimal | undefined): Kind {
  if (typeof field === 'string') return isJson ? 'string' : kindOfText(field, decimal)
  if (field === null) return 'null'
  if (typeof field === 'boolean') return 'boolean'
  if (isTexts(field)) return 'list'
  if (!isNumber(field as Cell)) return 'object'
  return kindOfText(textOfField(field), undefined) === 'int' ? 'int' : 'float'
}
