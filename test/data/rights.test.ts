/** Rights within one transaction: what is withdrawn while it is under way does not count, and no view outlives its work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { permitTagValue, tagAt } from '../../src/data/permissions/permissions.ts'
import { readExceptions, writePolicy } from '../../src/data/permissions/policies.ts'
import { permitObjectCreation } from '../../src/data/permissions/user-rights.ts'
import type { Caller, WriteTx } from '../../src/data/store/views.ts'
import { getObjectAbout, objectAbout } from '../../src/data/entities/objects.ts'
import { ensureTags } from '../../src/data/entities/tags.ts'
import { Encoded } from '../../src/data/values/encoding.ts'
import { readValue } from '../../src/data/values/reading.ts'
import { writeValue, type Check } from '../../src/data/writing/writing.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { stringValue } from '../../src/model/tag-value.ts'
import { callerOf, onSqlite, openStores, type Opened } from './open.ts'

let opened: Opened
let alice: Caller
let bob: Caller
let path = ''
let round = 0

beforeAll(async () => {
  opened = await openStores(2)
  alice = await callerOf(opened.store, 'alice')
  bob = await callerOf(opened.store, 'bob')
})
afterAll(() => opened.close())

/** Two processes on one database. */
const stores = () => {
  const [hers, his] = opened.stores
  if (hers === undefined || his === undefined) throw new Error('two stores were asked for')
  return { hers, his }
}

beforeEach(async () => {
  path = `alice/shared-${String(round++)}`
  await stores().hers.write(alice, async (tx) => {
    await write(tx, 'first')
    await setPolicy(tx, 'open')
  })
})

interface Details {
  readonly about?: string
  readonly check?: Check
}

async function write<V>(tx: WriteTx<V>, text: string, details: Details = {}): Promise<void> {
  const { about = 'book:rights', ...checks } = details
  const tag = tagAt(await ensureTags(tx, [path]), path)
  const object = await objectAbout(tx, permitObjectCreation(tx), about)
  await writeValue(tx, object, tag, { value: new Encoded(stringValue(text)), ...checks })
}

async function setPolicy<V>(tx: WriteTx<V>, policy: 'open' | 'closed'): Promise<void> {
  const exceptions = await readExceptions(policy === 'open' ? [] : ['alice'])
  const tag = await permitTagValue(tx, 'control', path)
  await writePolicy(tx, tag, 'tag-values.write', { policy, exceptions })
}

const stored = (): Promise<string> =>
  stores().hers.read(alice, async (tx) => {
    const object = await getObjectAbout(tx, 'book:rights')
    return (await readValue(tx, object, await permitTagValue(tx, 'read', path))).content.toString()
  })

const DENIED = { errorClass: 'TPathPermissionDenied' }

test('a write that must raise a bound waits for a change of policy, and is refused by it', async () => {
  const { hers, his } = stores()
  const changed = Promise.withResolvers<undefined>()
  const commit = Promise.withResolvers<undefined>()
  const withdrawal = hers.write(alice, async (tx) => {
    await setPolicy(tx, 'closed')
    changed.resolve(undefined)
    await commit.promise
  })
  await changed.promise
  const written = Promise.withResolvers<undefined>()
  // His process has raised no bound of this tag yet, so it does so before it commits a further value.
  const attempt = his.write(bob, async (tx) => {
    await write(tx, 'second', { about: 'book:further' })
    written.resolve(undefined)
  })
  const refused = expect(attempt).rejects.toMatchObject(DENIED)
  // On SQLite he cannot even begin.
  await Promise.race([written.promise, sleep(300)])
  await sleep(100)
  commit.resolve(undefined)
  await withdrawal
  await refused
})

test('a right that the transaction itself gives up still counts for it', async () => {
  await stores().hers.write(alice, async (tx) => {
    const tag = await permitTagValue(tx, 'control', path)
    await writePolicy(tx, tag, 'tag-values.control', {
      policy: 'closed',
      exceptions: await readExceptions([]),
    })
  })
  const later = stores().hers.write(alice, (tx) => setPolicy(tx, 'closed'))
  await expect(later).rejects.toMatchObject(DENIED)
})

// On SQLite nobody else writes meanwhile.
if (!onSqlite) {
  test('an error does not speak of a value that was written after a withdrawal', async () => {
    const { hers, his } = stores()
    let tries = 0
    const attempt = his.write(bob, async (tx) => {
      await permitTagValue(tx, 'write', path)
      if (++tries === 1) {
        await hers.write(alice, (other) => setPolicy(other, 'closed'))
        await hers.write(alice, (other) => write(other, 'secret'))
      }
      const check = (): never => {
        throw new ServiceError('TPreconditionFailed')
      }
      await write(tx, 'second', { check })
    })
    await expect(attempt).rejects.toMatchObject(DENIED)
    expect(await stored()).toBe('"secret"')
  })

  test('a write is undone whose right is withdrawn before it commits', async () => {
    const { hers, his } = stores()
    let tries = 0
    const attempt = his.write(bob, async (tx) => {
      tries++
      await permitTagValue(tx, 'write', path)
      if (tries === 1) await hers.write(alice, (other) => setPolicy(other, 'closed'))
      await tx.run(sql`UPDATE users SET role = role WHERE username = ${'bob'}`)
    })
    await expect(attempt).rejects.toMatchObject(DENIED)
    expect(tries).toBe(2)
  })
}

test.each(['read', 'write'] as const)('a view of store.%s ends with its work', async (way) => {
  const later = await stores().hers[way](alice, (tx) =>
    Promise.resolve(() => tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM users`)),
  )
  await expect(later()).rejects.toThrow('a view of the store was used after its work was done')
})

test('a view that only reads changes nothing, whatever Knex builds in it', async () => {
  const change = stores().hers.read(alice, (tx) => tx.table('users').del())
  await expect(change).rejects.toThrow('a view that only reads was to change the store')
})
