/** A connection of its own for one short question, so that whoever asks waits for no pool. */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Connection as Driver } from 'mysql2'
import { mysqlOptions } from './mysql-address.ts'
import { createConnection } from './mysql-driver.ts'
import { sqlitePath } from './sqlite.ts'

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
  readonly #databaseUrl: string
  readonly #limitMs: number
  #driver: Driver | undefined

  constructor(databaseUrl: string, limitMs: number) {
    this.#databaseUrl = databaseUrl
    this.#limitMs = limitMs
  }

  ask(text: string): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const driver = this.#connected()
      const tooLate = setTimeout(() => {
        this.#drop(driver)
        reject(new Error(`no answer within ${String(this.#limitMs)} ms`))
      }, this.#limitMs)
      driver.query(text, (error, rows) => {
        clearTimeout(tooLate)
        if (error === null) {
          resolve(rows as unknown[])
        } else {
          this.#drop(driver)
          reject(error)
        }
      })
    })
  }

  close(): void {
    if (this.#driver !== undefined) this.#drop(this.#driver)
  }

  #connected(): Driver {
    if (this.#driver !== undefined) return this.#driver
    const driver = createConnection(mysqlOptions(this.#databaseUrl))
    driver.on('error', () => {
      this.#drop(driver)
    })
    this.#driver = driver
    return driver
  }

  #drop(driver: Driver): void {
    if (this.#driver === driver) this.#driver = undefined
    driver.destroy()
    // The driver only ends its half of the connection, and a server that stands still would never end the other.
    ;(driver as Driver & { readonly stream: Socket }).stream.destroy()
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
