/** The metrics that the admin server gives to Prometheus. */
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { MAX_CONNECTIONS } from '../../src/data/database/knex-config.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { REASONS } from '../../src/observing/admin/health.ts'
import { useProcess } from './use-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const databaseOfProject = (): 'sqlite' | 'mysql' =>
  (globalThis as { database?: 'sqlite' | 'mysql' }).database ?? 'sqlite'

const { start: startProcess, ask, service, entries } = useProcess()
const start = (env = {}): Promise<string> => startProcess({ ADMIN_PORT: '0', ...env })

async function metrics(): Promise<string> {
  // The last one: the process is replaced once the first password is set.
  const [port = ''] =
    service()
      .printed()
      .match(/(?<=admin server is on http:\/\/127\.0\.0\.1:)\d+/g)
      ?.slice(-1) ?? []
  return new Promise((resolve, reject) => {
    get({ port, path: '/metrics' }, (res) => {
      expect(res.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
      void text(res).then(resolve, reject)
    }).on('error', reject)
  })
}

/** The value of a metric with these labels, as text. */
const valueOf = (all: string, name: string): string | undefined =>
  all
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)

/** Asks for the metrics until one has the value: an answer is counted once it has left. */
async function until(name: string, value: string): Promise<string> {
  for (;;) {
    const all = await metrics()
    if (valueOf(all, name) === value) return all
  }
}

test('requests are counted by operation, with their errors, matches and times', async () => {
  await start()
  await ask('PUT', '/about/dune/service/number', { primitive: '1' })
  await ask('PUT', '/about/emma/service/number', { primitive: '2' })
  await ask('GET', '/objects', { query: { query: 'has service/number' } })
  await ask('GET', '/about/nothing/service/number')
  await ask('GET', '/no/such/path')
  await until('gloss_requests_total{operation="putValueByAbout",status="204"}', '2')
  await until('gloss_requests_total{operation="none",status="404"}', '1')
  const all = await until('gloss_requests_total{operation="findObjects",status="200"}', '1')
  expect(valueOf(all, 'gloss_errors_total{operation="getValueByAbout",class="NoSuchObject"}')).toBe('1')
  expect(valueOf(all, 'gloss_request_duration_seconds_count{operation="putValueByAbout"}')).toBe('2')
  expect(valueOf(all, 'gloss_query_matches_bucket{le="1",operation="findObjects"}')).toBe('0')
  expect(valueOf(all, 'gloss_query_matches_bucket{le="10",operation="findObjects"}')).toBe('1')
  const inDatabase = valueOf(all, 'gloss_request_database_seconds_total{operation="putValueByAbout"}')
  expect(Number(inDatabase)).toBeGreaterThan(0)
  expect(valueOf(all, 'gloss_remembered_accounts')).toBe('1')
  expect(valueOf(all, 'gloss_purge_backlog_tags')).toBe('0')
  expect(valueOf(all, 'gloss_places{kind="scan",state="waiting"}')).toBe('0')
})

/** Starts two workers, and has them count 20 requests; returns the process id of the first. */
async function startWorkers(): Promise<number> {
  await start({ WORKERS: '2' })
  await Promise.all(Array.from({ length: 20 }, () => ask('GET', '/no/such/path')))
  await until('gloss_requests_total{operation="none",status="404"}', '20')
  const pid = String(service().process.pid)
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)
}

test('the metrics of workers are added up, and those of the instance stay single', async () => {
  await startWorkers()
  const all = await metrics()
  expect(valueOf(all, 'gloss_ready')).toBe('1')
  expect(valueOf(all, 'gloss_purge_backlog_tags')).toBe('0')
  expect(all.match(/^gloss_build_info\{/gm)).toHaveLength(1)
  const readers = Number(valueOf(all, 'gloss_database_pool_size{pool="readers"}'))
  expect(readers).toBe(2 * MAX_CONNECTIONS[databaseOfProject()].read)
})

test('an instance says that it is ready, which versions it runs, and that it knows of no backup', async () => {
  await start()
  const all = await metrics()
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { info } = readContract() as { info: { version: string } }
  const labels = `version="${version}",schema="${SCHEMA}",contract="${info.version}",node="${process.versions.node}"`
  expect(valueOf(all, `gloss_build_info{${labels}}`)).toBe('1')
  expect(valueOf(all, 'gloss_ready')).toBe('1')
  expect(all.match(/^gloss_not_ready_reason\{.*\} 0$/gm)).toHaveLength(REASONS.length)
  expect(valueOf(all, 'gloss_last_backup_timestamp_seconds')).toBe('0')
  const onDisk = Number(valueOf(all, 'gloss_sqlite_disk_free_bytes'))
  const onServer = Number(valueOf(all, 'gloss_database_server_connections'))
  if (databaseOfProject() === 'sqlite') expect(onDisk).toBeGreaterThan(0)
  else expect(onServer).toBeGreaterThan(0)
})

test('a worker that stands still does not keep the others’ metrics back', async () => {
  const first = await startWorkers()
  process.kill(first, 'SIGSTOP')
  const all = await metrics()
  process.kill(first, 'SIGCONT')
  expect(valueOf(all, 'gloss_requests_total{operation="none",status="404"}')).toBe('20')
})

test('what workers that have ended counted stays counted, and their log says that they fell', async () => {
  const first = await startWorkers()
  process.kill(first, 'SIGKILL')
  const fell = `the worker ${String(first)} fell (SIGKILL)`
  expect(await entries(fell, 1)).toEqual([expect.objectContaining({ level: 'error' })])
  const all = await metrics()
  expect(valueOf(all, 'gloss_requests_total{operation="none",status="404"}')).toBe('20')
})

test('the documentation lists the same metrics', async () => {
  await start()
  const docs = readFileSync(join(import.meta.dirname, '../../docs/monitoring.md'), 'utf8')
  const listed = (docs.match(/^- `gloss_[^:]+:/gm) ?? []).flatMap((names) => names.match(/gloss_\w+/g) ?? [])
  const given = [...(await metrics()).matchAll(/^# TYPE (gloss_\w+)/gm)].map(([, name]) => name)
  expect(given.length).toBeGreaterThan(8)
  expect(listed.toSorted()).toEqual(given.toSorted())
})
