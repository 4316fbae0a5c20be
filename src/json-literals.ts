/** Parsing JSON without losing how its numbers were written. */
import { malformedPayload } from './errors.ts'

/** What may need its literal, or may be a lone surrogate; it also finds some texts that only look so. */
const SPECIAL = /(?:^|[\s:,[])(?:-?\d{16}|-?\d+[.eE]|-0)|\\u[dD][89a-fA-F]/

interface ReviverContext {
  readonly source?: string
}

/** The literals of the numbers in one JSON text. Those in arrays are not kept. */
export class Literals {
  // Not weak: it lives no longer than the values, and a million weak keys keep the garbage collector busy.
  readonly #kept = new Map<object, Map<string, string>>()

  /** The literal of the number under `key` of `holder`; undefined if none is kept. */
  of(holder: object, key: string): string | undefined {
    return this.#kept.get(holder)?.get(key)
  }

  /** Keeps a literal, or forgets the one that was kept under the same key. */
  keep(holder: object, key: string, literal: string | undefined): void {
    const kept = this.#kept.get(holder)
    if (literal === undefined) kept?.delete(key)
    else if (kept === undefined) this.#kept.set(holder, new Map([[key, literal]]))
    else kept.set(key, literal)
  }

  /**
   * Parses a text; most texts without a reviver, which takes ten times as long. Throws `SyntaxError`, and
   * `MalformedPayload` for a lone surrogate.
   */
  parse(text: string): unknown {
    if (!SPECIAL.test(text)) return JSON.parse(text)
    const keep = this.keep.bind(this)
    function check(this: object, key: string, value: unknown, context?: ReviverContext): unknown {
      if (typeof value === 'number' && !Array.isArray(this)) keep(this, key, context?.source)
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
        throw malformedPayload('a string holds a lone surrogate')
      }
      return value
    }
    return JSON.parse(text, check)
  }
}
