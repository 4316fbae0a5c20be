/** Versions one after the other on the same store, by made-up migrations: what each can do with it, forward and back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Knex } from 'knex'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { checkStore, isSound } from '../../src/data/maintenance/check-store.ts'
import { requireKeptStore } from '../../src/data/maintenance/kept.ts'
import { restore, verifiedBackup } from '../../src/data/maintenance/restore.ts'
import { openPool } from '../../src/data/database/pool.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { MIGRATIONS, type Migration, type Migrations } from '../../src/data/store/migrations/index.ts'
import { openStoreCheck } from '../../src/data/store/store-check.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { BEGUN, MIGRATION_NAMES } from '../../src/data/store/versions.ts'
import { startFailure } from '../../src/process/start-failure.ts'
import { freshDatabase } from '../support/database.ts'
import { ADDED, CONTRACTED, EXPANDED, FAILING } from '../support/made-up/migrations.ts'
import { onSqlite, openStores, type Opened } from './open.ts'

let opened: Opened
let store: Store
let folder = ''
beforeEach(async () => {
  opened = await openStores()
  ;({ store } = opened)
  folder = mkdtempSync(join(tmpdir(), 'gloss-versions-'))
})
afterEach(async () => {
  await opened.close()
  rmSync(folder, { recursive: true })
})

const change = (statement: string): Promise<unknown> => store.write(SERVICE, (tx) => tx.run(raw(statement)))

/** What `/readyz` of this version, which has only the real migrations, says of the schema. */
async function readiness(): Promise<string> {
  const check = openStoreCheck(opened.url)
  try {
    return (await check.look()).schema
  } finally {
    check.close()
  }
}

async function connected<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
  const pool = openPool(opened.url, 'migrate')
  try {
    return await work(pool.knex)
  } finally {
    await pool.close()
  }
}

/** The names in the table of migrations. */
const recorded = (): Promise<string[]> =>
  connected(async (knex) => {
    const rows = await knex<{ name: string }>('knex_migrations').orderBy('name')
    return rows.map(({ name }) => name)
  })

const has = (table: string, column: string): Promise<boolean> =>
  connected((knex) => knex.schema.hasColumn(table, column))

let files = 0

/** Backs the store up as a version with these migrations, and restores and checks the backup elsewhere. */
async function backUpAs(version: Migrations): Promise<string> {
  const { schema } = await requireKeptStore(store, 'back up', Object.keys(version))
  const file = join(folder, `${String(files++)}.gz`)
  await backUp(store, file, schema)
  const target = await freshDatabase()
  const restored = createStore(target.url)
  try {
    await restored.migrate()
    await restore(restored, await verifiedBackup(file, Object.keys(version)))
    expect(isSound(await checkStore(restored))).toBe(true)
  } finally {
    await restored.close()
    await target.drop()
  }
  return schema
}

const refusedTo = async (use: 'back up' | 'check', version: Migrations): Promise<string> => {
  const kept = requireKeptStore(store, use, Object.keys(version))
  return kept.then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  )
}

const LAST = MIGRATION_NAMES.at(-1) ?? ''

test('a version backs up the store of every version before it, and checks only its own', async () => {
  expect(await backUpAs(CONTRACTED)).toBe(LAST)
  expect(await refusedTo('check', CONTRACTED)).toBe(
    'the schema of the store is older than this version: it lacks 0002-add-marks-0.2.1, 0003-add-grams-0.3.0, 0004-only-grams-0.4.0: run gloss migrate first',
  )
  await store.migrate(ADDED)
  expect(await backUpAs(CONTRACTED)).toBe('0002-add-marks-0.2.1')
  await store.migrate(EXPANDED)
  expect(await backUpAs(CONTRACTED)).toBe('0003-add-grams-0.3.0')
  await store.migrate(CONTRACTED)
  expect(await backUpAs(CONTRACTED)).toBe('0004-only-grams-0.4.0')
  expect(await refusedTo('check', CONTRACTED)).toBe('not refused')
})

test('after migrations that only add, the older version serves, backs up, checks and starts', async () => {
  await store.migrate(EXPANDED)
  expect(await readiness()).toBe('ok')
  expect(await backUpAs(MIGRATIONS)).toBe(LAST)
  expect(await refusedTo('check', MIGRATIONS)).toBe('not refused')
  await store.migrate(MIGRATIONS)
  expect(await recorded()).toEqual(Object.keys(EXPANDED))
})

