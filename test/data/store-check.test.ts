/** What is found out about a database and its schema, without the connections that serve requests. */
import { chmodSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Connection } from '../../src/data/database/connection/connection.ts'
import { openPool } from '../../src/data/database/pool.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { openStoreCheck, type StoreCheck } from '../../src/data/store/store-check.ts'
import { createStore } from '../../src/data/store/store.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { freePort } from '../support/ports.ts'

let database: FreshDatabase
let check: StoreCheck
beforeEach(async () => {
  database = await freshDatabase()
  check = openStoreCheck(database.url)
})
afterEach(async () => {
  check.close()
  await database.drop()
})

async function migrated(): Promise<void> {
  const store = createStore(database.url)
  await store.migrate()
  await store.close()
}

test('a connection without TLS shows no certificate', async () => {
  await migrated()
  expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
  expect(check.certificateEnds()).toBeUndefined()
})

test('a schema is none, older, that of this version, or newer', async () => {
  const pool = openPool(database.url, 'migrate')
  const { knex } = pool
  // On SQLite this makes the file.
  await knex.raw('SELECT 1')
  expect(await check.look()).toEqual({ database: 'ok', schema: 'there is none yet' })
  await migrated()
  expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
  await knex('knex_migrations').where('name', SCHEMA).update('name', '0000-add-what-was-before')
  expect(await check.look()).toEqual({
    database: 'ok',
    schema: `older than this version: it lacks ${SCHEMA}`,
  })
  await knex('knex_migrations').insert({ name: '9999-from-the-future' })
  expect(await check.look()).toEqual({
    database: 'ok',
    schema: 'newer than this version, which does not know 9999-from-the-future',
  })
  await pool.close()
  await expect(migrated()).rejects.toThrow(
    'the schema of the store is newer than this version, which does not know 9999-from-the-future: run the version that made it',
  )
})

test('an instance works on when a later version only adds to its schema, and starts again', async () => {
  await migrated()
  const pool = openPool(database.url, 'migrate')
  const { knex } = pool
  await knex.raw('ALTER TABLE users ADD COLUMN later TINYINT NOT NULL DEFAULT 0')
  await knex('knex_migrations').insert({ name: '9998-add-later' })
  await pool.close()
  expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
  const service = await startService({ DATABASE_URL: database.url })
  await service.ok('PUT', '/about/x/alice/n', { as: 'alice', primitive: '1' })
  await service.stop()
})

if ((globalThis as { database?: string }).database !== 'mysql') {
  const file = (): string => database.url.slice('sqlite:'.length)

  test('a file that cannot be written is said, and no longer once it can', async () => {
    await migrated()
    chmodSync(file(), 0o400)
    expect(await check.look()).toEqual({ database: `'${file()}' is read-only`, schema: 'not known' })
    chmodSync(file(), 0o600)
    expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
  })

  test('a writer at work is no failure, and is not waited for', async () => {
    await migrated()
    const { writer, close } = await holdingWriter()
    await writer.run(raw('BEGIN IMMEDIATE'))
    expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
    await writer.run(raw('ROLLBACK'))
    await close()
  })
}

/** A connection that may hold the lock of writers. */
async function holdingWriter(): Promise<{ writer: Connection; close: () => Promise<void> }> {
  const pool = openPool(database.url, 'write')
  const writer = await pool.acquire()
  return {
    writer,
    close: async () => {
      pool.release(writer)
      await pool.close()
    },
  }
}

test('a check leaves the store as it was', async () => {
  const service = await startService({ DATABASE_URL: database.url })
  await service.ok('PUT', '/about/x/alice/n', { as: 'alice', primitive: '1' })
  expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
  expect((await service.ok('GET', '/about/x/alice/n', { as: 'alice' })).json()).toBe(1)
  await service.stop()
})

test('a database that cannot be reached is said, without its password', async () => {
  const away =
    (globalThis as { database?: string }).database === 'mysql'
      ? `mysql://gloss:geheim@127.0.0.1:${String(await freePort())}/gloss`
      : 'sqlite:/nowhere/gloss.db'
  const absent = openStoreCheck(away)
  const { database: found, schema } = await absent.look()
  expect(found).not.toBe('ok')
  expect(found).not.toContain('geheim')
  expect(schema).toBe('not known')
  absent.close()
})
