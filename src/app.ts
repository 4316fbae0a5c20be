/** The application. A request passes these middlewares in this order; the first check that fails determines the answer. */
import express, { type Express } from 'express'
import type { Config } from './settings/config.ts'
import type { Store } from './data/store/store.ts'
import { findAccount, renewHash } from './data/entities/accounts.ts'
import { ANONYMOUS } from './data/entities/users.ts'
import { consoleOnDemand, documentsOnDemand, type Documents } from './documents/on-demand.ts'
import { handlers } from './handlers/index.ts'
import { createAuthenticator, type Authenticate } from './http/credentials/authenticate.ts'
import { MemoryBudget } from './http/answer/memory-budget.ts'
import { baseUrl } from './http/base-url.ts'
import { servePages } from './http/serve-pages.ts'
import { readContract, readKeptContract } from './http/contract/contract.ts'
import { VerifiedCredentials } from './http/credentials/credentials.ts'
import { answerOptions, crossOrigin } from './http/cross-origin.ts'
import type { Handlers } from './http/handler.ts'
import { jsonp } from './http/jsonp.ts'
import { createOperations } from './http/operations.ts'
import { checkRequestLine, readRequest } from './http/read-request.ts'
import { recordRequest } from './http/record-request.ts'
import { answerErrors } from './http/send-error.ts'
import { signIn } from './http/sign-in.ts'
import { SignInThrottle, type Throttle } from './http/credentials/throttle.ts'
import type { Log } from './observing/log.ts'
import { hashPassword } from './http/credentials/passwords.ts'

/** The parts of the application that workers share, or that a mock replaces. */
interface Parts {
  readonly throttle: Throttle
  readonly verified: VerifiedCredentials
  readonly authenticate: Authenticate
  readonly handlers: Handlers
  readonly documents: Documents
  readonly budget: MemoryBudget
}

/** Creates the application on a store. */
export async function createApp(
  config: Config,
  store: Store,
  log: Log,
  parts: Partial<Parts> = {},
): Promise<Express> {
  const { queryLimits, maxWriteBytes, minPasswordLength } = config
  const { note, report, observe } = log
  const authenticate = parts.authenticate ?? authenticatorOn(store, log, parts)
  const operations = await createOperations({
    config,
    service: { store, queryLimits, maxWriteBytes, hashPassword, minPasswordLength, note },
    handlers: parts.handlers ?? handlers,
    documents:
      parts.documents ?? documentsOnDemand(() => ({ current: readContract(), kept: readKeptContract })),
    budget: parts.budget ?? new MemoryBudget(),
    observe,
  })

  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)

  app.use(recordRequest(log.answered))
  app.use(crossOrigin(config))
  app.use(readRequest(config))
  app.use(signIn({ config, authenticate, note }))
  app.use(checkRequestLine(config))
  app.use(jsonp(config))
  app.use(baseUrl(config))
  app.use(answerOptions(operations.methodsOf))
  app.use(servePages(consoleOnDemand))
  app.use(operations.middleware)
  app.use(answerErrors({ config, report }))
  return app
}

/** The authenticator for the accounts of a store. */
function authenticatorOn(
  store: Store,
  { note, report }: Log,
  { throttle = new SignInThrottle(), verified = new VerifiedCredentials() }: Partial<Parts>,
): Authenticate {
  return createAuthenticator({
    findAccount: (username) => findAccount(store, username),
    renewHash: (account, passwordHash) => renewHash(store, account, passwordHash),
    throttle,
    verified,
    anonymous: ANONYMOUS,
    note,
    report,
  })
}
