/** What is made when it is first needed. */

/** Gives what `make` makes, which it calls once. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
