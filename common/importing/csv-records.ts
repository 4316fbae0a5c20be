/** Reads CSV (RFC 4180), and goes on after a quote that is missing. */
import { FieldScanner, lineEndAfter, lineEndsIn, type Field } from './csv-fields.ts'
import { joinedLines } from './csv-lines.ts'
import type { CsvFormat } from './formats.ts'
import { LONGEST_ROW } from './json-elements.ts'

/** The fields of one line, or of several lines if quoted fields contain line ends. */
export interface CsvRecord {
  readonly texts: readonly string[]
  /** Its line in the file, from 1: the first one if it has several. */
  readonly line: number
  /** The reason why the reader may have misread the record. */
  readonly flaw?: string
}

/** Yields the records of a text that arrives in pieces, from the heading on, without empty lines. */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  format: CsvFormat,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(format)
  for await (const piece of pieces) yield* reader.read(piece)
  yield* reader.end()
}

/** A record, and the position after it. */
interface Found {
  readonly texts: readonly string[]
  readonly next: number
  readonly isEmpty?: boolean
  readonly hasLineEnds?: boolean
  readonly flaw?: string
}

/** Where a record begins, and its faulty field. */
interface Fault {
  readonly from: number
  readonly texts: readonly string[]
  /** Where the field begins. */
  readonly at: number
  readonly field: Field
  /** Whether the reader takes the text for all that there is. */
  readonly isAll: boolean
}

/** The most characters of a field that the reader keeps of a record that is too long. */
const KEPT = 100

class CsvReader {
  readonly #fields: FieldScanner
  readonly #separator: string
  /** The text that the reader has not parsed yet. */
  #text = ''
  #hasAll = false
  /** The number of lines before the heading that the reader has not skipped yet. */
  #skips: number
  /** The number of fields of the first record. */
  #width: number | undefined
  #line = 1
  /** The fields at the beginning of a record that is too long. */
  #long: readonly string[] | undefined
  /**
   * The length from which the reader tries an incomplete record again. Otherwise it would parse a long record anew with
   * each piece.
   */
  #wanted = 0

  constructor(format: CsvFormat) {
    this.#fields = new FieldScanner(format)
    this.#separator = format.separator
    this.#skips = Math.max(0, (format.heading ?? 1) - 1)
  }

