/** Knex's clients for both kinds of database, on the service's own connections: to servers, in threads, in this thread. */
import { createRequire } from 'node:module'
import type { knex } from 'knex'
import type { Connection as MysqlDriver } from 'mysql2'
import type { Command, Execute } from './connection/connection.ts'
import type { Demotion } from './demotion.ts'
import { Hosts } from './mysql/mysql-hosts.ts'
import type { Session } from './mysql/mysql-session.ts'
import { openSession } from './mysql/mysql-settings.ts'
import * as mysql from './mysql/mysql.ts'
import { bindable } from './past-knex.ts'
import { RawConnection, type Driver } from './raw-connection.ts'
import type { Bindable } from './connection/sql.ts'
import * as sqlite from './sqlite/sqlite.ts'
import type { SqliteDatabase } from './sqlite/sqlite-file.ts'
import type { Opening } from './threads/thread-messages.ts'
import { ConnectionThread } from './threads/threads.ts'

/** The `connection` settings of a client. */
export interface ClientOpening extends Opening {
  readonly demotion: Demotion
  /** Whether connections run in threads of their own. */
  readonly inThread: boolean
}

/** Runs commands: a connection of the pool, or the view of a request on one. */
interface Runner {
  readonly do: (command: Command) => Promise<unknown>
}

/** A statement as Knex's compilers make it. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly Bindable[]
  /** The builder's method, such as `select`, `first` or `del`. */
  readonly method?: string
  /** The column of `pluck`. */
  readonly pluck?: string
  /** The argument of `options()`: parts of the command. */
  readonly options?: object
}

/** A statement with the result of its command. */
interface Answered extends Query {
  readonly result: unknown
}

const dialect = (name: string): typeof knex.Client =>
  createRequire(import.meta.url)(`knex/lib/dialects/${name}/index.js`) as typeof knex.Client

const Sqlite = dialect('better-sqlite3')
const Mysql = dialect('mysql2')

/** A dialect of Knex whose statements run on the service's own connections. */
const onOwnConnections = (Dialect: typeof knex.Client): typeof knex.Client =>
  class extends Dialect {
    override async acquireRawConnection(): Promise<RawConnection> {
      const opening = this.connectionSettings as ClientOpening
      const isSqlite = opening.databaseUrl.startsWith('sqlite:')
      return new RawConnection(await driverOf(opening, isSqlite), isSqlite, opening.demotion)
    }

    override destroyRawConnection(connection: RawConnection): Promise<void> {
      return connection.close()
    }

    override validateConnection(connection: RawConnection): Promise<boolean> {
      return Promise.resolve(connection.isUsable)
    }

    /** Passes errors on unchanged: Knex would put the text of the statement before each message. */
    override query(connection: Runner, query: string | Query): Promise<Answered> {
      const statement = typeof query === 'string' ? { sql: query } : query
      this.emit('query', statement)
      return this._query(connection, statement)
    }

    async _query(connection: Runner, query: Query): Promise<Answered> {
      const step = STEPS[query.sql]
      if (step === undefined || !(connection instanceof RawConnection))
        return { ...query, result: await connection.do(commandOf(query)) }
      await connection[step]()
      return { ...query, result: undefined }
    }

    processResponse({ method, pluck, result }: Answered): unknown {
      if (method === 'first') return (result as unknown[])[0]
      if (method === 'pluck') return (result as Record<string, unknown>[]).map((row) => row[pluck as string])
      return result
    }
  }

/** Knex's statements that begin and end transactions, and the methods that do so. */
const STEPS: Readonly<Record<string, 'begin' | 'commit' | 'rollback'>> = {
  'BEGIN;': 'begin',
  'COMMIT;': 'commit',
  ROLLBACK: 'rollback',
}

const CHANGES: ReadonlySet<string | undefined> = new Set(['insert', 'update', 'counter', 'del'])

/** The command for a statement; it passes to a thread or a driver. Text columns hold bytes. */
const commandOf = ({ sql, bindings = [], method, options }: Query): Command => ({
  do: CHANGES.has(method) ? 'run' : 'all',
  text: sql,
  values: bindings.map(bindable),
  ...options,
})

export const SqliteClient = onOwnConnections(Sqlite)
export const MysqlClient = onOwnConnections(Mysql)

async function driverOf(opening: ClientOpening, isSqlite: boolean): Promise<Driver> {
  const { databaseUrl, purpose, waits, inThread } = opening
  if (inThread) {
    const hosts = isSqlite ? undefined : Hosts.of(databaseUrl)
    return new ConnectionThread({ databaseUrl: hosts?.url ?? databaseUrl, purpose, waits }, hosts)
  }
  if (isSqlite) return new InThisThread(sqlite.open(databaseUrl, purpose))
  return new InSession(await openSession(databaseUrl, purpose, waits))
}

/** A SQLite database in this thread. */
class InThisThread implements Driver {
  readonly isUsable = true
  readonly execute: Execute
  readonly #db: SqliteDatabase

  constructor(db: SqliteDatabase) {
    this.#db = db
    const execute = sqlite.executor(db)
    // `async`, so that an exception from the driver becomes a rejection.
    this.execute = async (command) => execute(command)
  }

  /** Does nothing: commands are synchronous, so none runs when this is called. */
  interrupt(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.#db.close()
    return Promise.resolve()
  }
}

/** A session with a server. */
class InSession implements Driver {
  readonly execute: Execute
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
    this.execute = mysql.executor(session)
  }

  get isUsable(): boolean {
    return this.#session.isUsable
  }

  interrupt(): Promise<void> {
    return this.#session.interrupt()
  }

  close(): Promise<void> {
    return this.#session.close()
  }
}

/** Knex's dialect of SQLite for migrations; it opens its connection as the pools do. */
export class SqliteMigrator extends Sqlite {
  override acquireRawConnection(): Promise<SqliteDatabase> {
    const { databaseUrl, purpose } = this.connectionSettings as ClientOpening
    return Promise.resolve(sqlite.open(databaseUrl, purpose))
  }
}

/** The sessions, by the driver connections that Knex's dialect of MySQL works with. */
const sessions = new WeakMap<MysqlDriver, Session>()

/** Knex's dialect of MySQL for migrations, with sessions, which connect and close in bounded time. */
export class MysqlMigrator extends Mysql {
  override async acquireRawConnection(): Promise<MysqlDriver> {
    const { databaseUrl, purpose, waits } = this.connectionSettings as ClientOpening
    const session = await openSession(databaseUrl, purpose, waits)
    sessions.set(session.driver, session)
    return session.driver
  }

  override async destroyRawConnection(driver: MysqlDriver): Promise<void> {
    await sessions.get(driver)?.close()
  }
}
