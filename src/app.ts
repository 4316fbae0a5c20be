/** The application: the store and the handlers behind one Express middleware. */
import express, { type Express } from 'express'
import type { Config } from './config.ts'
import { Accounts } from './data/things/accounts.ts'
import type { FinishedSearch } from './data/search/search.ts'
import type { Store } from './data/store/store.ts'
import { ANONYMOUS } from './data/things/users.ts'
import { handlers } from './handlers/index.ts'
import { createDocuments } from './documents/documents.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { readContract, readContractText } from './http/contract.ts'
import { createDispatch } from './http/dispatch.ts'
import { hashPassword } from './passwords.ts'

/** Connects a store to HTTP. `report` receives faults of the service, `observe` searches that have ended. */
export async function createApp(
  config: Config,
  store: Store,
  report: (message: string, error: unknown) => void,
  observe: (search: FinishedSearch, requestId: string) => void,
): Promise<Express> {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('trust proxy', config.trustProxy)
  const accounts = new Accounts(store)
  const dispatch = await createDispatch({
    config,
    service: { store, accounts, queryLimits: config.queryLimits, hashPassword },
    handlers,
    documents: createDocuments(readContractText(), readContract()),
    authenticate: createAuthenticator({
      findAccount: (username) => accounts.find(username),
      anonymous: ANONYMOUS,
    }),
    report,
    observe,
  })
  // Without a path, so that Express neither matches nor decodes anything.
  app.use(dispatch)
  return app
}
