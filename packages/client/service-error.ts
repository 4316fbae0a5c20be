/** The error that an answer of the service is. */

const PREFIX = 'x-service-'

/** What is a field of its own rather than a fact. */
const FIELDS = ['error-class', 'request-id', 'message']

/** An answer with a status of 400 or more. Errors of the service have no body: they are in the headers. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  /** The class of the error; undefined for wrong credentials, and for what a proxy answers. */
  readonly errorClass: string | undefined
  /** The facts, by the end of their header's name in lower case: `path`, `action`, `argument`, … */
  readonly facts: Readonly<Record<string, string>>
  /** What the log of the service calls the request. */
  readonly requestId: string | undefined
  /** The seconds after which to try again, of `Retry-After`; undefined where it says none. */
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
    this.errorClass = errorClass
    this.facts = facts
    this.requestId = all['request-id']
    const seconds = response.headers.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined
  }
}

/** Decodes a fact. A long one may have been cut in the middle of a character. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
