/** Pools of connections: knex keeps them, and statements run on the drivers below it. */
import knexFactory, { type Knex } from 'knex'
import { bound, Connection, type Purpose } from './connection/connection.ts'
import { MYSQL, SQLITE, type Dialect } from './connection/dialects.ts'
import type { Fate } from './connection/failures.ts'
import { isOwn, knexConfig } from './knex-config.ts'
import { Session } from './mysql/mysql-session.ts'
import { openSession } from './mysql/mysql-settings.ts'
import * as mysql from './mysql/mysql.ts'
import * as sqlite from './sqlite/sqlite.ts'
import type { SqliteDatabase } from './sqlite/sqlite-file.ts'
import type { Opening } from './threads/thread-messages.ts'
import { ConnectionThread } from './threads/threads.ts'
import { notingNow, notingWait } from '../../scheduling/usage.ts'
import type { Sql } from './connection/sql.ts'
import { waitsFor, type Waits } from './connection/waits.ts'

/** The connections for one purpose, such as all readers or all writers. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Returns a connection, or closes it instead if that is its fate. */
  release(connection: Connection, fate?: Fate): Promise<void>
  /**
   * The rows of a statement, found here and now, where this thread runs statements: then none need wait for a
   * connection. Throws the driver's error.
   */
  readonly find?: (statement: Sql) => unknown[]
  readonly knex: Knex
  load(): Load
  /** Waits for what is under way, but not long. */
  close(): Promise<void>
}

/** How many places of a kind are taken, and how many requests wait for one. */
export interface Load {
  readonly taken: number
  readonly waiting: number
}

/** When a server last turned out to be demoted, by `performance.now()`: connections from before are used no more. */
interface Demotion {
  at: number
  /** When it has turned out again too soon. */
  again?: NodeJS.Timeout
}

/** What the pools of one store have in common. */
export interface PoolsOptions {
  readonly waits: Waits
  readonly demoted: Demotion
}

/** Those of pools that are opened by themselves. */
const ALONE: PoolsOptions = { waits: waitsFor(0), demoted: { at: 0 } }

/** While a server stays as it is, its readers are not all replaced for every write that it refuses. */
const DEMOTION_MS = 1000

/** Notes a refusal. Too soon after another one, it counts once the time is over: by then there may be a new primary. */
function noteDemotion(demoted: Demotion): void {
  const left = demoted.at + DEMOTION_MS - performance.now()
  const note = (): void => {
    demoted.at = performance.now()
    delete demoted.again
  }
  if (demoted.again !== undefined) return
  if (demoted.at === 0 || left <= 0) note()
  else demoted.again = setTimeout(note, left).unref()
}

/** What is used of knex's client. */
interface Client {
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  acquireRawConnection(): Promise<object>
  destroyRawConnection(connection: object): Promise<void>
  readonly pool: { numUsed(): number; numPendingAcquires(): number }
}

/** A connection of a pool, with what it was made of and when. */
interface Member {
  readonly driver: object
  readonly connection: Connection
  readonly since: number
}

const newMember = (driver: object, dialect: Dialect): Member => ({
  driver,
  connection: connectionOn(driver, dialect),
  since: performance.now(),
})

/** Opens a pool; connections are made when they are first needed. */
export function openPool(databaseUrl: string, purpose: Purpose, { waits, demoted } = ALONE): Pool {
  const knex = knexFactory(knexConfig(databaseUrl, purpose, waits))
  const client = knex.client as Client
  const dialect = databaseUrl.startsWith('sqlite:') ? SQLITE : MYSQL
  if (dialect === MYSQL && purpose === 'migrate') useSessions(client, { databaseUrl, purpose, waits })
  const members = new WeakMap<object, Member>()
  const acquired = new Map<Connection, Member>()
  const release = async ({ driver, connection }: Member, fate: Fate): Promise<void> => {
    acquired.delete(connection)
    if (fate === 'demoted') noteDemotion(demoted)
    // knex's own mark for a connection that its pool must not hand out again.
    if (fate !== 'back') Object.assign(driver, { __knex__disposed: new Error(fate) })
    await client.releaseConnection(driver)
  }
  const own = dialect === SQLITE && purpose === 'glance' ? new Finder(databaseUrl) : undefined
  let isClosed = false
  return {
    ...(own && { find: (statement: Sql) => own.find(statement) }),
    knex,
    async acquire() {
      for (;;) {
        if (isClosed) throw Object.assign(new Error('the store is closed'), { code: 'POOL_CLOSED' })
        const driver = await notingWait(() => client.acquireConnection())
        const member = members.get(driver) ?? newMember(driver, dialect)
        members.set(driver, member)
        if (member.since < demoted.at) {
          await release(member, 'broken')
          continue
        }
        member.connection.patient = false
        acquired.set(member.connection, member)
        return member.connection
      }
    },
    load: () => ({ taken: client.pool.numUsed(), waiting: client.pool.numPendingAcquires() }),
    async release(connection, fate = 'back') {
      const member = acquired.get(connection)
      if (member !== undefined) await release(member, fate)
    },
    async close() {
      isClosed = true
      const late = setTimeout(() => {
        for (const { driver } of acquired.values()) if (isOwn(driver)) void driver.close()
      }, waits.close)
      own?.close()
      await knex.destroy()
      clearTimeout(late)
    },
  }
}

/** A connection to SQLite in this thread, beside those of a pool: opened when it is first needed, and never in a transaction. */
class Finder {
  readonly #databaseUrl: string
  #db: SqliteDatabase | undefined
  #find: ReturnType<typeof sqlite.finder> | undefined

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  find(statement: Sql): unknown[] {
    const find = (this.#find ??= this.#open())
    return notingNow(
      () => find(bound(statement)),
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
    this.#db = sqlite.open(this.#databaseUrl, 'glance')
    return sqlite.finder(this.#db)
  }
}

/** Lets knex's dialect of MySQL run on sessions, which connect and close in bounded time. */
function useSessions(client: Client, { databaseUrl, purpose, waits }: Opening): void {
  const sessions = new WeakMap<object, Session>()
  client.acquireRawConnection = async () => {
    const session = await openSession(databaseUrl, purpose, waits)
    sessions.set(session.driver, session)
    return session.driver
  }
  client.destroyRawConnection = async (driver) => {
    await sessions.get(driver)?.close()
  }
}

function connectionOn(driver: object, dialect: Dialect): Connection {
  if (driver instanceof ConnectionThread) {
    return new Connection(
      dialect,
      (command) => driver.execute(command),
      () => driver.interrupt(),
    )
  }
  if (driver instanceof Session) {
    return new Connection(dialect, mysql.executor(driver), () => driver.interrupt())
  }
  const execute = sqlite.executor(driver as SqliteDatabase)
  // `async`, so that an exception from the driver becomes a rejection. Nothing is running when this thread could stop it.
  return new Connection(
    dialect,
    async (command) => execute(command),
    () => Promise.resolve(),
  )
}
