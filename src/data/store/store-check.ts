/** Checks whether the database lets this instance read and write, and whether this version can use its schema. */
import { failureOf } from '../database/connection/failures.ts'
import { openProbe, type Probe } from '../database/probe.ts'
import { TAG_VALUES } from './tables.ts'
import { fitOf } from './versions.ts'

/** The result of each check: `ok`, or the failure. */
export interface StoreFindings {
  readonly database: string
  readonly schema: string
}

/** Checks a store without the connections that serve requests. */
export interface StoreCheck {
  /** Resolves within about two seconds; never rejects. */
  look(): Promise<StoreFindings>
  /** When the certificate that the database showed last ends, in milliseconds since 1970; undefined without TLS. */
  certificateEnds(): number | undefined
  close(): void
}

const LIMIT_MS = 2000

/** The finding about the schema of a database that does not answer. */
export const NOT_KNOWN = 'not known'

/** The statements of requests, with a condition that no row meets. */
const CHANGES = [
  `INSERT INTO ${TAG_VALUES.name} SELECT * FROM ${TAG_VALUES.name} WHERE 1 = 0`,
  `UPDATE ${TAG_VALUES.name} SET size = size WHERE 1 = 0`,
  `DELETE FROM ${TAG_VALUES.name} WHERE 1 = 0`,
]

export function openStoreCheck(databaseUrl: string): StoreCheck {
  const probe = openProbe(databaseUrl, LIMIT_MS)
  return {
    look: async () => {
      try {
        const schema = fitOf(await appliedMigrations(probe)).obstacle ?? 'ok'
        if (schema === 'ok') await tryChanges(probe)
        return { database: 'ok', schema }
      } catch (error) {
        return { database: whatFails(error), schema: NOT_KNOWN }
      }
    },
    certificateEnds: () => probe.certificateEnds(),
    close: () => {
      probe.close()
    },
  }
}

/** Rejects if the database would not let this instance write. If another writer has a lock, that is no refusal. */
async function tryChanges(probe: Probe): Promise<void> {
  try {
    for (const change of CHANGES) await probe.change(change)
  } catch (error) {
    if (failureOf(error) !== 'conflict') throw error
  }
}

/** The names of a store's migrations; empty for a database without tables. Rejects as `ask`. */
export const appliedMigrations = (probe: Probe): Promise<string[]> =>
  column<string>(probe, 'SELECT name AS found FROM knex_migrations')

/** The count of the lock on migrations (`migration-lock.ts`); 0 if it is open. Rejects as `ask`. */
export async function lockCount(probe: Probe): Promise<number> {
  const [count = 0] = await column<number>(probe, 'SELECT is_locked AS found FROM knex_migrations_lock')
  return count
}

/** The column `found` of a statement's rows; empty if there is no such table. */
async function column<T>(probe: Probe, statement: string): Promise<T[]> {
  try {
    const rows = (await probe.ask(statement)) as readonly { found: T }[]
    return rows.map(({ found }) => found)
  } catch (error) {
    if (isWithoutTables(error)) return []
    throw error
  }
}

/** Whether an error, or its cause, says that there is no such table. */
export function isWithoutTables(error: unknown): boolean {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  if (code === 'ER_NO_SUCH_TABLE' || String(message).startsWith('no such table')) return true
  return cause !== undefined && isWithoutTables(cause)
}

/** The driver's message, which has no password in it; after several addresses, the driver has only a code. */
function whatFails(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return [message, code].find((text) => text !== undefined && text !== '') ?? 'unknown'
}
