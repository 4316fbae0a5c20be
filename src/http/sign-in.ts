/** The middleware that finds out who a request runs as, before anything else is revealed. */
import type { Config } from '../settings/config.ts'
import { countingAuthorization } from './ambient-credentials.ts'
import type { Authenticate } from './credentials/authenticate.ts'
import { isInConsole } from './serve-pages.ts'
import { findCredentials } from './credentials/credentials.ts'
import type { Middleware } from './middleware.ts'
import { checkOnce } from './request/request.ts'
import type { SecurityEvent } from './credentials/security-events.ts'

/** The parts of the service that signing in needs. */
interface SignIn {
  readonly config: Config
  readonly authenticate: Authenticate
  /** Receives credentials that do not count. */
  readonly note: (event: SecurityEvent) => void
}

/** Sets the caller. Throws `TBadRequest` for two `Authorization` lines, and what `authenticate` throws. */
export function signIn({ config, authenticate, note }: SignIn): Middleware {
  return async (req, res, next) => {
    checkOnce(req, 'Authorization')
    const { sent, record } = res.locals
    const address = req.ip ?? ''
    const counts = !isInConsole(sent)
    const authorization = counts ? countingAuthorization(req, sent, config) : undefined
    if (counts && authorization === undefined && req.headers.authorization !== undefined) {
      const username = findCredentials(req.headers.authorization)?.username ?? ''
      note({ event: 'credentials not counted', username, address })
    }
    res.locals.caller = await authenticate(authorization, address)
    record.username = res.locals.caller.username
    next()
  }
}
