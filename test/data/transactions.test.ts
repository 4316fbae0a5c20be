/** Transactions: all or nothing, one view, retried on conflicts, and 503 where that does not help. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import knexFactory from 'knex'
import { knexConfig } from '../../src/data/database/knex-config.ts'
import { createNamespace } from '../../src/data/entities/namespaces.ts'
import { findObjectAbout, objectAbout } from '../../src/data/entities/objects.ts'
import type { ObjectId } from '../../src/data/database/ids/ids.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { tagAt } from '../../src/data/permissions/permissions.ts'
import { permitObjectCreation } from '../../src/data/permissions/user-rights.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import type { Caller, WriteTx } from '../../src/data/store/views.ts'
import { Encoded } from '../../src/data/values/encoding.ts'
import { ensureTags } from '../../src/data/entities/tags.ts'
import { writeValue } from '../../src/data/writing/writing.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { stringValue } from '../../src/model/tag-value.ts'
import { freePort } from '../support/ports.ts'
import { expectSound } from '../support/sound.ts'
import { callerOf, numberOf, onSqlite, openStores, rowsOf, type Opened } from './open.ts'

let opened: Opened
let store: Store
let alice: Caller

beforeAll(async () => {
  opened = await openStores()
  store = opened.store
  alice = await callerOf(store, 'alice')
})
afterEach(() => expectSound(store))
afterAll(() => opened.close())

const TABLES = [
  'users',
  'namespaces',
  'tags',
  'permission_exceptions',
  'about_values',
  'tag_values',
  'value_parts',
  'terms',
  'tag_purges',
]

/** The number of rows in each table. */
async function counts(): Promise<number[]> {
  const found: number[] = []
  for (const table of TABLES) {
    found.push(await numberOf(store, { text: `SELECT count(*) AS n FROM ${table}`, values: [] }))
  }
  return found
}

const makeObject = <V>(tx: WriteTx<V>, about: string): Promise<ObjectId> =>
  objectAbout(tx, permitObjectCreation(tx), about)

/** Adds rows to every table. */
async function makeMuch<V>(tx: WriteTx<V>, name: string): Promise<void> {
  await createNamespace(tx, `alice/${name}/missing`, 'child', '')
  const path = `alice/${name}/tag`
  const tag = tagAt(await ensureTags(tx, [path]), path)
  const object = await makeObject(tx, name)
  const value = new Encoded(stringValue(`${name} ${'and many more words '.repeat(100)}`))
  await writeValue(tx, object, tag, { value })
}

/** A promise and the function that keeps it. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return {
    given,
    give: () => {
      give()
    },
  }
}

describe('all or nothing', () => {
  test.each([
    ['a fault', () => new Error('on purpose')],
    ['an error of the service', () => new ServiceError('TBadRequest', { message: 'on purpose' })],
  ])('%s leaves no trace', async (_what, error) => {
    const before = await counts()
    const thrown = error()
    const attempt = store.write(alice, async (tx) => {
      await makeMuch(tx, 'failed')
      throw thrown
    })
    await expect(attempt).rejects.toBe(thrown)
    expect(await counts()).toEqual(before)
  })

  test('a statement that fails leaves no trace, and its error is not mistaken for a conflict', async () => {
    const before = await counts()
    const attempt = store.write(alice, async (tx) => {
      await makeMuch(tx, 'failed')
      await tx.run(sql`INSERT INTO no_such_table (id) VALUES (${1})`)
    })
    await expect(attempt).rejects.toThrow(/no_such_table/)
    expect(await counts()).toEqual(before)
  })

  test('of many transactions at once, those that fail leave no trace and the others are kept', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `many-${String(i)}`)
    const attempts = await Promise.allSettled(
      names.map((name, i) =>
        store.write(alice, async (tx) => {
          await makeMuch(tx, name)
          if (i % 3 === 0) throw new Error('on purpose')
          return name
        }),
      ),
    )
    expect(attempts.map(({ status }) => status)).toEqual(
      names.map((_, i) => (i % 3 === 0 ? 'rejected' : 'fulfilled')),
    )
    const objects = await store.read(alice, (tx) =>
      Promise.all(names.map((name) => findObjectAbout(tx, name))),
    )
    expect(objects.map((object) => object !== undefined)).toEqual(names.map((_, i) => i % 3 !== 0))
  })

  test('once a write returns, everybody sees it', async () => {
    const other = createStore(opened.url)
    try {
      for (let i = 0; i < 10; i++) {
        const about = `at once ${String(i)}`
        const made = await store.write(alice, (tx) => makeObject(tx, about))
        expect(await other.read(alice, (tx) => findObjectAbout(tx, about))).toBe(made)
      }
    } finally {
      await other.close()
    }
  })
})

test('a reader sees one state, whatever is written in the meantime', async () => {
  await store.write(alice, (tx) => makeMuch(tx, 'view'))
  const seen = await store.read(alice, async (tx) => {
    const count = async (): Promise<number> =>
      Number((await tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM tags`))?.n)
    const first = await count()
    await store.write(alice, (other) => makeMuch(other, 'unseen'))
    return [first, await count(), await findObjectAbout(tx, 'unseen')]
  })
  expect(seen).toEqual([seen[0], seen[0], undefined])
  expect(await store.read(alice, (tx) => findObjectAbout(tx, 'unseen'))).toBeDefined()
})

test('the time of a transaction is the current time in microseconds', async () => {
  const before = Date.now() * 1000 - 1000
  const now = await store.write(alice, (tx) => Promise.resolve(tx.now))
  expect(Number.isSafeInteger(now)).toBe(true)
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now() * 1000 + 1000)
})

/** Runs `work` while another connection blocks all writers, until `release` is called. */
async function whileLocked(work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const knex = knexFactory(knexConfig(opened.url))
  const lock = await knex.transaction()
  const release = async (): Promise<void> => {
    if (!lock.isCompleted()) await lock.rollback()
  }
  try {
    await lock.raw(
      onSqlite
        ? 'UPDATE id_blocks SET next_id = next_id'
        : "SELECT id FROM namespaces WHERE path = 'alice' FOR UPDATE",
    )
    await work(release)
  } finally {
    await release()
    await knex.destroy()
  }
}

