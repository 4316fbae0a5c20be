/**
 * Runs a Galera cluster of three nodes. Two instances connect to a node of their own, the third one through HAProxy with
 * deploy/haproxy-galera.cfg.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/ports.ts'
import type { Random } from '../../test/search/random.ts'
import { Child } from './child.ts'
import type { Database, Harms } from './database.ts'
import { OWNER, Server } from './server.ts'

const NODES = ['one', 'two', 'three'] as const
const SYNCED = { query: `SHOW STATUS LIKE 'wsrep_local_state_comment'`, column: 'Value', value: 'Synced' }
const RECIPE = join(dirname(dirname(import.meta.dirname)), 'deploy', 'haproxy-galera.cfg')
/**
 * After a short freeze, a node only delays the others. They suspect it after five seconds, so after a long freeze they
 * exclude it.
 */
const [BRIEFLY_MS, PUT_OUT_MS] = [3000, 12_000]
/** The downtime of a killed node, in milliseconds. */
const AWAY_MS = 2000
/** After this time the script helps a cluster that has lost its majority. */
const APART_MS = 60_000

/** The database whose connections the script cuts, and the random choice of nodes. */
interface Aims {
  readonly database: string
  readonly random: Random
}

/** Starts the cluster on the data in `folder`/one, which `url` will address. */
export async function startGalera(folder: string, url: string, aims: Aims): Promise<Database> {
  const nodes = await nodesOf(folder, url)
  const [first, ...others] = nodes as [Server, ...Server[]]
  await first.start(['--wsrep-new-cluster'])
  await first.ready()
  for (const node of others) {
    await node.start()
    await node.ready()
  }
  const through = new URL(url)
  through.port = String(await startHaproxy(folder, nodes))
  return {
    urls: [...nodes.slice(0, 2).map((node) => node.url), through.href],
    checkedUrls: nodes.map((node) => node.url),
    harms: harmsTo(nodes, aims),
    servers: nodes,
  }
}

async function nodesOf(folder: string, url: string): Promise<Server[]> {
  const { provider, path } = unpackedGalera(folder)
  const ports = await Promise.all(
    NODES.map(async () => [await freePort(), await freePort(), await freePort()]),
  )
  const members = ports.map(([group]) => `127.0.0.1:${String(group)}`).join(',')
  const servers = await Promise.all(
    NODES.map(async (name, i) => {
      const [group, increments, copies] = (ports[i] ?? []).map(String)
      const own = new URL(url)
      if (i > 0) own.port = String(await freePort())
      mkdirSync(join(folder, name, 'data'), { recursive: true })
      return new Server({
        name: `node ${name}`,
        folder: join(folder, name),
        url: own.href,
        path,
        ready: SYNCED,
        recovers: true,
        settings: [
          '--binlog-format=ROW',
          '--innodb-autoinc-lock-mode=2',
          '--wsrep-on=ON',
          '--wsrep-slave-threads=4',
          `--wsrep-provider=${provider}`,
          `--wsrep-cluster-address=gcomm://${members}`,
          `--wsrep-node-name=${name}`,
          '--wsrep-node-address=127.0.0.1',
          `--wsrep-sst-receive-address=127.0.0.1:${String(copies)}`,
          '--wsrep-sst-method=rsync',
          `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${String(group)};ist.recv_addr=127.0.0.1:${String(increments)}`,
        ],
      })
    }),
  )
  if (OWNER.uid !== undefined) spawnSync('chown', ['-R', `${String(OWNER.uid)}:${String(OWNER.gid)}`, folder])
  return servers
}

/**
 * Unpacks the packages of Galera and of the scripts with which nodes copy their data, without installing them. Throws if
 * that fails.
 */
