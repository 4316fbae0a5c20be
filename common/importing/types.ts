/** The types of columns. */
import { isTexts, type Field } from './fields.ts'

/**
 * The types of a column. `any` writes each JSON value unchanged; `file` writes the octets of the file that the field
 * names.
 */
export const TYPES = ['boolean', 'int', 'float', 'string', 'list', 'any', 'file'] as const
export type Type = (typeof TYPES)[number]

/** The common names of the types. */
export const TYPE_NAMES: Readonly<Record<Type, string>> = {
  boolean: 'boolean',
  int: 'int',
  float: 'float',
  string: 'string',
  list: 'list of strings',
  any: 'as written',
  file: 'file',
}

export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)

/** The list of strings that a text is in JSON, as CSV exports have it; undefined for any other text. */
export function listIn(text: string): readonly string[] | undefined {
  if (!/^\[.*\]$/s.test(text)) return undefined
  try {
    const value = JSON.parse(text) as Field
    return isTexts(value) ? value : undefined
  } catch {
    return undefined
  }
}
