/**
 * JSONP: a GET whose arguments represent another request, and whose answer is a script that calls a function with the
 * body (the contract's "Web pages"). Here such requests become plain ones, and answers become scripts.
 */
import type { ServerResponse } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import type { Config, JsonpMode } from '../config.ts'
import { badArgument, ServiceError, unsupportedMethod } from '../errors.ts'
import type { Pieces } from '../borrowed-bytes.ts'
import { singleValue } from './arguments.ts'
import { isRead, OPERATION_METHODS } from './methods.ts'
import type { Middleware } from './middleware.ts'
import { findDecoded } from './percent-encoding.ts'
import { bodyTooLong, type BodyLimits, type Incoming } from './request.ts'
import { setNoSniffing } from './success-headers.ts'

const JSONP_ARGUMENTS = ['callback', 'verb', 'payload', 'payload-length', 'payload-type', 'payload-encoding']

const isJsonp = (sent: Incoming, mode: JsonpMode): boolean =>
  mode !== 'off' && sent.method === 'GET' && (sent.args.has('callback') || sent.args.has('verb'))

/**
 * The method that a query string asks for, before anything is checked: an empty string if it cannot be read, undefined
 * if the request is made as it seems.
 */
export function methodFromQuery(sent: Incoming, mode: JsonpMode): string | undefined {
  if (!isJsonp(sent, mode)) return undefined
  const [verb = 'GET', ...more] = sent.args.get('verb') ?? []
  return more.length > 0 ? '' : (findDecoded(verb)?.toUpperCase() ?? '')
}

/** Throws `UnsupportedMethod`, naming the methods of the path, if `verb` asks for one that it may not have. */
export function checkVerb(
  { method }: Incoming,
  sentMethod: string,
  mode: JsonpMode,
  methodsOfPath: () => readonly string[],
): void {
  if (mode === 'read' && method !== sentMethod && !isRead(method)) throw unsupportedMethod(methodsOfPath())
}

/** The middleware that finds the request that is meant. Errors as for `plainRequest`. */
export const jsonp =
  (config: Config): Middleware =>
  (_req, res, next) => {
    res.locals.incoming = plainRequest(res.locals.sent, config)
    next()
  }

/**
 * The request that a GET with JSONP arguments represents; any other request is returned as it is. Throws
 * `TBadArgument`, `MultipleArgumentValues` and `InvalidUTF8Argument` for errors in these arguments.
 */
function plainRequest(sent: Incoming, config: Pick<Config, 'jsonp'> & BodyLimits): Incoming {
  if (!isJsonp(sent, config.jsonp)) return sent
  const argument = (name: string): string | undefined => singleValue(sent.args, name)
  const callback = argument('callback')
  if (callback !== undefined && !isFunctionName(callback))
    throw badArgument('callback', 'it is the name of a JavaScript function')
  const method = argument('verb')?.toUpperCase() ?? 'GET'
  if (!OPERATION_METHODS.includes(method)) throw badArgument('verb', `it is ${OPERATION_METHODS.join(', ')}`)
  const payload = argument('payload')
  const replaced: Readonly<Record<string, string | undefined>> = {
    'content-length': argument('payload-length'),
    // Blanks around it are no part of a header, either.
    'content-type': argument('payload-type')?.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, ''),
    'content-encoding': argument('payload-encoding'),
  }
  const bodyOf = (): Buffer | undefined => {
    // The arguments hold the body; this would be a second one.
    if ((sent.bodyLength() ?? 0) > 0) throw new ServiceError('UnexpectedContentLengthHeader')
    return payloadOf(payload, replaced['content-length'], config)
  }
  return {
    ...sent,
    method,
    args: new Map([...sent.args].filter(([name]) => !JSONP_ARGUMENTS.includes(name))),
    callback,
    header: (name) => (name in replaced ? replaced[name] : sent.header(name)),
    bodyLength: () => bodyOf()?.length,
    readBytes: () => Promise.resolve(bodyOf()),
  }
}

const MAX_CALLBACK_CHARACTERS = 128
const CALLBACK =
  /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)*$/u

/** Words that start an expression or a statement instead of naming a function. */
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

/** The body in `payload`; `length` is as sent. Throws `ContentLengthMismatch` and `PayloadTooLarge`. */
function payloadOf(
  payload: string | undefined,
  length: string | undefined,
  limits: BodyLimits,
): Buffer | undefined {
  if (payload === undefined && length === undefined) return undefined
  const body = Buffer.from(payload ?? '')
  if (String(body.length) !== length) throw new ServiceError('ContentLengthMismatch')
  if (body.length > limits.maxBodyBytes) throw bodyTooLong(limits)
  return body
}

/**
 * The beginning of a script. The client chooses the name of the function. The comment keeps that name out of the first
 * octets, by which a plugin might take the answer for a file of its own kind.
 */
const opening = (callback: string): string => `/**/${callback}(`

/** Sends a call of the function with a short body, as a script that any page may load. */
export function sendScript(res: ServerResponse, callback: string, body: Buffer): void {
  const script = Buffer.from(`${opening(callback)}${asScript(body.toString())})`)
  if (res.statusCode === 204) res.statusCode = 200
  startScript(res)
  res.setHeader('Content-Length', script.length)
  res.end(script)
}

/** Sets the headers of a script. */
export function startScript(res: ServerResponse): void {
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
  setNoSniffing(res)
}

/** The same call in pieces, for a body in pieces. */
export async function* scriptPieces(callback: string, pieces: Pieces): AsyncGenerator<string> {
  yield opening(callback)
  const decoder = new StringDecoder('utf8')
  for await (const piece of pieces) {
    const bytes = Buffer.allocUnsafe(piece.length)
    piece.copy(bytes)
    yield asScript(decoder.write(bytes))
  }
  yield ')'
}

/** JSON may contain U+2028 and U+2029, but older engines take them for the end of a line of script. */
const asScript = (json: string): string =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
