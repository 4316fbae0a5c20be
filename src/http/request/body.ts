/** The body of a request: checked against its headers, decoded, and parsed as its operation requires. */
import { createHash } from 'node:crypto'
import { malformedPayload, ServiceError } from '../../model/errors.ts'
import type { Config } from '../../settings/config.ts'
import { LESS_JSON, parseJson, type ParsedJson } from '../../model/json.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE, type TagValue } from '../../model/tag-value.ts'
import { free } from '../../model/borrowed-bytes.ts'
import { runYielding } from '../../scheduling/yielding.ts'
import { bodyFormat, type ContractOperation } from '../contract/contract.ts'
import { canStandInHeader } from '../message/headers.ts'
import type { Incoming, Reserve } from './request.ts'

/** A body as its operation requires it: JSON, a tag value, or nothing. */
export interface Body {
  readonly json: ParsedJson | undefined
  readonly value: TagValue | undefined
}

export const NO_BODY: Body = { json: undefined, value: undefined }

/**
 * Checks the length of a body, of which nothing is read. Throws `NoContentLengthHeader`, `PayloadTooLarge` and
 * `ContentLengthMismatch`.
 */
export function checkLength(
  incoming: Incoming,
  operation: ContractOperation,
  { maxJsonBytes }: Pick<Config, 'maxJsonBytes'>,
): void {
  const length = incoming.bodyLength()
  if (length === undefined && operation.requestBody?.required === true) {
    throw new ServiceError('NoContentLengthHeader')
  }
  if ((length ?? 0) > maxJsonBytes && isReadAsJson(incoming, operation)) {
    throw new ServiceError(
      'PayloadTooLarge',
      {},
      { hint: `JSON may have ${maxJsonBytes} octets; ${LESS_JSON}` },
    )
  }
}

/**
 * Reads the body of a request, whose length is checked, once it may be in memory. Its checks run in this order: checksum,
 * whether there may be one, encoding, content type, content.
 */
export async function readBody(
  incoming: Incoming,
  operation: ContractOperation,
  { maxJsonDepth, reserve }: { readonly maxJsonDepth: number; readonly reserve: Reserve },
): Promise<Body> {
  const times = timesInMemory(incoming, operation)
  const sent = await incoming.readBytes((octets) => reserve(times * octets))
  checkChecksum(incoming, sent)
  switch (bodyFormat(operation)) {
    case 'none':
      if (sent !== undefined && sent.length > 0) throw new ServiceError('UnexpectedContentLengthHeader')
      return NO_BODY
    case 'value':
      return { ...NO_BODY, value: await readTagValue(incoming, sent, maxJsonDepth) }
    case 'json':
      if ((sent === undefined || sent.length === 0) && operation.requestBody?.required !== true)
        return NO_BODY
      return { ...NO_BODY, json: await readJson(incoming, sent, maxJsonDepth) }
  }
}

/** Whether a body is read as JSON: structured, or a primitive value. */
function isReadAsJson(incoming: Incoming, operation: ContractOperation): boolean {
  const format = bodyFormat(operation)
  return format === 'json' || (format === 'value' && !isOpaque(findContentType(incoming)))
}

/** JSON takes so many times its octets in memory: as octets, as text, and as what is made of it. */
const MADE_OF_JSON = 6

/** How many times its octets a body takes in memory. */
const timesInMemory = (incoming: Incoming, operation: ContractOperation): number =>
  isReadAsJson(incoming, operation) ? MADE_OF_JSON : 1

function checkChecksum(incoming: Incoming, sent: Buffer | undefined): void {
  const expected = incoming.header('content-md5')
  if (expected === undefined) return
  const actual = createHash('md5')
    .update(sent ?? '')
    .digest('base64')
  if (expected.trim() !== actual) throw new ServiceError('ContentChecksumMismatch')
}

async function readJson(
  incoming: Incoming,
  sent: Buffer | undefined,
  maxJsonDepth: number,
): Promise<ParsedJson> {
  const bytes = await decodeContent(incoming, requireContent(sent))
  const contentType = requireContentType(incoming, 'send JSON as application/json')
  if (mediaTypeOf(contentType) !== 'application/json') throw new ServiceError('UnknownContentType')
  return parseJson(consumeUtf8(bytes), maxJsonDepth)
}