/** The longest time that a lock which is never released may delay a request. */
const PATIENCE_MS = 120_000

describe('conflicts', () => {
  test('a write waits for a writing process, then succeeds', async () => {
    await whileLocked(async (release) => {
      const write = store.write(alice, (tx) => makeMuch(tx, 'patient'))
      // The write cannot finish before the lock is released; by then it has been refused at least once.
      const first = await Promise.race([
        write.then(() => 'written'),
        new Promise((resolve) => setTimeout(resolve, 150, 'waiting')),
      ])
      expect(first).toBe('waiting')
      await release()
      await write
    })
    expect(await store.read(alice, (tx) => findObjectAbout(tx, 'patient'))).toBeDefined()
  })

  test('readers do not wait for writers', async () => {
    await whileLocked(async () => {
      expect(await rowsOf(store, sql`SELECT id FROM users WHERE username = ${'alice'}`)).toHaveLength(1)
      expect(await store.read(alice, (tx) => findObjectAbout(tx, 'nothing'))).toBeUndefined()
    })
  })

  test('a lock that is never released makes the service unavailable', async () => {
    await whileLocked(async () => {
      const write = store.write(alice, (tx) => makeMuch(tx, 'in-vain'))
      const outcome = await Promise.race([
        write.catch((error: unknown) => error),
        new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, 'no answer').unref()),
      ])
      expect(outcome).toMatchObject({ errorClass: 'ServiceUnavailable', status: 503 })
    })
    expect(await store.read(alice, (tx) => findObjectAbout(tx, 'in-vain'))).toBeUndefined()
    await store.write(alice, (tx) => makeMuch(tx, 'not-in-vain'))
  })

  if (!onSqlite) {
    test('of two transactions that deadlock, one runs again and both succeed', async () => {
      const arrived = [signal(), signal()]
      let runs = 0
      const crosswise = (mine: number): Promise<void> =>
        store.write(alice, async (tx) => {
          const lock = (path: string) =>
            tx.all(sql`SELECT id FROM namespaces WHERE path = ${path} ${tx.lock}`)
          runs++
          const paths = mine === 0 ? ['alice', 'alice/private'] : ['alice/private', 'alice']
          await lock(paths[0] ?? '')
          arrived[mine]?.give()
          await arrived[1 - mine]?.given
          await lock(paths[1] ?? '')
          await makeObject(tx, `crosswise ${String(mine)}`)
        })
      await Promise.all([crosswise(0), crosswise(1)])
      expect(runs).toBeGreaterThan(2)
      for (const mine of [0, 1]) {
        expect(
          await store.read(alice, (tx) => findObjectAbout(tx, `crosswise ${String(mine)}`)),
        ).toBeDefined()
      }
    })

    /** Ends the connection of a transaction. */
    async function cut<V>(tx: WriteTx<V>): Promise<void> {
      const [row] = await tx.all<{ id: number }>(sql`SELECT CONNECTION_ID() AS id`)
      await store.read(alice, (other) =>
        other.all({ text: `KILL CONNECTION ${String(row?.id)}`, values: [] }),
      )
    }

    test('a transaction that loses its connection runs again on another one', async () => {
      let runs = 0
      await store.write(alice, async (tx) => {
        runs++
        await makeMuch(tx, 'cut-off')
        if (runs > 1) return
        await cut(tx)
        await makeObject(tx, 'never-heard')
      })
      expect(runs).toBe(2)
      expect(await store.read(alice, (tx) => findObjectAbout(tx, 'cut-off'))).toBeDefined()
      expect(await store.read(alice, (tx) => findObjectAbout(tx, 'never-heard'))).toBeUndefined()
    })

    test('a transaction that loses its connection on commit does not run again, as its outcome is unknown', async () => {
      let runs = 0
      const attempt = store.write(alice, async (tx) => {
        runs++
        await cut(tx)
      })
      await expect(attempt).rejects.toMatchObject({ errorClass: 'ServiceUnavailable' })
      expect(runs).toBe(1)
    })
  }
})

test('reading, writing and migrating fail soon if the database cannot be reached', async () => {
  const unreachable = createStore(`mysql://nobody:nothing@127.0.0.1:${String(await freePort())}/gloss`)
  try {
    const unavailable = { errorClass: 'ServiceUnavailable', status: 503 }
    await expect(unreachable.read(alice, (tx) => findObjectAbout(tx, 'x'))).rejects.toMatchObject(unavailable)
    await expect(unreachable.write(alice, (tx) => makeObject(tx, 'x'))).rejects.toMatchObject(unavailable)
    const row = sql`UPDATE tag_values SET type = 0 WHERE tag_id = ${0}`
    await expect(unreachable.writeRow(row, undefined)).rejects.toMatchObject(unavailable)
    await expect(unreachable.migrate()).rejects.toThrow()
  } finally {
    await unreachable.close()
  }
})
