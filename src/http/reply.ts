/** What leaves: every answer's status, headers and body are put together here, and every header is named here. */
import type { ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { ListedValue, StoredValue, ValueHead } from '../data/values.ts'
import { ERRORS, ServiceError, type ErrorClass, type Fact } from '../errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../tag-value.ts'
import type { Incoming } from './request.ts'

/** JSON that was put together without parsing, in pieces of UTF-8, where a `T` is due. */
export class RawJson<T> {
  readonly pieces: readonly Buffer[]
  // Only for the compiler: a RawJson of another type is no RawJson of this one.
  declare readonly json: T

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
  }
}

/** The members that tell a value in `/values` and `/recent`: its JSON, or what it is, and when it was written. */
export function valueMembers(value: ListedValue): string {
  const time = `"updated-at":"${timestamp(value.updatedAt)}"`
  if (value.json !== undefined) return `"value":${value.json.toString()},${time}`
  return `"value-type":${JSON.stringify(value.contentType)},"size":${String(value.sizeBytes)},${time}`
}

/** A tag value as the answer to a read. */
export type ValueAnswer = StoredValue

/** What a handler answers. */
export interface Reply {
  readonly status: number
  readonly json?: unknown
  readonly value?: ValueAnswer
  readonly location?: string
}

/** Conditions that a request puts on the value that is there (RFC 9110); lists of entity tags as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

const MICROSECONDS = 1000

/** The entity tag of a stored value: another one after each write. */
export const entityTag = (value: ValueHead): string =>
  `"${value.updatedAt.toString(36)}-${value.type}-${value.sizeBytes.toString(36)}"`

/** Throws `TPreconditionFailed` when the value that is there, if any, does not meet the conditions of a write. */
export function checkPreconditions(
  { ifMatch, ifNoneMatch }: Preconditions,
  current: ValueHead | undefined,
): void {
  const tag = current === undefined ? undefined : entityTag(current)
  const failed =
    (ifMatch !== undefined && !names(ifMatch, tag, 'strong')) ||
    (ifNoneMatch !== undefined && names(ifNoneMatch, tag, 'weak'))
  if (failed) throw new ServiceError('TPreconditionFailed')
}

/** Whether a list of entity tags has that of the value, if there is one; a weak tag never compares strongly. */
function names(condition: string, tag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (tag === undefined) return false
  const listed = condition.split(',').map((one) => one.trim())
  return listed.some((one) => one === '*' || one === tag || (comparison === 'weak' && one === `W/${tag}`))
}

/** A time in an answer: RFC 3339, UTC, microseconds (S 4.7). */
export function timestamp(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / MICROSECONDS)
  const rest = String(microseconds % MICROSECONDS).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

