/** Sends errors: only headers, no body. */
import type { ServerResponse } from 'node:http'
import { ERRORS, type ErrorClass, type Fact, type ServiceError } from '../errors.ts'
import { ERROR_CLASS, factHeader, REQUEST_ID } from './headers.ts'

/** What an error answer needs besides the error. */
interface ErrorContext {
  readonly requestId: string
  /** The realm of HTTP authentication. */
  readonly realm: string
}

const RETRY_AFTER_SECONDS = 1

/** The headers of an error. As the contract requires, a 401 for wrong credentials does not even name its class. */
export function errorHeaders(
  error: ServiceError,
  { requestId, realm }: ErrorContext,
): (readonly [name: string, value: string])[] {
  const headers: (readonly [string, string])[] = []
  if (error.status === 401) headers.push(['WWW-Authenticate', `Basic realm="${realm}"`])
  const retryAfter = error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) headers.push(['Retry-After', String(retryAfter)])
  if (error.allow !== undefined) headers.push(['Allow', error.allow.join(', ')])
  if (error.errorClass === 'WrongCredentials') return headers
  headers.push([ERROR_CLASS, error.errorClass], [REQUEST_ID, requestId])
  for (const fact of factsOf(error.errorClass)) {
    const text = error.facts[fact]
    if (text !== undefined) headers.push([factHeader(fact), headerValue(text)])
  }
  return headers
}

const factsOf = (errorClass: ErrorClass): readonly Fact[] => ERRORS[errorClass].facts

/** Headers that were set before the error and are kept. */
const KEPT = /^(access-control-.*|vary)$/

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

const MAX_HEADER_CHARACTERS = 1024

/**
 * Text in a form that a header can hold: visible ASCII and blanks are kept; everything else, and `%`, becomes
 * percent-encoded UTF-8. Text longer than 1,024 characters is cut there, between two characters of the text, and ends
 * in `...`.
 */
function headerValue(text: string): string {
  let value = ''
  for (const character of text.slice(0, MAX_HEADER_CHARACTERS + 1).toWellFormed()) {
    const encoded = PLAIN.test(character) ? character : percentEncoded(character)
    if (value.length + encoded.length > MAX_HEADER_CHARACTERS) return `${value}...`
    value += encoded
  }
  return value
}

const PLAIN = /^[\x20-\x24\x26-\x7e]$/

const percentEncoded = (character: string): string =>
  Array.from(Buffer.from(character), (octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  )
