/** Detects the decimal separator of a column of numbers. */
import { DECIMALS, isGrouped, plainNumber, type Decimal } from './numbers.ts'

/** What the texts of a column say about its decimal separator, with a text as an example. */
export type FoundDecimal =
  | { readonly decimal: Decimal; readonly example: string; readonly type: 'int' | 'float' }
  /** All are numbers, but with either separator. */
  | { readonly decimal: undefined; readonly example: string }

/** Counts texts that are numbers with a point, with a comma, or with either. */
export class DecimalTally {
  readonly #takesCommas: boolean
  #count = 0
  readonly #fitting = { '.': 0, ',': 0 }
  readonly #fractions = { '.': false, ',': false }
  /** The first text that is a number with only this separator, and the first that is one with either. */
  readonly #only: Partial<Record<Decimal, string>> = {}
  #either: string | undefined
  #commas: string | undefined
  #othersHaveCommas = false

  /** `takesCommas`: a comma may be decimal. Between commas, `"51,12"` may as well be two numbers. */
  constructor(takesCommas: boolean) {
    this.#takesCommas = takesCommas
  }

  add(text: string): void {
    this.#count += 1
    const fitting = DECIMALS.filter((decimal) => isGrouped(text, decimal))
    for (const decimal of fitting) this.#fit(decimal, text)
    const [decimal] = fitting
    if (text.includes(',')) this.#commas ??= text
    if (decimal === undefined || !/[,.]/.test(text)) return
    if (fitting.length === 1) this.#only[decimal] ??= text
    else this.#either ??= text
  }

  #fit(decimal: Decimal, text: string): void {
    this.#fitting[decimal] += 1
    this.#fractions[decimal] ||= /[.e]/i.test(plainNumber(text, decimal))
  }

  /** Other columns of the file have decimal commas, so that `1.234` is not surely a fraction. */
  expectCommas(): void {
    this.#othersHaveCommas = true
  }

  /** Undefined if the texts are no numbers, or numbers without groups of digits and with a point. */
  found(): FoundDecimal | undefined {
    const { '.': point, ',': comma } = this.#only
    if (this.#all(',') && comma !== undefined) {
      return this.#takesCommas ? this.#with(',', comma) : { decimal: undefined, example: comma }
    }
    if (this.#all('.') && this.#commas !== undefined && point !== undefined) {
      return this.#with('.', this.#commas)
    }
    return this.#unsure()
  }

  /** All texts are numbers with either separator, and the point that programs write is not a matter of course. */
  #unsure(): FoundDecimal | undefined {
    const isUnsure = this.#commas !== undefined || this.#othersHaveCommas
    if (!isUnsure || this.#either === undefined || !this.#all(',')) return undefined
    return { decimal: undefined, example: this.#either }
  }

  /** Returns whether all texts are numbers with this separator. */
  #all(decimal: Decimal): boolean {
    return this.#fitting[decimal] === this.#count
  }

  #with(decimal: Decimal, example: string): FoundDecimal {
    return { decimal, example, type: this.#fractions[decimal] ? 'float' : 'int' }
  }
}
