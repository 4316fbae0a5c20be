/** The middlewares that read the request line and the headers, and check them. */
import type { Config } from '../settings/config.ts'
import { badRequest, ServiceError } from '../model/errors.ts'
import type { Middleware } from './middleware.ts'
import { ABSOLUTE, checkOnce, incomingOf, linesOf } from './request/request.ts'

/** Reads the request target and the headers. */
export const readRequest =
  (config: Config): Middleware =>
  (req, res, next) => {
    res.locals.sent = incomingOf(req, config)
    next()
  }

/** Throws `UriTooLong`, and `TBadRequest` if `Host` is missing, or if it or `Content-Type` is there twice. */
export function checkRequestLine({ maxUrlBytes }: Config): Middleware {
  return (req, _res, next) => {
    if (Buffer.byteLength(req.originalUrl) > maxUrlBytes) throw new ServiceError('UriTooLong')
    if (req.httpVersion === '1.1' && linesOf(req, 'Host') === 0) {
      throw badRequest('the Host header is missing: HTTP/1.1 requires it')
    }
    if (ABSOLUTE.exec(req.originalUrl)?.[1] === '')
      throw badRequest('the request target names no host: put one behind its scheme')
    checkOnce(req, 'Host')
    checkOnce(req, 'Content-Type')
    next()
  }
}
