/** What a session is told before its first statement: how to isolate, lock and plan, and how long to work. */
import type { Purpose } from './connection.ts'
import { isUnknownSetting } from './failures.ts'
import { Hosts } from './mysql-hosts.ts'
import type { Session } from './mysql-session.ts'
import type { Waits } from './waits.ts'

/** The store retries by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2

const SETTINGS = [
  `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  `innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`,
]

/** Connects for a purpose. Rejects with the driver's error if that fails or takes too long. */
export const openSession = (databaseUrl: string, purpose: Purpose, waits: Waits): Promise<Session> =>
  Hosts.of(databaseUrl).open(waits, async (session) => {
    // A view is one snapshot; writers take no gap locks and see what others have committed.
    const isolation = hasViews(purpose) ? 'REPEATABLE READ' : 'READ COMMITTED'
    // Where there are several statements, the first one begins their transaction.
    const autocommit = hasViews(purpose) || purpose === 'write' ? 0 : 1
    await session.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`)
    await session.query(`SET ${[...SETTINGS, `autocommit = ${String(autocommit)}`].join(', ')}`)
    // Each by itself: an engine that does not know one may know the others.
    for (const setting of engineSettings(purpose, waits)) await ifKnown(session.query(`SET ${setting}`))
    await ifKnown(session.identify())
  })

const hasViews = (purpose: Purpose): boolean => purpose === 'read' || purpose === 'scan'

const reads = (purpose: Purpose): boolean => purpose === 'glance' || hasViews(purpose)

/** Settings that not every engine has, or lets a session change. */
function engineSettings(purpose: Purpose, { statement, longStatement }: Waits): string[] {
  const workMs = purpose === 'scan' ? longStatement : statement
  return [
    // Probes look up one object after the other by key. The planner would rather read a whole tag first.
    `optimizer_switch = 'semijoin=off,materialization=off'`,
    // MariaDB would turn a long list of keys into a table, and read a whole tag to join it.
    'in_predicate_conversion_threshold = 0',
    // Galera: a view begins with all that was acknowledged anywhere. A statement that writes by itself looks at
    // permissions, too; certification compares only the rows that it writes.
    `wsrep_sync_wait = ${reads(purpose) ? '1' : '7'}`,
    // For when nobody here can stop it any more. What writes is stopped by its transaction's end.
    ...(reads(purpose)
      ? [`max_statement_time = ${String(workMs / 1000)}`, `max_execution_time = ${String(workMs)}`]
      : []),
  ]
}

/** Waits for a statement; that the engine does not have a setting in it is no failure. */
async function ifKnown(statement: Promise<unknown>): Promise<void> {
  try {
    await statement
  } catch (error) {
    if (!isUnknownSetting(error)) throw error
  }
}
