/** Bounded concurrency. */

/** Runs work, at most `most` pieces at once, in the order in which they come. */
export function limiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is handed over, so that nobody who has just come takes it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
