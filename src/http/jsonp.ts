/**
 * JSONP: a GET whose arguments represent another request (the contract's "Web pages"). Here it becomes that request;
 * `script.ts` turns the answer into a script.
 */
import type { Config, JsonpMode } from '../settings/config.ts'
import { badArgument, ServiceError, unsupportedMethod } from '../model/errors.ts'
import { singleValue } from './request/arguments.ts'
import { isRead, OPERATION_METHODS } from './message/methods.ts'
import type { Middleware } from './middleware.ts'
import { findDecoded } from './message/percent-encoding.ts'
import { bodyTooLong, type BodyLimits, type Incoming } from './request/request.ts'

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
