/** The lock on migrations: a process that dies while it holds it does not keep it. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import knexFactory, { type Knex } from 'knex'
import { knexConfig } from '../../src/data/database/knex-config.ts'
import { migrate } from '../../src/data/store/migrate.ts'
import { MigrationLock } from '../../src/data/store/migration-lock.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { gloss } from '../support/gloss.ts'
import { freePort } from '../support/ports.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

let database: FreshDatabase
let knex: Knex
beforeEach(async () => {
  database = await freshDatabase()
  knex = knexFactory(knexConfig(database.url))
})
afterEach(async () => {
  await knex.destroy()
  await database.drop()
})

test('a migration is ended by the next process when the first one is killed', async () => {
  const port = await freePort()
  const proxy = await TcpProxy.start(database.url, port)
  // The first table of the migration commits the lock, so that others see it.
  proxy.set({ harm: 'freeze', point: 'answer', after: 0, text: 'create table `users`' })
  const url = new URL(database.url)
  url.port = String(port)
  const child = Promise.withResolvers<ChildProcess>()
  const first = gloss(['migrate'], { env: { DATABASE_URL: url.href }, started: child.resolve })
  while (proxy.isSet) await sleep(10)
  ;(await child.promise).kill('SIGKILL')
  expect((await first).status).toBeNull()
  await proxy.stop()
  expect(await isLocked()).not.toBe(0)
  const env = { DATABASE_URL: database.url }
  expect(await gloss(['migrate'], { env })).toMatchObject({ status: 0 })
  expect(await gloss(['migrate', '--status'], { env })).toMatchObject({ status: 0 })
  expect(await isLocked()).toBe(0)
})

test('a holder that lives ends every doubt, and one that does not is doubted before its lock is opened', async () => {
  await migrate(knex)
  await setLock(-5)
  const lock = new MigrationLock(knex)
  await lock.held(async (taken) => {
    taken()
    while ((await isLocked()) === -5) await sleep(100)
  })
  const seen = [await isLocked()]
  while (seen.at(-1) !== 0) {
    await lock.look()
    const now = await isLocked()
    if (now === seen.at(-1)) await sleep(100)
    else seen.push(now)
  }
  const [last = 0] = seen
  expect(last).toBeGreaterThan(5)
  expect(seen).toEqual([last, -last, 0])
})

const TABLE = 'knex_migrations_lock'
const setLock = async (value: number): Promise<void> => {
  await knex(TABLE).update({ is_locked: value })
}
const isLocked = async (): Promise<number | undefined> =>
  (await knex<{ is_locked: number }>(TABLE).first('is_locked'))?.is_locked
