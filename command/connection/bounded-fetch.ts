/** Sends requests for the command: it bounds the time without an answer, and says why there is none. */
import { Failure } from '../../common/failure.ts'
import { isQuiet } from '../terminal/terminal.ts'
import { NoAnswer, refuseForeign, silenceOf } from './no-answer.ts'

/** The time after which a terminal says that the command still waits, in milliseconds. */
const SAID_AFTER_MS = 5000

type Fetch = (request: Request) => Promise<Response>

/**
 * Sends requests to the service at this URL. They reject with a `NoAnswer` after `seconds` without a byte of the answer,
 * and when the connection fails, and with another `Failure` if the answer is not of Gloss; so does reading the body. They
 * follow no redirection, which could lead to another host.
 */
export function boundedFetch(url: string, seconds: number): Fetch {
  return async (request) => {
    const patience = new Patience(url, seconds, request.method)
    const signal = AbortSignal.any([request.signal, patience.signal])
    const response = await patience.during(() => fetch(new Request(request, { signal, redirect: 'manual' })))
    refuseForeign(url, response)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    // The iterator of the stream cancels it when the reader stops early.
    const body = ReadableStream.from(parts(response.body, patience))
    return new Response(body, { status, statusText, headers })
  }
}

async function* parts(body: ReadableStream<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await patience.during(() => iterator.next())
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** The bounded time in which a byte must come. */
class Patience {
  readonly #url: string
  readonly #seconds: number
  readonly #method: string
  readonly #controller = new AbortController()

  constructor(url: string, seconds: number, method: string) {
    this.#url = url
    this.#seconds = seconds
    this.#method = method
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Waits for the next part of an answer. Throws a `NoAnswer` if it does not come. */
  async during<T>(wait: () => Promise<T>): Promise<T> {
    const said = setTimeout(() => {
      this.#say()
    }, SAID_AFTER_MS)
    const end = setTimeout(() => {
      this.#controller.abort(this.#end())
    }, this.#seconds * 1000)
    try {
      return await wait()
    } catch (error) {
      throw error instanceof Failure ? error : new NoAnswer(silenceOf(this.#url, error), this.#method, error)
    } finally {
      clearTimeout(said)
      clearTimeout(end)
    }
  }

  #say(): void {
    if (!process.stderr.isTTY || isQuiet()) return
    // The line may replace one that shows progress.
    process.stderr.write(
      `\r\u001b[KStill waiting for ${this.#url}, at most ${this.#seconds} s without a byte\n`,
    )
  }

  #end(): NoAnswer {
    const seconds = `${this.#seconds} second${this.#seconds === 1 ? '' : 's'}`
    return new NoAnswer(
      {
        what: `no byte came from ${this.#url} in ${seconds}`,
        remedy: 'wait longer with --timeout SECONDS',
        received: true,
      },
      this.#method,
    )
  }
}
