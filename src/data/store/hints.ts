/** What turned out lately, for as long as it is likely to stay so: hints of where to begin, and no rights. */
import type { Store } from './store.ts'

/** How long a hint is remembered, in milliseconds. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 10_000
/** About longer texts nothing is remembered. */
const LONGEST = 500

/** Hints about texts. */
export class Hints<T> {
  readonly #known = new Map<string, { readonly hint: T; readonly since: number }>()

  /** What is remembered about a text. */
  find(text: string): T | undefined {
    const known = this.#known.get(text)
    return known !== undefined && performance.now() - known.since < REMEMBERED_MS ? known.hint : undefined
  }

  /** Remembers what turned out; undefined if it was nothing worth remembering. */
  note(text: string, hint: T | undefined): void {
    this.#known.delete(text)
    if (hint === undefined || text.length > LONGEST) return
    this.#known.set(text, { hint, since: performance.now() })
    if (this.#known.size <= MOST_REMEMBERED) return
    const [oldest = ''] = this.#known.keys()
    this.#known.delete(oldest)
  }
}

/** Returns a function that returns the hints of one kind that are remembered of a store. */
export function hintsOfStores<T>(): (store: Store) => Hints<T> {
  const known = new WeakMap<Store, Hints<T>>()
  return (store) => {
    const hints = known.get(store) ?? new Hints<T>()
    known.set(store, hints)
    return hints
  }
}
