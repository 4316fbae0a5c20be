/**
 * Parses JSON, keeps the literals of numbers, and bounds the depth and the number of values. The service cannot use the
 * client's reader (packages/client/json.ts), which is slower, has no bounds and does not say where a text is wrong.
 */
import { malformedPayload, ServiceError } from './errors.ts'

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown
  /** The literal, if the whole text is a number. */
  readonly source: string | undefined
  /** The literal of the number under `key` of an object; undefined if JavaScript writes the number in the same way. */
  readonly numberText: (holder: object, key: string) => string | undefined
}

/** How many values a text may have: each scalar, array and object counts one. */
export const MAX_JSON_VALUES = 250_000

/** The remedy if JSON is too large. */
export const LESS_JSON = 'send several requests, or a long text as an opaque value of text/plain'

/**
 * Parses a JSON text. Of duplicate keys, the last one wins. Throws `MalformedPayload` if the text is not JSON, is nested deeper
 * than `maxDepth` arrays and objects, or contains strings that are not Unicode text (lone surrogates); `PayloadTooLarge` if it
 * has more than `MAX_JSON_VALUES` values.
 */
export function parseJson(text: string, maxDepth: number): ParsedJson {
  const reader = new Reader(text, maxDepth)
  const value = reader.read()
  const source = typeof value === 'number' ? text.trim() : undefined
  return { value, source, numberText: (holder, key) => reader.literals.get(holder)?.get(key) }
}

/** The tokens that the grammar allows at a place. */
type Expected =
  'a value' | 'a value or ]' | 'a string or }' | 'a string' | ':' | ', or ]' | ', or }' | 'the end'

const BLANKS = /[\t\n\r ]*/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
/** The part of a text that an error shows: a run of letters and digits, or one character. */
const FOUND = /[\p{L}\p{N}_.+-]+|[^]|$/uy

/**
 * Reads a text from its beginning to its end. `JSON.parse` shows the literal of a number only to a reviver, with which it
 * takes ten times as long as this class; and it reports neither the depth nor the place of an error.
 */
class Reader {
  /** By object, the literals of its numbers that JavaScript writes in another way. */
  readonly literals = new Map<object, Map<string, string>>()
  readonly #text: string
  readonly #maxDepth: number
  #at = 0
  #depth = 0
  #values = 0
  /** The latest scalar that was read. */
  #scalar = ''

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  /** The value of the text. */
  read(): unknown {
    const value = this.#value('a value')
    if (this.#next() !== '') throw this.#flaw('the end')
    return value
  }

  /** Passes over blanks; returns the character after them, or an empty string. */
  #next(): string {
    // Most texts have no blanks.
    if (this.#text.charCodeAt(this.#at) <= SPACE) {
      BLANKS.lastIndex = this.#at
      BLANKS.test(this.#text)
      this.#at = BLANKS.lastIndex
    }
    return this.#text.charAt(this.#at)
  }

  #value(expected: Expected): unknown {
    this.#values += 1
    if (this.#values > MAX_JSON_VALUES) {
      const hint = `JSON may have ${MAX_JSON_VALUES} values; ${LESS_JSON}`
      throw new ServiceError('PayloadTooLarge', {}, { hint })
    }
    switch (this.#next()) {
      case '"':
        return this.#string(expected)
      case '[':
        return this.#list()
      case '{':
        return this.#object()
      default:
        return this.#scalarOr(expected)
    }
  }

  #scalarOr(expected: Expected): unknown {
    SCALAR.lastIndex = this.#at
    const [scalar] = SCALAR.exec(this.#text) ?? []
    if (scalar === undefined) throw this.#flaw(expected)
    this.#at = SCALAR.lastIndex
    this.#scalar = scalar
    return scalar in WORDS ? WORDS[scalar] : Number(scalar)
  }

  #string(expected: Expected): string {
    const literal = this.#text.slice(this.#at, endOfString(this.#text, this.#at))
    const string = parseString(literal)
    if (string === undefined) throw this.#flaw(expected)
    if (!string.isWellFormed()) {
      throw malformedPayload('a string holds a lone surrogate: write both halves of a character above U+FFFF')
    }
    this.#at += literal.length
    return string
  }

  #list(): unknown[] {
    const list: unknown[] = []
    this.#enter()
    if (this.#next() === ']') return this.#leave(list)
    for (;;) {
      list.push(this.#value(list.length === 0 ? 'a value or ]' : 'a value'))
      if (this.#isEnd(']', ', or ]')) return this.#leave(list)
    }
  }

  #object(): object {
    const object: Record<string, unknown> = {}
    this.#enter()
    if (this.#next() === '}') return this.#leave(object)
    for (let expected: Expected = 'a string or }'; ; expected = 'a string') {
      if (this.#next() !== '"') throw this.#flaw(expected)
      this.#member(object, this.#string(expected))
      if (this.#isEnd('}', ', or }')) return this.#leave(object)
    }
  }

  #member(object: Record<string, unknown>, key: string): void {
    if (this.#next() !== ':') throw this.#flaw(':')
    this.#at += 1
    const value = this.#value('a value')
    // An assignment to `__proto__` would not make a member.
    if (key !== '__proto__') object[key] = value
    else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
    const isOther = typeof value === 'number' && String(value) !== this.#scalar
    if (isOther) this.#literalsOf(object).set(key, this.#scalar)
    else this.literals.get(object)?.delete(key)
  }

  #literalsOf(object: object): Map<string, string> {
    const known = this.literals.get(object) ?? new Map<string, string>()
    this.literals.set(object, known)
    return known
  }

  #enter(): void {
    this.#at += 1
    this.#depth += 1
    if (this.#depth > this.#maxDepth) {
      throw malformedPayload(`the payload is nested too deep: ${this.#maxDepth} levels are allowed`)
    }
  }

  #leave<T>(holder: T): T {
    this.#at += 1
    this.#depth -= 1
    return holder
  }

  /** Whether a list or object ends here; otherwise passes over the comma, which must be there. */
  #isEnd(end: string, expected: Expected): boolean {
    const next = this.#next()
    if (next === end) return true
    if (next !== ',') throw this.#flaw(expected)
    this.#at += 1
    return false
  }

  #flaw(expected: Expected): ServiceError {
    FOUND.lastIndex = this.#at
    const [token = ''] = FOUND.exec(this.#text) ?? []
    const lines = this.#text.slice(0, this.#at).split(/\r\n?|\n/)
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
    const found = token === '' ? 'the end' : token.slice(0, SHOWN).toWellFormed()
    return malformedPayload(
      `the payload is not JSON at ${place}: expected ${expected}, found ${found}${remedyFor(token)}`,
    )
  }
}

const SPACE = 0x20
/** How many characters of the unexpected text an error shows. */
const SHOWN = 20

/** The end of the string that begins at `start`: behind its quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charAt(first - 1) === '\\') first -= 1
    if ((end - first) % 2 === 0) return end + 1
  }
  return text.length
}

/** The string of a literal with its quotes; undefined if the literal is malformed. */
function parseString(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}

/** The remedy for tokens from other languages than JSON. */
function remedyFor(token: string): string {
  if (/^(?:true|false|null|none)$/i.test(token)) return '; write true, false and null in lower case'
  if (/^[\p{L}_'‘’“”]/u.test(token)) return '; put strings in double quotes'
  return token.startsWith('"') ? '; the string does not end, or something in it must be escaped' : ''
}
