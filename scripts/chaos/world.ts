/** A database and instances of the service on it, with the faults that the script can inject. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../test/search/random.ts'
import { endsByItself, stopAll } from './child.ts'
import type { Database, Harms } from './database.ts'
import { startDatabase, type Kind } from './databases.ts'
import { Instance } from './instance.ts'

const FROZEN_MS = 3000

export class World {
  readonly #database: Database
  readonly #instances: readonly Instance[]
  readonly #random: Random

  private constructor(database: Database, instances: readonly Instance[], random: Random) {
    this.#database = database
    this.#instances = instances
    this.#random = random
  }

  /**
   * Runs `work` in a world, and removes the world afterwards in any case. `random` selects the targets of faults. Rejects
   * also if a program of the world ends by itself.
   */
  static async with<T>(kind: Kind, random: Random, work: (world: World) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), 'gloss-chaos-'))
    try {
      return await Promise.race([World.#start(kind, folder, random).then(work), endsByItself])
    } finally {
      await stopAll()
      rmSync(folder, { recursive: true, force: true })
    }
  }

  static async #start(kind: Kind, folder: string, random: Random): Promise<World> {
    const database = await startDatabase(kind, folder, random)
    const instances: Instance[] = []
    // The instances start one after the other, because only the first one sets the password.
    for (const url of database.urls) instances.push(await Instance.start(url))
    return new World(database, instances, random)
  }

  /** The addresses of the instances. */
  get urls(): readonly string[] {
    return this.#instances.map(({ url }) => url)
  }

  /** The database URLs for the check at the end. */
  get checkedUrls(): readonly string[] {
    return this.#database.checkedUrls
  }

  /** Differences between the servers, and data from outside their cluster, a line each. */
  faults(): Promise<readonly string[]> {
    return this.#database.faults?.() ?? Promise.resolve([])
  }

  /** The sum of these counters of the servers, by their names. */
  async counted(names: readonly string[]): Promise<number> {
    const list = names.map((name) => `'${name}'`).join(', ')
    const counts = await Promise.all(
      this.#database.servers.map((server) =>
        server.query(`SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`),
      ),
    )
    return counts.flat().reduce<number>((sum, row) => sum + Number((row as { Value: string }).Value), 0)
  }

  /** All possible faults of a random instance or a random part of the database. */
  harms(): Harms {
    const anyone = (): Instance => this.#random.pick(this.#instances)
    return {
      'instance killed': () => anyone().restart('SIGKILL'),
      'instance restarted': () => anyone().restart('SIGTERM'),
      'instance frozen': () => anyone().freeze(FROZEN_MS),
      ...this.#database.harms,
    }
  }

  /** Resolves when all instances are ready. */
  async ready(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.ready()))
  }
}
