/** What a session is told before its first statement: how to isolate, lock and plan, and how long to work. */
import type { Purpose } from '../connection/connection.ts'
import { isUnknownSetting } from '../connection/failures.ts'
import { Hosts } from './mysql-hosts.ts'
import type { Session } from './mysql-session.ts'
import type { Waits } from '../connection/waits.ts'

/** The store retries by itself, so a statement need not wait for a lock as long as the server would let it. */
const LOCK_WAIT_SECONDS = 2

const SETTINGS = [
  `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  `innodb_lock_wait_timeout = ${String(LOCK_WAIT_SECONDS)}`,
]

/**
 * The optional settings that the servers of a URL have refused, by URL: every further session is given the others in one
 * statement, since under load each round trip takes long.
 */
const refusedBy = new Map<string, Set<string>>()

/**
 * Connects for a purpose, with `further` settings that not every engine has. Rejects with the driver's error if that fails or
 * takes too long.
 */
export const openSession = (
  databaseUrl: string,
  purpose: Purpose,
  waits: Waits,
  further: readonly string[] = [],
): Promise<Session> =>
  Hosts.of(databaseUrl).open(waits, async (session) => {
    // A view is one snapshot; writers take no gap locks and see what others have committed.
    const isolation = hasViews(purpose) ? 'REPEATABLE READ' : 'READ COMMITTED'
    // Where there are several statements, the first one begins their transaction.
    const autocommit = hasViews(purpose) || purpose === 'write' ? 0 : 1
    await session.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`)
    const settings = [...SETTINGS, `autocommit = ${String(autocommit)}`]
    const refused = refusedBy.get(databaseUrl) ?? new Set()
    refusedBy.set(databaseUrl, refused)
    const wanted = [...engineSettings(purpose, waits), ...further]
    const optional = wanted.filter((setting) => !refused.has(setting))
    if (!(await isKnown(set(session, [...settings, ...optional])))) {
      await set(session, settings)
      // Each by itself: an engine that does not know one may know the others.
      for (const setting of optional) if (!(await isKnown(set(session, [setting])))) refused.add(setting)
    }
    await isKnown(session.identify())
  })

const set = (session: Session, settings: readonly string[]): Promise<unknown> =>
  session.query(`SET ${settings.join(', ')}`)

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
    // Group Replication: the same, also at a primary that was frozen while the others have elected another.
    `group_replication_consistency = 'BEFORE'`,
    // For when nobody here can stop it any more. What writes is stopped by its transaction's end.
    ...(reads(purpose)
      ? [`max_statement_time = ${String(workMs / 1000)}`, `max_execution_time = ${String(workMs)}`]
      : []),
  ]
}

/** Whether the engine knows the settings in a statement, which is waited for. */
async function isKnown(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement
    return true
  } catch (error) {
    if (!isUnknownSetting(error)) throw error
    return false
  }
}
