/** What arrives: target, arguments and body, each read strictly; a request through JSONP becomes a plain one here. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { badArgument, badRequest, malformedPayload, ServiceError } from '../errors.ts'
import {
  parseJson,
  parsePrimitive,
  PRIMITIVE_MEDIA_TYPE,
  type ParsedJson,
  type TagValue,
} from '../tag-value.ts'
import { bodyKind, decode, findDecoded, type ContractOperation, type Parameter } from './contract.ts'

/** A request as all that follows sees it. */
export interface Incoming {
  readonly method: string
  /** The path as it was sent, still percent-encoded; `*` where the whole service is meant (`OPTIONS *`). */
  readonly rawPath: string
  /** Query arguments by name, as they were sent, still percent-encoded, those of JSONP left out. */
  readonly args: ReadonlyMap<string, readonly string[]>
  /** The function that a JSONP answer calls. */
  readonly callback: string | undefined
  header(name: string): string | undefined
  /** The octets of the body as they were sent; undefined where the request has none. */
  readBytes(): Promise<Buffer | undefined>
}

/**
 * Reads the request line and the headers. Throws `UriTooLong`, and for JSONP what is wrong with its arguments.
 */
export function readRequest(req: IncomingMessage, { maxUrlBytes, maxBodyBytes }: Config): Incoming {
  const target = req.url ?? '/'
  if (Buffer.byteLength(target) > maxUrlBytes) throw new ServiceError('UriTooLong')
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw badRequest('the Host header is missing')
  }
  // A proxy may send the absolute form, which begins with the scheme and the host.
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const [path = '', ...query] = relative.split('?')
  const plain: Incoming = {
    method: req.method ?? 'GET',
    rawPath: path.startsWith('/') || path === '*' ? path : `/${path}`,
    args: parseQueryString(query.join('?')),
    callback: undefined,
    header: (name) => {
      const value = req.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    readBytes: () => readBytes(req, maxBodyBytes),
  }
  const { args, method } = plain
  return method === 'GET' && (args.has('callback') || args.has('verb'))
    ? fromJsonp(plain, maxBodyBytes)
    : plain
}

/** Query arguments by name, their values still percent-encoded. */
function parseQueryString(queryString: string): Map<string, string[]> {
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

const JSONP_ARGUMENTS = ['callback', 'verb', 'payload', 'payload-length', 'payload-type', 'payload-encoding']
const VERBS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']
const MAX_CALLBACK_CHARACTERS = 128
const CALLBACK =
  /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)*$/u

/** Words that begin an expression or a statement of their own instead of naming a function. */
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally ' +
    'for function if import in instanceof let new null return static super switch this throw true try typeof var ' +
    'void while with yield'
  ).split(' '),
)

function isFunctionName(callback: string): boolean {
  const short = Array.from(callback).length <= MAX_CALLBACK_CHARACTERS
  return short && CALLBACK.test(callback) && !RESERVED.has(callback.split('.')[0] ?? '')
}

/** The request that a GET with the arguments of JSONP stands for (S 4.0 rule 8). */
function fromJsonp(plain: Incoming, maxBytes: number): Incoming {
  const argument = (name: string): string | undefined => single(plain.args.get(name) ?? [], name)
  const callback = argument('callback')
  if (callback !== undefined && !isFunctionName(callback)) {
    throw badArgument('callback')
  }
  const method = argument('verb')?.toUpperCase() ?? 'GET'
  if (!VERBS.includes(method)) throw badArgument('verb')
  const payload = argument('payload')
  const body = payload === undefined ? undefined : Buffer.from(payload)
  const replaced: Readonly<Record<string, string | undefined>> = {
    'content-length': argument('payload-length'),
    'content-type': argument('payload-type'),
    'content-encoding': argument('payload-encoding'),
  }
  return {
    ...plain,
    method,
    args: new Map([...plain.args].filter(([name]) => !JSONP_ARGUMENTS.includes(name))),
    callback,
    header: (name) => (name in replaced ? replaced[name] : plain.header(name)),
    readBytes: async () => {
      // A body beside the arguments would be a second one.
      if (((await plain.readBytes())?.length ?? 0) > 0)
        throw new ServiceError('UnexpectedContentLengthHeader')
      const length = replaced['content-length']
      if (body === undefined && length === undefined) return undefined
      if (length === undefined || String(body?.length ?? 0) !== length) {
        throw new ServiceError('ContentLengthMismatch')
      }
      if (Number(length) > maxBytes) throw new ServiceError('PayloadTooLarge')
      return body ?? Buffer.alloc(0)
    },
  }
}

/** The one value of an argument, decoded, if it is there. Throws `MultipleArgumentValues`, `InvalidUTF8Argument`. */
function single([raw, ...more]: readonly string[], name: string): string | undefined {
  if (more.length > 0) throw new ServiceError('MultipleArgumentValues', { argument: name })
  return raw === undefined ? undefined : decode(raw, name)
}

