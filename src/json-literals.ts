/** Parsing JSON without losing how its numbers were written. */
import { malformedPayload } from './errors.ts'

/**
 * What may need its literal, because JavaScript would write the number in another way, or may be a lone surrogate: numbers of
 * more than 15 digits, with an exponent, with a fraction that ends in 0, of less than a millionth, and minus zero. It also
 * finds some texts that only look so.
 */
const SPECIAL =
  /(?:^|[\s:,[])(?:-?(?:\d(?:\.?\d){15}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6})|-0(?![.\d]))|\\u[dD][89a-fA-F]/
/** What may be a lone surrogate. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/** The longest text that is searched at once, in characters, and how much of it is searched again with the next one. */
const SEARCHED = 1024 * 1024
const OVERLAP = 32

interface ReviverContext {
  readonly source?: string
}

/**
 * Where an object has the literals of its numbers. In the object, because a table of a million objects would be moved at
 * once whenever it grows.
 */
const LITERALS = Symbol('literals')

interface Kept {
  readonly [LITERALS]?: { key: string; literal: string | undefined; more: Map<string, string> | undefined }
}

/** The literal of the number under `key` of a parsed object; undefined if none is kept. */
export function literalOf(holder: object, key: string): string | undefined {
  const { [LITERALS]: kept } = holder as Kept
  return kept?.key === key ? kept.literal : kept?.more?.get(key)
}

/** Keeps a literal, or forgets the one that was kept under the same key. */
export function keepLiteral(holder: object, key: string, literal: string | undefined): void {
  const { [LITERALS]: kept } = holder as Kept
  if (kept === undefined) {
    if (literal === undefined) return
    Object.defineProperty(holder, LITERALS, { value: { key, literal, more: undefined } })
  } else if (kept.key === key) {
    kept.literal = literal
  } else if (literal === undefined) {
    kept.more?.delete(key)
  } else {
    kept.more ??= new Map()
    kept.more.set(key, literal)
  }
}

/**
 * Parses a text; most texts without a reviver, which takes ten times as long. Keeps the literals of numbers in objects,
 * if `keep` says so. Yields within a search that takes long. Throws `SyntaxError`, and `MalformedPayload` for a lone
 * surrogate.
 */
export function* parseWithLiterals(text: string, keep: boolean): Generator<undefined, unknown> {
  if (!(yield* contains(text, keep ? SPECIAL : SURROGATE))) return JSON.parse(text) as unknown
  function check(this: object, key: string, value: unknown, context?: ReviverContext): unknown {
    if (keep && typeof value === 'number' && !Array.isArray(this)) keepLiteral(this, key, context?.source)
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
      throw malformedPayload('a string holds a lone surrogate: write both halves of a character above U+FFFF')
    }
    return value
  }
  return JSON.parse(text, check) as unknown
}

/** Whether a text matches; a long one is searched piece by piece. */
function* contains(text: string, pattern: RegExp): Generator<undefined, boolean> {
  if (text.length <= SEARCHED) return pattern.test(text)
  for (let from = 0; from < text.length; from += SEARCHED) {
    if (pattern.test(text.slice(from, from + SEARCHED + OVERLAP))) return true
    yield
  }
  return false
}