  /** Yields the records that this piece completes. */
  *read(piece: string): Generator<CsvRecord> {
    this.#text += piece
    if (this.#text.length < this.#wanted) return
    yield* this.#complete()
    if (this.#text.length > LONGEST_ROW) yield* this.#cut()
    this.#wanted = Math.min(2 * this.#text.length, LONGEST_ROW + 1)
  }

  /** Yields the remaining records. */
  *end(): Generator<CsvRecord> {
    this.#hasAll = true
    yield* this.#complete()
  }

  /** Yields the records of a text that is too long for one, as far as a missing quote has joined them. */
  *#cut(): Generator<CsvRecord> {
    const found = this.#long === undefined ? this.#record(0, true) : undefined
    if (found?.flaw === undefined || found.next === this.#text.length) this.#shorten()
    else {
      yield* this.#take(found, 0)
      this.#text = this.#text.slice(found.next)
      yield* this.#complete()
    }
  }

  *#complete(): Generator<CsvRecord> {
    let from = this.#skip()
    while (from < this.#text.length && this.#skips === 0) {
      const found = this.#record(from, this.#hasAll)
      if (found === undefined) break
      yield* this.#take(found, from)
      from = found.next
    }
    this.#text = this.#text.slice(from)
  }

  /** Skips the lines before the heading, and returns the position after them. */
  #skip(): number {
    let at = 0
    while (this.#skips > 0) {
      const ending = lineEndAfter(this.#text, at)
      if (ending === undefined || (ending.next === this.#text.length && !this.#hasAll)) break
      at = ending.next
      this.#line += 1
      this.#skips -= 1
    }
    return at
  }

  *#take({ texts, next, isEmpty, hasLineEnds, flaw }: Found, from: number): Generator<CsvRecord> {
    const line = this.#line
    this.#line += hasLineEnds ? lineEndsIn(this.#text.slice(from, next)) : 1
    if (isEmpty) return
    this.#width ??= texts.length
    if (this.#long !== undefined) yield { texts: this.#long, line, flaw: 'it is longer than 16 MiB' }
    else yield flaw === undefined ? { texts, line } : { texts, line, flaw: `${flaw} ${this.#lines(line)}` }
    this.#long = undefined
  }

  #lines(first: number): string {
    const last = this.#line - 1
    return last > first ? `(lines ${first} to ${last})` : `(line ${first})`
  }

  /** The record that begins at `from`; undefined if it may continue after the text, unless it `isAll`. */
  #record(from: number, isAll: boolean): Found | undefined {
    const texts: string[] = []
    let hasLineEnds = false
    for (let at = from; ;) {
      const field = this.#fields.at(this.#text, at, isAll)
      if (field === undefined) return undefined
      texts.push(field.text)
      if (field.fault !== undefined) return this.#faulty({ from, texts, at, field, isAll })
      hasLineEnds ||= field.isQuoted && /[\n\r]/.test(field.text)
      if (field.endsRecord) return { texts, hasLineEnds, isEmpty: field.end === from, next: field.next }
      at = field.next
    }
  }

  /**
   * A record with a faulty field. A missing quote joins lines, so the record is only the first line if the others are
   * rows. A quote too many divides a field of several lines, so the record ends where the number of quotes is even.
   */
  #faulty(fault: Fault): Found | undefined {
    const { from, at, texts, field, isAll } = fault
    const end = this.#endOf(fault)
    if (end === undefined) return undefined
    const scan = { fields: this.#fields, text: this.#text, isAll, width: this.#width }
    const joined = joinedLines(scan, at, end.next)
    if (joined === undefined) return undefined
    const { next, areRows } = joined
    const isOpen = areRows || field.fault === 'open'
    const does = isOpen ? 'begins with a quote that is not closed' : 'goes on after its closing quote'
    const split = this.#text.slice(from, next).trimEnd().split(this.#separator)
    const flaw = `its field ${texts.length} ${does}`
    const rest = next > end.next ? [this.#text.slice(end.next, next)] : []
    return { texts: areRows ? split : [...end.texts, ...rest], next, flaw, hasLineEnds: true }
  }

  /** The fields and the end of a record with a faulty field, as its quotes tell. */
  #endOf({ texts: before, field: faulty, isAll }: Fault): { texts: string[]; next: number } | undefined {
    const texts = [...before]
    for (let { next, endsRecord } = faulty; ;) {
      if (endsRecord) return { texts, next }
      const field = this.#fields.at(this.#text, next, isAll)
      if (field === undefined) return undefined
      texts.push(field.text)
      ;({ next, endsRecord } = field)
    }
  }

  /** The incomplete field, which ends the text, and the fields before it in its record. */
  #last(): Fault {
    const texts: string[] = []
    for (let at = 0; ;) {
      const field = this.#fields.at(this.#text, at, true)
      if (field === undefined) throw new Error('a field of a whole text has no end')
      texts.push(field.text)
      if (field.next === this.#text.length) return { from: 0, texts, at, field, isAll: true }
      at = field.next
    }
  }

  /** Forgets the text of a record that is too long, except what tells where it ends. */
  #shorten(): void {
    const { texts, field } = this.#last()
    this.#long ??= texts.map((text) => (text.length > KEPT ? `${text.slice(0, KEPT)}…` : text))
    const end = this.#text.slice(-this.#separator.length)
    // A quote at the end may be the first of two.
    const rest = field.fault === 'open' ? `"${lastQuote(this.#text)}` : `x${end}`
    this.#line += lineEndsIn(this.#text.slice(0, -rest.length))
    this.#text = rest
  }
}

/** The last quote of a text that ends in an odd number of quotes; otherwise an empty text. */
function lastQuote(text: string): string {
  let quotes = 0
  while (text.at(-1 - quotes) === '"') quotes += 1
  return '"'.repeat(quotes % 2)
}
