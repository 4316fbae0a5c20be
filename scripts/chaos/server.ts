/** A server with data of its own that can be killed, frozen and cut off: alone, or a node of a cluster. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type Connection } from 'mysql2/promise'
import { Child } from './child.ts'

/** A server never runs as root: Galera's scripts do not copy data then. This is Debian's `nobody`. */
const NOBODY = 65534
export const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const MARIADB = ['mariadbd', '--no-defaults']
const SETTINGS = [
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--performance-schema=OFF',
  '--innodb-buffer-pool-size=128M',
  // What the server has acknowledged must survive its death.
  '--innodb-flush-log-at-trx-commit=1',
]

export interface Place {
  readonly name: string
  /** Where its data is, which exists unless other nodes will provide it. */
  readonly folder: string
  /** With a user who may do everything. */
  readonly url: string
  readonly settings: readonly string[]
  /** How it is run; MariaDB's program, which is in the path, by default. */
  readonly command?: readonly string[]
  /** The folders of the programs that it runs. */
  readonly path?: string | undefined
  /** As whom it runs. */
  readonly owner?: { readonly uid?: number; readonly gid?: number }
  /** By what a node of a cluster says that it serves; a server that is alone does once it answers. */
  readonly ready?: { readonly query: string; readonly column: string; readonly value: string }
  /** Whether it must be asked where it was before it can start again. */
  readonly recovers?: boolean
}

const ANSWERS = { query: 'SELECT 1 AS one', column: 'one', value: '1' }

export class Server {
  readonly url: string
  readonly #place: Place
  #child: Child | undefined

  constructor(place: Place) {
    mkdirSync(join(place.folder, 'tmp'), { recursive: true })
    this.#place = place
    this.url = place.url
  }

  /** Starts it as it was when it ended; `more` settings are those of this time. */
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

  /** Leaves the others for that time: neither hears of the other. */
  async isolate(milliseconds: number): Promise<void> {
    await this.#connected(async (connection) => {
      await connection.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'`)
      await sleep(milliseconds)
      await connection.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'`)
    })
  }

  /** Ends all connections to a database. */
  cutConnections(database: string): Promise<void> {
    return this.#connected(async (connection) => {
      // MySQL's table of them fails where a statement has bytes that are no text.
      const [rows] = await connection.query('SHOW PROCESSLIST')
      for (const { Id, db } of rows as { Id: number; db: string | null }[]) {
        // It may be gone by itself.
        if (db === database) await connection.query(`KILL CONNECTION ${String(Id)}`).catch(() => undefined)
      }
    })
  }

  query(statement: string): Promise<readonly unknown[]> {
    return this.#connected(async (connection) => (await connection.query(statement))[0] as unknown[])
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await createConnection({ uri: this.url, connectTimeout: 5000 })
    // What fails while nobody asks says so when somebody does.
    connection.on('error', () => undefined)
    try {
      return await work(connection)
    } finally {
      connection.destroy()
    }
  }

  /** Where the node was in the history of its cluster when it ended, as a setting: so it need not copy everything. */
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
      // A server that starts deletes the temporary tables of every other one that has them in the same folder.
      TMPDIR: join(folder, 'tmp'),
    }
    const [program = '', ...args] = [...command, ...files, address, ...SETTINGS, ...settings, ...more]
    return new Child(name, [program, ...args], { env, stdio: 'ignore', ...owner }, ends)
  }
}
