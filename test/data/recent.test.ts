/** The newest values by users, compared with the plainest evaluation, and what unreadable ones cost. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { Connection } from '../../src/data/database/connection/connection.ts'
import { idText } from '../../src/data/database/ids/ids.ts'
import { list, sql } from '../../src/data/database/connection/sql.ts'
import { recentValues } from '../../src/data/operations/recent.ts'
import { TAG_VALUES, TAGS } from '../../src/data/store/tables.ts'
import type { Caller } from '../../src/data/store/views.ts'
import { ANONYMOUS, SERVICE } from '../../src/data/entities/users.ts'
import { callerOf, openStores, type Opened } from './open.ts'

let opened: Opened
const owners: Caller[] = []

beforeAll(async () => {
  opened = await openStores()
  for (const name of ['alice', 'bob', 'carol']) owners.push(await callerOf(opened.store, name))
})
afterAll(() => opened.close())

/** Numbers below `n` that look random and are the same in every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const READ = 1 << 9

interface Tag {
  readonly id: number
  readonly path: string
  readonly open: boolean
}

async function makeTags(first: number, open: readonly boolean[]): Promise<Tag[]> {
  const tags = open.map((one, i) => ({ id: first + i, path: `alice/t${String(first + i)}`, open: one }))
  const rows = tags.map(({ id, path, open: one }) => ({
    id,
    path,
    namespace_id: 1,
    name: path.slice(6),
    object_id: Buffer.alloc(16),
    indexed: 1,
    open_actions: one ? READ : 0,
  }))
  await opened.store.write(SERVICE, (tx) => tx.insert(TAGS, rows))
  return tags
}

interface Value {
  readonly tag: Tag
  readonly object: Buffer
  readonly at: number
  readonly user: number
}

async function makeValues(values: readonly Value[]): Promise<void> {
  const rows = values.map(({ tag, object, at, user }) => ({
    tag_id: tag.id,
    object_id: object,
    type: 0,
    sort_key: Buffer.of(1),
    content: Buffer.from('null'),
    size: 4,
    content_type: null,
    updated_at: at,
    user_id: user,
  }))
  await opened.store.write(SERVICE, (tx) => tx.insert(TAG_VALUES, rows))
}

const objectOf = (n: number): Buffer => {
  const id = Buffer.alloc(16, 7)
  id.writeUInt32BE(n, 12)
  return id
}

const recent = (caller: Caller, users: readonly number[], limit: number) =>
  recentValues({ store: opened.store, caller, signal: new AbortController().signal, limit }, () =>
    Promise.resolve({ users }),
  )

test('are those that looking at every value finds, in the same order', async () => {
  const random = numbers(1)
  const tags = await makeTags(
    10_000,
    Array.from({ length: 30 }, () => random(2) === 0),
  )
  // Few moments, so that many values tie; more than a short view may look at.
  const values = tags.flatMap((tag) =>
    Array.from({ length: random(200) }, (_, n) => ({
      tag,
      object: objectOf(n),
      at: 1 + random(40),
      user: (owners[random(3)] as Caller).userId,
    })),
  )
  await makeValues(values)
  const exceptions = tags.filter(({ id }) => id % 3 === 0)
  const bob = (owners[1] as Caller).userId
  await opened.store.write(SERVICE, (tx) =>
    tx.run(
      sql`INSERT INTO permission_exceptions (target_id, permission, user_id)
        SELECT id, 9, ${bob} FROM tags WHERE id IN (${list(exceptions.map(({ id }) => id))})`,
    ),
  )
  const readable = (caller: Caller, { id, open }: Tag): boolean =>
    caller.role === 'superuser' || (caller.userId === bob && id % 3 === 0 ? !open : open)
  for (const caller of [ANONYMOUS, SERVICE, owners[1] as Caller]) {
    for (const users of [[bob], owners.map(({ userId }) => userId)]) {
      for (const limit of [1, 7, 40]) {
        const expected = values
          .filter(({ tag, user }) => users.includes(user) && readable(caller, tag))
          .sort(
            (a, b) =>
              b.at - a.at ||
              (a.tag.path < b.tag.path ? -1 : 1) * Number(a.tag !== b.tag) ||
              Buffer.compare(a.object, b.object),
          )
          .slice(0, limit)
          .map(({ tag, object, at }) => [at, tag.path, idText(object)])
        const found = await recent(caller, users, limit)
        const own = found.filter(({ path }) => path.startsWith('alice/t'))
        expect(own.map(({ updatedAt, path, object }) => [updatedAt, path, object])).toEqual(expected)
      }
    }
  }
})

test('cost as many statements whatever the number of values that may not be read', async () => {
  const owner = await callerOf(opened.store, 'dave')
  const tags = await makeTags(20_000, [false, false, false])
  const add = (from: number, to: number): Promise<void> =>
    makeValues(
      tags.flatMap((tag) =>
        Array.from({ length: to - from }, (_, i) => ({
          tag,
          object: objectOf(from + i),
          at: 1 + i,
          user: owner.userId,
        })),
      ),
    )
  const statements = async (): Promise<number> => {
    const all = jest.spyOn(Connection.prototype, 'all')
    expect(await recent(ANONYMOUS, [owner.userId], 20)).toEqual([])
    const { length } = all.mock.calls
    all.mockRestore()
    return length
  }
  await add(0, 1000)
  const before = await statements()
  await add(1000, 4000)
  expect(await statements()).toBe(before)
})
