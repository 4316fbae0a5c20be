/** A connection of its own for one short question, so that whoever asks waits for no pool. */
import { createRequire } from 'node:module'
import { Hosts } from './mysql-hosts.ts'
import type { Session } from './mysql-session.ts'
import { sqlitePath } from './sqlite-file.ts'
import { waitsFor } from './waits.ts'

/** Asks a database the same question again and again, once at a time. */
export interface Probe {
  /** The rows of a statement. Rejects with the driver's error, or if there is no answer in time. */
  ask(text: string): Promise<readonly unknown[]>
  close(): void
}

/** Opens a probe that waits `limitMs` milliseconds for an answer; it connects when it is first asked. */
export function openProbe(databaseUrl: string, limitMs: number): Probe {
  return databaseUrl.startsWith('sqlite:') ? sqliteProbe(databaseUrl) : new MysqlProbe(databaseUrl, limitMs)
}

/** Keeps its connection, so that asking is one round trip, and that others may take all that the server allows. */
class MysqlProbe implements Probe {
  readonly #hosts: Hosts
  readonly #limitMs: number
  #session: Session | undefined
  #closed = false

  constructor(databaseUrl: string, limitMs: number) {
    this.#hosts = Hosts.of(databaseUrl)
    this.#limitMs = limitMs
  }

  async ask(text: string): Promise<readonly unknown[]> {
    const end = performance.now() + this.#limitMs
    try {
      const session = await this.#connected()
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
      this.#drop()
      throw error
    }
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async #connected(): Promise<Session> {
    if (this.#session?.isUsable === true) return this.#session
    this.#drop()
    const session = await this.#hosts.open({ ...waitsFor(0), connect: this.#limitMs })
    this.#session = session
    // Nobody waits for an answer any more.
    if (this.#closed) this.#drop()
    return session
  }

  #drop(): void {
    void this.#session?.close()
    this.#session = undefined
  }
}

/** The parts of better-sqlite3 that are used here; it comes without types. */
interface Database {
  prepare(text: string): { all(): readonly unknown[] }
  close(): void
}

/** Opens the file each time, which takes a fraction of a millisecond: it must still be there, and is not made. */
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
    close: () => undefined,
  }
}
