/** The error for an error answer of the service. */
import type { components } from '../../generated/openapi.d.ts'
import { retryAfter } from './sending.ts'

const PREFIX = 'x-service-'

/** Headers that have a field of their own and are not facts. */
const FIELDS = ['error-class', 'request-id', 'message']

/**
 * A class of errors. A later version of the service may send others, for which the last one stands, so that a `switch`
 * needs a `default`. Comparing with a text that is no class does not compile.
 */
export type ErrorClass = components['schemas']['KnownErrorClass'] | 'a class of a later version'

/** An answer with a status other than 2xx. Errors of the service have no body; their information is in headers. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  /** The class of the error; undefined for wrong credentials, and for answers of proxies. */
  readonly errorClass: ErrorClass | undefined
  /** The facts, by the end of the header name in lower case: `path`, `action`, `argument`, … */
  readonly facts: Readonly<Record<string, string>>
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** The seconds in `Retry-After`; undefined without that header. */
  readonly retryAfter: number | undefined

  constructor(response: Response) {
    const headers = [...response.headers]
      .filter(([name]) => name.startsWith(PREFIX))
      .map(([name, value]) => [name.slice(PREFIX.length), decode(value)] as const)
    const all: Partial<Record<string, string>> = Object.fromEntries(headers)
    const { status, statusText } = response
    const errorClass = all['error-class']
    const facts = Object.fromEntries(headers.filter(([name]) => !FIELDS.includes(name)))
    const short = [status, errorClass ?? statusText, ...Object.values(facts)].filter((part) => part !== '')
    super(all['message'] ?? short.join(' '))
    this.status = status
    this.errorClass = errorClass as ErrorClass | undefined
    this.facts = facts
    this.requestId = all['request-id']
    this.retryAfter = retryAfter(response)
  }
}

/** Decodes a fact. The service may have cut a long fact in the middle of a character. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
