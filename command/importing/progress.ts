/** Shows the progress of an import: a bar on a terminal, otherwise an occasional line. */
import { SingleBar } from 'cli-progress'
import { isQuiet, tell } from '../terminal/terminal.ts'
import type { Row } from '../../common/importing/fields.ts'
import type { Source } from './source.ts'
import type { Position } from '../../common/importing/transfer.ts'

const WIDTH = 12
const EVERY_MS = 5000
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Shows the progress of an import until `stop`. */
export class Progress {
  readonly #source: Source
  readonly #begun = performance.now()
  readonly #from: Position
  readonly #bar: SingleBar | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #position: Position
  /** The number of the last row that the import has read. */
  #read = 0
  #waiting: string | undefined
  #frame = 0

  /** `refusedFile` is the file for refused rows. */
  constructor(source: Source, from: Position, refusedFile: string) {
    this.#source = source
    this.#from = from
    this.#position = from
    const line = (): string => {
      const { refused } = this.#position
      return refused === 0
        ? this.#line()
        : `${this.#line()} · ${refused.toLocaleString('en')} refused → ${refusedFile}`
    }
    if (isQuiet()) return
    if (!process.stderr.isTTY) {
      this.#timer = setInterval(() => {
        tell(line())
      }, EVERY_MS)
      return
    }
    const format = (): string => `${this.#spinner()} ${this.#blocks()}  ${line()}`
    this.#bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, gracefulExit: false })
    this.#bar.start(1, 0)
  }

  /** Passes the rows on. Their numbers tell how far the import has read. */
  async *watch(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      this.#read = row.number
      yield row
    }
  }

  /** Shows a position. */
  show(position: Position): void {
    this.#position = position
    this.#waiting = undefined
  }

  /** Shows that the import waits, and why. */
  wait(seconds: number, why: string): void {
    this.#waiting = `${why}, again in ${seconds} s`
  }

  stop(): void {
    this.#bar?.stop()
    clearInterval(this.#timer)
  }

  #spinner(): string {
    this.#frame = (this.#frame + 1) % FRAMES.length
    return FRAMES[this.#frame] ?? ''
  }

  /**
   * An estimate of the number of rows, from the share of the file that the import has read; undefined if that share is
   * unknown.
   */
  #total(): number | undefined {
    const share = this.#source.share()
    if (share === undefined || share === 0 || this.#read === 0) return undefined
    return Math.max(this.#read, Math.round(this.#read / share))
  }

  #blocks(): string {
    const full = Math.round((this.#position.rows / (this.#total() ?? Infinity)) * WIDTH)
    return '█'.repeat(full) + '░'.repeat(WIDTH - full)
  }

  #line(): string {
    const { rows } = this.#position
    const total = this.#total()
    const rate = (rows - this.#from.rows) / ((performance.now() - this.#begun) / 1000)
    const of = total === undefined ? '' : ` of about ${total.toLocaleString('en')}`
    const left = total === undefined || rate === 0 ? '' : ` · ${durationOf((total - rows) / rate)} left`
    const now = this.#waiting ?? `${Math.round(rate).toLocaleString('en')}/s${left}`
    return `${rows.toLocaleString('en')}${of} rows · ${now}`
  }
}

const durationOf = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
