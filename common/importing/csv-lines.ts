/** Tells whether lines that a missing quote has joined are rows. */
import { lineEndAfter, type FieldScanner } from './csv-fields.ts'

/** A text, of which more may follow unless it `isAll`, and the number of fields of a row. */
export interface Scan {
  readonly fields: FieldScanner
  readonly text: string
  readonly isAll: boolean
  readonly width: number | undefined
}

/** The share of the lines that must be rows. */
const ALIKE = 0.9

/**
 * Where a record ends that has a faulty field at `at` and, as its quotes tell, ends at `to`: behind the first line if the
 * lines after it `areRows`. Undefined if that depends on what follows the text.
 */
export function joinedLines(
  scan: Scan,
  at: number,
  to: number,
): { next: number; areRows: boolean } | undefined {
  const even = evenEnd(scan, at, to)
  const line = lineEndAfter(scan.text, at)
  if (line !== undefined) {
    const are = areRows(scan, line.next, to) || areRows(scan, line.next, even ?? scan.text.length)
    if (are === undefined) return undefined
    if (are) return { next: line.next, areRows: true }
  }
  return even === undefined && !scan.isAll ? undefined : { next: even ?? to, areRows: false }
}

/**
 * Returns whether nearly all lines between two positions are rows as wide as the heading, without quotes inside unquoted
 * fields. Undefined if the last row may continue after the text.
 */
function areRows(scan: Scan, from: number, to: number): boolean | undefined {
  let [rows, others] = [0, 0]
  for (let at = from; at < to;) {
    const line = lineEndAfter(scan.text, at) ?? { end: scan.text.length, next: scan.text.length }
    const next = line.end === at ? line.next : rowAt(scan, at)
    if (next === undefined) return undefined
    if (next === null) others += 1
    else if (line.end > at) rows += 1
    at = next ?? line.next
  }
  return rows > 0 && rows >= (rows + others) * ALIKE
}

/** The position after a row; null if it is none, undefined if it may continue after the text. */
function rowAt({ fields, text, isAll, width }: Scan, from: number): number | null | undefined {
  let count = 0
  for (let at = from; ;) {
    const field = fields.at(text, at, isAll)
    if (field === undefined) return undefined
    count += 1
    const isClean = field.isQuoted ? field.fault === undefined : !field.text.includes('"')
    if (!isClean) return null
    at = field.next
    // In a file of one column each line would be a row.
    if (field.endsRecord) return count > 1 && count === width ? at : null
  }
}

/** The first end of a line from `to` on up to which the text has an even number of quotes since `from`, if there is one. */
function evenEnd({ text }: Scan, from: number, to: number): number | undefined {
  let quotes = quotesIn(text.slice(from, to))
  for (let at = to; ;) {
    if (quotes % 2 === 0) return at
    const line = lineEndAfter(text, at)
    if (line === undefined) return undefined
    quotes += quotesIn(text.slice(at, line.end))
    at = line.next
  }
}

const quotesIn = (text: string): number => text.split('"').length - 1
