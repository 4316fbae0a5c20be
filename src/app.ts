/** The application: the store and the handlers behind one Express middleware. */
import express, { type Express, type RequestHandler } from 'express'
import type { Config } from './config.ts'
import type { FinishedSearch } from './data/search/search.ts'
import type { Store } from './data/store/store.ts'
import { ANONYMOUS, findAccount, renewHash } from './data/things/users.ts'
import { handlers } from './handlers/index.ts'
import { createDocuments } from './documents/documents.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { readContract, readContractText } from './http/contract.ts'
import { createDispatch } from './http/dispatch.ts'
import type { SecurityEvent } from './http/security-events.ts'
import { SignInThrottle, type Throttle } from './http/throttle.ts'
import { hashPassword } from './passwords.ts'

/** Where the service reports what happens. */
export interface Log {
  /** Receives faults of the service. */
  readonly report: (message: string, error: unknown) => void
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
  /** Receives what belongs into the security log. */
  readonly note: (event: SecurityEvent) => void
}

/** Connects a store to HTTP. */
export async function createApp(
  config: Config,
  store: Store,
  { report, observe, note }: Log,
  throttle: Throttle = new SignInThrottle(),
): Promise<Express> {
  const { queryLimits, maxWriteBytes, minPasswordLength } = config
  const dispatch = await createDispatch({
    config,
    service: { store, queryLimits, maxWriteBytes, hashPassword, minPasswordLength, note },
    handlers,
    documents: createDocuments(readContractText(), readContract()),
    authenticate: createAuthenticator({
      findAccount: (username) => findAccount(store, username),
      renewHash: (account, passwordHash) => renewHash(store, account, passwordHash),
      throttle,
      anonymous: ANONYMOUS,
      note,
      report,
    }),
    report,
    observe,
  })
  return behindExpress(config, dispatch)
}

/** An application with one middleware, to which Express says nothing but who the client is. */
export function behindExpress({ trustProxy }: Config, middleware: RequestHandler): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('trust proxy', trustProxy)
  // Without a path, so that Express neither matches nor decodes anything.
  app.use(middleware)
  return app
}
