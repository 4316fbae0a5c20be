/**
 * Runs a group of MySQL Group Replication with three nodes, one of them the primary. Each instance has all three in its
 * URL.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { provideProgram, type Program } from '../../test/support/mysql-programs.ts'
import { freePort } from '../../test/support/ports.ts'
import type { Random } from '../../test/search/random.ts'
import type { Database, Harms } from './database.ts'
import { areTogether, faultsOf, MEMBERS, START, STOP } from './group-members.ts'
import { Server } from './server.ts'

const NODES = ['one', 'two', 'three'] as const
const GROUP = '6b1f0f4e-0d6c-4c1e-9a53-8f5d6f3c7a21'
const AS_ROOT = process.getuid?.() === 0 ? ['--user=root'] : []
/**
 * After a short freeze, a node only delays the others. They suspect it after five seconds, so after a long freeze they
 * exclude it.
 */
const [BRIEFLY_MS, PUT_OUT_MS] = [3000, 12_000]
/** The downtime of a killed node, in milliseconds. */
const AWAY_MS = 2000

const ONLINE = {
  query: `SELECT MEMBER_STATE AS state FROM ${MEMBERS} WHERE MEMBER_ID = @@server_uuid`,
  column: 'state',
  value: 'ONLINE',
}

/** The script creates these accounts before there is a binary log, so no node has a transaction of its own. */
const ACCOUNTS = `CREATE USER 'gloss'@'127.0.0.1' IDENTIFIED BY 'gloss';
GRANT ALL ON *.* TO 'gloss'@'127.0.0.1' WITH GRANT OPTION;
CREATE USER 'recovery'@'127.0.0.1' IDENTIFIED BY 'recovery';
GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO 'recovery'@'127.0.0.1';
`
/** The script runs this before each start of the plugin. */
const RECOVERY = `CHANGE REPLICATION SOURCE TO SOURCE_USER = 'recovery', SOURCE_PASSWORD = 'recovery'
FOR CHANNEL 'group_replication_recovery';
`

/** Starts the group with an empty database, and an account with the rights that docs/clusters.md names. */
export async function startGroup(folder: string, database: string, random: Random): Promise<Database> {
  const nodes = await nodesOf(folder)
  const [first, ...others] = nodes as [Server, ...Server[]]
  await first.start(['--group-replication-bootstrap-group=ON'])
  await first.ready()
  for (const statement of [
    // Otherwise the node would bootstrap another group at each start.
    'SET GLOBAL group_replication_bootstrap_group = OFF',
    `CREATE DATABASE ${database}`,
    `CREATE USER 'service'@'127.0.0.1' IDENTIFIED BY 'service'`,
    `GRANT ALL ON ${database}.* TO 'service'@'127.0.0.1'`,
    `GRANT SELECT ON ${MEMBERS} TO 'service'@'127.0.0.1'`,
  ])
    await first.query(statement)
  for (const node of others) {
    await node.start()
    await node.ready()
  }
  await areTogether(nodes)
  const hosts = nodes.map(({ url }) => new URL(url).host)
  const url = `mysql://service:service@${hosts.join(',')}/${database}`
  return {
    urls: nodes.map(() => url),
    checkedUrls: [url],
    faults: () => faultsOf(nodes, database),
    servers: nodes,
    harms: harmsTo(nodes, database, random),
  }
}

async function nodesOf(folder: string): Promise<Server[]> {
  const program = provideProgram('mysql')
  const ports = await Promise.all(NODES.map(() => freePort()))
  const seeds = ports.map((port) => `127.0.0.1:${String(port)}`)
  return NODES.map((name, i) => {
    const home = join(folder, name)
    mkdirSync(home)
    initialize(program, home)
    return new Server({
      name: `node ${name}`,
      folder: home,
      url: `mysql://gloss:gloss@${seeds[i] ?? ''}/`,
      command: program.command,
      owner: {},
      ready: ONLINE,
      settings: [...AS_ROOT, ...program.settings, ...settingsOf(home, i, seeds)],
    })
  })
}

function initialize(program: Program, home: string): void {
  const accounts = join(home, 'accounts.sql')
  writeFileSync(accounts, ACCOUNTS)
  program.initialize([`--datadir=${join(home, 'data')}`, `--init-file=${accounts}`, ...AS_ROOT])
}

/**
 * Without `super_read_only`, which docs/clusters.md recommends: a node without a majority then becomes a writable server
 * of its own, and the instances must not use it.
 */
function settingsOf(home: string, i: number, seeds: readonly string[]): string[] {
  const recovery = join(home, 'recovery.sql')
  writeFileSync(recovery, RECOVERY)
  const own = seeds[i] ?? ''
  return [
    `--init-file=${recovery}`,
    `--server-id=${String(i + 1)}`,
    '--report-host=127.0.0.1',
    `--report-port=${own.split(':')[1] ?? ''}`,
    '--log-bin=log',
    '--relay-log=relay',
    '--relay-log-recovery=ON',
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--plugin-load-add=group_replication.so',
    ...Object.entries({
      'group-name': GROUP,
      'start-on-boot': 'ON',
      'communication-stack': 'MYSQL',
      'local-address': own,
      'group-seeds': seeds.join(','),
      'recovery-get-public-key': 'ON',
      'member-expel-timeout': '0',
      'unreachable-majority-timeout': '10',
      'message-cache-size': String(128 * 1024 * 1024),
    }).map(([name, value]) => `--group-replication-${name}=${value}`),
  ]
}

/** The faults of nodes, which strike random nodes. */
function harmsTo(nodes: readonly Server[], database: string, random: Random): Harms {
  const some = (count: number): Server[] => random.shuffled(nodes).slice(0, count)
  const freeze = async (count: number, milliseconds: number): Promise<void> => {
    await Promise.all(some(count).map((node) => node.freeze(milliseconds)))
    await areTogether(nodes)
  }
  const kill = async (count: number): Promise<void> => {
    const killed = some(count)
    await Promise.all(killed.map((node) => node.kill()))
    await sleep(AWAY_MS)
    await Promise.all(killed.map((node) => node.start()))
    await areTogether(nodes)
  }
  const oneOf = async (work: (node: Server) => Promise<unknown>): Promise<void> => {
    const [node] = some(1) as [Server]
    await work(node)
    await areTogether(nodes)
  }
  return {
    'connections cut': () => oneOf((node) => node.cutConnections(database)),
    'node frozen': () => freeze(1, BRIEFLY_MS),
    'node frozen long': () => freeze(1, PUT_OUT_MS),
    'majority frozen': () => freeze(2, 2 * PUT_OUT_MS),
    'primary moved': () =>
      oneOf((node) => node.query('SELECT group_replication_set_as_primary(@@server_uuid)')),
    'node left': () =>
      oneOf(async (node) => {
        await node.query(STOP)
        await sleep(AWAY_MS)
        await node.query(START)
      }),
    'node killed': () => kill(1),
    'majority killed': () => kill(2),
    'all killed': () => kill(3),
  }
}
