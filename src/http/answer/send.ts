/** Sends successes in the requested form: whole, without the body (HEAD), or as JSONP. */
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { Document } from '../../documents/document.ts'
import { ServiceError } from '../../model/errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../model/tag-value.ts'
import { checkAccepts, preferredCoding } from '../message/accept.ts'
import { headerValue, MESSAGE, VALUE_TYPE } from '../message/headers.ts'
import { scriptPieces, sendScript, startScript } from './script.ts'
import { entityTag, isKnown } from './preconditions.ts'
import type { Reply, ValueAnswer } from './reply.ts'
import { isRawJson, type RawJson } from './raw-json.ts'
import type { Incoming } from '../request/request.ts'
import { free, type Pieces } from '../../model/borrowed-bytes.ts'
import { addNextLink, setCacheControl, setDocumentHeaders, setValueHeaders } from './success-headers.ts'

/**
 * Sends a reply. Resolves when the body is on its way; rejects when the client is gone. Throws `NotAcceptable` and
 * `UnwrappableBlob` for what cannot be sent in the requested form.
 */
export async function send(res: ServerResponse, reply: Reply, incoming: Incoming): Promise<void> {
  res.statusCode = reply.status
  setCacheControl(res)
  if (reply.location !== undefined) res.setHeader('Location', reply.location)
  if (reply.next !== undefined) addNextLink(res, reply.next)
  if (reply.message !== undefined) res.setHeader(MESSAGE, headerValue(reply.message))
  if (reply.value !== undefined) {
    await sendValue(res, reply.value, incoming)
  } else if (reply.document !== undefined) {
    await sendDocument(res, reply.document, incoming)
  } else if (reply.etag !== undefined && sendNotModified(res, reply.etag, incoming)) {
    return
  } else if (isRawJson(reply.json)) {
    await sendRaw(res, reply.json, incoming)
  } else if (reply.json === undefined) {
    sendNothing(res, incoming)
  } else {
    await sendBody(res, 'application/json', Buffer.from(JSON.stringify(reply.json)), incoming)
  }
}

const EMPTY = Buffer.alloc(0)

async function sendRaw(res: ServerResponse, json: RawJson<unknown>, incoming: Incoming): Promise<void> {
  if (incoming.method === 'HEAD') {
    await json.discard()
    sendHead(res, 'application/json', json.length, incoming)
  } else if (json.length <= PIECE_BYTES) {
    const whole = await wholeOf(json)
    await json.discard()
    await sendBody(res, 'application/json', whole, incoming)
  } else {
    const { length, pieces } = json
    const sending = sendInPieces(res, {
      type: 'application/json',
      length,
      pieces,
      callback: incoming.callback,
    })
    // If the client was gone before the first piece, the pieces are not read and do not discard themselves.
    await sending.finally(json.discard)
  }
}

async function wholeOf({ length, pieces }: RawJson<unknown>): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(length)
  let end = 0
  for await (const piece of pieces) end += piece.copy(whole, end)
  return whole
}

/** A body in pieces. */
interface InPieces {
  readonly type: string
  /** In octets. */
  readonly length: number
  readonly pieces: Pieces
  /** The function to call, for JSONP. */
  readonly callback: string | undefined
}

async function sendInPieces(
  res: ServerResponse,
  { type, length, pieces, callback }: InPieces,
): Promise<void> {
  if (callback === undefined) {
    res.setHeader('Content-Type', type)
    res.setHeader('Content-Length', length)
  } else {
    // A script's length is known only once it is complete, so it is sent in chunks.
    startScript(res)
  }
  // The stream asks for the next piece once this one has left, because each piece is longer than the stream's buffer.
  await pipeline(
    yieldingAfterEach<unknown>(callback === undefined ? pieces : scriptPieces(callback, pieces)),
    res,
  )
}

/** Yields to others after each piece: a client on a fast line would take megabytes before anybody else gets a turn. */
async function* yieldingAfterEach<T>(pieces: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  for await (const piece of pieces) {
    yield piece
    await setImmediate()
  }
}

