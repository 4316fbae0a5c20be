/** The middleware that begins the record of a request, to which its use of the store is added. */
import { using } from '../scheduling/usage.ts'
import type { Middleware } from './middleware.ts'
import { beginRecord, type AnsweredRequest } from './request/request-record.ts'

/** `answered` receives requests that have their answers. */
export const recordRequest =
  (answered: (request: AnsweredRequest) => void): Middleware =>
  (req, res, next) => {
    res.locals.record = beginRecord(req, res, answered)
    using(res.locals.record.usage, next)
  }
