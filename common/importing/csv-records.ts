/** Reads CSV (RFC 4180). */
import { Failure } from '../failure.ts'
import type { Format } from './formats.ts'
import { LONGEST_ROW } from './json-elements.ts'

type CsvFormat = Extract<Format, { name: 'csv' }>

/** The fields of one line, or of several lines if quoted fields contain line ends. */
export interface CsvRecord {
  readonly texts: readonly string[]
  /** The reason why the parser may have misread the record. */
  readonly flaw?: string
}

/**
 * Yields the records of a text that arrives in pieces, without empty lines. Throws a `Failure` if it cannot read the rest
 * of the text.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  format: CsvFormat,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(format)
  for await (const piece of pieces) yield* reader.read(piece)
  yield* reader.end()
}

/** The end of a field, and the beginning of the next field or record. */
interface Ending {
  readonly end: number
  readonly next: number
  readonly endsRecord: boolean
}

interface Field extends Ending {
  readonly text: string
  /** Whether only blanks follow the closing quote, if there is one. */
  readonly isClean: boolean
}

/**
 * A field that begins with a quote, or with blanks and a quote, ends at the next quote that is not doubled. In all other
 * fields quotes are text. LF and CRLF end any record, CR only if it ends the first one.
 */
class CsvReader {
  readonly #separator: string
  /** Matches the beginning of a quoted field. */
  readonly #opening: RegExp | undefined
  /** Matches the end of a field. */
  #ending: RegExp
  /** The text that the reader has not parsed yet. */
  #text = ''
  #hasAll = false
  #records = 0
  /**
   * The length from which the reader tries an incomplete record again. Otherwise it would parse a long record anew with
   * each piece.
   */
  #wanted = 0

  constructor({ separator, quotes }: CsvFormat) {
    this.#separator = separator
    const blanks = [' ', '\t'].filter((blank) => blank !== separator)
    this.#opening = quotes ? new RegExp(`[${blanks.join('')}]*"`, 'y') : undefined
    this.#ending = this.#endingWith(String.raw`\r\n?|\n`)
  }

  #endingWith(lineEnd: string): RegExp {
    const separator = this.#separator.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    return new RegExp(`${separator}|${lineEnd}`, 'g')
  }

  /** Yields the records that this piece completes. */
  *read(piece: string): Generator<CsvRecord> {
    this.#text += piece
    if (this.#text.length < this.#wanted) return
    yield* this.#complete()
    if (this.#text.length > LONGEST_ROW) {
      throw unreadable(`${this.#place()} is longer than 16 MiB, as if a quote were not closed`)
    }
    this.#wanted = Math.min(2 * this.#text.length, LONGEST_ROW + 1)
  }

  /** Yields the remaining records. */
  *end(): Generator<CsvRecord> {
    this.#hasAll = true
    yield* this.#complete()
  }

  *#complete(): Generator<CsvRecord> {
    let from = 0
    while (from < this.#text.length) {
      const found = this.#record(from)
      if (found === undefined) break
      if (this.#records === 0 && this.#text[found.next - 1] === '\n') this.#ending = this.#endingWith('\r?\n')
      from = found.next
      if (found.isEmpty) continue
      this.#records += 1
      yield found.record
    }
    this.#text = this.#text.slice(from)
  }

  /** The record that begins at `from`; undefined if it may continue in the next piece. */
  #record(from: number): { record: CsvRecord; isEmpty: boolean; next: number } | undefined {
    const texts: string[] = []
    let flaw: { flaw?: string } = {}
    for (let at = from; ;) {
      const field = this.#field(at)
      if (field === undefined) return undefined
      texts.push(field.text)
      if (!field.isClean) flaw = { flaw: `its field ${texts.length} goes on after its closing quote` }
      if (field.endsRecord) {
        return { record: { texts, ...flaw }, isEmpty: field.end === from, next: field.next }
      }
      at = field.next
    }
  }

  #field(from: number): Field | undefined {
    const opened = this.#openedAt(from)
    if (opened === undefined) {
      const ending = this.#endingAfter(from)
      return ending && { ...ending, text: this.#text.slice(from, ending.end), isClean: true }
    }
    const closed = this.#closedAt(opened)
    const ending = closed && this.#endingAfter(closed + 1)
    if (!closed || !ending) return undefined
    const isClean = this.#text.slice(closed + 1, ending.end).trim() === ''
    const text = isClean
      ? this.#text.slice(opened, closed).replaceAll('""', '"')
      : this.#text.slice(from, ending.end)
    return { ...ending, text, isClean }
  }

  #endingAfter(from: number): Ending | undefined {
    this.#ending.lastIndex = from
    const ending = this.#ending.exec(this.#text)?.[0] ?? ''
    const next = ending === '' ? this.#text.length : this.#ending.lastIndex
    // The next piece may begin with the rest of the line end.
    if (!this.#hasAll && next === this.#text.length) return undefined
    return { end: next - ending.length, next, endsRecord: ending !== this.#separator }
  }

  /** The position where the content of a quoted field begins; undefined for an unquoted field. */
  #openedAt(from: number): number | undefined {
    if (this.#opening === undefined) return undefined
    this.#opening.lastIndex = from
    return this.#opening.test(this.#text) ? this.#opening.lastIndex : undefined
  }

  /** The position of the closing quote; undefined if it may be in the next piece. */
  #closedAt(from: number): number | undefined {
    let at = this.#text.indexOf('"', from)
    while (at >= 0 && this.#text[at + 1] === '"') at = this.#text.indexOf('"', at + 2)
    if (at >= 0 && (this.#hasAll || at + 1 < this.#text.length)) return at
    if (this.#hasAll) throw unreadable(`in ${this.#place()} a quote opens that is not closed`)
    return undefined
  }

  #place(): string {
    return this.#records === 0 ? 'the heading' : `row ${this.#records}`
  }
}

const unreadable = (what: string): Failure =>
  new Failure(what, 'correct the file and import it again; what was written stays')
