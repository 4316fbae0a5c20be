/** Handlers for Mock Service Worker that answer with the examples of the contract. */
import { http, HttpResponse, type HttpHandler } from 'msw'

/** An answer of the contract. */
export interface Answer {
  readonly code: number
  /** The name of the example, or the class of the error; none if the status has a single success. */
  readonly example?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** An operation with its answers, the usual one first. */
export interface AnsweredOperation {
  readonly id: string
  readonly method: 'get' | 'head' | 'post' | 'put' | 'delete'
  /** A regular expression for the path. */
  readonly path: string
  /** Their indexes. */
  readonly answers: readonly number[]
}

/** The answers of a contract. */
export interface Answers {
  /** The base of the URLs in them. */
  readonly base: string
  readonly answers: readonly Answer[]
  /** In the order in which a request has to be compared with them. */
  readonly operations: readonly AnsweredOperation[]
}

/** Selects an answer: by status, by the name of an example or the class of an error, or by both. */
export interface Pick {
  readonly code?: number
  readonly example?: string
}

/** The functions of `@gloss/client/msw`. */
export interface Handlers {
  /** Returns handlers for all operations of a service, whose URL has no slash at its end. */
  readonly handlers: (url: string) => HttpHandler[]
  /** Returns the handler for an operation, with another answer. Throws if the contract has no such answer. */
  readonly handler: (url: string, operationId: string, pick?: Pick) => HttpHandler
}

/** Creates the functions for the answers of a contract. */
export function handlersFor({ base, operations, answers: all }: Answers): Handlers {
  const create = (
    url: string,
    { method, path, answers, id }: AnsweredOperation,
    pick: Pick = {},
  ): HttpHandler => {
    const answer = answers
      .map((index) => all[index] as Answer)
      .find(({ code, example }) => (pick.code ?? code) === code && (pick.example ?? example) === example)
    if (answer === undefined) throw new Error(`${id} has no answer ${JSON.stringify(pick)}`)
    const { code: status, headers, body = null } = answer
    const ofUrl = (text: string): string => text.replaceAll(base, url)
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ofUrl(value)]))
    return http[method](
      new RegExp(`^${escaped(url)}${path}$`),
      () => new HttpResponse(body === null ? null : ofUrl(body), { status, headers: own }),
    )
  }
  return {
    handlers: (url) => operations.map((operation) => create(url, operation)),
    handler: (url, operationId, pick) => {
      const operation = operations.find(({ id }) => id === operationId)
      if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
      return create(url, operation, pick)
    },
  }
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
