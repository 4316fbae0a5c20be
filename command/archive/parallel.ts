/** Several requests at a time. */

/** The results of work on each item, in their order, while up to `width` of them are under way. */
export async function* mapped<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    // Whoever awaits it gets the failure; until then nobody does.
    result.catch(() => undefined)
    begun.push(result)
    if (begun.length >= width) yield* begun.splice(0, 1)
  }
  yield* begun
}

/** Work of which up to `width` pieces are under way. The first failure ends it: whoever begins or awaits more gets it. */
export class Pool {
  readonly #width: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(width: number) {
    this.#width = width
  }

  /** Begins a piece of work as soon as there is a place for it. */
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

  /** Waits until all that was begun is done. */
  async done(): Promise<void> {
    await this.idle()
    this.#check()
  }

  /** Waits until nothing is under way, whatever failed. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
