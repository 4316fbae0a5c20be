/** What leaves: every answer's status, headers and body are put together here, and every header is named here. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import Negotiator from 'negotiator'
import type { ListedValue, StoredValue, ValueHead } from '../data/values/reading.ts'
import type { Document } from '../documents/documents.ts'
import { ERRORS, ServiceError, type ErrorClass, type Fact } from '../errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../tag-value.ts'
import { DOCUMENT_HEADERS } from './document.ts'
import type { Incoming } from './request.ts'

/** JSON that was put together without parsing, in pieces of UTF-8, where a `T` is due. */
export class RawJson<T> {
  /** Octets of all pieces. */
  readonly length: number
  /** Each is to be used before the one after the next is asked for. */
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Frees what the pieces take, where nobody is going to read them. */
  readonly discard: () => Promise<void>
  // Only for the compiler: a RawJson of another type is no RawJson of this one.
  declare readonly json: T

  constructor(
    length: number,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    discard = (): Promise<void> => Promise.resolve(),
  ) {
    this.length = length
    this.pieces = pieces
    this.discard = discard
  }

  /** JSON that is short enough to be in memory as a whole. */
  static of<T>(text: string): RawJson<T> {
    const bytes = Buffer.from(text)
    return new RawJson<T>(bytes.length, [bytes])
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
  readonly document?: Document
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

function accepts(accept = '', mediaType: string): boolean {
  const ranges = accept.trim() || '*/*'
  if (ranges === '*/*') return true
  const negotiator = new Negotiator({ headers: { accept: ranges } })
  // What is no media type can only be meant by the range that names none.
  if (!MEDIA_TYPE.test(mediaType)) return negotiator.mediaTypes().includes('*/*')
  return negotiator.mediaTypes([mediaType]).length > 0
}

/**
 * Sends a success, in the form that the request asked for: whole, without the body (HEAD), or as JSONP. Resolves when
 * the body is on its way; rejects when the client is gone, or has taken nothing for `idleTimeoutMs`.
 */
export async function send(
  res: ServerResponse,
  reply: Reply,
  incoming: Incoming,
  idleTimeoutMs: number,
): Promise<void> {
  res.statusCode = reply.status
  res.setHeader('Cache-Control', 'no-cache')
  if (reply.location !== undefined) res.setHeader('Location', reply.location)
  if (reply.value !== undefined) {
    sendValue(res, reply.value, incoming)
  } else if (reply.document !== undefined) {
    sendDocument(res, reply.document, incoming)
  } else if (reply.json instanceof RawJson) {
    await sendRaw(res, reply.json as RawJson<unknown>, incoming, idleTimeoutMs)
  } else if (reply.json === undefined) {
    sendBody(res, undefined, EMPTY, incoming)
  } else {
    sendBody(res, 'application/json', Buffer.from(JSON.stringify(reply.json)), incoming)
  }
}

const EMPTY = Buffer.alloc(0)

/** The longest body that is put together before it is sent. Beyond that it goes piece by piece. */
const WHOLE_BYTES = 1024 * 1024

async function sendRaw(
  res: ServerResponse,
  json: RawJson<unknown>,
  incoming: Incoming,
  idleTimeoutMs: number,
): Promise<void> {
  const headOnly = incoming.method === 'HEAD'
  if (headOnly || json.length <= WHOLE_BYTES) {
    const whole = headOnly ? EMPTY : await wholeOf(json)
    await json.discard()
    sendBody(res, 'application/json', whole, incoming, json.length)
    return
  }
  if (incoming.callback === undefined) {
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Content-Length', json.length)
  } else {
    // How long a script becomes is known only when it is made, so this one goes in chunks.
    startScript(res)
  }
  res.setTimeout(idleTimeoutMs, () => res.destroy())
  const { callback } = incoming
  const pieces = callback === undefined ? json.pieces : scriptOf(callback, json.pieces)
  await pipeline(inTurns<Uint8Array | string>(pieces), res)
}

async function wholeOf({ length, pieces }: RawJson<unknown>): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(length)
  let end = 0
  for await (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}

/** Lets others have their turn after each piece: a client on a fast line would take megabytes before anybody else. */
async function* inTurns<T>(pieces: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  for await (const piece of pieces) {
    yield piece
    await setImmediate()
  }
}

function sendValue(res: ServerResponse, value: ValueAnswer, incoming: Incoming): void {
  const contentType = value.contentType ?? PRIMITIVE_MEDIA_TYPE
  if (!accepts(incoming.header('accept'), contentType)) throw new ServiceError('NotAcceptable')
  if (incoming.callback !== undefined && value.type === 'opaque') throw new ServiceError('UnwrappableBlob')
  res.setHeader('Last-Modified', new Date(value.updatedAt / MICROSECONDS).toUTCString())
  if (sendNotModified(res, entityTag(value), incoming)) return
  if (value.type !== 'opaque') res.setHeader('X-Service-Type', value.type)
  sendBody(res, contentType, value.content, incoming)
}

function sendDocument(res: ServerResponse, { contentType, text }: Document, incoming: Incoming): void {
  if (!accepts(incoming.header('accept'), contentType)) throw new ServiceError('NotAcceptable')
  if (incoming.callback !== undefined && contentType !== 'application/json') {
    throw new ServiceError('UnwrappableBlob')
  }
  const content = Buffer.from(text)
  const digest = createHash('sha256').update(content).digest('base64url')
  if (sendNotModified(res, `"${digest}"`, incoming)) return
  for (const [name, value] of Object.entries(DOCUMENT_HEADERS)) res.setHeader(name, value)
  sendBody(res, contentType, content, incoming)
}

/** Sends the entity tag, and 304 where the client has what it stands for; returns whether that was all. */
function sendNotModified(res: ServerResponse, tag: string, incoming: Incoming): boolean {
  res.setHeader('ETag', tag)
  const ifNoneMatch = incoming.header('if-none-match')
  // JSONP has a function called, which only a body does.
  if (ifNoneMatch === undefined || incoming.callback !== undefined) return false
  if (!names(ifNoneMatch, tag, 'weak')) return false
  res.statusCode = 304
  res.end()
  return true
}

/** Sends a body that is in memory; `length` where a HEAD tells that of one that was not made. */
function sendBody(
  res: ServerResponse,
  contentType: string | undefined,
  body: Buffer,
  incoming: Incoming,
  length = body.length,
): void {
  const silent = incoming.method === 'HEAD'
  if (incoming.callback !== undefined) {
    sendScript(res, incoming.callback, silent ? EMPTY : body)
    return
  }
  if (contentType === undefined) {
    res.end()
    return
  }
  res.setHeader('Content-Type', contentType)
  // A HEAD by `verb` is a GET to everything between here and the client, so it must not promise octets.
  if (!silent || res.req.method === 'HEAD') res.setHeader('Content-Length', length)
  if (silent) res.end()
  else if (body.length > ONE_WRITE_BYTES) res.end(body)
  // Headers and a string leave in one write; bytes would be a second one.
  else res.end(body.toString('latin1'), 'latin1')
}

/** The longest body that is copied for the sake of that. */
const ONE_WRITE_BYTES = 16 * 1024

/** A call of the function with the body: a script that any page may load (S 4.0 rule 8). */
function sendScript(res: ServerResponse, callback: string, body: Buffer): void {
  const script = Buffer.from(`${callback}(${asScript(body.toString())})`)
  if (res.statusCode === 204) res.statusCode = 200
  startScript(res)
  res.setHeader('Content-Length', script.length)
  res.end(script)
}

function startScript(res: ServerResponse): void {
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
  res.setHeader('X-Content-Type-Options', 'nosniff')
}

/** Line separators may stand in JSON, but older engines take them for the end of a line of script. */
const asScript = (json: string): string =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

async function* scriptOf(
  callback: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  yield `${callback}(`
  const decoder = new StringDecoder('utf8')
  for await (const piece of pieces) yield asScript(decoder.write(piece))
  yield ')'
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
