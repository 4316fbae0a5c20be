/** A client for JSON APIs, used by the adapters of the other services. */
import { HttpClient, type Answer } from '../http.ts'
import { requestBytes } from '../load.ts'
import type { RunningService } from './service.ts'

const ATTEMPTS = 100

/** An answer other than a success. */
class Refusal extends Error {
  readonly status: number

  constructor(request: string, { status, body }: Answer) {
    super(`${request} was answered with ${status}: ${body.subarray(0, 500).toString()}`)
    this.status = status
  }
}

/** A JSON client of one server on this machine. */
export class JsonApi {
  readonly #client: HttpClient
  readonly #port: number
  readonly #headers: Readonly<Record<string, string>>

  /** The client sends `headers` with every request. */
  constructor(port: number, headers: Readonly<Record<string, string>>) {
    this.#port = port
    this.#headers = headers
    this.#client = new HttpClient(port, { 'Content-Type': 'application/json', ...headers })
  }

  /** An encoded GET request, and its port. */
  reading(path: string): ReturnType<RunningService['reading']> {
    return { port: this.#port, request: requestBytes('GET', path, this.#headers) }
  }

  /** Sends a request and returns the content of its answer; throws if it is not a success. */
  async send(method: string, path: string, content?: unknown): Promise<unknown> {
    const sent = content === undefined ? {} : { body: JSON.stringify(content) }
    const answer = await this.#client.send(method, path, sent)
    if (answer.status < 200 || answer.status > 299) throw new Refusal(`${method} ${path}`, answer)
    return JSON.parse(answer.body.toString())
  }

  /** Whether a GET of this path succeeds. */
  async answers(path: string): Promise<boolean> {
    try {
      await this.send('GET', path)
      return true
    } catch {
      return false
    }
  }

  /** Closes all connections. */
  close(): void {
    this.#client.close()
  }
}

/** Repeats an action while the service answers 409, which means that another write was quicker. */
export async function untilNoConflict(action: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await action()
      return
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409 || attempt === ATTEMPTS) throw error
    }
  }
}

/** Splits items into portions of at most `size`. */
export function portions<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}
