/** Notes which texts of a column are stored as something else, and which are not what they seem. */
import { floatText } from '../../src/model/tag-value.ts'
import type { Kind } from './kinds.ts'
import { isInt, plainNumber, type Decimal } from './numbers.ts'

/** The number as it will be stored. */
function storedNumber(text: string, decimal: Decimal | undefined): string {
  const plain = plainNumber(text, decimal)
  return isInt(plain) ? plain : floatText(Number(plain))
}

/** The first texts of a column that change. */
export class Changes {
  readonly #decimal: Decimal | undefined
  #digits: string | undefined
  #number: string | undefined
  #string: string | undefined

  constructor(decimal: Decimal | undefined) {
    this.#decimal = decimal
  }

  add(text: string, kind: Kind): void {
    if (text.trim() !== text) {
      if (kind === 'string') this.#string ??= text
      else this.#number ??= text
    } else if (kind === 'float' && storedNumber(text, this.#decimal) !== text) this.#digits ??= text
  }

  /** What becomes of numbers in a column of numbers. */
  get ofNumbers(): string[] {
    return [
      ...(this.#number === undefined
        ? []
        : [`the blanks around ${JSON.stringify(this.#number)} are left out`]),
      ...(this.#digits === undefined ? [] : [becomes(this.#digits, this.#decimal)]),
    ]
  }

  /** What becomes of blanks in a column of strings. */
  get ofStrings(): string[] {
    const text = this.#string ?? this.#number
    return text === undefined ? [] : [`the blanks around ${JSON.stringify(text)} are kept`]
  }
}

/** What a number becomes. */
export const becomes = (text: string, decimal: Decimal | undefined): string =>
  `"${text}" becomes ${storedNumber(text, decimal)}`

const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}(?: .*)?)$/

/** The reason why a text that looks like a number or a date is a string; undefined for others. */
export function whyString(text: string): string | undefined {
  if (/^-?0\d+$/.test(text)) return `leading zero in "${text}": not an int`
  if (/^-?\d+$/.test(text)) return `"${text}" is beyond 64 bits: not an int`
  if (/^(nan|[-+]?inf(inity)?)$/i.test(text)) return `"${text}" is not a number that can be stored`
  return DATE.test(text.trim()) ? `"${text}" is stored as a string: there is no type for dates` : undefined
}
