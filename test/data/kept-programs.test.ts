/** The programs that check, back up and restore: what they print, and the status that they end with. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { lastBackup } from '../../src/data/maintenance/last-backup.ts'
import { raw, sql } from '../../src/data/database/connection/sql.ts'
import { createStore } from '../../src/data/store/store.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { connectTo, freshDatabase } from '../support/database.ts'
import { INHERITED, programFile } from '../support/process.ts'
import { onSqlite, openStores, rowsOf, type Opened } from './open.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let opened: Opened
let folder = ''

beforeAll(async () => {
  opened = await openStores()
  folder = mkdtempSync(join(tmpdir(), 'gloss-programs-'))
})
afterAll(async () => {
  await opened.close()
  rmSync(folder, { recursive: true })
})

interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the package on a database. */
function gloss(args: readonly string[], databaseUrl = opened.url): Run {
  const env = { ...INHERITED, DATABASE_URL: databaseUrl }
  const command = [programFile('command/gloss'), ...args]
  return spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' })
}

const NOT_EMPTY = 'gloss: the store is not empty (users). Nothing was changed\n'

test('a sound store is checked with a line for each rule, and status 0', () => {
  const { status, stdout } = gloss(['check'])
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /^rule +checked +broken +remains\nusers +2 +0 +0\n[^]*\nSound: the store keeps all rules\.\n$/,
  )
})

test('a store is backed up, and restored and checked elsewhere; a second time both are refused', async () => {
  const file = join(folder, 'backup.gz')
  expect(gloss(['backup', '--to', file])).toMatchObject({ status: 0 })
  const again = gloss(['backup', '--to', file])
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('overwrites nothing')])
  const target = await freshDatabase()
  const { status, stdout, stderr } = gloss(['restore', '--from', file], target.url)
  expect(status).toBe(0)
  expect([stderr, stdout]).toEqual([expect.stringContaining('Restored.'), expect.stringContaining('Sound')])
  const twice = gloss(['restore', '--from', file], target.url)
  expect([twice.status, twice.stderr]).toEqual([1, NOT_EMPTY])
  await target.drop()
})

test('a store knows of its last backup, and one that is restored from it of none', async () => {
  const file = join(folder, 'known.gz')
  const before = Date.now()
  expect(gloss(['backup', '--to', file])).toMatchObject({ status: 0 })
  const { takenAt, octets } = await lastBackup(opened.store)
  expect(octets).toBe(statSync(file).size)
  expect(takenAt).toBeGreaterThanOrEqual(before)
  expect(takenAt).toBeLessThanOrEqual(Date.now())
  const target = await freshDatabase()
  expect(gloss(['restore', '--from', file], target.url)).toMatchObject({ status: 0 })
  const restored = createStore(target.url)
  expect(await lastBackup(restored)).toEqual({ takenAt: 0, octets: 0 })
  await restored.close()
  await target.drop()
})

if (!onSqlite) {
  test('an account that may only read backs up, and is told that the store does not know of it', async () => {
    const known = await lastBackup(opened.store)
    const server = await connectTo(opened.url)
    const database = new URL(opened.url).pathname.slice(1)
    await server.query(`CREATE USER 'reader'@'127.0.0.1' IDENTIFIED BY 'reader'`)
    await server.query(`GRANT SELECT ON ${database}.* TO 'reader'@'127.0.0.1'`)
    const url = Object.assign(new URL(opened.url), { username: 'reader', password: 'reader' })
    const { status, stderr } = gloss(['backup', '--to', join(folder, 'read.gz')], url.href)
    await server.query(`DROP USER 'reader'@'127.0.0.1'`)
    await server.end()
    expect([status, stderr]).toEqual([0, expect.stringMatching(/does not know of this backup.*denied/)])
    expect(await lastBackup(opened.store)).toEqual(known)
  })
}

test('a repair says what is broken, what it does, what it did and what is left', async () => {
  await opened.store.write(SERVICE, async (tx) => {
    await tx.run(sql`DELETE FROM terms WHERE tag_id = 2`)
    await tx.run(sql`INSERT INTO tag_purges (tag_id, deleted_at) VALUES (5, 1)`)
  })
  const checked = gloss(['check'])
  expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining('can be repaired: 5 of 5')])
  const repaired = gloss(['check', '--repair'])
  expect(repaired.status).toBe(1)
  const [before = '', after = ''] = repaired.stdout.split('Checking again:')
  expect(before).toMatch(/purges +1 +1[^]*terms +225 +5/)
  expect(before).toContain('  terms: repaired 5\n')
  expect(after).toMatch(/purges +1 +1[^]*terms +233 +0/)
  await opened.store.write(SERVICE, (tx) => tx.run(sql`DELETE FROM tag_purges`))
  expect(gloss(['check']).status).toBe(0)
})

