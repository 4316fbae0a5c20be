/** Metrics of an instance as a whole, whatever the number of its workers: readiness, version, backup, disk, server. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { sql } from '../data/database/connection/sql.ts'
import { sqlitePath } from '../data/database/sqlite/sqlite-file.ts'
import { lastBackup } from '../data/maintenance/last-backup.ts'
import { purgeBacklog } from '../data/operations/purge.ts'
import type { Store } from '../data/store/store.ts'
import { REASONS, type Health } from './admin/health.ts'

/** The labels of `gloss_build_info`. */
export interface Build extends Readonly<Record<string, string>> {
  readonly version: string
  readonly contract: string
  readonly schema: string
}

/** The sources of these metrics. */
export interface Instance {
  readonly build: Build
  readonly databaseUrl: string
  readonly health: Pick<Health, 'look'>
  /** Undefined until the store is open. */
  readonly store: () => OpenStore | undefined
}

export type OpenStore = Pick<Store, 'readRow'>

/** The metrics in the text format of Prometheus. They never wait longer for the database than the check of readiness. */
export function instanceMetrics({ build, databaseUrl, health, store }: Instance): () => Promise<string> {
  const registry = new Registry()
  new Gauge({
    name: 'gloss_build_info',
    help: 'Always 1; the labels have the versions of Gloss, of its contract, of its schema and of Node',
    labelNames: ['version', 'contract', 'schema', 'node'],
    registers: [registry],
  }).set({ ...build, node: process.versions.node }, 1)
  const isFile = databaseUrl.startsWith('sqlite:')
  const readiness = watchReadiness(registry, health)
  const disk = watchDisk(registry, isFile ? sqlitePath(databaseUrl) : undefined)
  const contents = watchContents(registry)
  const server = watchServer(registry)
  return async () => {
    const [answers] = await Promise.all([readiness(), disk()])
    const opened = answers ? store() : undefined
    if (opened !== undefined) await Promise.all([contents(opened), ...(isFile ? [] : [server(opened)])])
    return registry.metrics()
  }
}

/** How long one answer may take, in milliseconds, if the database or the disk is stuck. */
const PATIENCE_MS = 1000

/** The result of `asked`; undefined if it fails or takes too long. Then the metric keeps its value. */
const promptly = <T>(asked: Promise<T>): Promise<T | undefined> =>
  Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })]).catch(() => undefined)

/** A gauge that has no value before the first one is known. */
function gauge(registry: Registry, name: string, help: string): Gauge {
  const made = new Gauge({ name, help, registers: [registry] })
  made.remove()
  return made
}

/** Resolves to whether the database answers. */
function watchReadiness(registry: Registry, health: Instance['health']): () => Promise<boolean> {
  const ready = gauge(registry, 'gloss_ready', 'Whether balancers may send requests: 1, or 0 as /readyz says')
  const reasons = new Gauge({
    name: 'gloss_not_ready_reason',
    help: '1 for each check of /readyz that fails',
    labelNames: ['reason'],
    registers: [registry],
  })
  const certificate = gauge(
    registry,
    'gloss_database_certificate_expiry_timestamp_seconds',
    'When the certificate ends that the database has shown, if it speaks TLS',
  )
  return async () => {
    const { ready: isReady, failing, checks, certificateEnds } = await health.look()
    ready.set(isReady ? 1 : 0)
    for (const reason of REASONS) reasons.set({ reason }, failing.includes(reason) ? 1 : 0)
    if (certificateEnds !== undefined) certificate.set(certificateEnds / 1000)
    return checks.database === 'ok'
  }
}

function watchDisk(registry: Registry, file: string | undefined): () => Promise<void> {
  const free = gauge(
    registry,
    'gloss_sqlite_disk_free_bytes',
    'What the service may still fill of the disk with the SQLite file',
  )
  const size = gauge(registry, 'gloss_sqlite_disk_size_bytes', 'Size of the disk with the SQLite file')
  const log = gauge(registry, 'gloss_sqlite_wal_bytes', 'Size of the write-ahead log beside the SQLite file')
  return async () => {
    if (file === undefined) return
    const [disk, wal] = await Promise.all([promptly(statfs(dirname(file))), promptly(stat(`${file}-wal`))])
    if (disk !== undefined) {
      free.set(disk.bavail * disk.bsize)
      size.set(disk.blocks * disk.bsize)
    }
    log.set(wal?.size ?? 0)
  }
}

type Asking = (store: OpenStore) => Promise<void>

function watchContents(registry: Registry): Asking {
  const backlog = gauge(
    registry,
    'gloss_purge_backlog_tags',
    'Deleted tags whose values may still take space; as last known while the database does not answer',
  )
  const time = gauge(
    registry,
    'gloss_last_backup_timestamp_seconds',
    'When the last backup began; 0 if the store knows of none',
  )
  const size = gauge(registry, 'gloss_last_backup_bytes', 'Size of the last backup')
  return async (store) => {
    const [tags, backup] = await Promise.all([promptly(purgeBacklog(store)), promptly(lastBackup(store))])
    if (tags !== undefined) backlog.set(tags)
    if (backup === undefined) return
    time.set(backup.takenAt / 1000)
    size.set(backup.octets)
  }
}

const CONNECTED = sql`SHOW GLOBAL STATUS WHERE Variable_name = 'Threads_connected'`
const MOST = sql`SELECT @@GLOBAL.max_connections AS most`

/** The connections that a MySQL server has, those of others included. */
function watchServer(registry: Registry): Asking {
  const connections = gauge(
    registry,
    'gloss_database_server_connections',
    'Connections that the database server has, from all its clients',
  )
  const limit = gauge(
    registry,
    'gloss_database_server_connections_limit',
    'The most connections that the database server accepts',
  )
  return async (store) => {
    const [connected, allowed] = await Promise.all([
      promptly(store.readRow<{ Value: Buffer | string }>(CONNECTED)),
      promptly(store.readRow<{ most: number }>(MOST)),
    ])
    if (connected !== undefined) connections.set(Number(String(connected.Value)))
    if (allowed !== undefined) limit.set(allowed.most)
  }
}
