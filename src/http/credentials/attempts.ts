/** Attempts to sign in with credentials that are not verified yet. */
import { ServiceError } from '../../model/errors.ts'
import type { Attempt, Throttle } from './throttle.ts'

/** Attempts of this process, as far as the throttle admits them. */
export class Attempts {
  readonly #throttle: Throttle
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(throttle: Throttle) {
    this.#throttle = throttle
  }

  /**
   * Makes an attempt: `isRight` finds out whether the credentials are right. Attempts with the same `key` at the same
   * time are one, so a client that starts with many requests at once signs in once. Throws `TooManyRequests`.
   */
  make(key: string, attempt: Attempt, isRight: () => Promise<boolean>): Promise<void> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const made = this.#admitted(attempt, isRight).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, made)
    return made
  }

  async #admitted(attempt: Attempt, isRight: () => Promise<boolean>): Promise<void> {
    const verdict = await this.#throttle.admit(attempt)
    if (!('ticket' in verdict)) throw new ServiceError('TooManyRequests', {}, verdict)
    // An error while the password is checked does not count as a failed sign-in.
    let failed = false
    try {
      failed = !(await isRight())
    } finally {
      this.#throttle.settle(verdict.ticket, !failed)
    }
  }
}
