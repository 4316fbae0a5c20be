/** Runs several requests at a time. */

/** Yields the results of `work` on each item, in the order of the items, with at most `width` calls in progress. */
export async function* mapped<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    // The caller gets the failure when it awaits the result. Until then Node would report an unhandled rejection.
    result.catch(() => undefined)
    begun.push(result)
    if (begun.length >= width) yield* begun.splice(0, 1)
  }
  yield* begun
}

/** Runs at most `width` pieces of work at a time. After the first failure, `begin` and `done` throw that failure. */
export class Pool {
  readonly #width: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(width: number) {
    this.#width = width
  }

  /** Begins a piece of work as soon as fewer than `width` are in progress. */
  async begin(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#width) await Promise.race(this.#running)
    this.#check()
    const piece = work()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(piece))
    this.#running.add(piece)
  }

  /** Waits until all work that has begun is done. */
  async done(): Promise<void> {
    await this.idle()
    this.#check()
  }

  /** Waits until no work is in progress, also after failures. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
