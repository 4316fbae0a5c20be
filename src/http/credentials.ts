/** Checks credentials: from memory if they were right before, else by hashing the password. */
import { hash, randomBytes } from 'node:crypto'
import { verifyPassword } from '../passwords.ts'
import { SignInThrottle } from './throttle.ts'

/** A user name and a password as sent, and the hash that the password should match. */
export interface Credentials {
  readonly username: string
  readonly password: string
  readonly passwordHash: string
}

const MAX_REMEMBERED = 10_000

/**
 * Digests of credentials that were right before: a check takes microseconds instead of 25 ms for a hash. A digest
 * covers the stored hash, so that a changed password stops working at once, whichever process changed it.
 */
export class VerifiedCredentials {
  // It never leaves the process, and without it nobody can test guesses against a digest.
  readonly #secret = randomBytes(32).toString('hex')
  readonly #digests = new Set<string>()

  /** The digest that represents credentials here. */
  digestOf({ username, password, passwordHash }: Credentials): string {
    return hash('sha256', JSON.stringify([this.#secret, username, password, passwordHash]), 'base64')
  }

  has(digest: string): boolean {
    return this.#digests.has(digest)
  }

  add(digest: string): void {
    if (this.#digests.size >= MAX_REMEMBERED) this.#digests.clear()
    this.#digests.add(digest)
  }
}

/** Attempts to sign in with credentials that are not verified yet. */
export class Attempts {
  readonly #throttle = new SignInThrottle()
  readonly #verified: VerifiedCredentials
  readonly #underWay = new Map<string, Promise<boolean>>()

  constructor(verified: VerifiedCredentials) {
    this.#verified = verified
  }

  /**
   * Whether the credentials with this digest are right. A client that starts with many requests at once signs in once,
   * not many times. Throws `TooManyRequests`.
   */
  isRight(digest: string, credentials: Credentials, remoteAddress: string): Promise<boolean> {
    const underWay = this.#underWay.get(digest)
    if (underWay !== undefined) return underWay
    const succeeded = this.#throttle.admit(remoteAddress, credentials.username)
    const attempt = this.#verify(digest, credentials, succeeded)
    this.#underWay.set(digest, attempt)
    void attempt.catch(() => false).then(() => this.#underWay.delete(digest))
    return attempt
  }

  async #verify(digest: string, credentials: Credentials, succeeded: () => void): Promise<boolean> {
    const right = await verifyPassword(credentials.password, credentials.passwordHash)
    if (right) {
      succeeded()
      this.#verified.add(digest)
    }
    return right
  }
}
