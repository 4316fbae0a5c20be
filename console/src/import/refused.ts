/** Collects the refused rows of an import in a file. */
import { refusedHeading, refusedLine, type RefusedRow } from '../../../common/importing/refusals.ts'
import { csvText } from '../../../common/csv-text.ts'

/** The most characters in a string in memory; the browser may keep the rest, a `Blob`, on disk. */
const LOOSE = 1024 * 1024

/** A CSV file with the columns of the data and the reason. */
export class RefusedFile {
  readonly #columns: readonly string[]
  #done = new Blob()
  #loose: string

  constructor(columns: readonly string[]) {
    this.#columns = columns
    this.#loose = csvText([refusedHeading(columns)])
  }

  /** Adds rows. */
  add(rows: readonly RefusedRow[]): number {
    if (rows.length > 0) this.#loose += csvText(rows.map((one) => refusedLine(this.#columns, one)))
    if (this.#loose.length > LOOSE) {
      this.#done = this.blob()
      this.#loose = ''
    }
    return this.#done.size + this.#loose.length
  }

  /** The whole file. */
  blob(): Blob {
    return new Blob([this.#done, this.#loose], { type: 'text/csv' })
  }
}
