/** Values that are made when they are first needed. */

/** Returns the result of `make`, which it calls once. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
