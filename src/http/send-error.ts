/** Sends errors: only headers, no body. */
import type { ServerResponse } from 'node:http'
import type { Config } from '../settings/config.ts'
import { ERRORS, serviceErrorOf, type ErrorClass, type Fact, type ServiceError } from '../model/errors.ts'
import { contractLink } from './answer/contract-link.ts'
import { findBaseUrl } from './base-url.ts'
import { ERROR_CLASS, factHeader, headerValue, MESSAGE, REQUEST_ID } from './message/headers.ts'
import type { ErrorMiddleware } from './middleware.ts'

/** The facts about a request that its error answer needs. */
interface ErrorContext {
  readonly requestId: string
  /** The realm of HTTP authentication. */
  readonly realm: string
  /** The beginning of absolute URLs; without one, the links are relative to the service. */
  readonly baseUrl?: string | undefined
}

const RETRY_AFTER_SECONDS = 1

/**
 * The headers of an error: `Cache-Control`, class, sentence, links to the reference and the contract, and facts. As the contract requires, a 401
 * for wrong credentials does not even name its class.
 */
export function errorHeaders(
  error: ServiceError,
  { requestId, realm, baseUrl = '' }: ErrorContext,
): (readonly [name: string, value: string])[] {
  // A cache would answer other clients, and later requests, with an error that does not apply to them.
  const headers: (readonly [string, string])[] = [['Cache-Control', 'no-store']]
  if (error.status === 401) headers.push(['WWW-Authenticate', `Basic realm="${realm}"`])
  const retryAfter = error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) headers.push(['Retry-After', String(retryAfter)])
  if (error.allow !== undefined) headers.push(['Allow', error.allow.join(', ')])
  if (error.errorClass === 'WrongCredentials') return headers
  headers.push(
    [ERROR_CLASS, error.errorClass],
    [REQUEST_ID, requestId],
    [MESSAGE, headerValue(error.sentence)],
    ['Link', `<${baseUrl}/docs#error-${error.errorClass}>; rel="help", ${contractLink(baseUrl)}`],
  )
  for (const fact of factsOf(error.errorClass)) {
    const text = error.facts[fact]
    if (text !== undefined) headers.push([factHeader(fact), headerValue(text)])
  }
  return headers
}

/** The facts that have headers of their own besides the sentence. */
const factsOf = (errorClass: ErrorClass): readonly Fact[] =>
  (ERRORS[errorClass].facts as readonly Fact[]).filter((fact) => fact !== 'message')

/** Headers that were set before the error and are kept. */
const KEPT = /^(access-control-.*|vary)$/

/** What the error handler needs. */
interface ErrorHandling {
  readonly config: Config
  /** Receives faults of the service, and errors that an operator should know. */
  readonly report: (message: string, error: unknown, expected?: boolean) => void
}

/** The one error handler. It answers everything that a middleware throws. */
export function answerErrors({ config, report }: ErrorHandling): ErrorMiddleware {
  // Express tells a handler of errors by its four parameters.
  return (error: unknown, req, res, _next) => {
    // The client is gone.
    if (res.destroyed) return
    const { record } = res.locals
    const known = serviceErrorOf(error)
    record.errorClass = known.errorClass
    if (known.status >= 500)
      report(`${known.errorClass}, request ${record.requestId}`, known.cause, known.status === 503)
    const context = {
      requestId: record.requestId,
      realm: config.serviceName,
      baseUrl: findBaseUrl(req, config),
    }
    // An answer that has begun can only be cut off.
    if (res.headersSent) res.destroy()
    else sendError(res, known, context)
  }
}

/** Answers with an error instead of the success that was in preparation. */
export function sendError(res: ServerResponse, error: ServiceError, context: ErrorContext): void {
  for (const name of res.getHeaderNames()) if (!KEPT.test(name)) res.removeHeader(name)
  res.statusCode = error.status
  for (const [name, value] of errorHeaders(error, context)) res.setHeader(name, value)
  // The rest of an unread body must not be mistaken for the next request.
  if (!res.req.complete) res.setHeader('Connection', 'close')
  res.setHeader('Content-Length', 0)
  res.end()
}
