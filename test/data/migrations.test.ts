/** Migrations that are cut off: the next process goes on with what is left, and ends with the same schema. */
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Knex } from 'knex'
import { openPool } from '../../src/data/database/pool.ts'
import { migrate } from '../../src/data/store/migrate.ts'
import { ROOT } from '../../scripts/pack/root.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { INHERITED } from '../support/process.ts'
import { onSqlite } from './open.ts'

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

/** Runs work on connections of its own, which are closed at its end: on SQLite this undoes an open transaction. */
async function connected<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
  const pool = openPool(database.url, 'migrate')
  try {
    return await work(pool.knex)
  } finally {
    await pool.close()
  }
}

const MAKES = /^(?:create|alter|insert)/i

/** Migrates until `most` statements that make something have been sent, and sends none after that; returns their number. */
const cutOff = (most: number): Promise<number> =>
  connected(async (knex) => {
    let [sent, isCut] = [0, false]
    knex.on('query', ({ sql }: { sql: string }) => {
      isCut ||= sent === most && MAKES.test(sql)
      if (isCut) throw new Error('cut off')
      if (MAKES.test(sql)) sent += 1
    })
    await migrate(knex).catch((error: unknown) => {
      if (!isCut) throw error
    })
    return sent
  })

/** The lock of a process that has died opens after 20 seconds (`migration-lock.test.ts`). */
const openLock = (): Promise<void> =>
  connected(async (knex) => {
    const lock = 'knex_migrations_lock'
    if (await knex.schema.hasTable(lock)) await knex(lock).update({ is_locked: 0 })
  })

/** All tables, their keys, and the rows that a migration writes. */
const schema = (): Promise<unknown> =>
  connected(async (knex) => [
    onSqlite ? await knex('sqlite_schema').orderBy('name').select('name', 'sql') : await mysqlTables(knex),
    await knex('id_blocks').orderBy('kind'),
    await knex('knex_migrations').select('name'),
  ])

async function mysqlTables(knex: Knex): Promise<unknown> {
  const [tables] = (await knex.raw('SHOW TABLES')) as [object[]]
  const names = tables.map((row) => String(Object.values(row)[0]))
  return Promise.all(
    names.map(async (name) => ((await knex.raw('SHOW CREATE TABLE ??', [name])) as unknown[])[0]),
  )
}

test('a migration that is cut off after any of its statements is gone on with', async () => {
  const all = await cutOff(Infinity)
  const whole = await schema()
  expect(all).toBeGreaterThan(20)
  for (let sent = 0; sent < all; sent++) {
    await database.drop()
    database = await freshDatabase()
    expect(await cutOff(sent)).toBe(sent)
    await openLock()
    await connected(migrate)
    expect([sent, await schema()]).toEqual([sent, whole])
  }
})

test('the knex command lists the migrations of a store that a later version has begun to change', async () => {
  await connected(migrate)
  await connected((knex) => knex('knex_migrations').insert({ name: '9999-change-9.0.0 begun', batch: 0 }))
  const command = ['node_modules/knex/bin/cli.js', 'migrate:list', '--knexfile', 'knexfile.ts']
  const env = { ...INHERITED, DATABASE_URL: database.url }
  const listed = spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' })
  expect(listed).toMatchObject({ status: 0, stdout: expect.stringContaining('9999-change-9.0.0 begun') })
})
