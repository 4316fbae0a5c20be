/** The size of SQLite's write-ahead log: SQLite itself never makes the file of the log shorter while the service runs. */
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { open } from '../../src/data/database/sqlite/sqlite.ts'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { startService, type Answer, type Service } from '../support/service.ts'

const MIB = 2 ** 20
const MOST_BYTES = 64 * MIB

describe('the write-ahead log', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  const log = (): number => statSync(`${sqlitePath(service.databaseUrl)}-wal`).size
  const put = (about: string, bytes: number): Promise<Answer> =>
    service.ok('PUT', `/about/${about}/alice/blob`, {
      as: 'alice',
      body: Buffer.alloc(bytes, 1),
      headers: { 'content-type': 'application/octet-stream' },
    })

  test('grows while a reader needs it, and is cut off at a write after that', async () => {
    const reader = open(service.databaseUrl, 'read')
    try {
      reader.prepare('BEGIN').run()
      reader.prepare('SELECT COUNT(*) FROM tags').all()
      while (log() <= MOST_BYTES) await put('large', 2 * MIB)
    } finally {
      reader.close()
    }
    while (log() > MOST_BYTES) await put('small', 1)
    expect((await service.ok('GET', '/about/large/alice/blob')).body.length).toBe(2 * MIB)
  })

  test('of a service that writes nothing for some seconds is empty: the file has everything', async () => {
    await put('last', 1000)
    while (log() > 0) await sleep(100)
    const file = sqlitePath(service.databaseUrl)
    const copy = `${file}-copy`
    copyFileSync(file, copy)
    const db = open(`sqlite:${copy}`, 'read')
    try {
      const rows = db.prepare('SELECT size FROM tag_values WHERE size = 1000').all()
      expect(rows).toHaveLength(1)
    } finally {
      db.close()
      for (const part of ['', '-wal', '-shm']) rmSync(`${copy}${part}`, { force: true })
    }
  })
})
