/** Splits a JSON array that is too long to parse at once into its elements. */
import { Failure } from '../failure.ts'

/** The most characters of a row; a longer row would not fit into a request. */
export const LONGEST_ROW = 16 * 1024 * 1024

const flawed = (what: string): Failure =>
  new Failure(`the JSON ${what}`, 'correct the file and import it again; what was written stays')

/** Yields the text of each element of an array, in order. Throws a `Failure` if the brackets do not match. */
export async function* elementsOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new Splitter()
  for await (const text of texts) yield* splitter.push(text)
  splitter.end()
}

/** The characters that separate or nest elements, and the quotes of strings. */
const OUTSIDE = /["[\]{},]/g
const INSIDE = /["\\]/g

class Splitter {
  #text = ''
  /** The beginning of the current element, and the position up to which the parser has read. */
  #start = 0
  #at = 0
  #depth = 0
  #isString = false
  #isOver = false
  #elements = 0

  /** Throws if the array is incomplete. */
  end(): void {
    if (!this.#isOver) throw flawed('ends before its array does')
    if (this.#text.slice(this.#start).trim() !== '') throw flawed('goes on after the end of the array')
  }

  /** Yields the elements that end in this piece. */
  *push(text: string): Generator<string> {
    this.#text = this.#text.slice(this.#start) + text
    this.#at -= this.#start
    this.#start = 0
    for (;;) {
      const pattern = this.#isString ? INSIDE : OUTSIDE
      pattern.lastIndex = this.#at
      const found = pattern.exec(this.#text)
      if (found === null) break
      this.#at = found.index + 1
      yield* this.#isString ? this.#inString(found[0]) : this.#outside(found[0], found.index)
    }
    this.#at = Math.max(this.#at, this.#text.length)
    if (this.#text.length > LONGEST_ROW) throw flawed('has a row of more than 16 MiB')
  }

  #inString(character: string): never[] {
    if (character === '"') this.#isString = false
    // The character after the backslash may be in the next piece.
    else this.#at += 1
    return []
  }

  *#outside(character: string, index: number): Generator<string> {
    if (this.#isOver) throw flawed('goes on after the end of the array')
    if (character === '"') this.#isString = true
    else if (character === '[' || character === '{') {
      this.#depth += 1
      if (this.#depth === 1) this.#start = index + 1
    } else if (character === ',') {
      if (this.#depth === 1) yield this.#element(index)
    } else yield* this.#close(index)
  }

  *#close(index: number): Generator<string> {
    this.#depth -= 1
    if (this.#depth > 0) return
    this.#isOver = true
    const last = this.#element(index)
    // An empty array has no elements.
    if (this.#elements > 1 || last.trim() !== '') yield last
  }

  #element(end: number): string {
    const element = this.#text.slice(this.#start, end)
    this.#start = end + 1
    this.#elements += 1
    return element
  }
}
