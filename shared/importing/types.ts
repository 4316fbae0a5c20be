/** Types of columns: what the first rows say they are. */
import { int64Of } from '../../src/model/int64.ts'
import { isNumber, type Cell } from '../values.ts'
import { isTexts, textOfField, type Field } from './fields.ts'

/** What can be made of a column. `any` writes what JSON says, and `file` the octets of the file that is named. */
export const TYPES = ['boolean', 'int', 'float', 'string', 'list', 'any', 'file'] as const
export type Type = (typeof TYPES)[number]

/** What people call them. */
export const TYPE_NAMES: Readonly<Record<Type, string>> = {
  boolean: 'boolean',
  int: 'int',
  float: 'float',
  string: 'string',
  list: 'list of strings',
  any: 'as written',
  file: 'file',
}

/** What a single field is. */
type Kind = 'empty' | 'null' | 'boolean' | 'int' | 'float' | 'string' | 'list' | 'object'

const INT = /^-?(?:0|[1-9]\d*)$/
const FLOAT = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Whether it is an int of 64 bits, without leading zeros. The service keeps it as it is written, -0 too. */
export const isInt = (text: string): boolean => INT.test(text) && int64Of(text) !== undefined

/** Whether it is a number that a float can hold, in decimal. */
export const isFloat = (text: string): boolean => FLOAT.test(text) && Number.isFinite(Number(text))

export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)

function kindOfText(text: string): Kind {
  if (text === '') return 'empty'
  if (isBoolean(text)) return 'boolean'
  if (isInt(text)) return 'int'
  // Digits alone are an int that has no place.
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

/** What a column was found to be, and why if that is not plain to see. */
export interface Found {
  /** Undefined if nothing of it can be written as a value. */
  readonly type: Type | undefined
  readonly why: string | undefined
}

/** So many values are shown. */
const SHOWN = 3

/** Counts what the first rows have in a column. */
export class Tally {
  readonly #isJson: boolean
  /** The first field of each kind, and how many there are. */
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

  /** How many fields are neither empty nor numbers, beside others that are numbers. */
  get notNumbers(): number {
    const count = (...some: readonly Kind[]): number =>
      some.reduce((sum, kind) => sum + (this.#kinds.get(kind)?.count ?? 0), 0)
    return count('int', 'float') === 0 ? 0 : count('boolean', 'string', 'list', 'object')
  }

  /** What the column is. */
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

  /** Why a text that looks like a number is none. */
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