/**
 * The arguments that an operation knows, as its schemas want them: Booleans and words in the letter case of the
 * contract. Throws `MultipleArgumentValues` for a single-valued argument that is there twice, `TBadArgument` for a
 * number that is none, `InvalidUTF8Argument`.
 */
export function knownArguments(operation: ContractOperation, args: Incoming['args']) {
  const known: Record<string, string | string[]> = {}
  for (const parameter of operation.parameters ?? []) {
    const { name, schema } = parameter
    const values = parameter.in === 'query' ? args.get(name) : undefined
    if (values === undefined) continue
    if (schema.type === 'array')
      known[name] = values.map((value) => normalized(parameter, decode(value, name)))
    else known[name] = normalized(parameter, single(values, name) ?? '')
  }
  return known
}

const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }

function normalized(parameter: Parameter, value: string): string {
  const folded = value.toLowerCase()
  if (parameter.schema.type === 'boolean') return BOOLEANS[folded] ?? folded
  // The validator would take whatever JavaScript makes a number of.
  if (parameter.schema.type === 'integer' && !/^-?\d+$/.test(value)) {
    throw badArgument(parameter.name)
  }
  return parameter['x-fold-case'] === true ? folded : value
}

/** A body, read and parsed as its operation defines it. */
export interface Body {
  readonly json: ParsedJson | undefined
  readonly value: TagValue | undefined
}

const NO_BODY: Body = { json: undefined, value: undefined }

/**
 * Reads the body of a request, as far as its operation defines one; the errors are those of S 7, in the order
 * that is decided there: length, size, checksum, encoding, content type, content.
 */
export async function readBody(
  incoming: Incoming,
  operation: ContractOperation,
  maxJsonDepth: number,
): Promise<Body> {
  const kind = bodyKind(operation)
  const sent = await incoming.readBytes()
  checkChecksum(incoming, sent)
  if (kind === 'none') {
    if (sent !== undefined && sent.length > 0) throw new ServiceError('UnexpectedContentLengthHeader')
    return NO_BODY
  }
  if (kind === 'value') return { ...NO_BODY, value: readTagValue(incoming, sent, maxJsonDepth) }
  if (sent === undefined || sent.length === 0) {
    if (operation.requestBody?.required !== true) return NO_BODY
    throw new ServiceError(sent === undefined ? 'NoContentLengthHeader' : 'MissingPayload')
  }
  const decoded = decodeContent(incoming, sent)
  const mediaType = mediaTypeOf(incoming)
  if (mediaType === undefined) throw new ServiceError('NoContentTypeHeader')
  if (mediaType !== 'application/json') throw new ServiceError('UnknownContentType')
  return { ...NO_BODY, json: parseJson(utf8(decoded), maxJsonDepth) }
}

/** The content type as it was sent; an empty one is none. */
const contentTypeOf = (incoming: Incoming): string | undefined => incoming.header('content-type') || undefined

/** The media type without its parameters, which do not matter. */
const mediaTypeOf = (incoming: Incoming): string | undefined =>
  contentTypeOf(incoming)?.split(';')[0]?.trim().toLowerCase()

function readTagValue(incoming: Incoming, sent: Buffer | undefined, maxJsonDepth: number): TagValue {
  if (sent === undefined) throw new ServiceError('NoContentLengthHeader')
  const contentType = contentTypeOf(incoming)
  const primitive = mediaTypeOf(incoming) === PRIMITIVE_MEDIA_TYPE
  if (sent.length === 0 && (primitive || contentType === undefined)) throw new ServiceError('MissingPayload')
  const bytes = decodeContent(incoming, sent)
  if (contentType === undefined) throw new ServiceError('NoContentTypeHeader')
  return primitive ? parsePrimitive(utf8(bytes), maxJsonDepth) : { type: 'opaque', contentType, bytes }
}

async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (req.headers['transfer-encoding'] !== undefined) throw new ServiceError('NoContentLengthHeader')
  const length = req.headers['content-length']
  if (length === undefined) return undefined
  if (Number(length) > maxBytes) throw new ServiceError('PayloadTooLarge')
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function checkChecksum(incoming: Incoming, sent: Buffer | undefined): void {
  const expected = incoming.header('content-md5')
  if (expected === undefined) return
  const actual = createHash('md5')
    .update(sent ?? '')
    .digest('base64')
  if (expected.trim() !== actual) throw new ServiceError('ContentChecksumMismatch')
}

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
  // Node skips what is not base64; only what it gives back in full was all of it.
  if (bytes.toString('base64') !== text) {
    throw malformedPayload('the payload is not base64')
  }
  return bytes
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw malformedPayload('the payload is not UTF-8', cause)
  }
}
