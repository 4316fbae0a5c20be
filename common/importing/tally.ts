/** Detects the type of a column from its first fields. */
import { becomes, Changes, whyString } from './changes.ts'
import { DecimalTally } from './decimals.ts'
import { textOfField, type Field } from './fields.ts'
import { kindOf, MISSING, type Kind } from './kinds.ts'
import type { Decimal } from './numbers.ts'
import type { Type } from './types.ts'

/** The type that the importer has detected, and how it reads the texts. */
export interface Found {
  /** Undefined if the importer can write none of the fields as a value. */
  readonly type: Type | undefined
  /** What is not obvious about the type, and what becomes of values that change. */
  readonly notes: readonly string[]
  /** Texts that stand for no value. */
  readonly null?: readonly string[]
  readonly decimal?: Decimal
}

/** How the caller wants the texts to be read. */
export interface Reading {
  /** The text between the items of lists. */
  readonly separator?: string | undefined
  /** Texts that stand for no value. */
  readonly null?: readonly string[] | undefined
  readonly decimal?: Decimal | undefined
  /** Whether commas separate the fields. */
  readonly hasCommas?: boolean
}

/** The number of values in a preview. */
const SHOWN = 3

type Kinds = ReadonlyMap<Kind, { readonly example: string; readonly count: number }>

/** Counts the kinds of fields in a column. */
export class Tally {
  readonly #isJson: boolean
  readonly #reading: Reading
  /** The first field of each kind, and the number of fields. */
  readonly #kinds = new Map<Kind, { readonly example: string; readonly count: number }>()
  /** The number of fields with each text in `MISSING`. */
  readonly #missing = new Map<string, number>()
  readonly #decimals: DecimalTally
  readonly #changes: Changes
  /** The first fields that are not empty. */
  readonly first: Field[] = []
  empty = 0
  #listed = false

  constructor(isJson: boolean, reading: Reading = {}) {
    this.#isJson = isJson
    this.#reading = reading
    this.#decimals = new DecimalTally(reading.hasCommas !== true)
    this.#changes = new Changes(reading.decimal)
  }

  add(field: Field): void {
    const kind = kindOf(field, this.#isJson, this.#reading.decimal)
    const text = typeof field === 'string' && !this.#isJson ? field : undefined
    if (kind === 'empty' || kind === 'null' || this.#isNull(text)) {
      this.empty += 1
      return
    }
    if (this.first.length < SHOWN) this.first.push(field)
    if (text !== undefined && MISSING.has(text)) {
      this.#missing.set(text, (this.#missing.get(text) ?? 0) + 1)
    } else this.#count(field, kind, text)
  }

  #count(field: Field, kind: Kind, text: string | undefined): void {
    const { example = textOfField(field), count = 0 } = this.#kinds.get(kind) ?? {}
    this.#kinds.set(kind, { example, count: count + 1 })
    if (text !== undefined) this.#look(text, kind)
  }

  #isNull(text: string | undefined): boolean {
    return text !== undefined && this.#reading.null?.includes(text) === true
  }

  #look(text: string, kind: Kind): void {
    const { decimal, separator } = this.#reading
    if (decimal === undefined) this.#decimals.add(text)
    this.#changes.add(text, kind)
    if (separator !== undefined) this.#listed ||= text.includes(separator)
  }

  /** Whether its numbers have decimal commas, and nothing else is possible. */
  get hasDecimalCommas(): boolean {
    return this.#decimals.found()?.decimal === ','
  }

  /** Other columns of the file have decimal commas. */
  expectCommas(): void {
    this.#decimals.expectCommas()
  }

  /** The number of fields that are neither empty nor numbers in a column that also has numbers. */
  get notNumbers(): number {
    const count = (...some: readonly Kind[]): number =>
      some.reduce((sum, kind) => sum + (this.#kinds.get(kind)?.count ?? 0), 0)
    if (this.#areNumbers() || count('int', 'float') === 0) return 0
    const missing = [...this.#missing.values()].reduce((sum, each) => sum + each, 0)
    return count('boolean', 'string', 'list', 'object') + missing
  }

  /** Returns whether all fields are numbers, but for those that stand for no value. */
  #areNumbers(): boolean {
    const decimals = this.#decimals.found()
    if (decimals !== undefined) return decimals.decimal !== undefined
    const kinds = [...this.#kinds.keys()]
    return kinds.length > 0 && kinds.every((kind) => kind === 'int' || kind === 'float')
  }

  /** The detected type of the column. */
  found(): Found {
    if (this.#kinds.has('object')) return { type: undefined, notes: [] }
    if (this.#areNumbers()) return this.#foundNumbers()
    const decimals = this.#decimals.found()
    if (decimals !== undefined) {
      const why = `"${decimals.example}" is a number only with a known decimal separator: choose one`
      return { type: 'string', notes: [why] }
    }
    return this.#foundOthers()
  }

  #foundOthers(): Found {
    const kinds = new Map(this.#kinds)
    const [missing] = this.#missing.keys()
    if (missing !== undefined && !kinds.has('string')) kinds.set('string', { example: missing, count: 1 })
    const mixed = this.#isJson ? 'any' : 'string'
    const [only = mixed] = kinds.keys()
    if (this.#listed && only === 'string' && kinds.size === 1) return { type: 'list', notes: [] }
    const notes = [...this.#whyText(kinds), ...this.#changes.ofStrings]
    if (kinds.size < 2) return { type: only as Type, notes }
    return { type: mixed, notes: notes.length > 0 ? notes : [mixture(kinds)] }
  }

  #foundNumbers(): Found {
    const found = this.#decimals.found()
    const decimals = found?.decimal === undefined ? undefined : found
    const type = decimals?.type ?? (this.#kinds.has('float') ? 'float' : 'int')
    const missing = [...this.#missing.keys()]
    const notes = [
      ...(decimals === undefined ? [] : [becomes(decimals.example, decimals.decimal)]),
      ...this.#whyFloat(type),
      ...missing.map((text) => `${JSON.stringify(text)} is read as no value`),
      ...(decimals === undefined ? this.#changes.ofNumbers : []),
    ]
    return {
      type,
      notes,
      ...(missing.length > 0 ? { null: missing } : {}),
      ...(decimals === undefined ? {} : { decimal: decimals.decimal }),
    }
  }

  #whyFloat(type: Type): string[] {
    const int = this.#kinds.get('int')
    return type === 'int' || int === undefined
      ? []
      : [`whole numbers such as ${int.example} become floats too`]
  }

  /** The reason why texts are strings. */
  #whyText(kinds: Kinds): string[] {
    if (kinds.size === 0) return ['empty in all these rows']
    const text = this.#isJson ? undefined : kinds.get('string')?.example
    const why = text === undefined ? undefined : whyString(text)
    return why === undefined ? [] : [why]
  }
}

const mixture = (kinds: Kinds): string =>
  `mixed: ${[...kinds.values()]
    .slice(0, 2)
    .map(({ example }) => JSON.stringify(example))
    .join(' and ')}`
