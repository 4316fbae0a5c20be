/** Metrics of an instance, on a store and checks that are made up. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, jest, test } from '@jest/globals'
import { instanceMetrics, type Instance } from '../../src/observing/instance-metrics.ts'

const folder = mkdtempSync(join(tmpdir(), 'gloss-metrics-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const build = { version: '1.2.3', contract: '0.2.0', schema: '0001-initial' }

type Found = Partial<Awaited<ReturnType<Instance['health']['look']>>>

const health = (found: Found = {}): Instance['health'] => ({
  look: () =>
    Promise.resolve({
      ready: true,
      failing: [],
      certificateEnds: undefined,
      ...found,
      checks: { start: 'ok', processes: 'ok', drain: 'ok', database: 'ok', schema: 'ok', ...found.checks },
    }),
})

/** A store that answers by the table or variable that a statement names; it keeps silent on others. */
const storeOf = (rows: Record<string, unknown>) =>
  ({
    readRow: (statement: { text: string }) => {
      const [, row] = Object.entries(rows).find(([name]) => statement.text.includes(name)) ?? []
      if (row instanceof Error) return Promise.reject(row)
      return row === undefined ? new Promise(() => undefined) : Promise.resolve(row)
    },
  }) as never

const valuesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )

const FILE = `sqlite:${join(folder, 'gloss.db')}`
const SERVER = 'mysql://gloss@localhost/gloss'

async function measured(instance: Partial<Instance>): Promise<Record<string, string>> {
  const text = instanceMetrics({
    build,
    databaseUrl: SERVER,
    health: health(),
    store: () => undefined,
    ...instance,
  })
  return valuesIn(await text())
}

test('before its start has finished, an instance has readiness and version alone', async () => {
  const checks = { start: 'it has not finished' } as never
  const values = await measured({ health: health({ ready: false, failing: ['start'], checks }) })
  expect(values).toEqual({
    [`gloss_build_info{version="1.2.3",contract="0.2.0",schema="0001-initial",node="${process.versions.node}"}`]:
      '1',
    gloss_ready: '0',
    'gloss_not_ready_reason{reason="start"}': '1',
    'gloss_not_ready_reason{reason="processes"}': '0',
    'gloss_not_ready_reason{reason="drain"}': '0',
    'gloss_not_ready_reason{reason="database"}': '0',
    'gloss_not_ready_reason{reason="schema"}': '0',
  })
})

test('a SQLite file: room on its disk, write-ahead log, last backup', async () => {
  writeFileSync(join(folder, 'gloss.db-wal'), 'x'.repeat(4711))
  const rows = { tag_purges: { tags: 7 }, last_backup: { taken_at: 1_700_000_000_500, octets: 42 } }
  const values = await measured({ databaseUrl: FILE, store: () => storeOf(rows) })
  expect(values).toMatchObject({
    gloss_ready: '1',
    gloss_sqlite_wal_bytes: '4711',
    gloss_purge_backlog_tags: '7',
    gloss_last_backup_timestamp_seconds: '1700000000.5',
    gloss_last_backup_bytes: '42',
  })
  const [free, size] = ['free', 'size'].map((kind) => Number(values[`gloss_sqlite_disk_${kind}_bytes`]))
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThan(free ?? 0)
  expect(values).not.toHaveProperty('gloss_database_server_connections')
})

test('a server: its connections and its certificate', async () => {
  const rows = { Threads_connected: { Value: Buffer.from('17') }, max_connections: { most: 151 } }
  const values = await measured({
    health: health({ certificateEnds: 1_800_000_000_000 }),
    store: () => storeOf({ ...rows, tag_purges: { tags: 0 }, last_backup: { taken_at: 0, octets: 0 } }),
  })
  expect(values).toMatchObject({
    gloss_database_server_connections: '17',
    gloss_database_server_connections_limit: '151',
    gloss_database_certificate_expiry_timestamp_seconds: '1800000000',
    gloss_last_backup_timestamp_seconds: '0',
  })
  expect(values).not.toHaveProperty('gloss_sqlite_disk_free_bytes')
})

test('what a store said last stays while it does not answer', async () => {
  let rows: Record<string, unknown> = { tag_purges: { tags: 7 } }
  const text = instanceMetrics({
    build,
    databaseUrl: FILE,
    health: health(),
    store: () => storeOf(rows),
  })
  const backlog = async (): Promise<unknown> => valuesIn(await text())['gloss_purge_backlog_tags']
  expect(await backlog()).toBe('7')
  rows = {}
  expect(await backlog()).toBe('7')
  rows = { tag_purges: new Error('gone') }
  expect(await backlog()).toBe('7')
})

test('a store whose database fails its check is not asked', async () => {
  const readRow = jest.fn()
  const checks = { database: 'gone' } as never
  const values = await measured({
    health: health({ ready: false, failing: ['database'], checks }),
    store: () => ({ readRow }) as never,
  })
  expect(values).toMatchObject({ gloss_ready: '0', 'gloss_not_ready_reason{reason="database"}': '1' })
  expect(readRow).not.toHaveBeenCalled()
})
