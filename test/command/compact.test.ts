/** `gloss compact` returns the room of deleted values to the disk. */
import { statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { open } from '../../src/data/database/sqlite/sqlite.ts'
import { whereabouts } from '../../src/process/start-failure.ts'
import { startService, type Service } from '../support/service.ts'
import { expectSound } from '../support/sound.ts'
import { gloss, type Ended } from '../support/gloss.ts'

const onSqlite = (globalThis as { database?: string }).database !== 'mysql'

let service: Service
beforeAll(async () => {
  service = await startService()
  for (let i = 0; i < 30; i++) {
    await service.ok('PUT', `/about/${String(i)}/alice/blob`, {
      as: 'alice',
      body: 'x'.repeat(100_000),
      headers: { 'content-type': 'text/plain' },
    })
  }
  await service.ok('DELETE', '/tags/alice/blob', { as: 'alice' })
})
afterAll(async () => {
  await expectSound(service.store)
  await service.stop()
})

const compact = (...args: readonly string[]): Promise<Ended> =>
  gloss(['compact', ...args], { env: { DATABASE_URL: service.databaseUrl } })

let STORE = ''
beforeAll(() => {
  STORE = `The store is ${whereabouts(service.databaseUrl)}.\n`
})

describe('compact', onSqlite ? ofFile : ofTables)

function ofFile(): void {
  test('waits for no long reader: the file gets shorter later', async () => {
    const reader = open(service.databaseUrl, 'read')
    try {
      reader.prepare('BEGIN').run()
      reader.prepare('SELECT COUNT(*) FROM tags').all()
      const { status, stderr } = await compact()
      expect({ status, stderr }).toEqual({
        status: 3,
        stderr:
          STORE +
          'A reader, such as a backup, still needs the log. The file gets shorter once it has ended, at the next write.\n',
      })
    } finally {
      reader.close()
    }
  })

  test('says the sizes before and after, and cuts the file and its log off', async () => {
    const { status, stdout, stderr } = await compact()
    expect({ status, stderr }).toEqual({ status: 0, stderr: STORE })
    expect(stdout).toMatch(
      /^before {2}.* in the file, .* in its write-ahead log\nafter {3}.* in the file, 0 octets in its write-ahead log\n$/,
    )
    const file = sqlitePath(service.databaseUrl)
    expect([statSync(file).size < 1_000_000, statSync(`${file}-wal`).size]).toEqual([true, 0])
  })
}

function ofTables(): void {
  test('says the statements, the room and what they block, and runs none', async () => {
    const { status, stdout, stderr } = await compact()
    expect({ status, stderr }).toEqual({ status: 0, stderr: STORE })
    expect(stdout).toMatch(/^ {2}OPTIMIZE TABLE value_parts; +[\d.,]+ [KM]iB, and .* free in its file$/m)
    for (const text of ['OPTIMIZE TABLE tag_values;', 'OPTIMIZE TABLE terms;', 'Room: ', '--run']) {
      expect(stdout).toContain(text)
    }
    expect(stdout).not.toContain('after')
  })

  test('--run runs them', async () => {
    const { status, stdout, stderr } = await compact('--run')
    expect(status).toBe(0)
    expect(stderr.trim().split('\n').sort()).toEqual([
      'OPTIMIZE TABLE tag_values',
      'OPTIMIZE TABLE terms',
      'OPTIMIZE TABLE value_parts',
      STORE.trim(),
    ])
    expect(stdout).toMatch(/^before {2}.*value_parts.*\nafter {3}.*value_parts.*\n$/)
    expect(stdout.split('after')[1]).toMatch(/value_parts 16 KiB/)
  })
}
