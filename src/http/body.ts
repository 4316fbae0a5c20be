/** The body of a request: checked against its headers, decoded, and parsed as its operation requires. */
import { createHash } from 'node:crypto'
import { malformedPayload, ServiceError } from '../errors.ts'
import { parsing, type ParsedJson } from '../json.ts'
import { primitiveOf, PRIMITIVE_MEDIA_TYPE, type TagValue } from '../tag-value.ts'
import { inTurns } from '../turns.ts'
import { bodyFormat, type ContractOperation } from './contract.ts'
import { canStandInHeader } from './headers.ts'
import type { Incoming } from './request.ts'
import type { WaitForRoom } from './room.ts'

/** A body as its operation requires it: JSON, a tag value, or nothing. */
export interface Body {
  readonly json: ParsedJson | undefined
  readonly value: TagValue | undefined
}

const NO_BODY: Body = { json: undefined, value: undefined }

/**
 * Reads the body of a request, once there is room for it. Its checks run in this order: length, size, checksum, encoding, content type, content.
 */
export async function readBody(
  incoming: Incoming,
  operation: ContractOperation,
  { maxJsonDepth, waitForRoom }: { readonly maxJsonDepth: number; readonly waitForRoom: WaitForRoom },
): Promise<Body> {
  const sent = await incoming.readBytes(waitForRoom)
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
  const bytes = decodeContent(incoming, requireContent(sent))
  if (mediaTypeOf(requireContentType(incoming)) !== 'application/json') {
    throw new ServiceError('UnknownContentType')
  }
  return inTurns(parsing(utf8(bytes), maxJsonDepth))
}

async function readTagValue(
  incoming: Incoming,
  sent: Buffer | undefined,
  maxJsonDepth: number,
): Promise<TagValue> {
  // An opaque value may be empty.
  const content = isOpaque(findContentType(incoming)) ? requireLength(sent) : requireContent(sent)
  const bytes = decodeContent(incoming, content)
  const contentType = requireContentType(incoming)
  if (isOpaque(contentType)) return { type: 'opaque', contentType, bytes }
  const json = await inTurns(parsing(utf8(bytes), maxJsonDepth))
  return primitiveOf(json.value, json.source)
}

const isOpaque = (contentType: string | undefined): boolean =>
  contentType !== undefined && mediaTypeOf(contentType) !== PRIMITIVE_MEDIA_TYPE

/** Throws `NoContentLengthHeader`. */
function requireLength(sent: Buffer | undefined): Buffer {
  if (sent === undefined) throw new ServiceError('NoContentLengthHeader')
  return sent
}

/** Throws `NoContentLengthHeader` and `MissingPayload`. */
function requireContent(sent: Buffer | undefined): Buffer {
  const content = requireLength(sent)
  if (content.length === 0) throw new ServiceError('MissingPayload')
  return content
}

/** The content type as sent; an empty one counts as missing. */
const findContentType = (incoming: Incoming): string | undefined =>
  incoming.header('content-type') || undefined

/** Throws `NoContentTypeHeader`, and `UnknownContentType` for one that only JSONP can send. */
function requireContentType(incoming: Incoming): string {
  const contentType = findContentType(incoming)
  if (contentType === undefined) throw new ServiceError('NoContentTypeHeader')
  if (!canStandInHeader(contentType)) throw new ServiceError('UnknownContentType')
  return contentType
}

/** The media type without its parameters, which are irrelevant. */
const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()

function decodeContent(incoming: Incoming, sent: Buffer): Buffer {
  switch (incoming.header('content-encoding')?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return sent
    case 'base64':
      return fromBase64(sent)
    default:
      throw new ServiceError('UnknownContentEncoding')
  }
}

function fromBase64(sent: Buffer): Buffer {
  const text = sent.toString('latin1').replace(/[\r\n]/g, '')
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is not base64, so the bytes are encoded again and compared with the text.
  if (bytes.toString('base64') !== text) throw malformedPayload('the payload is not base64')
  return bytes
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw malformedPayload('the payload is not UTF-8', cause)
  }
}
