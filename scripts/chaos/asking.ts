/** Sends the requests of clients to one instance after the other, and counts requests without an answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Tally } from './history.ts'
import { PASSWORD } from './instance.ts'

export const PRIMITIVE = 'application/vnd.service.value+json'
/** The longest time for an answer, in milliseconds; a longer one counts as a hang. */
const HANGING_MS = 60_000
const PAUSE_MS = 50

export interface Asked {
  /** The user, or '' for an anonymous request; by default the superuser. */
  readonly as?: string
  readonly password?: string
  /** A value to send. */
  readonly value?: string
  /** Another body to send, as JSON. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly outcome: Outcome
  /** 0 if there was no answer. */
  readonly status: number
  readonly text: string
}

export class Asking {
  readonly #urls: readonly string[]
  readonly #tally: Tally
  #turn: number

  /** `first` is the index of the instance that gets the first request. */
  constructor(urls: readonly string[], tally: Tally, first = 0) {
    this.#urls = urls
    this.#tally = tally
    this.#turn = first
  }

  /** The number of instances. */
  get instances(): number {
    return this.#urls.length
  }

  /** Sends a request to the next instance. `kind` is the name under which the tally counts it. */
  async ask(kind: string, method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.#send(method, path, initOf(asked))
    this.#tally.count(kind, answer.outcome)
    // A client waits after a failure before its next request.
    if (answer.outcome === 'unknown') await sleep(PAUSE_MS)
    if (answer.status === 500) this.#tally.violated(`${method} ${path}: 500 ${answer.text}`)
    return answer
  }

  /** Repeats a request until there is an answer, or until the end. */
  async surely(method: string, path: string, asked: Asked, end: AbortSignal): Promise<void> {
    while (!end.aborted && (await this.ask('preparation', method, path, asked)).outcome === 'unknown');
  }

  async #send(method: string, path: string, init: RequestInit): Promise<Answer> {
    const url = this.#urls[this.#turn++ % this.#urls.length] ?? ''
    const start = performance.now()
    try {
      const answer = await fetch(url + path, { ...init, method, signal: AbortSignal.timeout(HANGING_MS) })
      const text = await answer.text()
      const outcome = answer.ok ? 'done' : answer.status >= 500 ? 'unknown' : 'refused'
      return { outcome, status: answer.status, text }
    } catch {
      if (performance.now() - start >= HANGING_MS) this.#tally.violated(`${method} ${path}: no answer`)
      return { outcome: 'unknown', status: 0, text: '' }
    }
  }
}

function initOf({ as = 'service', password = PASSWORD, value, json, headers }: Asked): RequestInit {
  const type = value === undefined ? 'application/json' : PRIMITIVE
  const body = value ?? (json === undefined ? undefined : JSON.stringify(json))
  return {
    headers: {
      ...(as === '' ? {} : { authorization: `Basic ${btoa(`${as}:${password}`)}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  }
}