/** Throws `UnknownAcceptType` when the `Accept` header rules out JSON. */
export function checkAcceptsJson(accept: string | undefined): void {
  const forms = ['application/json', 'application/json; charset=utf-8']
  if (!forms.some((form) => accepts(accept, form))) throw new ServiceError('UnknownAcceptType')
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

function accepts(accept: string | undefined, mediaType: string): boolean {
  const negotiator = new Negotiator({ headers: { accept: accept?.trim() || '*/*' } })
  // What is no media type can only be meant by the range that names none.
  if (!MEDIA_TYPE.test(mediaType)) return negotiator.mediaTypes().includes('*/*')
  return negotiator.mediaTypes([mediaType]).length > 0
}

/** Sends a success, in the form that the request asked for: whole, without the body (HEAD), or as JSONP. */
export function send(res: ServerResponse, reply: Reply, incoming: Incoming): void {
  res.statusCode = reply.status
  res.setHeader('Cache-Control', 'no-cache')
  if (reply.location !== undefined) res.setHeader('Location', reply.location)
  if (reply.value !== undefined) {
    sendValue(res, reply.value, incoming)
  } else {
    const pieces = reply.json instanceof RawJson ? reply.json.pieces : jsonPieces(reply.json)
    sendBody(res, pieces.length === 0 ? undefined : 'application/json', pieces, incoming)
  }
}

const jsonPieces = (json: unknown): Buffer[] =>
  json === undefined ? [] : [Buffer.from(JSON.stringify(json))]

function sendValue(res: ServerResponse, value: ValueAnswer, incoming: Incoming): void {
  const contentType = value.contentType ?? PRIMITIVE_MEDIA_TYPE
  if (!accepts(incoming.header('accept'), contentType)) throw new ServiceError('NotAcceptable')
  if (incoming.callback !== undefined && value.type === 'opaque') throw new ServiceError('UnwrappableBlob')
  const tag = entityTag(value)
  const ifNoneMatch = incoming.header('if-none-match')
  res.setHeader('ETag', tag)
  res.setHeader('Last-Modified', new Date(value.updatedAt / MICROSECONDS).toUTCString())
  if (ifNoneMatch !== undefined && incoming.callback === undefined && names(ifNoneMatch, tag, 'weak')) {
    res.statusCode = 304
    res.end()
    return
  }
  if (value.type !== 'opaque') res.setHeader('X-Service-Type', value.type)
  sendBody(res, contentType, [value.content], incoming)
}

function sendBody(
  res: ServerResponse,
  contentType: string | undefined,
  pieces: readonly Buffer[],
  incoming: Incoming,
): void {
  if (incoming.callback !== undefined) {
    sendJsonp(res, incoming.callback, incoming.method === 'HEAD' ? [] : pieces)
    return
  }
  if (contentType === undefined) {
    res.end()
    return
  }
  res.setHeader('Content-Type', contentType)
  // A HEAD by `verb` is a GET to everything between here and the client, so it must not promise octets.
  const silent = incoming.method === 'HEAD'
  if (!silent || res.req.method === 'HEAD') res.setHeader('Content-Length', lengthOf(pieces))
  if (!silent) for (const piece of pieces) res.write(piece)
  res.end()
}

const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0)

/** A call of the function with the body: a script that any page may load (S 4.0 rule 8). */
function sendJsonp(res: ServerResponse, callback: string, pieces: readonly Buffer[]): void {
  // Line separators may stand in JSON, but older engines take them for the end of a line of script.
  const body = Buffer.concat(pieces)
    .toString()
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  const script = Buffer.from(`${callback}(${body})`)
  if (res.statusCode === 204) res.statusCode = 200
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', script.length)
  res.end(script)
}

const FACT_HEADERS: Readonly<Record<Fact, string>> = {
  action: 'X-Service-Action',
  argument: 'X-Service-Argument',
  category: 'X-Service-Category',
  fieldname: 'X-Service-Fieldname',
  message: 'X-Service-Message',
  name: 'X-Service-Name',
  path: 'X-Service-Path',
  query: 'X-Service-Query',
}

const RETRY_AFTER_SECONDS = 1

/** Headers of a success that errors have, too. */
const KEPT = /^(access-control-.*|vary)$/

/** Sends an error: headers alone, and for wrong credentials not even the two that tell its class (S 7). */
export function sendError(
  res: ServerResponse,
  error: ServiceError,
  about: { requestId: string; realm: string },
): void {
  for (const name of res.getHeaderNames()) if (!KEPT.test(name)) res.removeHeader(name)
  res.statusCode = error.status
  if (error.status === 401) res.setHeader('WWW-Authenticate', `Basic realm="${about.realm}"`)
  const retryAfter = error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter)
  if (error.allow !== undefined) res.setHeader('Allow', error.allow.join(', '))
  if (error.errorClass !== 'WrongCredentials') {
    res.setHeader('X-Service-Error-Class', error.errorClass)
    res.setHeader('X-Service-Request-Id', about.requestId)
    for (const fact of factsOf(error.errorClass)) {
      const text = error.facts[fact]
      if (text !== undefined) res.setHeader(FACT_HEADERS[fact], headerValue(text))
    }
  }
  // What is left of a body that was not read must not be taken for the next request.
  if (!res.req.complete) res.setHeader('Connection', 'close')
  res.setHeader('Content-Length', 0)
  res.end()
}

const factsOf = (errorClass: ErrorClass): readonly Fact[] => ERRORS[errorClass].facts

const MAX_HEADER_CHARACTERS = 1024

/**
 * Text as a header may hold it: visible ASCII and blanks stay, everything else and `%` is percent-encoded UTF-8. What
 * is longer than 1,024 characters is cut there, between two characters of the text, and ends in `...`.
 */
export function headerValue(text: string): string {
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
