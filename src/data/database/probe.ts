/**
 * A separate connection for one short question, so that the caller waits for no pool. It opens as the connections of the
 * pools do.
 */
import { createRequire } from 'node:module'
import { certificateEnd } from './mysql/certificates.ts'
import type { Session } from './mysql/mysql-session.ts'
import { openSession } from './mysql/mysql-settings.ts'
import { openFile, sqlitePath } from './sqlite/sqlite-file.ts'
import { waitsFor } from './connection/waits.ts'

/** Sends the same question to a database repeatedly, one at a time. */
export interface Probe {
  /** The rows of a statement. Rejects with the driver's error, or if the database does not answer in time. */
  ask(text: string): Promise<readonly unknown[]>
  /** Runs a statement that changes no row, to see whether the database would let it. Rejects as `ask`. */
  change(text: string): Promise<void>
  /** When the certificate that the server showed last ends, in milliseconds since 1970; undefined without TLS. */
  certificateEnds(): number | undefined
  close(): void
}

/** Opens a probe that waits `limitMs` milliseconds for an answer; it connects when it is first asked. */
export function openProbe(databaseUrl: string, limitMs: number): Probe {
  return databaseUrl.startsWith('sqlite:') ? sqliteProbe(databaseUrl) : new MysqlProbe(databaseUrl, limitMs)
}

/** After how long the probe reconnects, in milliseconds: an open connection outlives a change of the password. */
const SIGN_IN_MS = 3000

/** If another session holds a lock, as for a backup, the change waits for no longer than a second. */
const IMPATIENT = ['lock_wait_timeout = 1']

/**
 * Keeps its connection for a while, so that a question takes one round trip. It closes this connection before it opens the
 * next one, so that there is room for it on a server that is full of the service's own connections.
 */
class MysqlProbe implements Probe {
  readonly #databaseUrl: string
  readonly #limitMs: number
  #session: Session | undefined
  #since = 0
  #certificateEnds: number | undefined
  #closed = false

  constructor(databaseUrl: string, limitMs: number) {
    this.#databaseUrl = databaseUrl
    this.#limitMs = limitMs
  }

  async ask(text: string): Promise<readonly unknown[]> {
    const end = performance.now() + this.#limitMs
    try {
      const session = await this.#connected(end)
      const tooLate = setTimeout(
        () => {
          session.end(new Error(`no answer within ${String(this.#limitMs)} ms`))
        },
        Math.max(0, end - performance.now()),
      )
      return await session.query(text).finally(() => {
        clearTimeout(tooLate)
      })
    } catch (error) {
      void this.#drop()
      throw error
    }
  }

  async change(text: string): Promise<void> {
    await this.ask(text)
  }

  certificateEnds(): number | undefined {
    return this.#certificateEnds
  }

  close(): void {
    this.#closed = true
    void this.#drop()
  }

  async #connected(end: number): Promise<Session> {
    if (this.#session?.isUsable === true && performance.now() - this.#since < SIGN_IN_MS) return this.#session
    await this.#drop()
    const waits = { ...waitsFor(0), connect: Math.max(0, end - performance.now()) }
    const session = await openSession(this.#databaseUrl, 'row', waits, IMPATIENT)
    this.#session = session
    this.#certificateEnds = certificateEnd(session.driver)
    this.#since = performance.now()
    // The probe was closed meanwhile, so no caller waits for an answer.
    if (this.#closed) void this.#drop()
    return session
  }

  async #drop(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.close()
  }
}

/** The parts of better-sqlite3 that this file uses; the package has no types. */
interface Database {
  prepare(text: string): { all(): readonly unknown[] }
  close(): void
}

/** Opens the file for each question, in a fraction of a millisecond: the file must still exist, and is not created. */
function sqliteProbe(databaseUrl: string): Probe {
  const Open = createRequire(import.meta.url)('better-sqlite3') as new (
    file: string,
    options: object,
  ) => Database
  return {
    ask: async (text) => {
      const database = new Open(sqlitePath(databaseUrl), { readonly: true, timeout: 50 })
      try {
        return database.prepare(text).all()
      } finally {
        database.close()
      }
    },
    change: async (text) => {
      const database = openFile(databaseUrl, { mayCreate: false })
      try {
        database.pragma('busy_timeout = 0')
        database.prepare(text).run()
      } finally {
        database.close()
      }
    },
    certificateEnds: () => undefined,
    close: () => undefined,
  }
}
