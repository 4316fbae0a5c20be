/** The file of the rows that were refused, each with its reason. */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import type { Mapping } from './mapping.ts'
import { textOfField, type Row } from './rows.ts'

/** A row that is not written, and why. */
export interface RefusedRow {
  readonly row: Row
  readonly reason: string
}

/** The file beside a data file, or in this folder for standard input. */
export function refusedFile(file: string | undefined): string {
  if (file === undefined) return 'stdin.refused.csv'
  const name = basename(file)
    .replace(/\.gz$/i, '')
    .replace(/\.(csv|tsv|json|ndjson|jsonl|txt)$/i, '')
  return join(dirname(file), `${name}.refused.csv`)
}

/** A CSV file with the columns of the data and `reason`. It is made when there is a row for it. */
export class RefusedRows {
  readonly #file: string
  readonly #columns: readonly string[]
  #octets: number

  /** `octets` is how much of it an earlier run has left behind that counts. */
  constructor(file: string, mapping: Mapping, octets: number) {
    this.#file = file
    this.#columns = mapping.columns.map(({ column }) => column)
    this.#octets = octets
  }

  /** Adds rows, and returns the octets of the file, which then outlive a loss of power. */
  add(rows: readonly RefusedRow[]): number {
    if (rows.length === 0) return this.#octets
    const lines = rows.map((one) => this.#lineOf(one))
    if (this.#octets === 0) lines.unshift([...this.#columns, 'reason'])
    const descriptor = openSync(this.#file, this.#octets === 0 ? 'w' : 'r+')
    try {
      // What was added after the position was kept will be added again.
      ftruncateSync(descriptor, this.#octets)
      this.#octets += writeSync(descriptor, Buffer.from(stringify(lines)), 0, undefined, this.#octets)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return this.#octets
  }

  #lineOf({ row, reason }: RefusedRow): string[] {
    const texts = row.texts ?? this.#columns.map((name) => textOfField(row.fields.get(name)))
    const [fields, surplus] = [texts.slice(0, this.#columns.length), texts.slice(this.#columns.length)]
    while (fields.length < this.#columns.length) fields.push('')
    return [...fields, `row ${row.number}: ${reason}`, ...surplus]
  }
}
