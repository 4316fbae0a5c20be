/** Counts what becomes of the values of a change that is taken back. */

/** Whether a value is back, removed or left, or has never been changed. */
export type Fate = 'back' | 'removed' | 'left' | 'same'

/** How many values are as before again, how many are removed, and how many are left because they have changed since. */
export type Sums = Readonly<Record<Exclude<Fate, 'same'>, number>>

/** The fates of values. A change may have written a value several times; it counts once. */
export class Tally {
  readonly #fates = new Map<string, { readonly fate: Fate; readonly text: string | undefined }>()
  readonly #sums = { back: 0, removed: 0, left: 0, same: 0 }

  /** Records a fate. `text` is that of the value, as far as it is foreseen. */
  note(key: string, fate: Fate, text?: string): void {
    const before = this.#fates.get(key)
    if (before !== undefined) this.#sums[before.fate] -= 1
    this.#sums[fate] += 1
    this.#fates.set(key, { fate, text })
  }

  /** The text that a later write of the change leaves when it is taken back. */
  foreseen(key: string): string | undefined {
    return this.#fates.get(key)?.text
  }

  get sums(): Sums {
    return { ...this.#sums }
  }
}
