/** The entries of the log for security events, and their limits. */
import { isIP } from 'node:net'
import type { SecurityEvent } from '../http/credentials/security-events.ts'

const WINDOW_MS = 60_000
/** How many entries about one user and address, and of one kind, are written per minute. */
const MOST_OF_ONE = 10
const MOST_OF_A_KIND = 300
const MAX_NAME = 128

/** The entry of an event; `more` counts the entries of its kind that were left out in the last minute. */
export interface SecurityEntry {
  readonly event: SecurityEvent['event']
  readonly username?: string
  readonly address?: string
  readonly by?: string
  readonly more?: number
}

/** The entry of an event. User names are percent-encoded, and cut off after 128 characters. */
export function securityEntry(event: SecurityEvent): SecurityEntry {
  const about = 'address' in event ? { address: addressText(event.address) } : { by: nameText(event.by) }
  return { event: event.event, username: nameText(event.username), ...about }
}

const nameText = (username: string): string =>
  // The part that is cut off is not encoded: it may be 64 KiB.
  encodeURIComponent(username.slice(0, MAX_NAME).toWellFormed()).slice(0, MAX_NAME)

/** The address comes from a proxy, so it may be any text. */
const addressText = (address: string): string => (isIP(address) === 0 ? nameText(address) : address)

/**
 * Passes entries on to `write`, but not so many that a client could fill the disk: of equal entries only the first 10 a
 * minute, and of one kind the first 300. After the minute it writes how many were left out.
 */
export function fewOfEach(write: (entry: SecurityEntry) => void): (entry: SecurityEntry) => void {
  /** How often each entry and each kind was seen this minute. */
  let seen = new Map<string, number>()
  let leftOut = new Map<SecurityEvent['event'], number>()

  const endMinute = (): void => {
    for (const [event, more] of leftOut) write({ event, more })
    seen = new Map()
    leftOut = new Map()
  }
  return (entry) => {
    if (seen.size === 0) setTimeout(endMinute, WINDOW_MS).unref()
    const { event } = entry
    if (count(seen, event) <= MOST_OF_A_KIND && count(seen, JSON.stringify(entry)) <= MOST_OF_ONE)
      write(entry)
    else count(leftOut, event)
  }
}

function count<K>(counts: Map<K, number>, key: K): number {
  const now = (counts.get(key) ?? 0) + 1
  counts.set(key, now)
  return now
}
