/** When a server last turned out to be demoted. The pools of one store share this and drop older connections. */

/** While a server stays demoted, the pools do not replace all readers for every write that it refuses. */
const DEMOTION_MS = 1000

export class Demotion {
  /** By `performance.now()`. */
  #at = 0
  /** The timer of a refusal that came too soon after another one. */
  #again: NodeJS.Timeout | undefined

  /** Notes a refusal. One within `DEMOTION_MS` of another counts later: by then there may be a new primary. */
  note(): void {
    if (this.#again !== undefined) return
    const left = this.#at + DEMOTION_MS - performance.now()
    if (this.#at === 0 || left <= 0) this.#noteNow()
    else
      this.#again = setTimeout(() => {
        this.#noteNow()
      }, left).unref()
  }

  /** Whether a server was demoted after `time`. */
  isSince(time: number): boolean {
    return time < this.#at
  }

  #noteNow(): void {
    this.#at = performance.now()
    this.#again = undefined
  }
}