function unpackedGalera(folder: string): { provider: string; path: string } {
  const packages = join(folder, 'packages')
  mkdirSync(packages)
  spawnSync('apt-get', ['download', 'galera-4', 'mariadb-server'], { cwd: packages, stdio: 'ignore' })
  for (const file of readdirSync(packages)) spawnSync('dpkg-deb', ['-x', file, packages], { cwd: packages })
  const provider = join(packages, 'usr', 'lib', 'galera', 'libgalera_smm.so')
  const path = join(packages, 'usr', 'bin')
  const missing = [
    ...(existsSync(provider) && existsSync(join(path, 'wsrep_sst_rsync')) ? [] : ['galera-4']),
    ...['rsync', 'lsof', 'haproxy'].filter((program) => spawnSync('which', [program]).status !== 0),
  ]
  if (missing.length > 0) throw new Error(`a Galera cluster needs Debian's ${missing.join(', ')}`)
  return { provider, path }
}

/** Starts HAProxy with the delivered configuration between an instance and the nodes; returns its port. */
async function startHaproxy(folder: string, nodes: readonly Server[]): Promise<number> {
  const port = await freePort()
  const config = NODES.reduce(
    (text, _, i) => text.replace(/(server \w+) 10\.0\.0\.\d:3306/, `$1 ${new URL(nodes[i]?.url ?? '').host}`),
    readFileSync(RECIPE, 'utf8').replaceAll('127.0.0.1:3307', `127.0.0.1:${String(port)}`),
  )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
  new Child('HAProxy', ['haproxy', '-db', '-q', '-f', file], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return port
}

/** The statement that operators run in that case on the most advanced node (docs/clusters.md). */
const BOOTSTRAP = `SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'`

/** Reads a node's view of its component. */
const MEMBERSHIP = `SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_conf_id', 'wsrep_cluster_size', 'wsrep_cluster_status')`
const ASK_AGAIN_MS = 200

/**
 * Resolves when all nodes serve in one component. After a long freeze a node does not know at first that the others have
 * continued without it; a fault that killed the others at that moment would lose acknowledged writes.
 */
async function areTogether(nodes: readonly Server[]): Promise<void> {
  for (;;) {
    await Promise.all(nodes.map((node) => node.ready()))
    const said = await Promise.all(nodes.map((node) => node.query(MEMBERSHIP).catch(() => [])))
    const rows = said[0] as { Variable_name: string; Value: string }[]
    const size = rows.find(({ Variable_name: name }) => name === 'wsrep_cluster_size')?.Value
    if (size === String(nodes.length) && new Set(said.map((one) => JSON.stringify(one))).size === 1) return
    await sleep(ASK_AGAIN_MS)
  }
}

async function isWithoutMajority(node: Server | undefined): Promise<boolean> {
  const [status] = (await node?.query(`SHOW STATUS LIKE 'wsrep_cluster_status'`)) ?? []
  return (status as { Value?: string } | undefined)?.Value === 'non-Primary'
}

/** The faults of nodes, which strike random nodes. */
function harmsTo(nodes: readonly Server[], { database, random }: Aims): Harms {
  const anyone = (): Server => random.pick(nodes)
  const kill = async (killed: readonly Server[]): Promise<void> => {
    await Promise.all(killed.map((node) => node.kill()))
    await sleep(AWAY_MS)
    await Promise.all(killed.map((node) => node.start()))
    const together = areTogether(nodes)
    await Promise.race([together, sleep(APART_MS)])
    const survivor = nodes.find((node) => !killed.includes(node))
    if (await isWithoutMajority(survivor)) await survivor?.query(BOOTSTRAP)
    await together
  }
  const andBack = async (harm: (node: Server) => Promise<void>): Promise<void> => {
    await harm(anyone())
    await areTogether(nodes)
  }
  return {
    'connections cut': () => anyone().cutConnections(database),
    'node frozen': () => anyone().freeze(BRIEFLY_MS),
    'node frozen long': () => andBack((node) => node.freeze(PUT_OUT_MS)),
    'node cut off': () => andBack((node) => node.isolate(PUT_OUT_MS)),
    'node killed': () => kill([anyone()]),
    'majority killed': () => kill(random.shuffled(nodes).slice(1)),
  }
}
