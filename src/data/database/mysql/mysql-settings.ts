/** The settings of a session before its first statement: isolation, locks, plans, and time limits. */
import type { Purpose } from '../connection/connection.ts'
import { isUnknownSetting } from '../connection/failures.ts'
import { Hosts } from './mysql-hosts.ts'
import type { Session } from './mysql-session.ts'
import type { Waits } from '../connection/waits.ts'

/** The store retries by itself, so a statement does not wait for a lock as long as the server's default. */
const LOCK_WAIT_SECONDS = 2

const SETTINGS = [
  `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  `innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`,
]

/**
 * Connects for a purpose, and sets `further` settings, which an engine may lack. Rejects with the driver's error if that
 * fails or takes too long.
 */
export const openSession = (
  databaseUrl: string,
  purpose: Purpose,
  waits: Waits,
  further: readonly string[] = [],
): Promise<Session> => {
  const hosts = Hosts.of(databaseUrl)
  return hosts.open(waits, async (session) => {
    // A view is one snapshot; writers take no gap locks and see what others have committed.
    const isolation = hasViews(purpose) ? 'REPEATABLE READ' : 'READ COMMITTED'
    // For views and for transactions that write, the first statement begins the transaction.
    const autocommit = hasViews(purpose) || purpose === 'write' ? 0 : 1
    await session.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`)
    const settings = [...SETTINGS, `autocommit = ${String(autocommit)}`]
    const wanted = [...engineSettings(purpose, waits), ...further]
    const optional = wanted.filter((setting) => !hosts.refused.has(setting))
    if (!(await isKnown(set(session, [...settings, ...optional])))) {
      await set(session, settings)
      // Each setting by itself: an engine that does not know one may know the others.
      for (const setting of optional)
        if (!(await isKnown(set(session, [setting])))) hosts.refused.add(setting)
    }
    await isKnown(session.identify())
  })
}

const set = (session: Session, settings: readonly string[]): Promise<unknown> =>
  session.query(`SET ${settings.join(', ')}`)

const hasViews = (purpose: Purpose): boolean => purpose === 'read' || purpose === 'scan'

const reads = (purpose: Purpose): boolean => purpose === 'lookup' || hasViews(purpose)

/** Settings that not every engine has, or lets a session change. */
function engineSettings(purpose: Purpose, { statement, longStatement }: Waits): string[] {
  const workMs = purpose === 'scan' ? longStatement : statement
  return [
    // A probe looks up one object after the other by key. The planner would rather read a whole tag first.
    `optimizer_switch = 'semijoin=off,materialization=off'`,
    // MariaDB would turn a long list of keys into a table, and read a whole tag to join it.
    'in_predicate_conversion_threshold = 0',
    // Galera: a view begins with all writes that any node has acknowledged. A single statement that writes looks at
    // permissions, too; certification compares only the rows that it writes.
    `wsrep_sync_wait = ${reads(purpose) ? '1' : '7'}`,
    // Group Replication: the same, also on a primary that was frozen while the others elected another.
    `group_replication_consistency = 'BEFORE'`,
    // A change of a table waits for transactions that have used it, such as a backup, and requests wait for the change. So it
    // gives up before they would.
    ...(purpose === 'migrate' ? ['lock_wait_timeout = 2'] : []),
    // A limit in case the service cannot stop the statement any more. A statement that writes ends with its transaction.
    ...(reads(purpose)
      ? [`max_statement_time = ${String(workMs / 1000)}`, `max_execution_time = ${String(workMs)}`]
      : []),
  ]
}

/** Whether the engine knows the settings in a statement; waits for the statement. */
async function isKnown(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement
    return true
  } catch (error) {
    if (!isUnknownSetting(error)) throw error
    return false
  }
}
