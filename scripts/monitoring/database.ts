/** A server of a database that can be stopped, and that an administrator changes. */
import { readFileSync } from 'node:fs'
import { createConnection, type Connection } from 'mysql2/promise'
import { startMysqlServer, type MysqlServer } from '../../test/support/mysql-server.ts'

/** The account of the service. */
export const ACCOUNT = `'service'@'127.0.0.1'`
const RIGHTS = 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP'

export class Database {
  readonly #folder: string
  #server: MysqlServer

  private constructor(folder: string, server: MysqlServer) {
    this.#folder = folder
    this.#server = server
  }

  static async start(folder: string): Promise<Database> {
    const database = new Database(folder, await startMysqlServer({ folder, settings: [] }))
    await database.run('CREATE DATABASE gloss')
    await database.run(`CREATE USER ${ACCOUNT} IDENTIFIED BY 'service'`)
    await database.run(`GRANT ${RIGHTS} ON gloss.* TO ${ACCOUNT}`)
    return database
  }

  /** For the service. */
  get url(): string {
    const account = { username: 'service', password: 'service', pathname: '/gloss' }
    return Object.assign(new URL(this.#server.url), account).href
  }

  async run(...statements: readonly string[]): Promise<unknown> {
    return this.#asked(async (connection) => {
      for (const statement of statements) await connection.query(statement)
    })
  }

  /** Ends the connections of the service: a password is asked for when it signs in. */
  async disconnect(): Promise<void> {
    await this.#asked(async (connection) => {
      const [rows] = await connection.query(
        `SELECT ID AS id FROM information_schema.PROCESSLIST WHERE USER = 'service'`,
      )
      for (const { id } of rows as { id: number }[])
        await connection.query(`KILL ${String(id)}`).catch(() => undefined)
    })
  }

  /** Allows so few connections that those that there are nearly use them up. */
  async narrow(): Promise<void> {
    await this.#asked(async (connection) => {
      const [rows] = await connection.query(`SHOW GLOBAL STATUS LIKE 'Threads_connected'`)
      const used = Number((rows as { Value: string }[])[0]?.Value)
      // MariaDB sets no less than 10.
      await connection.query(`SET GLOBAL max_connections = ${String(Math.max(10, used))}`)
    })
  }

  async freeze(): Promise<() => void> {
    const file = await this.#asked(async (connection) => {
      const [rows] = await connection.query('SELECT @@pid_file AS file')
      return (rows as { file: string }[])[0]?.file ?? ''
    })
    const pid = Number(readFileSync(file, 'utf8'))
    process.kill(pid, 'SIGSTOP')
    return () => process.kill(pid, 'SIGCONT')
  }

  async stop(): Promise<void> {
    await this.#server.stop()
  }

  async restart(): Promise<void> {
    this.#server = await startMysqlServer({ folder: this.#folder, settings: [], url: this.#server.url })
  }

  async #asked<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await createConnection(this.#server.url)
    return work(connection).finally(() => connection.end())
  }
}
