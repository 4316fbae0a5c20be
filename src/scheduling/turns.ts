/** Turns: long work is cut into portions, and other requests run between two portions. */

/** How long a portion may take, in milliseconds. */
const PORTION_MS = 10

const waiting: (() => void)[] = []

/** Resolves in a later turn of the event loop. In each turn only one caller goes on: the one that has waited longest. */
export function nextTurn(): Promise<void> {
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
export function takingTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < PORTION_MS) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** Runs work that yields wherever it may be interrupted, and returns its result. */
export async function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  const turn = takingTurns()
  for (;;) {
    const step = work.next()
    // After the last portion, too: the caller's next step may take long itself.
    const later = turn()
    if (later !== undefined) await later
    if (step.done === true) return step.value
  }
}

/** The results of `of` for all items, in turns. */
export function mapInTurns<T, R>(items: readonly T[], of: (item: T) => R): Promise<R[]> {
  return inTurns(mapping(items, of))
}

function* mapping<T, R>(items: readonly T[], of: (item: T) => R): Generator<undefined, R[]> {
  const made: R[] = []
  for (const item of items) {
    made.push(of(item))
    yield
  }
  return made
}
