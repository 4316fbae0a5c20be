/** Access for pages of other origins: CORS, and the answer to OPTIONS. */
import type { ServerResponse } from 'node:http'
import type { Config } from '../settings/config.ts'
import { EXPOSED_HEADERS } from './message/headers.ts'
import { ALL_METHODS } from './message/methods.ts'
import type { Middleware } from './middleware.ts'

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin'
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers'

/** The headers that make an answer readable for pages of any origin, also where it is not known who asks. */
export const OPEN_TO_ALL = [
  [ALLOW_ORIGIN, '*'],
  [EXPOSE_HEADERS, EXPOSED_HEADERS],
] as const

/** The middleware that makes answers readable for pages of other origins. */
export const crossOrigin =
  (config: Config): Middleware =>
  (_req, res, next) => {
    setCorsHeaders(res, config)
    next()
  }

/**
 * Makes an answer readable for the page of another origin that asks, whichever that is. Pages must sign in themselves:
 * credentials added by the browser are accepted only from the origins that the operator lists.
 */
export function setCorsHeaders(
  res: ServerResponse,
  { credentialOrigins }: Pick<Config, 'credentialOrigins'>,
): void {
  // Also without Origin: what a cache keeps of such an answer is unreadable for pages.
  res.setHeader('Vary', 'Origin')
  const { origin } = res.req.headers
  if (origin === undefined) return
  const trusted = credentialOrigins.includes(origin)
  res.setHeader(ALLOW_ORIGIN, trusted ? origin : '*')
  if (trusted) res.setHeader('Access-Control-Allow-Credentials', 'true')
  res.setHeader(EXPOSE_HEADERS, EXPOSED_HEADERS)
}

const PREFLIGHT_SECONDS = 86_400
/** The request headers that a page may send: those that mean something here, and those that libraries add to any request. */
const SENDABLE = [
  'Accept, Authorization, Content-Type, Content-MD5, Content-Encoding, If-Match, If-None-Match, Prefer',
  'Cache-Control, Idempotency-Key, X-Requested-With, traceparent, tracestate',
].join(', ')

/** The header with which an OPTIONS asks how it arrived, and that has this in the answer. */
export const ARRIVED_HEADER = 'X-Service-Arrived'

/**
 * The middleware that answers OPTIONS. `methodsOf` gives the methods of a path, and throws `NoSuchResource`. With
 * `ARRIVED_HEADER` the answer says the address of the client, the scheme and the host, as trusted proxies report them, each
 * encoded by `encodeURI` and separated by spaces.
 */
export const answerOptions =
  (methodsOf: (rawPath: string) => readonly string[]): Middleware =>
  (req, res, next) => {
    const { method, rawPath } = res.locals.incoming
    if (method !== 'OPTIONS') {
      next()
      return
    }
    if (ARRIVED_HEADER.toLowerCase() in req.headers) {
      const { ip = '', protocol, host } = req
      res.setHeader(ARRIVED_HEADER, [ip, protocol, host].map(encodeURI).join(' '))
    }
    sendOptions(res, rawPath === '*' ? ALL_METHODS : methodsOf(rawPath))
  }

/** Sends the answer to OPTIONS: the methods of a path and, for a pre-flight, the headers that a page may send. */
export function sendOptions(res: ServerResponse, methods: readonly string[]): void {
  const list = methods.join(', ')
  res.statusCode = 204
  res.setHeader('Allow', list)
  if (res.req.headers.origin !== undefined) {
    res.setHeader('Access-Control-Allow-Methods', list)
    res.setHeader('Access-Control-Allow-Headers', SENDABLE)
    res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS)
  }
  res.end()
}
