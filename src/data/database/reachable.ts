/** Waiting for a database server that has not started yet. */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitingHelps } from './failures.ts'
import { Hosts } from './mysql-hosts.ts'
import { waitsFor } from './waits.ts'

const PAUSE_MS = 1000

/**
 * Resolves once a server of a database URL can be reached; `told` gets the reason each time that it cannot. Rejects
 * with the reason after `waitMs` milliseconds, and at once if it is one that waiting does not help, such as a password.
 */
export async function untilReachable(
  databaseUrl: string,
  waitMs: number,
  told: (reason: unknown) => void,
): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) return
  const waits = waitsFor(0)
  const end = performance.now() + waitMs
  for (;;) {
    const begin = performance.now()
    // The last attempt has the time that a single one would have.
    const connect = Math.min(waits.aside, Math.max(end - begin, PAUSE_MS))
    try {
      const session = await Hosts.of(databaseUrl).open({ ...waits, connect })
      void session.close()
      return
    } catch (error) {
      const now = performance.now()
      if (!waitingHelps(error) || now >= end) throw error
      told(error)
      await sleep(Math.max(0, Math.min(begin + PAUSE_MS, end) - now))
    }
  }
}
