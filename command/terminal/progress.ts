/** How far long work is, for whoever watches it on a terminal. */

/** Milliseconds between two looks of the line. */
const PACE_MS = 100

/** A line on standard error that shows how many of something there are. Without a terminal, or if `hidden`, there is none. */
export class Progress {
  readonly shown: boolean
  readonly #what: string
  #total: number | undefined
  #count = 0
  #next = 0

  /** `what` are such as `objects`. */
  constructor(what: string, hidden: boolean | undefined) {
    this.#what = what
    this.shown = process.stderr.isTTY && hidden !== true
  }

  /** Says of how many. */
  of(total: number): void {
    this.#total = total
  }

  /** Passes on items, and counts each. */
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
