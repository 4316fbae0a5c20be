/** JSON texts of any length: parsed portion by portion, and with the literals of their numbers. */
import { malformedPayload, ServiceError } from './errors.ts'
import { describeFlaw } from './json-flaw.ts'
import { keepLiteral, literalOf, parseWithLiterals } from './json-literals.ts'
import {
  CLOSE_LIST,
  COMMA,
  endOfString,
  findEndOfString,
  isBlank,
  isMark,
  OPEN_LIST,
  OPEN_OBJECT,
  PASSED_AT_ONCE,
  QUOTE,
} from './json-marks.ts'
import { ObjectBuilder } from './json-members.ts'
import { atOnce } from './turns.ts'

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown
  /** The literal, if the whole text is a number. */
  readonly source: string | undefined
  /** The literal of the number under `key` of an object; undefined if JavaScript writes that number in the same way. */
  readonly numberText: (holder: object, key: string) => string | undefined
}

/** What is done with a long text. */
export interface Reading {
  /** Fields that are in the first part of an object, however long it is (`partsOf`). */
  readonly fields?: ReadonlySet<string>
  /**
   * Receives what is in an array or object that is longer than a portion, instead of keeping it: items of the outermost
   * array, or undefined for anything else.
   */
  readonly pass?: (items: readonly unknown[] | undefined) => void
}

/** Parses a short JSON text at once; see `parsing`. */
export const parseJson = (text: string, maxDepth: number): ParsedJson => atOnce(parsing(text, maxDepth))

/**
 * Parses a JSON text and keeps the literals of numbers in objects. It yields after every portion, because a text of a
 * few megabytes can hold millions of values. Of duplicate keys, the last one wins. Objects of very many members come in
 * parts (`partsOf`). Throws `MalformedPayload` if the text is not JSON, is nested deeper than `maxDepth` arrays and
 * objects, or contains strings that are not Unicode text (lone surrogates).
 */
export function* parsing(
  text: string,
  maxDepth: number,
  reading: Reading = {},
): Generator<undefined, ParsedJson> {
  try {
    const value = yield* new Reader(text, maxDepth, reading).read()
    const source = typeof value === 'number' ? text.trim() : undefined
    return { value, source, numberText: literalOf }
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw malformedPayload(`the payload is not JSON${describeFlaw(text) ?? ': check its syntax'}`, cause)
  }
}

/** How many characters to parse at once. A string or a number is never cut. */
const PORTION = 64 * 1024

/** Takes in what an array or object has that is too long for one portion. */
type Holder = unknown[] | ObjectBuilder

/** An array or object that is too long for one portion. */
interface Frame {
  readonly holder: Holder
  /** Its key, if it is in an object. */
  readonly key: string | undefined
  /** Whether nothing in it has been read so far. */
  empty: boolean
  /** Whether the latest item was a frame itself, so that a comma or the end must follow. */
  complete: boolean
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/**
 * Reads a text in one pass. It follows only quotes, brackets and commas; the items between two commas go to `JSON.parse`
 * together, so that what counts as JSON is decided there. An item that is longer than a portion becomes a frame, whose
 * items are read in the same way. The outermost frame is not in the text: its only item is the text.
 */
class Reader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #reading: Reading
  readonly #frames: Frame[] = []
  #frame: Frame = { holder: [], key: undefined, empty: true, complete: false }
  /** Where the part of the innermost frame begins that has not been parsed. */
  #from = 0
  /** How many arrays and objects are open inside the innermost frame. */
  #level = 0
  /** For each of these levels, where it was opened; and for the frame and each level, where its latest item begins. */
  #opened: number[] = [0]
  #began: number[] = [0]