async function sendValue(res: ServerResponse, value: ValueAnswer, incoming: Incoming): Promise<void> {
  const { contentType = PRIMITIVE_MEDIA_TYPE } = value
  checkSendable(incoming, contentType, value.type !== 'opaque')
  setValueHeaders(res, value.type)
  res.setHeader('Last-Modified', new Date(value.updatedAt / 1000).toUTCString())
  if (sendNotModified(res, entityTag(value), incoming)) return
  if (value.type !== 'opaque') res.setHeader(VALUE_TYPE, value.type)
  const { content } = value
  // A short value may still be on its way. A long one has left by then, or its client is gone and nothing reads it any more.
  await sendBody(res, contentType, content, incoming).finally(() => {
    if (content.length > PIECE_BYTES) free(content)
  })
}

async function sendDocument(res: ServerResponse, document: Document, incoming: Incoming): Promise<void> {
  const { contentType, content, digest } = document
  checkSendable(incoming, contentType, contentType === 'application/json')
  setDocumentHeaders(res)
  for (const [name, value] of Object.entries(document.headers)) res.setHeader(name, value)
  // A script around compressed octets would be none.
  const accepted = incoming.callback === undefined ? incoming.header('accept-encoding') : undefined
  const coding = preferredCoding(accepted, document.codings)
  // Each coding is a representation of its own, with a tag of its own (RFC 9110, 8.8.3.3).
  const tag = coding === undefined ? digest : `${digest}-${coding}`
  if (sendNotModified(res, `"${tag}"`, incoming)) return
  if (coding !== undefined) res.setHeader('Content-Encoding', coding)
  await sendBody(res, contentType, coding === undefined ? content : await document.in(coding), incoming)
}

/** Throws `NotAcceptable`, and `UnwrappableBlob` if JSONP asks for something that is not JSON. */
function checkSendable(incoming: Incoming, contentType: string, isJson: boolean): void {
  checkAccepts(incoming.header('accept'), contentType)
  if (incoming.callback !== undefined && !isJson) throw new ServiceError('UnwrappableBlob')
}

/** Sends the entity tag, and 304 if the client already has what it identifies. Returns whether it sent 304. */
function sendNotModified(res: ServerResponse, tag: string, incoming: Incoming): boolean {
  res.setHeader('ETag', tag)
  // JSONP exists to call a function, and only a body does that.
  if (incoming.callback !== undefined || !isKnown(incoming.header('if-none-match'), tag)) return false
  res.statusCode = 304
  res.end()
  return true
}

function sendNothing(res: ServerResponse, { callback }: Incoming): void {
  if (callback === undefined) res.end()
  else sendScript(res, callback, EMPTY)
}

/** Bodies up to this length, in octets, are copied, so that they leave in one write with the headers. */
const ONE_WRITE_BYTES = 16 * 1024

/**
 * The longest body that is sent as a whole, in octets, and the longest piece of a body in memory. A client that takes a whole
 * answer in less than `IDLE_TIMEOUT_MS` a piece is not cut off (connections.ts).
 */
const PIECE_BYTES = 256 * 1024

/** Sends a body that is in memory. */
async function sendBody(
  res: ServerResponse,
  type: string,
  body: Buffer,
  { method, callback }: Incoming,
): Promise<void> {
  if (method === 'HEAD') {
    sendHead(res, type, body.length, { callback })
  } else if (body.length > PIECE_BYTES) {
    await sendInPieces(res, { type, length: body.length, pieces: slicesOf(body), callback })
  } else if (callback !== undefined) {
    sendScript(res, callback, body)
  } else {
    res.setHeader('Content-Type', type)
    res.setHeader('Content-Length', body.length)
    if (body.length > ONE_WRITE_BYTES) res.end(body)
    // Headers and a string leave in one write; bytes would take a second one.
    else res.end(body.toString('latin1'), 'latin1')
  }
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

/** Sends the headers that a body of this length would have. */
function sendHead(
  res: ServerResponse,
  contentType: string,
  length: number,
  { callback }: Pick<Incoming, 'callback'>,
): void {
  if (callback !== undefined) {
    sendScript(res, callback, EMPTY)
    return
  }
  res.setHeader('Content-Type', contentType)
  // A HEAD by `verb` looks like a GET to everything between here and the client, so it must not promise octets.
  if (res.req.method === 'HEAD') res.setHeader('Content-Length', length)
  res.end()
}
