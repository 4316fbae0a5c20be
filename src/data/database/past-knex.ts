/** Code that bypasses Knex because it runs very often, each with its saving; `Inserts` does so, too. */
import type { RawConnection } from './raw-connection.ts'
import * as sqlite from './sqlite/sqlite.ts'
import type { SqliteDatabase } from './sqlite/sqlite-file.ts'
import type { Bindable, Sql } from './connection/sql.ts'
import { notingNow } from '../../scheduling/usage.ts'

/** A value as drivers take it. */
export const bindable = (value: Bindable): number | Buffer | null =>
  typeof value === 'string' ? Buffer.from(value) : value

/**
 * Runs `work` in one consistent view; does not wait for the end of the view. On SQLite a view begins and ends in 9 µs of
 * processor time; a transaction of Knex, which makes a builder of its own, takes 36.
 */
export async function inView<T>(connection: RawConnection, work: () => Promise<T>): Promise<T> {
  connection.onlyReads = true
  await connection.begin()
  try {
    return await work()
  } finally {
    await connection.rollback()
  }
}

/**
 * A connection to SQLite in this thread, outside the pools. It opens at its first use, and is never in a transaction. To
 * find a row takes 4 µs of processor time, and 14 by `knex.raw` on a connection of the pool.
 */
export class Finder {
  readonly #databaseUrl: string
  #db: SqliteDatabase | undefined
  #find: ReturnType<typeof sqlite.finder> | undefined

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  find({ text, values }: Sql): unknown[] {
    const find = (this.#find ??= this.#open())
    return notingNow(
      () => find({ text, values: values.map(bindable) }),
      (rows) => rows.length,
    )
  }

  close(): void {
    this.#db?.close()
    this.#find = () => {
      throw new Error('the store is closed')
    }
  }

  #open(): ReturnType<typeof sqlite.finder> {
    this.#db = sqlite.open(this.#databaseUrl, 'lookup')
    return sqlite.finder(this.#db)
  }
}
