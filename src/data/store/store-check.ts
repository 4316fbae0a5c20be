/** Checks whether the database lets this instance read and write, and whether this version can use its schema. */
import { failureOf } from '../database/connection/failures.ts'
import { openProbe, type Probe } from '../database/probe.ts'
import { MIGRATION_NAMES, newer, tooNew } from './migrate.ts'
import { TAG_VALUES } from './tables.ts'

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
        const schema = schemaFinding(await appliedMigrations(probe))
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
export async function appliedMigrations(probe: Probe): Promise<string[]> {
  try {
    const rows = (await probe.ask('SELECT name FROM knex_migrations')) as readonly { name: string }[]
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isWithoutTables(error)) return []
    throw error
  }
}

function schemaFinding(done: readonly string[]): string {
  if (done.length === 0) return 'there is none yet'
  const unknown = tooNew(done)
  if (unknown.length > 0) return newer(unknown)
  const missing = MIGRATION_NAMES.filter((name) => !done.includes(name))
  return missing.length === 0 ? 'ok' : `older than this version: it lacks ${missing.join(', ')}`
}

function isWithoutTables(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ER_NO_SUCH_TABLE' || String(message).startsWith('no such table')
}

/** The driver's message, which has no password in it; after several addresses, the driver has only a code. */
function whatFails(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return [message, code].find((text) => text !== undefined && text !== '') ?? 'unknown'
}
