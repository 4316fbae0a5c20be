/** When a server last turned out to be demoted, which the pools of one store share: older connections are used no more. */

/** While a server stays as it is, its readers are not all replaced for every write that it refuses. */
const DEMOTION_MS = 1000

export class Demotion {
  /** By `performance.now()`. */
  #at = 0
  /** When it has turned out again too soon. */
  #again: NodeJS.Timeout | undefined

  /** Notes a refusal. Too soon after another one, it counts once the time is over: by then there may be a new primary. */
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
