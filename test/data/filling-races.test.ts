/** A service and a restore that find the same store empty: one of them fills it, and the other one sees that. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { copyOf } from '../../src/copy/copy-file.ts'
import type { BackupRecord } from '../../src/copy/records.ts'
import { writeNewFile } from '../../src/data/maintenance/new-file.ts'
import { NotEmpty, restore, verifiedBackup } from '../../src/data/maintenance/restore.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { bootstrap, lockFilling } from '../../src/data/entities/bootstrap.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { freshDatabase, PATIENT, type FreshDatabase } from '../support/database.ts'
import { rowsOf } from './open.ts'

let database: FreshDatabase
let stores: readonly [Store, Store]
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gloss-filling-'))
  database = await freshDatabase()
  stores = [createStore(database.url, undefined, PATIENT), createStore(database.url, undefined, PATIENT)]
  await stores[0].migrate()
})
afterEach(async () => {
  for (const store of stores) await store.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** What the server says of transactions stays the same if it is asked again within a tenth of a second. */
const STALE_MS = 200

/** Whether a transaction on this database waits for a lock. */
const isWaiting = async (store: Store): Promise<boolean> =>
  (
    await rowsOf(
      store,
      sql`SELECT 1 FROM information_schema.innodb_trx t JOIN information_schema.processlist p
          ON p.id = t.trx_mysql_thread_id WHERE t.trx_state = ${'LOCK WAIT'} AND p.db = DATABASE()`,
    )
  ).length > 0

/** Begins to fill a store as `first` does, while `late` begins, too; returns how that ends. */
async function beside(first: 'restore' | 'service', late: () => Promise<unknown>): Promise<unknown> {
  let settled = false
  let end: Promise<unknown> = Promise.resolve()
  await stores[0].write(SERVICE, async (tx) => {
    await lockFilling(tx)
    end = late().then(
      () => 'was done',
      (error: unknown) => error,
    )
    void end.then(() => {
      settled = true
    })
    while (!settled && !(await isWaiting(stores[0]))) await sleep(STALE_MS)
    if (first === 'restore')
      await tx.run(sql`INSERT INTO id_blocks (kind, next_id) VALUES (${'restoring'}, 0)`)
    else
      await tx.run(sql`
      INSERT INTO users (id, username, role, object_id) VALUES (1, ${'service'}, ${'superuser'}, ${Buffer.alloc(16)})`)
  })
  return end
}

const nothing = async function* (): AsyncGenerator<BackupRecord> {
  // A file without records is whole.
}

test('a service waits for a restore that begins, and does not start', async () => {
  const end = await beside('restore', () => bootstrap(stores[1]))
  expect(String(end)).toContain('being restored into this store')
})

test('a restore waits for a service that starts, and changes nothing', async () => {
  const file = join(folder, 'empty.gz')
  await writeNewFile(file, copyOf(nothing(), { schema: SCHEMA, next: { users: 3, namespaces: 3, tags: 3 } }))
  const backup = await verifiedBackup(file)
  const end = await beside('service', () => restore(stores[1], backup))
  expect(end).toBeInstanceOf(NotEmpty)
})
