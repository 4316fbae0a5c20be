/**
 * Slows down password guessing without hindering those who know their password
 * (docs/decisions/0134-workers-and-sign-ins.md).
 */

/** An attempt to sign in with credentials that are not verified yet. Its texts are short, also for a long user name. */
export interface Attempt {
  /** A digest of the user name. */
  readonly name: string
  /** The client, as `networkOf` sees it. */
  readonly network: string
}

/** Admitted, with a ticket for `settle`, or refused, with the seconds after which to try again. */
export type Verdict = { readonly ticket: number } | { readonly retryAfterSeconds: number }

/** Decides which attempts to sign in may cost the hash of a password. */
export interface Throttle {
  /** Waits for attempts under way if their outcome decides. Every ticket must be settled. */
  admit(attempt: Attempt): Promise<Verdict>
  /** Ends an attempt, which counts as failed unless the credentials were right. */
  settle(ticket: number, right: boolean): void
}

const WINDOW_MS = 60_000
const FAILURES_OF_BOTH = 10
const FAILURES_OF_NETWORK = 100
const FAILURES_OF_NAME = 100
/** How many attempts a second a client with many failures gets for names that have not failed yet. */
const TRIALS_OF_NETWORK = 4
/** How many attempts a second a name with many failures gets from all clients together. */
const TRIALS_OF_NAME = 1
/** Bounds the memory: an entry takes some 200 octets, and each attempt makes at most three. */
const MAX_ENTRIES = 50_000
const MAX_WAITING = 1000

/** The attempts of somebody in one window of time. */
interface Tally {
  failures: number
  /** Attempts under way. */
  pending: number
  /** When the next window begins, in milliseconds since the start: the system's clock may be set. */
  readonly until: number
}

/** Failed sign-ins over the last minute, by name and network, by network, and by name. */
export class SignInThrottle implements Throttle {
  readonly #tallies = new Map<string, Tally>()
  readonly #trials = new Map<string, Tally>()
  readonly #tickets = new Map<number, readonly Tally[]>()
  #lastTicket = 0
  #waiting = 0
  #settled = Promise.withResolvers<undefined>()

  /**
   * Refuses after 10 failures a minute of a name from a network. After 100 from a network, other names are admitted only
   * four times a second, and after 100 of a name, that name only once a second, so that guessing cannot take the
   * processor from everybody else. Attempts under way are never taken for failures: further ones wait for them.
   */
  async admit(attempt: Attempt): Promise<Verdict> {
    for (;;) {
      const verdict = this.#judge(attempt, performance.now())
      if (verdict !== undefined) return verdict
      if (this.#waiting >= MAX_WAITING) return { retryAfterSeconds: 1 }
      this.#waiting++
      await this.#settled.promise
      this.#waiting--
    }
  }

  settle(ticket: number, right: boolean): void {
    for (const tally of this.#tickets.get(ticket) ?? []) {
      tally.pending--
      if (!right) tally.failures++
    }
    this.#tickets.delete(ticket)
    this.#settled.resolve(undefined)
    this.#settled = Promise.withResolvers()
  }

  /** Undefined if attempts under way decide. */
  #judge({ name, network }: Attempt, now: number): Verdict | undefined {
    const ofBoth = this.#limitOf(`both ${name} ${network}`, FAILURES_OF_BOTH, now)
    const ofNetwork = this.#limitOf(`network ${network}`, FAILURES_OF_NETWORK, now)
    const ofName = this.#limitOf(`name ${name}`, FAILURES_OF_NAME, now)
    if (ofBoth.isReached) return refusal(ofBoth.tally, now)
    if (ofNetwork.isReached && ofBoth.tally.failures > 0) return refusal(ofNetwork.tally, now)
    const limits = [ofBoth, ofNetwork, ofName]
    if (limits.some(({ isUndecided }) => isUndecided)) return undefined
    const isAdmitted =
      (!ofNetwork.isReached || this.#isTrial(`network ${network}`, TRIALS_OF_NETWORK, now)) &&
      (!ofName.isReached || this.#isTrial(`name ${name}`, TRIALS_OF_NAME, now))
    return isAdmitted ? this.#admission(limits.map(({ tally }) => tally)) : { retryAfterSeconds: 1 }
  }

  #admission(tallies: readonly Tally[]): Verdict {
    const ticket = ++this.#lastTicket
    for (const tally of tallies) tally.pending++
    this.#tickets.set(ticket, tallies)
    return { ticket }
  }

  #limitOf(key: string, most: number, now: number): Limit {
    const tally = tallyOf(this.#tallies, key, now, WINDOW_MS)
    const isReached = tally.failures >= most
    return { tally, isReached, isUndecided: !isReached && tally.failures + tally.pending >= most }
  }

  /** Whether another attempt is admitted this second. */
  #isTrial(key: string, most: number, now: number): boolean {
    const tally = tallyOf(this.#trials, key, now, 1000)
    if (tally.pending >= most) return false
    tally.pending++
    return true
  }
}

/** A tally compared with the most failures that it may have. */
interface Limit {
  readonly tally: Tally
  readonly isReached: boolean
  /** Whether it will be reached if all attempts under way fail. */
  readonly isUndecided: boolean
}

const refusal = ({ until }: Tally, now: number): Verdict => ({
  retryAfterSeconds: Math.ceil((until - now) / 1000),
})

function tallyOf(tallies: Map<string, Tally>, key: string, now: number, windowMs: number): Tally {
  const known = tallies.get(key)
  if (known !== undefined && known.until > now) return known
  const tally = { failures: 0, pending: 0, until: now + windowMs }
  if (tallies.size >= MAX_ENTRIES) sweep(tallies, now)
  // Deleted first, so that entries stay in the order in which they began.
  tallies.delete(key)
  tallies.set(key, tally)
  return tally
}

/**
 * Forgets what has expired and, if that is not enough, the oldest entries: many made-up names must not fill the memory.
 */
function sweep(tallies: Map<string, Tally>, now: number): void {
  for (const [key, { until }] of tallies) if (until <= now) tallies.delete(key)
  for (const key of tallies.keys()) {
    if (tallies.size <= MAX_ENTRIES / 2) break
    tallies.delete(key)
  }
}
