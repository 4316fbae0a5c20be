/** Values that are made at their first use. */

/** Returns the result of `make`, which it calls once. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
