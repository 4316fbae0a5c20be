/** What leaves: every answer's status, headers and body are put together here, and every header is named here. */
import type { ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { ListedValue, StoredValue, ValueHead } from '../data/values.ts'
import { ERRORS, ServiceError, type ErrorClass, type Fact } from '../errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../tag-value.ts'

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
  const matches = (condition: string): boolean =>
    current !== undefined && names(condition, entityTag(current))
  if (ifMatch !== undefined && !matches(ifMatch)) throw new ServiceError('TPreconditionFailed')
  if (ifMatch === undefined && ifNoneMatch !== undefined && matches(ifNoneMatch)) {
    throw new ServiceError('TPreconditionFailed')
  }
}

const names = (condition: string, tag: string): boolean =>
  condition.trim() === '*' || condition.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

/** A time in an answer: RFC 3339, UTC, microseconds (S 4.7). */
export function timestamp(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / MICROSECONDS)
  const rest = String(microseconds % MICROSECONDS).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

/** Throws `UnknownAcceptType` when the `Accept` header rules out JSON. */
export function checkAcceptsJson(accept: string | undefined): void {
  if (!accepts(accept, 'application/json')) throw new ServiceError('UnknownAcceptType')
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

function accepts(accept: string | undefined, mediaType: string): boolean {
  const headers = { accept: accept ?? '*/*' }
  // What is no media type can only be meant by a range that names none.
  const subject = MEDIA_TYPE.test(mediaType) ? mediaType : 'x-unknown/x-unknown'
  return new Negotiator({ headers }).mediaTypes([subject]).length > 0
}

/** Sends a success. `method` HEAD sends what GET would, without the body. */
export function send(
  res: ServerResponse,
  reply: Reply,
  request: { method: string; accept?: string; ifNoneMatch?: string },
) {
  res.setHeader('Cache-Control', 'no-cache')
  if (reply.location !== undefined) res.setHeader('Location', reply.location)
  if (reply.value !== undefined) {
    sendValue(res, reply.value, request)
  } else if (reply.json === undefined) {
    res.statusCode = reply.status
    res.end()
  } else {
    const { json } = reply
    res.statusCode = reply.status
    const pieces = json instanceof RawJson ? json.pieces : [Buffer.from(JSON.stringify(json))]
    sendBody(res, 'application/json', pieces, request.method)
  }
}

function sendValue(
  res: ServerResponse,
  value: ValueAnswer,
  request: { method: string; accept?: string; ifNoneMatch?: string },
): void {
  const contentType = value.contentType ?? PRIMITIVE_MEDIA_TYPE
  if (!accepts(request.accept, contentType)) throw new ServiceError('NotAcceptable')
  const tag = entityTag(value)
  res.setHeader('ETag', tag)
  res.setHeader('Last-Modified', new Date(value.updatedAt / MICROSECONDS).toUTCString())
  if (request.ifNoneMatch !== undefined && names(request.ifNoneMatch, tag)) {
    res.statusCode = 304
    res.end()
    return
  }
  if (value.type !== 'opaque') res.setHeader('X-Service-Type', value.type)
  res.statusCode = 200
  sendBody(res, contentType, [value.content], request.method)
}

function sendBody(res: ServerResponse, contentType: string, pieces: readonly Buffer[], method: string): void {
  res.setHeader('Content-Type', contentType)
  res.setHeader(
    'Content-Length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  if (method !== 'HEAD') for (const piece of pieces) res.write(piece)
  res.end()
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

/** Sends an error: headers alone, and for wrong credentials not even the two that tell its class (S 7). */
export function sendError(
  res: ServerResponse,
  error: ServiceError,
  about: { requestId: string; realm: string },
): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  res.statusCode = error.status
  if (error.status === 401) res.setHeader('WWW-Authenticate', `Basic realm="${about.realm}"`)
  if (error.status === 503) res.setHeader('Retry-After', RETRY_AFTER_SECONDS)
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

/** Text as a header may hold it: visible ASCII and blanks stay, everything else and `%` is percent-encoded UTF-8. */
export function headerValue(text: string): string {
  const encoded = text
    .slice(0, MAX_HEADER_CHARACTERS + 1)
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]+/g, (part) => [...Buffer.from(part)].map(percent).join(''))
  return encoded.length <= MAX_HEADER_CHARACTERS ? encoded : `${encoded.slice(0, MAX_HEADER_CHARACTERS)}...`
}

const percent = (octet: number): string => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
