/** Slows down guessing of passwords, without getting in the way of those who know theirs (S 5, S 7). */
import { ServiceError } from '../errors.ts'

const WINDOW_MS = 60_000
const FAILURES_OF_ONE_NAME = 10
const FAILURES_OF_ONE_ADDRESS = 100
/** Names that have not failed yet may be tried from a suspicious address, this often. */
const TRIALS_A_SECOND = 4
const MOST_ENTRIES = 20_000

interface Count {
  count: number
  /** When it starts again from nothing, in milliseconds since 1970. */
  readonly until: number
}

/** Failed sign-ins by address, and by address and user name, over the last minute. */
export class SignInThrottle {
  readonly #failures = new Map<string, Count>()
  readonly #trials = new Map<string, Count>()

  /**
   * Lets one more attempt with unverified credentials through, and counts it as failed until the function that comes
   * back is called: attempts that are under way at the same time count, too. Throws `TooManyRequests` after 10
   * failures a minute of that user name from that address; after 100 from the address, other names are let through a
   * few times a second, so that guessing cannot take the processor from everybody else.
   */
  admit(address: string, username: string): () => void {
    const now = Date.now()
    const ofName = this.#failures.get(keyOf(address, username))
    if (isLive(ofName, now) && ofName.count >= FAILURES_OF_ONE_NAME) throw refusal(ofName, now)
    const ofAddress = this.#failures.get(address)
    if (isLive(ofAddress, now) && ofAddress.count >= FAILURES_OF_ONE_ADDRESS) {
      if (isLive(ofName, now) && ofName.count > 0) throw refusal(ofAddress, now)
      if (increment(this.#trials, address, now, 1000).count > TRIALS_A_SECOND) throw refusal(ofAddress, now)
    }
    const counted = [address, keyOf(address, username)].map((key) =>
      increment(this.#failures, key, now, WINDOW_MS),
    )
    return () => {
      for (const entry of counted) entry.count--
    }
  }
}

const keyOf = (address: string, username: string): string => `${address} ${username}`

const isLive = (entry: Count | undefined, now: number): entry is Count =>
  entry !== undefined && entry.until > now

const refusal = (entry: Count, now: number): ServiceError =>
  new ServiceError('TooManyRequests', {}, { retryAfterSeconds: Math.ceil((entry.until - now) / 1000) })

function increment(counts: Map<string, Count>, key: string, now: number, windowMs: number): Count {
  const known = counts.get(key)
  const entry = isLive(known, now) ? known : { count: 0, until: now + windowMs }
  if (entry !== known) {
    if (counts.size >= MOST_ENTRIES) sweep(counts, now)
    // Deleted first, so that the order of entries is that of their beginnings.
    counts.delete(key)
    counts.set(key, entry)
  }
  entry.count++
  return entry
}

/** Forgets what is over, and if that is not enough the oldest half: many made-up names must not fill the memory. */
function sweep(counts: Map<string, Count>, now: number): void {
  for (const [key, entry] of counts) if (!isLive(entry, now)) counts.delete(key)
  for (const key of counts.keys()) {
    if (counts.size <= MOST_ENTRIES / 2) break
    counts.delete(key)
  }
}
