/** Finds the fields of CSV (RFC 4180) in a text that may be incomplete. */
import type { CsvFormat } from './formats.ts'

/** The end of a field, and the beginning of the next field or record. */
interface Ending {
  readonly end: number
  readonly next: number
  readonly endsRecord: boolean
}

export interface Field extends Ending {
  /** The content; of a field with a fault its whole text. */
  readonly text: string
  readonly isQuoted: boolean
  /** `unclean`: text follows the closing quote. `open`: there is no closing quote. */
  readonly fault?: 'unclean' | 'open'
}

const LINE_END = String.raw`\r\n?|\n`

/**
 * A field that begins with a quote, or with blanks and a quote, ends at the next quote that is not doubled. In all other
 * fields quotes are text. LF, CRLF and CR end a record.
 */
export class FieldScanner {
  readonly #separator: string
  /** Matches the beginning of a quoted field. */
  readonly #opening: RegExp | undefined
  /** Matches the end of a field. */
  readonly #ending: RegExp

  constructor({ separator, quotes }: CsvFormat) {
    this.#separator = separator
    const blanks = [' ', '\t'].filter((blank) => blank !== separator)
    this.#opening = quotes ? new RegExp(`[${blanks.join('')}]*"`, 'y') : undefined
    const escaped = separator.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    this.#ending = new RegExp(`${escaped}|${LINE_END}`, 'g')
  }

  /** The field that begins at `from`; undefined if it may go on after `text`, unless it `isAll`. */
  at(text: string, from: number, isAll: boolean): Field | undefined {
    const opened = this.#openedAt(text, from)
    if (opened === undefined) {
      const ending = this.#endingAfter(text, from, isAll)
      return ending && { ...ending, text: text.slice(from, ending.end), isQuoted: false }
    }
    const closed = closedAt(text, opened)
    if (closed === undefined) return isAll ? openField(text, from) : undefined
    const ending = this.#endingAfter(text, closed + 1, isAll)
    if (ending === undefined) return undefined
    if (text.slice(closed + 1, ending.end).trim() !== '')
      return { ...ending, text: text.slice(from, ending.end), isQuoted: true, fault: 'unclean' }
    return { ...ending, text: text.slice(opened, closed).replaceAll('""', '"'), isQuoted: true }
  }

  #endingAfter(text: string, from: number, isAll: boolean): Ending | undefined {
    this.#ending.lastIndex = from
    const ending = this.#ending.exec(text)?.[0] ?? ''
    const next = ending === '' ? text.length : this.#ending.lastIndex
    // The next piece may begin with the rest of the line end.
    if (!isAll && next === text.length) return undefined
    return { end: next - ending.length, next, endsRecord: ending !== this.#separator }
  }

  /** The position where the content of a quoted field begins; undefined for an unquoted field. */
  #openedAt(text: string, from: number): number | undefined {
    if (this.#opening === undefined) return undefined
    this.#opening.lastIndex = from
    return this.#opening.test(text) ? this.#opening.lastIndex : undefined
  }
}

/** The position of the closing quote. */
function closedAt(text: string, from: number): number | undefined {
  let at = text.indexOf('"', from)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at < 0 ? undefined : at
}

const openField = (text: string, from: number): Field => ({
  text: text.slice(from),
  end: text.length,
  next: text.length,
  endsRecord: true,
  isQuoted: true,
  fault: 'open',
})

/** The end of the line that contains `from`, and the beginning of the next line; undefined if the text lacks a line end. */
export function lineEndAfter(text: string, from: number): { end: number; next: number } | undefined {
  const pattern = new RegExp(LINE_END, 'g')
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? undefined : { end: found.index, next: pattern.lastIndex }
}

/** The number of line ends in a text. */
export const lineEndsIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0
