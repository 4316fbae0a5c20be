/** Waits for a database server that has not started yet, or that stops while the service starts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.ts'
import { failureOf, waitingHelps } from './connection/failures.ts'
import { Hosts } from './mysql/mysql-hosts.ts'
import { waitsFor, type Waits } from './connection/waits.ts'

const PAUSE_MS = 1000

/**
 * Runs `work` once a server of a database URL can be reached, and again from the beginning if the connection is lost
 * meanwhile; calls `onRetry` with the reason each time. Rejects with the reason after `waitMs` milliseconds, and at once if
 * waiting does not help, as for a wrong password.
 */
export async function onceReachable<T>(
  databaseUrl: string,
  waitMs: number,
  onRetry: (reason: unknown) => void,
  work: () => Promise<T>,
): Promise<T> {
  if (databaseUrl.startsWith('sqlite:')) return work()
  const waits = waitsFor(0)
  const end = performance.now() + waitMs
  for (;;) {
    const begin = performance.now()
    try {
      // The last attempt has as much time as a single attempt would have.
      await reach(databaseUrl, { ...waits, connect: Math.min(waits.aside, Math.max(end - begin, PAUSE_MS)) })
      return await work()
    } catch (error) {
      const now = performance.now()
      const { reason, passes } = reasonOf(error)
      if (!passes || now >= end) throw reason
      onRetry(reason)
      await sleep(Math.max(0, Math.min(begin + PAUSE_MS, end) - now))
    }
  }
}

async function reach(databaseUrl: string, waits: Waits): Promise<void> {
  const session = await Hosts.of(databaseUrl).open(waits)
  void session.close()
}

/** The driver's error, and whether its reason may pass by itself. */
function reasonOf(error: unknown): { readonly reason: unknown; readonly passes: boolean } {
  if (!(error instanceof ServiceError)) return { reason: error, passes: waitingHelps(error) }
  const reason = error.cause ?? error
  return { reason, passes: error.errorClass === 'ServiceUnavailable' && failureOf(reason) !== 'refused' }
}
