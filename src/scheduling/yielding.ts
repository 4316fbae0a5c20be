/** Cooperative scheduling: long work yields to the event loop after each portion, so that other requests run in between. */

/** How long a portion may take, in milliseconds. */
const PORTION_MS = 10

const waiting: (() => void)[] = []

/** Resolves in a later iteration of the event loop. In each iteration only the caller that has waited longest continues. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  const first = waiting.shift()
  if (waiting.length > 0) setImmediate(goOn)
  first?.()
}

/** How many short items are processed between two yields, and up to how many octets or characters an item is short. */
const [SHORT_AT_ONCE, SHORT] = [64, 1024]

/**
 * Whether work on many items yields after the item at the index `at`, which has `size` octets or characters: a yield takes
 * as long as processing a short item.
 */
export const yieldsAfter = (at: number, size: number): boolean =>
  size > SHORT || at % SHORT_AT_ONCE === SHORT_AT_ONCE - 1

/**
 * Returns a function to call wherever work may be interrupted. It returns a promise to wait for once a portion has used its
 * time, and undefined before.
 */
export function yieldTimer(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < PORTION_MS) return undefined
    return yieldNow().then(() => {
      since = performance.now()
    })
  }
}

/** Runs work that yields wherever it may be interrupted, and returns its result. */
export async function runYielding<T>(work: Iterator<unknown, T>): Promise<T> {
  const yieldIfDue = yieldTimer()
  for (;;) {
    const step = work.next()
    // After the last portion, too: the caller's next step may take long itself.
    const due = yieldIfDue()
    if (due !== undefined) await due
    if (step.done === true) return step.value
  }
}

/** The results of `of` for all items; yields in between. */
export function mapYielding<T, R>(items: readonly T[], of: (item: T) => R): Promise<R[]> {
  return runYielding(mapping(items, of))
}

function* mapping<T, R>(items: readonly T[], of: (item: T) => R): Generator<undefined, R[]> {
  const made: R[] = []
  for (const item of items) {
    made.push(of(item))
    yield
  }
  return made
}
