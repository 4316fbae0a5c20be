/** The security log: one line for each event, on standard error. */
import { isIP } from 'node:net'
import type { SecurityEvent } from './http/security-events.ts'

const WINDOW_MS = 60_000
/** The most lines a minute about one user and address, and of one kind. */
const MOST_OF_ONE = 10
const MOST_OF_A_KIND = 300
const MAX_NAME = 128

/** The line for an event. User names are percent-encoded, and cut off after 128 characters. */
export function securityLine(entry: SecurityEvent): string {
  const about = 'address' in entry ? `from ${addressText(entry.address)}` : `by ${nameText(entry.by)}`
  return `security: ${entry.event}, user ${nameText(entry.username)}, ${about}`
}

const nameText = (username: string): string => encodeURIComponent(username.toWellFormed()).slice(0, MAX_NAME)

/** What a proxy passed on need not be an address. */
const addressText = (address: string): string => (isIP(address) === 0 ? nameText(address) : address)

/**
 * Logs events with `write`, a line each. Whoever makes many cannot fill the disk: of the same line, only the first 10 a
 * minute are written, and of one kind the first 300; how many were left out is written after the minute.
 */
export function securityLog(write: (line: string) => void): (event: SecurityEvent) => void {
  /** How often each line and, below its name, each kind was seen this minute. */
  let seen = new Map<string, number>()
  let leftOut = new Map<string, number>()

  const endMinute = (): void => {
    for (const [kind, count] of leftOut) write(`security: ${kind}, ${String(count)} more in the last minute`)
    seen = new Map()
    leftOut = new Map()
  }
  return (entry) => {
    if (seen.size === 0) setTimeout(endMinute, WINDOW_MS).unref()
    const line = securityLine(entry)
    if (count(seen, entry.event) <= MOST_OF_A_KIND && count(seen, line) <= MOST_OF_ONE) write(line)
    else count(leftOut, entry.event)
  }
}

function count(counts: Map<string, number>, key: string): number {
  const now = (counts.get(key) ?? 0) + 1
  counts.set(key, now)
  return now
}
