/** Writes the refused rows into a file, each with its reason. */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { csvText } from '../../common/csv-text.ts'
import type { Mapping } from '../../common/importing/mapping.ts'
import { fileStem, refusedHeading, refusedLine, type RefusedRow } from '../../common/importing/refusals.ts'

/** The file beside a data file, or in this folder for standard input. */
export function refusedFile(file: string | undefined): string {
  if (file === undefined) return 'stdin.refused.csv'
  return join(dirname(file), `${fileStem(basename(file))}.refused.csv`)
}

/** A CSV file with the columns of the data and `reason`. The class creates it with the first refused row. */
export class RefusedRows {
  readonly #file: string
  readonly #columns: readonly string[]
  #octets: number

  /** `octets` is the valid size of a file from an earlier run. */
  constructor(file: string, mapping: Mapping, octets: number) {
    this.#file = file
    this.#columns = mapping.columns.map(({ column }) => column)
    this.#octets = octets
  }

  /** Appends rows, writes them to disk, and returns the size of the file in octets. */
  add(rows: readonly RefusedRow[]): number {
    if (rows.length === 0) return this.#octets
    const lines = rows.map((one) => refusedLine(this.#columns, one))
    if (this.#octets === 0) lines.unshift(refusedHeading(this.#columns))
    const descriptor = openSync(this.#file, this.#octets === 0 ? 'w' : 'r+')
    try {
      // The import sends rows after the recorded position again, so this cuts their earlier refusals off.
      ftruncateSync(descriptor, this.#octets)
      this.#octets += writeSync(descriptor, Buffer.from(csvText(lines)), 0, undefined, this.#octets)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return this.#octets
  }
}
