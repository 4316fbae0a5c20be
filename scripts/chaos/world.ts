/** A database server and two instances of the service on it, and what can be done to them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { startMysqlServer, type MysqlServer } from '../../test/support/mysql-server.ts'
import { freePort } from '../../test/support/ports.ts'

const ROOT = dirname(dirname(import.meta.dirname))
/** The superuser. */
export const PASSWORD = 'chaos and its model'
/** What the server has acknowledged must survive its death. */
const DURABLE = ['--innodb-buffer-pool-size=128M', '--innodb-flush-log-at-trx-commit=1']
const DATABASE = 'chaos'

/** What is done, by name. Each resolves when all is as before, but for the time that it takes to recover. */
export type Harms = Readonly<Record<string, () => Promise<void>>>

/** An instance of the service. */
class Instance {
  readonly url: string
  readonly #env: Readonly<Record<string, string>>
  readonly #adminPort: number
  #child: ChildProcess

  private constructor(port: number, adminPort: number, databaseUrl: string) {
    this.url = `http://127.0.0.1:${String(port)}`
    this.#adminPort = adminPort
    this.#env = {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      STARTUP_WAIT_MS: '120000',
      LOG_LEVEL: 'error',
    }
    this.#child = this.#run({ ADMIN_PASSWORD: PASSWORD })
  }

  static async start(databaseUrl: string): Promise<Instance> {
    const instance = new Instance(await freePort(), await freePort(), databaseUrl)
    await instance.ready()
    return instance
  }

  /** Resolves when balancers may send requests. Throws if the process ends by itself. */
  async ready(): Promise<void> {
    while (this.#child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${String(this.#adminPort)}/readyz`).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.status === 200) return
      await sleep(100)
    }
    throw new Error(`an instance ended with ${String(this.#child.exitCode)}`)
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.stop(signal)
    this.#child = this.#run({})
    await this.ready()
  }

  async freeze(milliseconds: number): Promise<void> {
    this.#child.kill('SIGSTOP')
    await sleep(milliseconds)
    this.#child.kill('SIGCONT')
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const end = once(this.#child, 'exit')
    this.#child.kill(signal)
    await end
  }

  #run(more: Readonly<Record<string, string>>): ChildProcess {
    return spawn(process.execPath, [join(ROOT, 'dist', 'src', 'main.js')], {
      env: { PATH: process.env['PATH'], ...this.#env, ...more },
      stdio: 'ignore',
    })
  }
}

/** All that is harmed. */
export class World {
  readonly databaseUrl: string
  readonly #folder: string
  readonly #instances: readonly Instance[]
  #server: MysqlServer

  private constructor(
    folder: string,
    server: MysqlServer,
    instances: readonly Instance[],
    databaseUrl: string,
  ) {
    this.#folder = folder
    this.#server = server
    this.#instances = instances
    this.databaseUrl = databaseUrl
  }

  /** Starts everything; the data of the server is in `folder`. */
  static async start(folder: string): Promise<World> {
    const server = await startMysqlServer({ folder, settings: DURABLE })
    const connection = await createConnection(server.url)
    await connection.query(`CREATE DATABASE ${DATABASE}`)
    await connection.end()
    const databaseUrl = new URL(`/${DATABASE}`, server.url).href
    // One after the other: only the first sets the password.
    const instances = [await Instance.start(databaseUrl), await Instance.start(databaseUrl)]
    return new World(folder, server, instances, databaseUrl)
  }

  /** The addresses of the instances. */
  get urls(): readonly string[] {
    return this.#instances.map(({ url }) => url)
  }

  /** Each harm that can be done, to an instance chosen by chance. */
  harms(): Harms {
    const anyone = (): Instance =>
      this.#instances[Math.floor(Math.random() * this.#instances.length)] as Instance
    return {
      'instance killed': () => anyone().restart('SIGKILL'),
      'instance restarted': () => anyone().restart('SIGTERM'),
      'instance frozen': () => anyone().freeze(3000),
      'connections cut': () => this.#cutConnections(),
      'database frozen': () => this.#freezeDatabase(3000),
      'database killed': () => this.#killDatabase(),
    }
  }

  /** Resolves when all instances are ready. */
  async ready(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.ready()))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.stop('SIGTERM')))
    await this.#server.stop()
  }

  async #cutConnections(): Promise<void> {
    const connection = await createConnection(this.#server.url)
    const [rows] = await connection.query(
      `SELECT ID AS id FROM information_schema.PROCESSLIST WHERE DB = '${DATABASE}'`,
    )
    for (const { id } of rows as { id: number }[]) {
      // It may be gone by itself.
      await connection.query(`KILL CONNECTION ${String(id)}`).catch(() => undefined)
    }
    await connection.end()
  }

  async #freezeDatabase(milliseconds: number): Promise<void> {
    process.kill(this.#pid(), 'SIGSTOP')
    await sleep(milliseconds)
    process.kill(this.#pid(), 'SIGCONT')
  }

  async #killDatabase(): Promise<void> {
    const { url } = this.#server
    process.kill(this.#pid(), 'SIGKILL')
    await this.#server.stop()
    this.#server = await startMysqlServer({ folder: this.#folder, settings: DURABLE, url })
    await this.ready()
  }

  #pid(): number {
    return Number(readFileSync(join(this.#folder, 'pid'), 'utf8'))
  }
}
