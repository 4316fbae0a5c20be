/** Starts the databases of the instances. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { startMysqlServer } from '../../test/support/mysql-server.ts'
import { freePort } from '../../test/support/ports.ts'
import type { Random } from '../../test/search/random.ts'
import type { Database } from './database.ts'
import { startGalera } from './galera.ts'
import { startGroup } from './group-replication.ts'
import { OWNER, Server } from './server.ts'

export const KINDS = ['sqlite', 'mariadb', 'galera', 'group-replication'] as const
export type Kind = (typeof KINDS)[number]

const DATABASE = 'chaos'
const BRIEFLY_MS = 3000

/** Starts a database with its data in `folder`, which the caller removes. `random` selects the targets of faults. */
export async function startDatabase(kind: Kind, folder: string, random: Random): Promise<Database> {
  if (kind === 'sqlite') {
    const urls = [`sqlite:${join(folder, 'chaos.db')}`]
    return { urls, checkedUrls: urls, harms: {}, servers: [] }
  }
  if (kind === 'group-replication') return startGroup(folder, DATABASE, random)
  const url = await makeData(join(folder, 'one'))
  // The user of the server processes must own the folder.
  if (OWNER.uid !== undefined) spawnSync('chown', ['-R', `${String(OWNER.uid)}:${String(OWNER.gid)}`, folder])
  return kind === 'galera'
    ? startGalera(folder, url, { database: DATABASE, random })
    : startMariadb(join(folder, 'one'), url)
}

/** Creates the data of a server with an empty database; returns its URL. */
async function makeData(folder: string): Promise<string> {
  const server = await startMysqlServer({ folder, settings: [] })
  const connection = await createConnection(server.url)
  await connection.query(`CREATE DATABASE ${DATABASE}`)
  // HAProxy's health checks use this user, who has no privileges.
  await connection.query(`CREATE USER 'haproxy'@'127.0.0.1'`)
  await connection.end()
  await server.stop()
  const url = new URL(`/${DATABASE}`, server.url)
  url.port = String(await freePort())
  return url.href
}

async function startMariadb(folder: string, url: string): Promise<Database> {
  const server = new Server({
    name: 'the database',
    folder,
    url,
    settings: ['--skip-log-bin'],
  })
  await server.start()
  await server.ready()
  return {
    urls: [url, url],
    checkedUrls: [url],
    servers: [server],
    harms: {
      'connections cut': () => server.cutConnections(DATABASE),
      'database frozen': () => server.freeze(BRIEFLY_MS),
      'database killed': async () => {
        await server.kill()
        await server.start()
        await server.ready()
      },
    },
  }
}