  constructor(text: string, maxDepth: number, reading: Reading) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#reading = reading
  }

  /** The value of the text. */
  *read(): Generator<undefined, unknown> {
    const text = this.#text
    let from = 0
    let next = PORTION
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (character === QUOTE) at = findEndOfString(text, at) ?? (yield* endOfString(text, at))
      else if (isMark(character) && !this.#follow(character, at)) yield* this.#end(character, at)
      while (at - this.#from >= PORTION && this.#level > 0) yield* this.#enter()
      if (this.#from === from && at < next) continue
      from = this.#from
      next = at + PASSED_AT_ONCE
      yield
    }
    return yield* this.#root()
  }

  *#root(): Generator<undefined, unknown> {
    if (this.#frames.length > 0 || this.#level > 0) throw new SyntaxError('the text ends too early')
    yield
    yield* this.#take(this.#text.length)
    yield
    const { holder } = this.#frame
    if (!Array.isArray(holder) || holder.length !== 1) throw new SyntaxError('the text is not one value')
    return holder[0]
  }

  /** Follows a comma or a bracket; false if something ends there that must be parsed first (`#end`). */
  #follow(character: number, at: number): boolean {
    if (character === OPEN_LIST || character === OPEN_OBJECT) this.#open(at)
    else if (character === COMMA) {
      if (this.#level === 0 && (this.#frame.complete || at - this.#from >= PORTION)) return false
      this.#began[this.#level] = at + 1
    } else {
      if (this.#level === 0) return false
      this.#level -= 1
    }
    return true
  }

  /** At the end of the innermost frame or of a portion of its items. */
  *#end(character: number, at: number): Generator<undefined, void> {
    yield* character === COMMA ? this.#take(at) : this.#leave(character, at)
    this.#began = [at + 1]
  }

  #open(at: number): void {
    this.#level += 1
    this.#opened[this.#level] = at
    this.#began[this.#level] = at + 1
    // Checked before anything is parsed, because parsing needs stack space.
    if (this.#frames.length + this.#level > this.#maxDepth) {
      throw malformedPayload(`the payload is nested too deep: ${this.#maxDepth} levels are allowed`)
    }
  }

  /** Makes a frame of the item in which the reader is, and parses the items before it. */
  *#enter(): Generator<undefined, void> {
    const [began = 0] = this.#began
    const opened = this.#opened[1] ?? 0
    if (began > this.#from) yield* this.#take(began - 1)
    if (this.#frame.complete) throw new SyntaxError('a comma is missing')
    const before = this.#text.slice(began, opened)
    const key = Array.isArray(this.#frame.holder) ? undefined : yield* this.#keyIn(before)
    if (key === undefined && !isBlank(before)) throw new SyntaxError('this is no value')
    this.#frames.push(this.#frame)
    const { fields = NO_FIELDS } = this.#reading
    const isList = this.#text.charCodeAt(opened) === OPEN_LIST
    const holder = isList ? [] : new ObjectBuilder(this.#text.length, fields)
    this.#frame = { holder, key, empty: true, complete: false }
    this.#from = opened + 1
    this.#level -= 1
    this.#opened.shift()
    this.#began.shift()
  }

  /** Ends the innermost frame. */
  *#leave(character: number, at: number): Generator<undefined, void> {
    const { holder, key, empty } = this.#frame
    const around = this.#frames.at(-1)
    if (around === undefined || Array.isArray(holder) !== (character === CLOSE_LIST)) {
      throw new SyntaxError('nothing is open that ends here')
    }
    if (!(empty && isBlank(this.#text.slice(this.#from, at)))) yield* this.#take(at)
    this.#frames.pop()
    this.#frame = around
    const value = Array.isArray(holder) ? holder : holder.build()
    if (this.#frames.length > 0 && this.#reading.pass !== undefined) this.#reading.pass(undefined)
    else if (Array.isArray(around.holder)) around.holder.push(value)
    else set(around.holder, { key: key ?? '', value, literal: undefined })
    Object.assign(around, { empty: false, complete: true })
    this.#from = at + 1
  }

  /** Parses the items of the innermost frame up to a comma or the frame's end. */
  *#take(end: number): Generator<undefined, void> {
    const text = this.#text.slice(this.#from, end)
    this.#from = end + 1
    if (this.#frame.complete) {
      if (!isBlank(text)) throw new SyntaxError('a comma is missing')
      this.#frame.complete = false
      return
    }
    this.#frame.empty = false
    const whole = Array.isArray(this.#frame.holder) ? `[${text}]` : `{${text}}`
    const items = (yield* parseWithLiterals(whole, this.#reading.pass === undefined)) as object
    if (Object.keys(items).length === 0) throw new SyntaxError('an item is missing')
    this.#keep(items)
  }

  #keep(items: object): void {
    const { holder } = this.#frame
    const { pass } = this.#reading
    if (this.#frames.length > 0 && pass !== undefined) {
      pass(this.#frames.length === 1 && Array.isArray(items) ? items : undefined)
    } else if (Array.isArray(holder)) {
      for (const item of items as unknown[]) holder.push(item)
    } else {
      for (const [key, value] of Object.entries(items)) {
        set(holder, { key, value, literal: literalOf(items, key) })
      }
    }
  }

  /** The key in `"key":`. */
  *#keyIn(text: string): Generator<undefined, string> {
    const [key] = Object.keys((yield* parseWithLiterals(`{${text}null}`, false)) as object)
    if (key === undefined) throw new SyntaxError('a key is missing')
    return key
  }
}

interface Member {
  readonly key: string
  readonly value: unknown
  /** The literal of a number, if it is to be kept. */
  readonly literal: string | undefined
}

function set(holder: ObjectBuilder, { key, value, literal }: Member): void {
  keepLiteral(holder.set(key, value), key, literal)
}
