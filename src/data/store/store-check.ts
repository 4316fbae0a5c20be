/** Whether the database answers, and whether this version works on its schema. */
import { openProbe, type Probe } from '../database/probe.ts'
import { MIGRATION_NAMES, newer, tooNew } from './migrate.ts'

/** What was found: for each check `ok`, or what fails. */
export interface StoreFindings {
  readonly database: string
  readonly schema: string
}

/** Looks at a store, without the connections that serve requests. */
export interface StoreCheck {
  /** Resolves within about two seconds; never rejects. */
  look(): Promise<StoreFindings>
  close(): void
}

const LIMIT_MS = 2000

export function openStoreCheck(databaseUrl: string): StoreCheck {
  const probe = openProbe(databaseUrl, LIMIT_MS)
  return {
    look: async () => {
      try {
        return { database: 'ok', schema: schemaFinding(await appliedMigrations(probe)) }
      } catch (error) {
        return { database: whatFails(error), schema: 'not known' }
      }
    },
    close: () => {
      probe.close()
    },
  }
}

/** The names of the migrations of a store; none of a database without tables. Rejects as `ask`. */
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

/** The driver's words, which have no password in them; where it has tried several addresses, it has only a code. */
function whatFails(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return [message, code].find((text) => text !== undefined && text !== '') ?? 'unknown'
}
