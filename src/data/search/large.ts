/** What turned out to be large lately: a hint of where to begin, and no right. */
import type { Store } from '../store/store.ts'

/** How long that is remembered, in milliseconds. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 10_000
/** Longer texts are not remembered. */
const LONGEST = 500

/** Paths of tags that have many values, and searches that few rows did not decide. */
class Large {
  readonly #since = new Map<string, number>()

  has(text: string): boolean {
    return performance.now() - (this.#since.get(text) ?? -Infinity) < REMEMBERED_MS
  }

  note(text: string, large: boolean): void {
    if (this.#since.size >= MOST_REMEMBERED) this.#since.clear()
    if (large && text.length <= LONGEST) this.#since.set(text, performance.now())
    else this.#since.delete(text)
  }
}

const known = new WeakMap<Store, Large>()

/** What is remembered of a store. */
export function largeIn(store: Store): Large {
  const large = known.get(store) ?? new Large()
  known.set(store, large)
  return large
}
