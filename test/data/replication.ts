/** A primary and its replica, by the statements of either engine. */
import { createConnection } from 'mysql2/promise'
import { engineOfProject } from '../support/database.ts'
import type { Engine } from '../support/engines.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'

interface Statements {
  readonly settings: readonly string[]
  /** What the server has executed. */
  readonly position: string
  /** Has the replica follow a primary, from what that has executed. */
  readonly follow: (primary: URL, position: string) => readonly string[]
  readonly waitFor: (position: string) => string
  readonly stop: string
}

const STATEMENTS: Readonly<Record<Engine, Statements>> = {
  mariadb: {
    settings: [],
    position: 'SELECT @@gtid_current_pos AS position',
    follow: ({ port, username, password }, position) => [
      `SET GLOBAL gtid_slave_pos = '${position}'`,
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port}, MASTER_USER = '${username}',
       MASTER_PASSWORD = '${password}', MASTER_USE_GTID = slave_pos`,
      'START SLAVE',
    ],
    waitFor: (position) => `SELECT MASTER_GTID_WAIT('${position}')`,
    stop: 'STOP SLAVE',
  },
  mysql: {
    settings: ['--gtid-mode=ON', '--enforce-gtid-consistency=ON'],
    position: 'SELECT @@gtid_executed AS position',
    follow: ({ port, username, password }, position) => [
      'RESET BINARY LOGS AND GTIDS',
      `SET GLOBAL gtid_purged = '${position}'`,
      `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${port}, SOURCE_USER = '${username}',
       SOURCE_PASSWORD = '${password}', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1`,
      'START REPLICA',
    ],
    waitFor: (position) => `SELECT WAIT_FOR_EXECUTED_GTID_SET('${position}')`,
    stop: 'STOP REPLICA',
  },
}

const engine = engineOfProject()
const statements = STATEMENTS[engine]

/** Starts a server that writes what a replica needs; `url` is the one that it is to have. */
export const startReplicated = (id: number, url?: string): Promise<MysqlServer> =>
  startMysqlServer({
    engine,
    settings: ['--log-bin', `--server-id=${String(id)}`, ...statements.settings],
    ...(url !== undefined && { url }),
  })

/** The rows of a statement on a server. */
export async function on<Row>(server: MysqlServer, statement: string): Promise<Row[]> {
  const connection = await createConnection(server.url)
  const [rows] = await connection.query(statement).finally(() => connection.end())
  return rows as Row[]
}

const positionOf = async (server: MysqlServer): Promise<string> =>
  (await on<{ position: string }>(server, statements.position))[0]?.position ?? ''

/** Has a server do from now on what another one does. */
export async function follow(replica: MysqlServer, primary: MysqlServer): Promise<void> {
  const all = statements.follow(new URL(primary.url), await positionOf(primary))
  for (const statement of all) await on(replica, statement)
}

/** Resolves when the replica has done what the primary has done by now. */
export async function caughtUp(replica: MysqlServer, primary: MysqlServer): Promise<void> {
  await on(replica, statements.waitFor(await positionOf(primary)))
}

export async function stopFollowing(replica: MysqlServer): Promise<void> {
  await on(replica, statements.stop)
}
