/** The first start: the file, the schema and the built-in users and tags, even by several processes at once. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { bootstrap, lockFilling } from '../../src/data/entities/bootstrap.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { openPool } from '../../src/data/database/pool.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { MIGRATION_NAMES } from '../../src/data/store/versions.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { programFile } from '../support/process.ts'
import { numberOf, onSqlite, orphans, rowsOf } from './open.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let database: FreshDatabase
const stores: Store[] = []

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await database.drop()
})

function open(): Store {
  const store = createStore(database.url)
  stores.push(store)
  return store
}

const BUILT_IN = { users: 2, namespaces: 5, tags: 9 }

async function expectBuiltIns(store: Store): Promise<void> {
  for (const [table, count] of Object.entries(BUILT_IN)) {
    expect([
      table,
      await numberOf(store, { text: `SELECT count(*) AS n FROM ${table}`, values: [] }),
    ]).toEqual([table, count])
  }
  expect(await orphans(store)).toBe(0)
  const paths = await rowsOf<{ path: Buffer }>(store, sql`SELECT path FROM namespaces ORDER BY path`)
  expect(paths.map(({ path }) => path.toString())).toEqual([
    'anon',
    'service',
    'service/namespaces',
    'service/tags',
    'service/users',
  ])
}

/** Runs a program of the project on the database. */
const start = (program: string, ...args: string[]) =>
  run(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: database.url, NODE_OPTIONS: '' },
  })

test('stores of one process can set up the same empty database at once', async () => {
  await Promise.all(
    [open(), open(), open()].map(async (store) => {
      await store.migrate()
      await bootstrap(store)
    }),
  )
  await expectBuiltIns(open())
})

test('a store that is set up asks for no lock', async () => {
  const [store, other] = [open(), open()]
  await store.migrate()
  await bootstrap(store)
  await store.write(SERVICE, async (tx) => {
    await lockFilling(tx)
    await bootstrap(other)
  })
})

test('processes can set up the same empty database at once', async () => {
  const ends = await Promise.all([1, 2, 3].map(() => start(programFile('command/gloss'), 'migrate')))
  // Each that found no tables says that the store is new.
  const texts = ends.map(({ stderr }) => stderr.replace(/^This is a new store, in .*\n/, ''))
  expect(texts).toEqual(Array<string>(3).fill('The schema is up to date.\n'))
  await expectBuiltIns(open())
})

test('a migration lock with two rows, left by two processes that created it at once, is repaired', async () => {
  const pool = openPool(database.url, 'migrate')
  const { knex } = pool
  await knex.schema.createTable('knex_migrations_lock', (table) => {
    table.increments('index').primary()
    table.integer('is_locked')
  })
  await knex('knex_migrations_lock').insert({ is_locked: 0 })
  await knex('knex_migrations_lock').insert({ is_locked: 0 })
  await pool.close()
  const store = open()
  await store.migrate()
  await bootstrap(store)
  await expectBuiltIns(store)
})

test('a second start changes nothing', async () => {
  const store = open()
  await store.migrate()
  await bootstrap(store)
  const before = await rowsOf(store, sql`SELECT * FROM tag_values ORDER BY tag_id, object_id`)
  await store.migrate()
  await bootstrap(store)
  expect(await rowsOf(store, sql`SELECT * FROM tag_values ORDER BY tag_id, object_id`)).toEqual(before)
  await expectBuiltIns(store)
})

describe('the knex command', () => {
  const ALL = String(MIGRATION_NAMES.length)
  const knex = async (command: string): Promise<string> => {
    const { stdout } = await start('node_modules/knex/bin/cli.js', command, '--knexfile', 'knexfile.ts')
    return stdout
  }

  test('migrates the schema up, reports its status, and migrates down and up again', async () => {
    expect(await knex('migrate:status')).toContain(`Found ${ALL} Pending Migration`)
    expect(await knex('migrate:latest')).toContain(`${ALL} migrations`)
    expect(await knex('migrate:latest')).toContain('Already up to date')
    expect(await knex('migrate:status')).toMatch(/Completed[^]*0001-initial[^]*No Pending/)
    expect(await knex('migrate:rollback')).toContain('rolled back')
    expect(await knex('migrate:latest')).toContain(`${ALL} migrations`)
    const store = open()
    await store.migrate()
    await bootstrap(store)
    await expectBuiltIns(store)
  })
})

test('a restart ignores the lock of a killed process if the schema is up to date', async () => {
  const store = open()
  await store.migrate()
  await bootstrap(store)
  const pool = openPool(database.url, 'migrate')
  await pool.knex('knex_migrations_lock').update({ is_locked: 1 })
  await store.migrate()
  expect(await pool.knex('knex_migrations_lock').select('is_locked')).toEqual([{ is_locked: 1 }])
  await pool.close()
})

test('the folder of a SQLite file is created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-start-'))
  const file = join(folder, 'not', 'there', 'yet.db')
  const store = createStore(`sqlite:${file}`)
  try {
    await store.migrate()
    await bootstrap(store)
    expect((await stat(file)).isFile()).toBe(true)
    await expectBuiltIns(store)
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
})

if (onSqlite) {
  describe('the files of a database on SQLite', () => {
    const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8)
    let folder = ''
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gloss-modes-'))
    })
    afterEach(() => rm(folder, { recursive: true }))

    async function started(file: string): Promise<string[]> {
      const store = createStore(`sqlite:${file}`)
      stores.push(store)
      await store.migrate()
      await bootstrap(store)
      return Promise.all([file, `${file}-wal`, `${file}-shm`].map(modeOf))
    }

    test('and their folder, if it is new, are for the owner alone', async () => {
      expect(await started(join(folder, 'new', 'gloss.db'))).toEqual(['600', '600', '600'])
      expect(await modeOf(join(folder, 'new'))).toBe('700')
    })

    test('can shrink when rows are deleted: auto_vacuum is incremental', async () => {
      const file = join(folder, 'gloss.db')
      await started(file)
      const pool = openPool(`sqlite:${file}`, 'migrate')
      expect(await pool.knex.raw('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }])
      await pool.close()
    })

    test('are closed to others if they were open', async () => {
      const file = join(folder, 'gloss.db')
      await writeFile(file, '')
      await chmod(file, 0o666)
      await chmod(folder, 0o755)
      expect(await started(file)).toEqual(['600', '600', '600'])
      expect(await modeOf(folder)).toBe('755')
    })
  })
}
