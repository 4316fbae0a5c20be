/** The type of a middleware, and the values that middlewares leave for later ones. */
import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Caller } from '../data/store/views.ts'
import type { Incoming } from './request/request.ts'
import type { RequestRecord } from './request/request-record.ts'

/** The `res.locals` of a request. Each field is set by the middleware of `app.ts` that its comment names. */
export interface Locals {
  /** `recordRequest` */
  record: RequestRecord
  /** `readRequest`: the request as sent. */
  sent: Incoming
  /** `signIn`: who the request runs as. */
  caller: Caller
  /** `jsonp`: the request that is meant, which JSONP arguments may represent. */
  incoming: Incoming
  /** `baseUrl`: what absolute URLs of this service begin with. */
  baseUrl: string
}

export type Middleware = RequestHandler<object, unknown, unknown, object, Locals>

export type ErrorMiddleware = ErrorRequestHandler<object, unknown, unknown, object, Locals>