test('a backup that cannot be written or read is no failure of the database', () => {
  const [missing, from] = [join(folder, 'none', 'backup.gz'), folder]
  const written = gloss(['backup', '--to', missing])
  expect([written.status, written.stderr]).toEqual([
    1,
    expect.stringMatching(/^gloss: the backup .* cannot be written/),
  ])
  const read = gloss(['restore', '--from', from])
  expect([read.status, read.stderr]).toEqual([
    1,
    expect.stringMatching(/^gloss: '.*' cannot be read: EISDIR/),
  ])
})

test('what is not understood is refused with status 2', () => {
  expect(gloss(['check', '--mend'])).toMatchObject({ status: 2, stdout: '' })
  expect(gloss(['backup'])).toMatchObject({
    status: 2,
    stderr: 'gloss: it is not said where the backup goes\n  → name a new file: --to FILE\n',
  })
  expect(gloss(['restore'])).toMatchObject({ status: 2, stdout: '' })
})

test('a store of another version is not touched', async () => {
  // The column is of text, and bound values are bytes.
  const rename = (from: string, to: string): Promise<unknown> =>
    opened.store.write(SERVICE, (tx) =>
      tx.run(raw(`UPDATE knex_migrations SET name = '${to}' WHERE name = '${from}'`)),
    )
  await rename(SCHEMA, '9999-later')
  for (const args of [['check'], ['backup', '--to', join(folder, 'other.gz')]]) {
    const { status, stderr } = gloss(args)
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        'the schema of the store is newer than this version, which does not know 9999-later: run the version that made it',
      ),
    ])
  }
  const file = join(folder, 'of-another.gz')
  await backUp(opened.store, file)
  const { status, stderr } = gloss(['restore', '--from', file])
  expect([status, stderr]).toEqual([1, NOT_EMPTY])
  await rename('9999-later', SCHEMA)
})

test('a store that a later version has added to is backed up and checked, and it is said what the backup lacks', async () => {
  const change = (statement: string): Promise<unknown> =>
    opened.store.write(SERVICE, (tx) => tx.run(raw(statement)))
  await change(`INSERT INTO knex_migrations (name) VALUES ('9999-add-later-9.0.0')`)
  const file = join(folder, 'added.gz')
  const backup = gloss(['backup', '--to', file, '--quiet'])
  expect([backup.status, backup.stderr]).toEqual([
    3,
    'LEFT OUT: what 9999-add-later-9.0.0 has added, which only later versions can back up\n',
  ])
  expect(gloss(['check']).status).toBe(0)
  const target = await freshDatabase()
  expect(gloss(['restore', '--from', file], target.url)).toMatchObject({ status: 0 })
  await target.drop()
  await change(`DELETE FROM knex_migrations WHERE name LIKE '9999%'`)
})

test('a store in use that is of an earlier version is not brought up to date by a restore', async () => {
  const file = join(folder, 'of-this.gz')
  await backUp(opened.store, file)
  const names = async (): Promise<string[]> =>
    (
      await rowsOf<{ name: Buffer }>(
        opened.store,
        sql`SELECT UNHEX(HEX(name)) AS name FROM knex_migrations ORDER BY name`,
      )
    ).map(({ name }) => name.toString())
  const all = await names()
  const change = (statement: string): Promise<unknown> =>
    opened.store.write(SERVICE, (tx) => tx.run(raw(statement)))
  await change(`CREATE TABLE put_aside AS SELECT * FROM knex_migrations WHERE name = '${SCHEMA}'`)
  await change(`DELETE FROM knex_migrations WHERE name = '${SCHEMA}'`)
  const { status, stderr } = gloss(['restore', '--from', file])
  expect([status, stderr]).toEqual([1, NOT_EMPTY])
  expect(await names()).toEqual(all.slice(0, -1))
  await change('INSERT INTO knex_migrations SELECT * FROM put_aside')
  await change('DROP TABLE put_aside')
  expect(await names()).toEqual(all)
})

if (onSqlite) {
  test('a file that is not there is not made', () => {
    const file = join(folder, 'nowhere.db')
    const { status, stderr } = gloss(['check'], `sqlite:${file}`)
    expect([status, stderr]).toEqual([
      1,
      `gloss: DATABASE_URL: there is no file '${file}'\n  → name the file that the service uses\n`,
    ])
    expect(existsSync(file)).toBe(false)
  })

  test('a restore from a file that is not there makes no store', () => {
    const [from, file] = [join(folder, 'misspelt.gz'), join(folder, 'not-made.db')]
    const { status, stderr } = gloss(['restore', '--from', from], `sqlite:${file}`)
    expect([status, stderr]).toEqual([1, `gloss: there is no file '${from}'\n`])
    expect(existsSync(file)).toBe(false)
  })
} else {
  test('a database without tables has no schema', async () => {
    const fresh = await freshDatabase()
    const { status, stderr } = gloss(['check'], fresh.url)
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('the store has no schema yet: run gloss migrate first'),
    ])
    await fresh.drop()
  })
}
