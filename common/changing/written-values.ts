/** Parses values that people write. */
import { floatText } from '../../src/model/tag-value.ts'
import { parseExact, type ExactNumber } from '../../packages/client/json.ts'
import type { Cell } from '../values.ts'

/** A primitive value to write. */
export type Written = Exclude<Cell, undefined>

/** The types that a user can give a value. */
export type Type = 'int' | 'float' | 'string' | 'bool' | 'null' | 'list'

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Parses a text as a value of each type; undefined if the text is not one. */
export const READERS: Readonly<Record<Type, (text: string) => Written | undefined>> = {
  int: (text) => (/^-?\d+$/.test(text) && isOf64Bits(BigInt(text)) ? BigInt(text) : undefined),
  float: (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? floatOf(Number(text)) : undefined),
  string: (text) => text,
  bool: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
  null: (text) => (text === '' || text === 'null' ? null : undefined),
  list: (text) => (text.startsWith('[') ? listOf(text) : text === '' ? [] : text.split(',')),
}

/** Writes a float with all its digits and with the sign of zero. */
const floatOf = (number: number): ExactNumber => parseExact(floatText(number)) as ExactNumber

const isOf64Bits = (int: bigint): boolean => BigInt.asIntN(64, int) === int

/** All types. */
export const TYPES = Object.keys(READERS) as Type[]

/** A description of the texts of each type. */
export const LOOKS: Readonly<Record<Type, string>> = {
  int: 'an int is digits, and has 64 bits: 9, -3',
  float: 'a float is a number: 7.5, 9, 1e-3',
  string: '',
  bool: 'a boolean is true or false, in any case',
  null: 'null stands alone: TAG, or TAG=null',
  list: 'a list is words between commas, or JSON: a,b or ["a","b, c"]',
}

/** Parses a JSON list of strings; undefined for any other text. */
function listOf(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
  } catch {
    return undefined
  }
}
