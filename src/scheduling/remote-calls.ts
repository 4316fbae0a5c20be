/** Calls to another process or thread: each request has a number, which its answer repeats. */

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export class RemoteCalls<Answer> {
  readonly #waiting = new Map<number, Waiting<Answer>>()
  #last = 0

  /** How many calls wait for their answers. */
  get size(): number {
    return this.#waiting.size
  }

  /** Sends a request with `send`, which gets its number. Resolves with the answer. */
  call(send: (number: number) => void): Promise<Answer> {
    const number = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      send(number)
    })
  }

  /** Passes an answer on to the call of that number, unless the call has ended. */
  answer(number: number, answer: Answer): void {
    this.#take(number)?.resolve(answer)
  }

  /** Fails the call of that number. */
  fail(number: number, error: Error): void {
    this.#take(number)?.reject(error)
  }

  /** Fails all waiting calls: the other side is gone. */
  failAll(error: Error): void {
    for (const number of [...this.#waiting.keys()]) this.fail(number, error)
  }

  #take(number: number): Waiting<Answer> | undefined {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    return waiting
  }
}
