/** Shows the progress of long work on a terminal. */

/** The interval between two updates of the line, in milliseconds. */
const PACE_MS = 100

/** A line on standard error with a count. It does not appear without a terminal or if `hidden`. */
export class Progress {
  readonly shown: boolean
  readonly #what: string
  #total: number | undefined
  #count = 0
  #next = 0

  /** `what` is the counted thing in the plural, such as `objects`. */
  constructor(what: string, hidden: boolean | undefined) {
    this.#what = what
    this.shown = process.stderr.isTTY && hidden !== true
  }

  /** Sets the total. */
  of(total: number): void {
    this.#total = total
  }

  /** Passes items on, and counts them. */
  async *watch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      for await (const item of items) {
        this.#add()
        yield item
      }
    } finally {
      if (this.#next > 0) process.stderr.write('\r\u001b[K')
    }
  }

  #add(): void {
    this.#count += 1
    if (!this.shown || performance.now() < this.#next) return
    this.#next = performance.now() + PACE_MS
    const of = this.#total === undefined ? '' : ` of ${this.#total.toLocaleString('en')}`
    process.stderr.write(`\r${this.#count.toLocaleString('en')}${of} ${this.#what}\u001b[K`)
  }
}
