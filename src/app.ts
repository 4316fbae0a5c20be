/** The application: the store and the handlers behind one Express middleware. */
import express, { type Express, type RequestHandler } from 'express'
import type { Config } from './config.ts'
import type { Store } from './data/store/store.ts'
import { ANONYMOUS, findAccount, renewHash, type Account } from './data/things/users.ts'
import { handlers } from './handlers/index.ts'
import { documentsOnDemand } from './documents/on-demand.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { VerifiedCredentials } from './http/credentials.ts'
import { readContract, readContractText } from './http/contract.ts'
import { createDispatch } from './http/dispatch.ts'
import { SignInThrottle, type Throttle } from './http/throttle.ts'
import type { Log } from './log.ts'
import { hashPassword } from './passwords.ts'

/** What is remembered of sign-ins. */
interface SignInState {
  readonly throttle: Throttle
  readonly verified: VerifiedCredentials<Account>
}

/** Connects a store to HTTP. */
export async function createApp(
  config: Config,
  store: Store,
  { report, observe, note, answered }: Log,
  { throttle = new SignInThrottle(), verified = new VerifiedCredentials() }: Partial<SignInState> = {},
): Promise<Express> {
  const { queryLimits, maxWriteBytes, minPasswordLength } = config
  const dispatch = await createDispatch({
    config,
    service: { store, queryLimits, maxWriteBytes, hashPassword, minPasswordLength, note },
    handlers,
    documents: documentsOnDemand({ readText: readContractText, read: readContract }),
    authenticate: createAuthenticator({
      findAccount: (username) => findAccount(store, username),
      renewHash: (account, passwordHash) => renewHash(store, account, passwordHash),
      throttle,
      verified,
      anonymous: ANONYMOUS,
      note,
      report,
    }),
    report,
    observe,
    answered,
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
