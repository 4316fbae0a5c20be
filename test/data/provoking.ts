/** Errors of engines, provoked on a real server: how to get each, and what it should be taken for. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { createConnection } from 'mysql2/promise'
import type { Purpose } from '../../src/data/database/connection/connection.ts'
import type { Failure, Fate } from '../../src/data/database/connection/engine-errors.ts'
import type { Session } from '../../src/data/database/mysql/mysql-session.ts'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { PATIENT } from '../support/database.ts'

/** What is provoked; the driver, the system and Gloss say the same beside `any` server. */
export type Provoked = 'MySQL' | 'MariaDB' | 'TiDB' | 'SQLite' | 'any'

/** An error, and how to get it: `provoke` rejects with it, as the store would get it. */
export type Provocation<Where> = readonly [
  on: readonly Provoked[],
  number: number | undefined,
  code: string,
  failure: Failure,
  fate: Fate,
  provoke: (where: Where) => unknown,
  /** A part of the message, if the code is that of several errors. */
  text?: string,
]

/** How a session is opened that is not the administrator's. */
interface Opening {
  readonly url?: string
  readonly purpose?: Purpose
}

/** What an account may be, and what it may do. */
interface Account {
  readonly options?: string
  readonly grants?: readonly string[]
}

const NAME = 'visitor'
const VISITOR = `'${NAME}'@'127.0.0.1'`

/** A server, with a database that has `t (a, b)` with the rows 1 and 2. */
export class Ground {
  /** Of an administrator, with the database. */
  readonly url: string
  readonly #database: string

  constructor(url: string) {
    this.url = url
    this.#database = new URL(url).pathname.slice(1)
  }

  async prepare(): Promise<void> {
    const server = Object.assign(new URL(this.url), { pathname: '/' }).href
    const connection = await createConnection(server)
    await connection.query(`CREATE DATABASE ${this.#database}`)
    await connection.end()
    await this.admin(
      'CREATE TABLE t (a INT PRIMARY KEY, b LONGBLOB)',
      `INSERT INTO t VALUES (1, ''), (2, '')`,
    )
  }

  /** Runs statements as the administrator; returns the rows of the last one. */
  async admin<Row>(...statements: readonly string[]): Promise<Row[]> {
    const connection = await createConnection(this.url)
    try {
      let rows: unknown = []
      for (const statement of statements) [rows] = await connection.query(statement)
      return rows as Row[]
    } finally {
      await connection.end()
    }
  }

  /** The URL with changes. */
  urlWith(
    changes: Partial<Pick<URL, 'hostname' | 'username' | 'password' | 'pathname' | 'port' | 'search'>>,
  ): string {
    return Object.assign(new URL(this.url), changes).href
  }

  /** Does something in a session as the store opens it. */
  async session<T>(
    work: (session: Session) => Promise<T>,
    { url = this.url, purpose = 'write' }: Opening = {},
  ): Promise<T> {
    const session = await openSession(url, purpose, PATIENT)
    try {
      return await work(session)
    } finally {
      await session.close()
    }
  }

  /** Runs statements in a session. */
  run(statements: readonly string[], opening?: Opening): Promise<void> {
    return this.session(async (session) => {
      for (const statement of statements) await session.query(statement)
    }, opening)
  }

  /** Does something while there is an account that may do anything in the database, or what `grants` say. */
  async account<T>(
    work: (url: string) => Promise<T>,
    { options = `IDENTIFIED BY '${NAME}'`, grants = [`ALL ON ${this.#database}.*`] }: Account = {},
  ): Promise<T> {
    await this.admin(
      `CREATE USER ${VISITOR} ${options}`,
      ...grants.map((grant) => `GRANT ${grant} TO ${VISITOR}`),
    )
    try {
      return await work(this.urlWith({ username: NAME, password: NAME }))
    } finally {
      await this.admin(`DROP USER ${VISITOR}`)
    }
  }

  /** Does something while the server has another setting. */
  async global<T>(setting: string, value: string, work: () => Promise<T>): Promise<T> {
    // One that is kept: not even an administrator may be let in meanwhile.
    const connection = await createConnection(this.url)
    await connection.query(`SET @before = @@GLOBAL.${setting}`)
    await connection.query(`SET GLOBAL ${setting} = ${value}`)
    try {
      return await work()
    } finally {
      await connection.query(`SET GLOBAL ${setting} = @before`)
      await connection.end()
    }
  }

  /** Opens sessions until the server takes no more. */
  async crowd(url: string): Promise<never> {
    const sessions: Session[] = []
    try {
      for (;;) sessions.push(await openSession(url, 'write', PATIENT))
    } finally {
      await Promise.all(sessions.map((session) => session.close()))
    }
  }

  /** Does something to a session that sleeps. */
  sleeping(harm: (id: number) => string): Promise<void> {
    return this.session(async (session) => {
      const id = session.driver.threadId
      // Of one row it would be no failure that its SLEEP is stopped.
      const asleep = session.query('SELECT SLEEP(300) FROM (SELECT 1 UNION ALL SELECT 2) two')
      asleep.catch(() => undefined)
      const atWork = `SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ${String(id)} AND INFO LIKE 'SELECT SLEEP%'`
      while ((await this.admin(atWork)).length === 0);
      await this.admin(harm(id))
      await asleep
    })
  }

  /** Has two sessions change the same rows: each has its statements, and then both have their last ones at once. */
  together(first: readonly string[], second: readonly string[]): Promise<void> {
    return this.session((one) =>
      this.session(async (other) => {
        for (const statement of first.slice(0, -1)) await one.query(statement)
        for (const statement of second.slice(0, -1)) await other.query(statement)
        await Promise.all([one.query(first.at(-1) ?? ''), other.query(second.at(-1) ?? '')])
      }),
    )
  }
}

/** Passes connections on to a server, as those of the address 127.0.0.2; does something with its port meanwhile. */
export async function fromElsewhere<T>(url: string, work: (port: string) => Promise<T>): Promise<T> {
  const port = Number(new URL(url).port)
  const server = createServer((client) => {
    const onward = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    client.pipe(onward).pipe(client)
    for (const socket of [client, onward]) socket.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work(String((server.address() as AddressInfo).port))
  } finally {
    server.close()
  }
}
