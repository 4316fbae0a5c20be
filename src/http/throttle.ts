/**
 * Slows down password guessing without hindering those who know their password
 * (docs/decisions/0011-sign-in-throttle.md).
 */
import { ServiceError } from '../errors.ts'

const WINDOW_MS = 60_000
const FAILURES_OF_ONE_NAME = 10
const FAILURES_OF_ONE_ADDRESS = 100
/** How many attempts per second an address with many failures gets for names that have not failed yet. */
const TRIALS_A_SECOND = 4
const MAX_ENTRIES = 20_000

interface Count {
  count: number
  /** When the count starts again from zero, in milliseconds since 1970. */
  readonly until: number
}

/** Failed sign-ins over the last minute, by remote address, and by remote address and user name. */
export class SignInThrottle {
  readonly #failures = new Map<string, Count>()
  readonly #trials = new Map<string, Count>()

  /**
   * Admits one more attempt with unverified credentials. It counts as failed until the returned function is called, so
   * that parallel attempts count, too. Throws `TooManyRequests` after 10 failures a minute for that user name from that
   * address. After 100 failures from the address, other names are admitted only a few times a second, so that guessing
   * cannot take the processor from everybody else.
   */
  admit(remoteAddress: string, username: string): () => void {
    const now = Date.now()
    const ofName = this.#failures.get(keyOf(remoteAddress, username))
    if (isLive(ofName, now) && ofName.count >= FAILURES_OF_ONE_NAME) throw refusal(ofName, now)
    const ofAddress = this.#failures.get(remoteAddress)
    if (isLive(ofAddress, now) && ofAddress.count >= FAILURES_OF_ONE_ADDRESS) {
      if (isLive(ofName, now) && ofName.count > 0) throw refusal(ofAddress, now)
      if (increment(this.#trials, remoteAddress, now, 1000).count > TRIALS_A_SECOND)
        throw refusal(ofAddress, now)
    }
    const counted = [remoteAddress, keyOf(remoteAddress, username)].map((key) =>
      increment(this.#failures, key, now, WINDOW_MS),
    )
    return () => {
      for (const entry of counted) entry.count--
    }
  }
}

const keyOf = (remoteAddress: string, username: string): string => `${remoteAddress} ${username}`

const isLive = (entry: Count | undefined, now: number): entry is Count =>
  entry !== undefined && entry.until > now

const refusal = (entry: Count, now: number): ServiceError =>
  new ServiceError('TooManyRequests', {}, { retryAfterSeconds: Math.ceil((entry.until - now) / 1000) })

function increment(counts: Map<string, Count>, key: string, now: number, windowMs: number): Count {
  const known = counts.get(key)
  const entry = isLive(known, now) ? known : { count: 0, until: now + windowMs }
  if (entry !== known) {
    if (counts.size >= MAX_ENTRIES) sweep(counts, now)
    // Deleted first, so that entries stay in the order in which they began.
    counts.delete(key)
    counts.set(key, entry)
  }
  entry.count++
  return entry
}

/**
 * Forgets what has expired and, if that is not enough, the oldest entries: many made-up names must not fill the memory.
 */
function sweep(counts: Map<string, Count>, now: number): void {
  for (const [key, entry] of counts) if (!isLive(entry, now)) counts.delete(key)
  for (const key of counts.keys()) {
    if (counts.size <= MAX_ENTRIES / 2) break
    counts.delete(key)
  }
}
