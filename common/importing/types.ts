/** Detects the types of columns from the first rows. */
import { int64Of } from '../../src/model/int64.ts'
import { isNumber, type Cell } from '../values.ts'
import { isTexts, textOfField, type Field } from './fields.ts'

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

/** The kind of a single field. */
type Kind = 'empty' | 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list' | 'object'

const INT = /^-?(?:0|[1-9]\d*)$/
const FLOAT = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns whether a text is an int of 64 bits without leading zeros. The service keeps its digits, also for -0. */
export const isInt = (text: string): boolean => INT.test(text) && int64Of(text) !== undefined

/** Returns whether a text is a decimal number in the range of a float. */
export const isFloat = (text: string): boolean => FLOAT.test(text) && Number.isFinite(Number(text))

export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)

function kindOfText(text: string): Kind {
  if (text === '') return 'empty'
  if (isBoolean(text)) return 'boolean'
  if (isInt(text)) return 'int'
  // Digits alone that are not a valid int are not a float either.
  return isFloat(text) && !/^-?\d+$/.test(text) ? 'float' : 'string'
}

function kindOf(field: Field, isJson: boolean): Kind {
  if (typeof field === 'string') return isJson ? 'string' : kindOfText(field)
  if (field === null) return 'null'
  if (typeof field === 'boolean') return 'boolean'
  if (isTexts(field)) return 'list'
  if (!isNumber(field as Cell)) return 'object'
  return kindOfText(textOfField(field)) === 'int' ? 'int' : 'float'
}

/** The type that the importer has detected, and the reason if it is not obvious. */
export interface Found {
  /** Undefined if the importer can write none of the fields as a value. */
  readonly type: Type | undefined
  readonly why: string | undefined
}

/** The number of values in a preview. */
const SHOWN = 3

/** Counts the kinds of fields in a column. */
export class Tally {
  readonly #isJson: boolean
  /** The first field of each kind, and the number of fields. */
  readonly #kinds = new Map<Kind, { readonly example: string; readonly count: number }>()
  /** The first fields that are not empty. */
  readonly first: Field[] = []
  empty = 0
  #listed = false
  readonly #separator: string | undefined

  constructor(isJson: boolean, separator: string | undefined) {
    this.#isJson = isJson
    this.#separator = separator
  }

  add(field: Field): void {
    const kind = kindOf(field, this.#isJson)
    if (kind === 'empty' || kind === 'null') {
      this.empty += 1
      return
    }
    if (this.first.length < SHOWN) this.first.push(field)
    const { example = textOfField(field), count = 0 } = this.#kinds.get(kind) ?? {}
    this.#kinds.set(kind, { example, count: count + 1 })
    if (this.#separator !== undefined && typeof field === 'string') {
      this.#listed ||= field.includes(this.#separator)
    }
  }

  /** The number of fields that are neither empty nor numbers in a column that also has numbers. */
  get notNumbers(): number {
    const count = (...some: readonly Kind[]): number =>
      some.reduce((sum, kind) => sum + (this.#kinds.get(kind)?.count ?? 0), 0)
    return count('int', 'float') === 0 ? 0 : count('boolean', 'string', 'list', 'object')
  }

  /** The detected type of the column. */
  found(): Found {
    const kinds = [...this.#kinds.keys()]
    const all = (...some: readonly Kind[]): boolean => kinds.every((kind) => some.includes(kind))
    const [only = this.#isJson ? 'any' : 'string'] = kinds
    if (kinds.includes('object')) return { type: undefined, why: undefined }
    if (this.#listed && all('string')) return { type: 'list', why: undefined }
    if (kinds.length < 2) return { type: only as Type, why: this.#whyText() }
    return all('int', 'float') ? this.#foundNumbers() : this.#foundMixed()
  }

  #foundNumbers(): Found {
    const { example } = this.#kinds.get('int') ?? { example: '' }
    return { type: 'float', why: `whole numbers such as ${example} become floats too` }
  }

  #foundMixed(): Found {
    return { type: this.#isJson ? 'any' : 'string', why: this.#whyText() ?? this.#mixed() }
  }

  #mixed(): string {
    return `mixed: ${[...this.#kinds.values()]
      .slice(0, 2)
      .map(({ example }) => JSON.stringify(example))
      .join(' and ')}`
  }

  /** The reason why a text that looks like a number is not one. */
  #whyText(): string | undefined {
    const text = this.#isJson ? undefined : this.#kinds.get('string')?.example
    if (text === undefined) {
      return this.#kinds.size === 0 ? 'empty in all these rows' : undefined
    }
    if (/^-?0\d+$/.test(text)) return `leading zero in "${text}": not an int`
    if (/^-?\d+$/.test(text)) return `"${text}" is beyond 64 bits: not an int`
    if (/^(nan|[-+]?inf(inity)?)$/i.test(text)) return `"${text}" is not a number that can be stored`
    return undefined
  }
}
