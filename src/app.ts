/** The application: the store and the handlers behind one listener for requests. */
import type { RequestListener } from 'node:http'
import type { Config } from './config.ts'
import type { Store } from './data/store/store.ts'
import { findAccount, renewHash, type Account } from './data/things/accounts.ts'
import { ANONYMOUS } from './data/things/users.ts'
import { handlers } from './handlers/index.ts'
import { consoleOnDemand, documentsOnDemand } from './documents/on-demand.ts'
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
): Promise<RequestListener> {
  const { queryLimits, maxWriteBytes, minPasswordLength } = config
  return createDispatch({
    config,
    service: { store, queryLimits, maxWriteBytes, hashPassword, minPasswordLength, note },
    handlers,
    documents: documentsOnDemand({ readText: readContractText, read: readContract }),
    console: consoleOnDemand,
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
}
