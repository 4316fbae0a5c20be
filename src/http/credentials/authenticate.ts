/**
 * Who a request runs as: HTTP Basic (RFC 7617), with a cheap check for credentials that were right before
 * (docs/decisions/0124-accounts-at-the-beginning.md).
 */
import { hash, randomBytes } from 'node:crypto'
import { ServiceError } from '../../model/errors.ts'
import type { Account } from '../../data/entities/accounts.ts'
import type { Caller } from '../../data/store/views.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { networkOf } from './addresses.ts'
import { Attempts } from './attempts.ts'
import { readCredentials, type Credentials, type VerifiedCredentials } from './credentials.ts'
import type { SecurityEvent } from './security-events.ts'
import type { Throttle } from './throttle.ts'

/** Determines who sends a request, from its `Authorization` header and the client's network address, if that matters. */
export type Authenticate = (authorization: string | undefined, remoteAddress: string) => Promise<Caller>

/** The dependencies of an authenticator. */
export interface SignInOptions {
  /** Looks an account up, as it is now. */
  readonly findAccount: (username: string) => Promise<Account | undefined>
  /** Replaces an account's hash unless it has changed; returns the account with the new one. */
  readonly renewHash: (account: Account, passwordHash: string) => Promise<Account | undefined>
  readonly throttle: Throttle
  /** Whose credentials were right before. */
  readonly verified: VerifiedCredentials
  readonly anonymous: Caller
  /** Receives failed and refused attempts. */
  readonly note: (event: SecurityEvent) => void
  /** Receives faults of the service. */
  readonly report: (message: string, error: unknown) => void
}

/** Creates an `Authenticate`. It throws `WrongCredentials`, `TooManyRequests` and `ServiceUnavailable`. */
export function createAuthenticator(options: SignInOptions): Authenticate {
  const signIns = new SignIns(options)
  return async (authorization, remoteAddress) => {
    if (authorization === undefined) {
      return { ...options.anonymous, network: networkOf(remoteAddress) }
    }
    return signIns.signIn(authorization, remoteAddress)
  }
}

/** Signing in, for one process. */
class SignIns {
  readonly #options: SignInOptions
  readonly #verified: VerifiedCredentials
  readonly #attempts: Attempts
  readonly #nobodysHash = hashPassword(randomBytes(16).toString('hex'))

  constructor(options: SignInOptions) {
    this.#options = options
    this.#verified = options.verified
    this.#attempts = new Attempts(options.throttle)
  }

  /** The account that credentials belong to, looked up for each request: another process may have changed it. */
  async signIn(authorization: string, remoteAddress: string): Promise<Caller> {
    const credentials = readCredentials(authorization)
    const digest = this.#verified.digestOf(authorization)
    const event = { username: credentials.username, address: remoteAddress }
    let wrong: string | undefined
    for (;;) {
      const account = await this.#options.findAccount(credentials.username)
      if (account !== undefined && this.#verified.isRight(digest, account.passwordHash)) return account.caller
      // An unknown user costs as much work as a known one, so that timing does not reveal who exists.
      const passwordHash = account?.passwordHash ?? (await this.#nobodysHash)
      if (passwordHash === wrong) {
        this.#options.note({ event: 'sign-in failed', ...event })
        throw new ServiceError('WrongCredentials')
      }
      const attempt = { name: digestOfName(credentials.username), network: networkOf(remoteAddress) }
      try {
        await this.#attempts.make(`${digest} ${passwordHash}`, attempt, () =>
          this.#isRight(credentials, digest, account),
        )
      } catch (error) {
        if (error instanceof ServiceError && error.errorClass === 'TooManyRequests')
          this.#options.note({ event: 'sign-in refused', ...event })
        throw error
      }
      wrong = passwordHash
    }
  }

  /**
   * Whether the password is right, which is then remembered. A password that is wrong is compared again if the stored
   * hash has changed meanwhile: it may be the new one.
   */
  async #isRight(
    { username, password }: Credentials,
    digest: string,
    found: Account | undefined,
  ): Promise<boolean> {
    for (let account = found; ;) {
      const compared = account?.passwordHash ?? (await this.#nobodysHash)
      if ((await verifyPassword(password, compared)) && account !== undefined) {
        this.#verified.add(digest, account.passwordHash)
        if (isOutdated(compared)) void this.#renew(password, digest, account)
        return true
      }
      const current = await this.#options.findAccount(username)
      if (current?.passwordHash === account?.passwordHash) return false
      account = current
    }
  }

  /** Hashes a password again with today's parameters, which needs the password of a sign-in. No request waits for it. */
  async #renew(password: string, digest: string, account: Account): Promise<void> {
    try {
      const renewed = await this.#options.renewHash(account, await hashPassword(password))
      if (renewed !== undefined) this.#verified.add(digest, renewed.passwordHash)
    } catch (error) {
      this.#options.report('renewing the hash of a password', error)
    }
  }
}

/** Short, and the same for all spellings of a name. */
const digestOfName = (username: string): string => hash('sha256', username.toLowerCase(), 'base64')
