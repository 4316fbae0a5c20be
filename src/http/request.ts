/** What arrives: the target's path and arguments, and the body, each read strictly and in the order of checks. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../errors.ts'
import {
  parseJson,
  parsePrimitive,
  PRIMITIVE_MEDIA_TYPE,
  type ParsedJson,
  type TagValue,
} from '../tag-value.ts'
import { bodyKind, decode, findDecoded, type ContractOperation, type Parameter } from './contract.ts'

/** The path, still encoded, and the query string of a request. Throws `UriTooLong`. */
export function readTarget(
  req: IncomingMessage,
  maxUrlBytes: number,
): { rawPath: string; queryString: string } {
  const target = req.url ?? '/'
  if (Buffer.byteLength(target) > maxUrlBytes) throw new ServiceError('UriTooLong')
  // A proxy may send the absolute form, which begins with the scheme and the host.
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const [path = '', ...query] = relative.split('?')
  return { rawPath: path.startsWith('/') ? path : `/${path}`, queryString: query.join('?') }
}

/** Query arguments by name, in the order in which they were sent, their values still percent-encoded. */
export function parseQueryString(queryString: string): Map<string, string[]> {
  const args = new Map<string, string[]>()
  for (const pair of queryString.split('&')) {
    const [rawName = '', ...rest] = pair.replaceAll('+', ' ').split('=')
    const name = findDecoded(rawName)
    // A name that is not UTF-8 is unknown to every operation, and unknown arguments are ignored.
    if (name === undefined) continue
    const values = args.get(name) ?? []
    args.set(name, values)
    values.push(rest.join('='))
  }
  return args
}

/**
 * The arguments that an operation knows, as its schemas want them: Booleans and words in the letter case of the
 * contract. Throws `MultipleArgumentValues` for a single-valued argument that is there twice, `TBadArgument` for a
 * number that is none, `InvalidUTF8Argument`.
 */
export function knownArguments(operation: ContractOperation, args: ReadonlyMap<string, string[]>) {
  const known: Record<string, string | string[]> = {}
  for (const parameter of operation.parameters ?? []) {
    const { name } = parameter
    const values = parameter.in === 'query' ? args.get(name) : undefined
    if (values === undefined) continue
    const read = values.map((value) => normalized(parameter, decode(value, name)))
    if (parameter.schema.type === 'array') known[name] = read
    else if (read.length > 1) throw new ServiceError('MultipleArgumentValues', { argument: name })
    else known[name] = read[0] ?? ''
  }
  return known
}

const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }

function normalized(parameter: Parameter, value: string): string {
  const folded = value.toLowerCase()
  if (parameter.schema.type === 'boolean') return BOOLEANS[folded] ?? folded
  // The validator would take whatever JavaScript makes a number of.
  if (parameter.schema.type === 'integer' && !/^-?\d+$/.test(value)) {
    throw new ServiceError('TBadArgument', { argument: parameter.name })
  }
  return parameter['x-fold-case'] === true ? folded : value
}

/** A body, read and parsed as its operation defines it. */
export interface Body {
  readonly json: ParsedJson | undefined
  readonly value: TagValue | undefined
}

/**
 * Reads the body of a request, as far as its operation defines one; the errors are those of S 7, in the order
 * that is decided there: length, size, checksum, encoding, content type, content.
 */
export async function readBody(
  req: IncomingMessage,
  operation: ContractOperation,
  maxBytes: number,
): Promise<Body> {
  const kind = bodyKind(operation)
  const sent = await readBytes(req, maxBytes)
  checkChecksum(req, sent)
  if (kind === 'none') {
    if (sent !== undefined && sent.length > 0) throw new ServiceError('UnexpectedContentLengthHeader')
    return { json: undefined, value: undefined }
  }
  if (kind === 'value') return { json: undefined, value: readTagValue(req, sent) }
  if (sent === undefined || sent.length === 0) {
    if (operation.requestBody?.required !== true) return { json: undefined, value: undefined }
    throw new ServiceError(sent === undefined ? 'NoContentLengthHeader' : 'MissingPayload')
  }
  const decoded = decodeContent(req, sent)
  const mediaType = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (mediaType === undefined) throw new ServiceError('NoContentTypeHeader')
  if (mediaType !== 'application/json') throw new ServiceError('UnknownContentType')
  return { json: parseJson(utf8(decoded)), value: undefined }
}

function readTagValue(req: IncomingMessage, sent: Buffer | undefined): TagValue {
  if (sent === undefined) throw new ServiceError('NoContentLengthHeader')
  const contentType = req.headers['content-type']
  const primitive = contentType?.split(';')[0]?.trim().toLowerCase() === PRIMITIVE_MEDIA_TYPE
  if (sent.length === 0 && (primitive || contentType === undefined)) throw new ServiceError('MissingPayload')
  const bytes = decodeContent(req, sent)
  if (contentType === undefined) throw new ServiceError('NoContentTypeHeader')
  return primitive ? parsePrimitive(utf8(bytes)) : { type: 'opaque', contentType, bytes }
}

/** The octets of the body as they were sent; undefined where the request has none. */
async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (req.headers['transfer-encoding'] !== undefined) throw new ServiceError('NoContentLengthHeader')
  const length = req.headers['content-length']
  if (length === undefined) return undefined
  if (Number(length) > maxBytes) throw new ServiceError('PayloadTooLarge')
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function checkChecksum(req: IncomingMessage, sent: Buffer | undefined): void {
  const expected = req.headers['content-md5']
  if (expected === undefined) return
  const actual = createHash('md5')
    .update(sent ?? '')
    .digest('base64')
  if (String(expected).trim() !== actual) throw new ServiceError('ContentChecksumMismatch')
}

function decodeContent(req: IncomingMessage, sent: Buffer): Buffer {
  switch (req.headers['content-encoding']?.trim().toLowerCase()) {
    case undefined:
    case 'identity':
      return sent
    case 'base64':
      return fromBase64(sent)
    default:
      throw new ServiceError('UnknownContentEncoding')
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function fromBase64(sent: Buffer): Buffer {
  const text = sent.toString('latin1').replace(/[\r\n]/g, '')
  if (!BASE64.test(text)) throw new ServiceError('MalformedPayload', { message: 'the payload is not base64' })
  return Buffer.from(text, 'base64')
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('MalformedPayload', { message: 'the payload is not UTF-8' }, { cause })
  }
}