async function readTagValue(
  incoming: Incoming,
  sent: Buffer | undefined,
  maxJsonDepth: number,
): Promise<TagValue> {
  // An opaque value may be empty.
  const content = isOpaque(findContentType(incoming)) && sent !== undefined ? sent : requireContent(sent)
  const bytes = await decodeContent(incoming, content)
  const contentType = requireContentType(incoming, TYPES_OF_VALUES)
  if (contentType.length > MAX_TYPE_OCTETS && isOpaque(contentType)) {
    throw new ServiceError('UnknownContentType', {}, { hint: 'that of a value has at most 1,024 octets' })
  }
  if (isOpaque(contentType)) return { type: 'opaque', contentType, bytes }
  return parsePrimitive(consumeUtf8(bytes), maxJsonDepth)
}

/** A longer content type of an opaque value would fill the headers that clients take in an answer. */
const MAX_TYPE_OCTETS = 1_024

const TYPES_OF_VALUES = `send JSON as ${PRIMITIVE_MEDIA_TYPE}, and other bytes with their own type`

const isOpaque = (contentType: string | undefined): boolean =>
  contentType !== undefined && mediaTypeOf(contentType) !== PRIMITIVE_MEDIA_TYPE

/** Throws `MissingPayload`. */
function requireContent(sent: Buffer | undefined): Buffer {
  if (sent === undefined || sent.length === 0) throw new ServiceError('MissingPayload')
  return sent
}

/** The content type as sent; an empty one counts as missing. */
const findContentType = (incoming: Incoming): string | undefined =>
  incoming.header('content-type') || undefined

/** Throws `NoContentTypeHeader`, with a hint what to send, and `UnknownContentType` for one that only JSONP can send. */
function requireContentType(incoming: Incoming, hint: string): string {
  const contentType = findContentType(incoming)
  if (contentType === undefined) throw new ServiceError('NoContentTypeHeader', {}, { hint })
  if (!canStandInHeader(contentType)) {
    throw new ServiceError('UnknownContentType', {}, { hint: 'it holds what no header can hold' })
  }
  return contentType
}

/** The media type without its parameters, which are irrelevant. */
const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()

/** Types in which tools and people send what they mean as primitive values. */
const PROBABLY_PRIMITIVE = ['application/json', 'text/json', 'application/x-www-form-urlencoded']

/** The type of primitive values with another vendor or in the plural. */
const LIKE_PRIMITIVE = /^application\/vnd\.[^./+]+\.values?\+json$/

function isProbablyPrimitive(contentType: string): boolean {
  const type = mediaTypeOf(contentType)
  return (
    PROBABLY_PRIMITIVE.includes(type) ||
    LIKE_PRIMITIVE.test(type) ||
    type.startsWith(PRIMITIVE_MEDIA_TYPE) ||
    !type.includes('/')
  )
}

/** The notice that a value is opaque and was probably meant to be primitive; undefined for other values. */
export const noticeOf = (value: TagValue): string | undefined =>
  value.type === 'opaque' && isProbablyPrimitive(value.contentType)
    ? `stored as an opaque value, which queries cannot find: send JSON as ${PRIMITIVE_MEDIA_TYPE} to store a primitive value`
    : undefined

async function decodeContent(incoming: Incoming, sent: Buffer): Promise<Buffer> {
  switch (incoming.header('content-encoding')?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return sent
    case 'base64':
      return runYielding(decodingBase64(sent))
    default:
      throw new ServiceError('UnknownContentEncoding')
  }
}

/** How many octets of base64 are decoded at once. */
const BASE64_PORTION = 256 * 1024

function* decodingBase64(sent: Buffer): Generator<undefined, Buffer> {
  const decoded: Buffer[] = []
  let rest = ''
  for (let start = 0; start < sent.length; start += BASE64_PORTION) {
    const end = start + BASE64_PORTION
    const text = rest + sent.toString('latin1', start, Math.min(end, sent.length)).replace(/[\r\n]/g, '')
    const isLast = end >= sent.length
    const whole = isLast ? text.length : text.length - (text.length % 4)
    decoded.push(fromBase64(text.slice(0, whole), isLast))
    rest = text.slice(whole)
    yield
  }
  return Buffer.concat(decoded)
}

function fromBase64(text: string, isLast: boolean): Buffer {
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is not base64, so the bytes are encoded again and compared with the text; only its end may be padded.
  const isWhole = isLast || bytes.length * 4 === text.length * 3
  if (!isWhole || bytes.toString('base64') !== text)
    throw malformedPayload('the payload is not base64: encode it, or leave Content-Encoding out')
  return bytes
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes `bytes`, then detaches them: callers must not use them again. */
function consumeUtf8(bytes: Buffer): string {
  try {
    const text = UTF8.decode(bytes)
    free(bytes)
    return text
  } catch (cause) {
    throw malformedPayload('the payload is not UTF-8: JSON is sent in that encoding', cause)
  }
}
