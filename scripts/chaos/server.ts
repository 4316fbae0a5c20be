/**
 * A database server with its own data that the script can kill, freeze and disconnect: a single server, or a node of a
 * cluster.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type Connection } from 'mysql2/promise'
import { Child } from './child.ts'

/**
 * The server does not run as root, because Galera's scripts do not copy data then. This is the id of Debian's user
 * `nobody`.
 */
const NOBODY = 65534
export const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const MARIADB = ['mariadbd', '--no-defaults']
const SETTINGS = [
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--performance-schema=OFF',
  '--innodb-buffer-pool-size=128M',
  // Acknowledged transactions must survive a kill of the server.
  '--innodb-flush-log-at-trx-commit=1',
]

export interface ServerSetup {
  readonly name: string
  /** The folder of its data. It exists, unless other nodes will provide the data. */
  readonly folder: string
  /** The URL, for a user with all privileges. */
  readonly url: string
  readonly settings: readonly string[]
  /** The command that runs it; by default MariaDB's program in the path. */
  readonly command?: readonly string[]
  /** The folders of the programs that it runs. */
  readonly path?: string | undefined
  /** The user of its process. */
  readonly owner?: { readonly uid?: number; readonly gid?: number }
  /** The query whose answer tells that a node of a cluster serves. A single server serves as soon as it answers. */
  readonly ready?: { readonly query: string; readonly column: string; readonly value: string }
  /** Whether the script must read its last position before it can start again. */
  readonly recovers?: boolean
}

const ANSWERS = { query: 'SELECT 1 AS one', column: 'one', value: '1' }

export class Server {
  readonly url: string
  readonly #place: ServerSetup
  #child: Child | undefined

  constructor(place: ServerSetup) {
    mkdirSync(join(place.folder, 'tmp'), { recursive: true })
    this.#place = place
    this.url = place.url
  }

  /** Starts it as before its end; `more` are additional settings for this start. */
  async start(more: readonly string[] = []): Promise<void> {
    const position = this.#place.recovers === true && this.#child !== undefined ? await this.#position() : []
    this.#child = this.#run([...position, ...more])
  }

  /** Resolves when it serves, or when the process has ended. */
  async ready(): Promise<void> {
    const { query, column, value } = this.#place.ready ?? ANSWERS
    while (this.#child?.isAlive === true) {
      const [row] = await this.query(query).catch(() => [])
      if (String((row as Record<string, unknown> | undefined)?.[column]) === value) return
      await sleep(200)
    }
  }

  async kill(): Promise<void> {
    await this.#child?.stop('SIGKILL')
  }

  async freeze(milliseconds: number): Promise<void> {
    this.#child?.signal('SIGSTOP')
    await sleep(milliseconds)
    this.#child?.signal('SIGCONT')
  }

  /** Disconnects it from the other nodes for that time, in both directions. */
  async isolate(milliseconds: number): Promise<void> {
    await this.#connected(async (connection) => {
      await connection.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'`)
      await sleep(milliseconds)
      await connection.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'`)
    })
  }

  /** Closes all connections to a database. */
  cutConnections(database: string): Promise<void> {
    return this.#connected(async (connection) => {
      // MySQL's table of processes fails if a statement contains bytes that are not text.
      const [rows] = await connection.query('SHOW PROCESSLIST')
      for (const { Id, db } of rows as { Id: number; db: string | null }[]) {
        // The connection may already have ended.
        if (db === database) await connection.query(`KILL CONNECTION ${String(Id)}`).catch(() => undefined)
      }
    })
  }

  query(statement: string): Promise<readonly unknown[]> {
    return this.#connected(async (connection) => (await connection.query(statement))[0] as unknown[])
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await createConnection({ uri: this.url, connectTimeout: 5000 })
    // The next query reports an error that occurs between queries.
    connection.on('error', () => undefined)
    try {
      return await work(connection)
    } finally {
      connection.destroy()
    }
  }

  /** The last position of the node in the history of its cluster, as a setting, so that it need not copy all data. */
  async #position(): Promise<string[]> {
    const log = join(this.#place.folder, 'recovery.log')
    rmSync(log, { force: true })
    const child = this.#run(['--wsrep-recover', `--log-error=${log}`], true)
    await child.ended
    const found = /Recovered position: (\S+)/.exec(readFileSync(log, 'utf8'))?.[1]
    return found === undefined ? [] : [`--wsrep-start-position=${found}`]
  }

  #run(more: readonly string[], ends = false): Child {
    const { name, folder, url, settings, path = '', owner = OWNER, command = MARIADB } = this.#place
    const file = (option: string, name: string): string => `--${option}=${join(folder, name)}`
    const files = [
      file('datadir', 'data'),
      file('socket', 'socket'),
      file('pid-file', 'pid'),
      file('log-error', 'error.log'),
    ]
    const address = `--port=${new URL(url).port}`
    const env = {
      ...process.env,
      PATH: `${path}:${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin`,
      // A server deletes at its start the temporary tables of all other servers that use the same folder for them.
      TMPDIR: join(folder, 'tmp'),
    }
    const [program = '', ...args] = [...command, ...files, address, ...SETTINGS, ...settings, ...more]
    return new Child(name, [program, ...args], { env, stdio: 'ignore', ...owner }, ends)
  }
}
