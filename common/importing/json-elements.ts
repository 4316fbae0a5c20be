/** Splits JSON that is too long to parse at once into the elements that are rows. */
import { Failure } from '../failure.ts'
import type { JsonFormat } from './formats.ts'

/** The most characters of a row; a longer row would not fit into a request. */
export const LONGEST_ROW = 16 * 1024 * 1024

/** The text of an element. */
export interface Element {
  /** Without a flaw it is JSON; if the format is keyed, it is a name, a colon and JSON. */
  readonly text: string
  /** The reason why the text is not the whole element. */
  readonly flaw?: string
}

/**
 * Yields the elements of the array (or the members of the object) that the format names; without a name those of the array
 * at the top, or all values there. Throws a `Failure` if there is none.
 */
export async function* elementsOf(texts: AsyncIterable<string>, format: JsonFormat): AsyncGenerator<Element> {
  const splitter = new Splitter(format)
  for await (const text of texts) yield* splitter.push(text)
  yield* splitter.end()
}

/** The characters that separate or nest elements, and the quotes of strings. */
const OUTSIDE = /["[\]{},]/g
const INSIDE = /["\\]/g

class Splitter {
  readonly #rows: string | undefined
  readonly #isKeyed: boolean
  #text = ''
  /** The beginning of the current element or name, and the position up to which the parser has read. */
  #start = 0
  #at = 0
  #isString = false
  /** The open containers: the name of the current member of an object, null in an array. */
  readonly #open: (string | null)[] = []
  /** The number of containers around an element, and whether commas separate elements. Undefined outside of all. */
  #place: { readonly depth: number; readonly isList: boolean } | undefined
  /** Whether the next string is the name of a member. */
  #isName = false
  #isOver = false
  #isLong = false
  #elements = 0

  constructor({ rows, keyed }: JsonFormat) {
    this.#rows = rows
    this.#isKeyed = keyed === true
  }

  /** Yields the elements that end in this piece. */
  *push(text: string): Generator<Element> {
    this.#text = this.#text.slice(this.#start) + text
    this.#at -= this.#start
    this.#start = 0
    while (!this.#isOver) {
      const pattern = this.#isString ? INSIDE : OUTSIDE
      pattern.lastIndex = this.#at
      const found = pattern.exec(this.#text)
      if (found === null) break
      this.#at = found.index + 1
      if (this.#isString) this.#inString(found[0], found.index)
      else yield* this.#outside(found[0], found.index)
    }
    this.#at = Math.max(this.#at, this.#text.length)
    if (this.#isOver || (this.#place === undefined && !this.#isString && this.#open.length > 0))
      this.#start = this.#at
    if (this.#text.length - this.#start > LONGEST_ROW) {
      this.#start = this.#at
      this.#isLong = true
    }
  }

  /** Yields the rest of a text that ends too early or too late. */
  *end(): Generator<Element> {
    if (this.#isOver) return
    const rest = this.#text.slice(this.#start)
    if (this.#place !== undefined) yield { text: rest, flaw: 'it is no JSON: the file ends before it does' }
    else if (this.#open.length === 0) yield* this.#stray(this.#text.length)
    if (this.#elements === 0 && this.#rows !== undefined && this.#place === undefined)
      throw new Failure(`there is no list '${this.#rows}' in the JSON`, 'name another one with --rows')
  }

  #inString(character: string, index: number): void {
    // The character after the backslash may be in the next piece.
    if (character !== '"') {
      this.#at += 1
      return
    }
    this.#isString = false
    if (!this.#isName || this.#place !== undefined) return
    this.#open[this.#open.length - 1] = nameIn(this.#text.slice(this.#start, index + 1))
    this.#isName = false
  }

  *#outside(character: string, index: number): Generator<Element> {
    if (character === '"') {
      this.#isString = true
      if (this.#place === undefined && this.#isName) this.#start = index
    } else if (character === ',') yield* this.#comma(index)
    else if (character === '[' || character === '{') yield* this.#begin(character, index)
    else yield* this.#close(index)
  }

  *#comma(index: number): Generator<Element> {
    if (this.#place === undefined) this.#isName = this.#open.length > 0 && this.#open.at(-1) !== null
    else if (this.#place.isList && this.#open.length === this.#place.depth)
      yield this.#element(index, index + 1)
  }

  *#begin(character: '[' | '{', index: number): Generator<Element> {
    const depth = this.#open.length
    if (depth === 0) yield* this.#stray(index)
    const isHere = this.#place === undefined && this.#open.join('.') === (this.#rows ?? '')
    this.#open.push(character === '{' ? '' : null)
    this.#isName = character === '{'
    if (!isHere) return
    const isList = character === '[' || this.#isKeyed
    this.#place = { depth: isList ? depth + 1 : depth, isList }
    this.#start = isList ? index + 1 : index
    this.#elements = 0
  }

  *#close(index: number): Generator<Element> {
    const isOutside = this.#open.length === 0
    this.#open.pop()
    this.#isName = false
    if (this.#place === undefined) {
      if (!isOutside && this.#open.length === 0) this.#start = index + 1
      return
    }
    const { depth, isList } = this.#place
    if (this.#open.length >= depth + (isList ? 0 : 1)) return
    const last = this.#element(isList ? index : index + 1, index + 1)
    // An empty list has no elements.
    if (this.#elements > 1 || last.text.trim() !== '' || last.flaw !== undefined) yield last
    this.#place = undefined
    this.#isOver = this.#rows !== undefined
  }

  #element(end: number, next: number): Element {
    const text = this.#text.slice(this.#start, end)
    const long = this.#isLong ? { flaw: 'it is longer than 16 MiB' } : {}
    this.#start = next
    this.#isLong = false
    this.#elements += 1
    return { text, ...long }
  }

  /** Yields text outside of all brackets as an element. */
  *#stray(end: number): Generator<Element> {
    if (this.#text.slice(this.#start, end).trim() !== '') yield this.#element(end, end)
  }
}

/** The name of a member; an empty text if it is no JSON. */
function nameIn(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    return ''
  }
}
