/** JSON texts of any length: parsed portion by portion, and with the literals of their numbers. */
import { malformedPayload, ServiceError } from './errors.ts'
import { Literals } from './json-literals.ts'

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown
  /** The literal, if the whole text is a number. */
  readonly source: string | undefined
  /** The literal of the number under `key` of an object; undefined if JavaScript writes that number in the same way. */
  readonly numberText: (holder: object, key: string) => string | undefined
}

/** Parses a short JSON text at once; see `parsing`. */
export function parseJson(text: string, maxDepth: number): ParsedJson {
  const work = parsing(text, maxDepth)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/**
 * Parses a JSON text and keeps the literals of numbers in objects. It yields after every portion, because a text of a
 * few megabytes can hold millions of values. Of duplicate keys, the last one wins. Throws `MalformedPayload` if the text
 * is not JSON, is nested deeper than `maxDepth` arrays and objects, or contains strings that are not Unicode text (lone
 * surrogates).
 */
export function* parsing(text: string, maxDepth: number): Generator<undefined, ParsedJson> {
  const literals = new Literals()
  try {
    const value = yield* new Reader(text, maxDepth, literals).read()
    const source = typeof value === 'number' ? text.trim() : undefined
    return { value, source, numberText: (holder, key) => literals.of(holder, key) }
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw malformedPayload('the payload is not JSON', cause)
  }
}

/** How many characters to parse at once. A string or a number is never cut. */
const PORTION = 64 * 1024

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** An array or object that is too long for one portion. */
interface Frame {
  readonly holder: unknown[] | Record<string, unknown>
  /** Its key, if it is in an object. */
  readonly key: string | undefined
  /** Whether nothing in it has been read so far. */
  empty: boolean
  /** Whether the latest item was a frame itself, so that a comma or the end must follow. */
  complete: boolean
}

/**
 * Reads a text in one pass. It follows only quotes, brackets and commas; the items between two commas go to `JSON.parse`
 * together, so that what counts as JSON is decided there. An item that is longer than a portion becomes a frame, whose
 * items are read in the same way. The outermost frame is not in the text: its only item is the text.
 */
class Reader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #literals: Literals
  readonly #frames: Frame[] = []
  #frame: Frame = { holder: [], key: undefined, empty: true, complete: false }
  /** Where the part of the innermost frame begins that has not been parsed. */
  #from = 0
  /** How many arrays and objects are open inside the innermost frame. */
  #level = 0
  /** For each of these levels, where it was opened; and for the frame and each level, where its latest item begins. */
  #opened: number[] = [0]
  #began: number[] = [0]

  constructor(text: string, maxDepth: number, literals: Literals) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#literals = literals
  }

  /** The value of the text. */
  *read(): Generator<undefined, unknown> {
    const text = this.#text
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (character === QUOTE) at = endOfString(text, at)
      else if (isMark(character)) this.#follow(character, at)
      while (at - this.#from >= PORTION && this.#level > 0) this.#enter()
      if (this.#from === from) continue
      from = this.#from
      yield
    }
    if (this.#frames.length > 0 || this.#level > 0) throw new SyntaxError('the text ends too early')
    yield
    this.#take(text.length)
    yield
    return this.#root()
  }

  #root(): unknown {
    const { holder } = this.#frame
    if (!Array.isArray(holder) || holder.length !== 1) throw new SyntaxError('the text is not one value')
    return holder[0]
  }

  #follow(character: number, at: number): void {
    switch (character) {
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#open(at)
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (this.#level > 0) this.#level -= 1
        else this.#leave(character, at)
        break
      case COMMA:
        if (this.#level === 0 && (this.#frame.complete || at - this.#from >= PORTION)) this.#take(at)
        this.#began[this.#level] = at + 1
    }
  }

  #open(at: number): void {
    this.#level += 1
    this.#opened[this.#level] = at
    this.#began[this.#level] = at + 1
    // Checked before anything is parsed, because parsing needs stack space.
    if (this.#frames.length + this.#level > this.#maxDepth) {
      throw malformedPayload(`the payload is nested deeper than ${this.#maxDepth}`)
    }
  }

  /** Makes a frame of the item in which the reader is, and parses the items before it. */
  #enter(): void {
    const [began = 0] = this.#began
    const opened = this.#opened[1] ?? 0
    if (began > this.#from) this.#take(began - 1)
    if (this.#frame.complete) throw new SyntaxError('a comma is missing')
    const before = this.#text.slice(began, opened)
    const key = Array.isArray(this.#frame.holder) ? undefined : this.#keyIn(before)
    if (key === undefined && !isBlank(before)) throw new SyntaxError('this is no value')
    this.#frames.push(this.#frame)
    const holder = this.#text.charCodeAt(opened) === OPEN_LIST ? [] : {}
    this.#frame = { holder, key, empty: true, complete: false }
    this.#from = opened + 1
    this.#level -= 1
    this.#opened.shift()
    this.#began.shift()
  }

  /** Ends the innermost frame. */
  #leave(character: number, at: number): void {
    const { holder, key, empty } = this.#frame
    const around = this.#frames.pop()
    if (around === undefined || Array.isArray(holder) !== (character === CLOSE_LIST)) {
      throw new SyntaxError('nothing is open that ends here')
    }
    if (!(empty && isBlank(this.#text.slice(this.#from, at)))) this.#take(at)
    this.#frame = around
    if (key === undefined) (around.holder as unknown[]).push(holder)
    else this.#set(key, holder, undefined)
    Object.assign(around, { empty: false, complete: true })
    this.#from = at + 1
    this.#began = [at + 1]
  }

  /** Parses the items of the innermost frame up to a comma or the frame's end. */
  #take(end: number): void {
    const text = this.#text.slice(this.#from, end)
    this.#from = end + 1
    if (this.#frame.complete) {
      if (!isBlank(text)) throw new SyntaxError('a comma is missing')
      this.#frame.complete = false
      return
    }
    this.#frame.empty = false
    const { holder } = this.#frame
    const items = this.#literals.parse(Array.isArray(holder) ? `[${text}]` : `{${text}}`) as typeof holder
    let taken = 0
    if (Array.isArray(items)) {
      for (const item of items) (holder as unknown[]).push(item)
      taken = items.length
    } else {
      for (const [key, value] of Object.entries(items)) {
        this.#set(key, value, this.#literals.of(items, key))
        taken += 1
      }
    }
    if (taken === 0) throw new SyntaxError('an item is missing')
  }

  /** The key in `"key":`. */
  #keyIn(text: string): string {
    const [key] = Object.keys(this.#literals.parse(`{${text}null}`) as object)
    if (key === undefined) throw new SyntaxError('a key is missing')
    return key
  }

  #set(key: string, value: unknown, literal: string | undefined): void {
    const { holder } = this.#frame
    this.#literals.keep(holder, key, literal)
    // An assignment to `__proto__` would not make a member.
    if (key !== '__proto__') (holder as Record<string, unknown>)[key] = value
    else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** Whether a character is a comma or a bracket; one bit distinguishes square brackets from braces. */
const isMark = (character: number): boolean =>
  character === COMMA || (character | 0x20) === OPEN_OBJECT || (character | 0x20) === CLOSE_OBJECT

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at += 1
    else if (character === QUOTE) return at
  }
  return text.length
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)
