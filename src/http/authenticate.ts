/** Who a request runs as: HTTP Basic (RFC 7617), with a cheap check for credentials that were right before. */
import { randomBytes } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import type { Account } from '../data/things/users.ts'
import type { Caller } from '../data/store/views.ts'
import { hashPassword } from '../passwords.ts'
import { networkOf } from './addresses.ts'
import { Attempts, VerifiedCredentials } from './credentials.ts'

/** Determines who a request runs as, from its `Authorization` header and the client's network address. */
export type Authenticate = (authorization: string | undefined, remoteAddress: string) => Promise<Caller>

/** Creates an `Authenticate`. It throws `WrongCredentials` and `TooManyRequests`. */
export function createAuthenticator(options: {
  readonly findAccount: (username: string) => Promise<Account | undefined>
  readonly anonymous: Caller
}): Authenticate {
  const verified = new VerifiedCredentials()
  const attempts = new Attempts(verified)
  const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

  return async (authorization, remoteAddress) => {
    if (authorization === undefined) return { ...options.anonymous, network: networkOf(remoteAddress) }
    const { username, password } = readCredentials(authorization)
    const account = await options.findAccount(username)
    // An unknown user costs as much work as a known one, so that timing does not reveal who exists.
    const passwordHash = account?.passwordHash ?? (await nobodysHash)
    const name = account?.caller.username ?? username.toLowerCase()
    const credentials = { username: name, password, passwordHash }
    const digest = verified.digestOf(credentials)
    if (account !== undefined && verified.has(digest)) return account.caller
    const right = await attempts.isRight(digest, credentials, remoteAddress)
    if (account === undefined || !right) throw new ServiceError('WrongCredentials')
    return account.caller
  }
}

/** The user name and password of an `Authorization` header. Throws `WrongCredentials`. */
function readCredentials(authorization: string): { username: string; password: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  const text = Buffer.from(encoded ?? '', 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw new ServiceError('WrongCredentials')
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
