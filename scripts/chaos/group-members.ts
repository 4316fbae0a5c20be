/**
 * Reads the nodes' views of a group of MySQL Group Replication, and repairs a group that has lost its majority as an
 * operator would.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.ts'

/** After this time a group does not recover by itself: a node without a majority gives up after a minute. */
const APART_MS = 70_000
const ASK_AGAIN_MS = 500
/** The most repairs; after that, only people can find the cause. */
const MOST_REPAIRS = 5

export const MEMBERS = 'performance_schema.replication_group_members'
/** Reads a node's view of the group. */
const VIEW = `SELECT MEMBER_ID, MEMBER_STATE AS state, MEMBER_ROLE AS role FROM ${MEMBERS} ORDER BY MEMBER_ID`

interface Member {
  readonly state: string
  readonly role: string
}

const viewAt = (node: Server): Promise<Member[]> =>
  node.query(VIEW).then(
    (rows) => rows as Member[],
    () => [],
  )

/** Returns whether all nodes agree that all are online and which one is the primary. */
async function isWhole(nodes: readonly Server[]): Promise<boolean> {
  const views = await Promise.all(nodes.map(viewAt))
  const [first = []] = views
  return (
    first.filter(({ state }) => state === 'ONLINE').length === nodes.length &&
    first.some(({ role }) => role === 'PRIMARY') &&
    new Set(views.map((view) => JSON.stringify(view))).size === 1
  )
}

/** Resolves when all nodes serve in one group, with a repair if necessary. Throws if the repair fails. */
export async function areTogether(nodes: readonly Server[]): Promise<void> {
  for (let repairs = 0; ; repairs++) {
    const end = performance.now() + APART_MS
    while (performance.now() < end) {
      if (await isWhole(nodes)) return
      await sleep(ASK_AGAIN_MS)
    }
    if (repairs === MOST_REPAIRS) throw new Error('the group does not become whole again')
    await repair(nodes)
  }
}

export const START = 'START GROUP_REPLICATION'
export const STOP = 'STOP GROUP_REPLICATION'

/**
 * The repair of docs/clusters.md: without a majority, the node with the most transactions bootstraps the group again.
 */
async function repair(nodes: readonly Server[]): Promise<void> {
  const views = await Promise.all(nodes.map(viewAt))
  const serving = nodes.filter((_, i) => {
    const online = views[i]?.filter(({ state }) => state === 'ONLINE') ?? []
    return 2 * online.length > nodes.length && online.some(({ role }) => role === 'PRIMARY')
  })
  if (serving.length === 0) {
    const most = await nodeWithMost(nodes)
    await most.query(STOP)
    await most.query('SET GLOBAL group_replication_bootstrap_group = ON')
    await most.query(START)
    await most.query('SET GLOBAL group_replication_bootstrap_group = OFF')
    serving.push(most)
  }
  for (const node of nodes.filter((one) => !serving.includes(one))) await joinAgain(node)
}

/** Throws if the group rejects the node, as it does if the node has transactions of its own. */
async function joinAgain(node: Server): Promise<void> {
  await node.query(STOP)
  try {
    await node.query(START)
  } catch (error) {
    throw new Error([...(await outside(node)), String(error)].join('; '), { cause: error })
  }
}

const HAS = `SELECT CONCAT_WS(',', @@gtid_executed, (SELECT RECEIVED_TRANSACTION_SET
  FROM performance_schema.replication_connection_status WHERE CHANNEL_NAME = 'group_replication_applier')) AS has`

/** The node that has received or executed all transactions of the other nodes. */
async function nodeWithMost(nodes: readonly Server[]): Promise<Server> {
  let [most] = nodes as [Server, ...Server[]]
  for (const node of nodes) if (await isIn(await has(most), await has(node), node)) most = node
  return most
}

async function has(node: Server): Promise<string> {
  const [row] = await node.query(HAS)
  return (row as { has: string }).has
}

async function isIn(few: string, many: string, judge: Server): Promise<boolean> {
  const [row] = await judge.query(`SELECT GTID_SUBSET('${few}', '${many}') AS is_in`)
  return (row as { is_in: number }).is_in === 1
}

/** The transactions of a node that are not from the group. */
async function outside(node: Server): Promise<string[]> {
  const [row] = await node.query('SELECT @@group_replication_group_name AS name')
  const { name } = row as { name: string }
  const sets = (await has(node)).split(/,\s*/)
  return sets
    .filter((set) => set !== '' && !set.startsWith(name))
    .map((set) => `${node.url} has ${set}, which was not written in the group`)
}

/** Transactions of nodes that are not from the group, and tables that differ. */
export async function faultsOf(nodes: readonly Server[], database: string): Promise<string[]> {
  const tables = (await nodes[0]?.query(`SHOW TABLES FROM ${database}`)) ?? []
  const names = tables.map((row) => `${database}.${String(Object.values(row as object)[0])}`)
  const faults: string[] = []
  const sums: string[] = []
  for (const node of nodes) {
    faults.push(...(await outside(node)))
    sums.push(JSON.stringify(await node.query(`CHECKSUM TABLE ${names.join(', ')}`)))
  }
  if (new Set(sums).size > 1) faults.push(`the nodes have different tables: ${sums.join(' ')}`)
  return faults
}