test('after a migration that does more, older versions refuse, and name the version that is needed', async () => {
  await store.migrate(EXPANDED)
  await change(`INSERT INTO marks (id, label, kilograms) VALUES (1, 'a', 3)`)
  await store.migrate(CONTRACTED)
  expect([await has('marks', 'kilograms'), await has('marks', 'grams')]).toEqual([false, true])
  expect(await store.readRow({ text: 'SELECT grams FROM marks', values: [] })).toEqual({ grams: 3000 })
  const newer =
    'newer than this version, which does not know 0004-only-grams-0.4.0; it needs Gloss 0.4.0 or later'
  expect(await readiness()).toBe(newer)
  const refused = `the schema of the store is ${newer}: run the version that made it`
  for (const version of [MIGRATIONS, ADDED, EXPANDED]) {
    expect(await refusedTo('back up', version)).toBe(refused)
    expect(await refusedTo('check', version)).toBe(refused)
    await expect(store.migrate(version)).rejects.toThrow(refused)
  }
})

describe('a migration that fails after its first change', () => {
  const [name = '', migration] = Object.entries(FAILING).at(-1) ?? []
  let tries = 0
  const counted: Migrations = {
    ...FAILING,
    [name]: {
      ...migration,
      up: async (knex: Knex) => {
        tries += 1
        await migration?.up(knex)
      },
    } as Migration,
  }

  /** Migrates, and returns what is printed of the failure. */
  const failure = async (): Promise<string> =>
    store.migrate(counted).then(
      () => 'none',
      (error: unknown) => startFailure(error, { databaseUrl: opened.url }),
    )

  beforeEach(async () => {
    tries = 0
    await store.migrate(CONTRACTED)
    await change(`INSERT INTO marks (id, label, grams) VALUES (1, 'a', 1)`)
    await change(`INSERT INTO marks (id, label, grams) VALUES (2, 'a', 1)`)
  })

  test('is named with its cause and what to do, and leaves no lock', async () => {
    const said = await failure()
    expect(said).toMatch(
      onSqlite
        ? /^the migration 0005-unique-labels-0\.5\.0 failed: create .*UNIQUE.*: nothing of it stays; remove the cause, and run gloss migrate again$/
        : /^the migration 0005-unique-labels-0\.5\.0 failed: alter .*Duplicate entry.*: the changes that it has made stay; remove the cause, and run gloss migrate again$/,
    )
    expect(tries).toBe(1)
    // The next run does not wait for the lock.
    expect(await failure()).toBe(said)
  })

  test('keeps older versions away as long as a part of it stays', async () => {
    await failure()
    if (onSqlite) {
      expect(await recorded()).toEqual([...Object.keys(CONTRACTED), '0004-only-grams-0.4.0' + BEGUN].sort())
      expect(await has('users', 'marks')).toBe(true)
      expect(await refusedTo('check', CONTRACTED)).toBe('not refused')
    } else {
      expect(await has('users', 'marks')).toBe(false)
      expect(await refusedTo('back up', CONTRACTED)).toMatch(/needs Gloss 0\.5\.0 or later/)
      expect(await refusedTo('back up', FAILING)).toMatch(
        /between two versions: 0005-unique-labels-0\.5\.0 was begun and has not ended: run gloss migrate first/,
      )
    }
  })

  test('goes on once the cause is gone', async () => {
    await failure()
    await change('DELETE FROM marks WHERE id = 2')
    expect(await has('users', 'marks')).toBe(onSqlite)
    await store.migrate(FAILING)
    expect(await has('users', 'marks')).toBe(false)
    expect(await refusedTo('check', FAILING)).toBe('not refused')
    expect(await refusedTo('check', CONTRACTED)).toMatch(/needs Gloss 0\.5\.0 or later/)
  })
})

if (!onSqlite) {
  test('a migration does not wait for a long transaction, because requests would wait for the migration', async () => {
    await store.read(SERVICE, async (tx) => {
      await tx.one(raw('SELECT 1 AS found FROM users LIMIT 1'))
      await expect(store.migrate(ADDED)).rejects.toMatchObject({
        migration: '0002-add-marks-0.2.1',
        code: 'ER_LOCK_WAIT_TIMEOUT',
      })
    })
    await store.migrate(ADDED)
    expect(await has('users', 'marks')).toBe(true)
  })
}
