/** What one statement does, unless more has to be found out: tags on an object, a user, a new value. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { newObjectId } from '../../src/data/database/ids.ts'
import { writeValueAt } from '../../src/data/operations/single-values.ts'
import { confirmedAsker, type Asker } from '../../src/data/permissions/askers.ts'
import { permitObjectCreation, permitUserChange } from '../../src/data/permissions/user-rights.ts'
import { objectAbout, readObjectAt, type ObjectLocator } from '../../src/data/things/objects.ts'
import type { Caller } from '../../src/data/store/views.ts'
import { readUserAt, SERVICE, updateOwnFields } from '../../src/data/things/users.ts'
import { INLINE_BYTES } from '../../src/data/values/encoding.ts'
import { parsePrimitive } from '../../src/tag-value.ts'
import { callerOf, openStores, type Opened } from './open.ts'

const PATHS = ['alice/count', 'service/about']

let opened: Opened
let callerOfAlice: Caller
let alice: Asker

beforeAll(async () => {
  opened = await openStores()
  callerOfAlice = await callerOf(opened.store, 'alice')
  alice = confirmedAsker(callerOfAlice)
  const writing = { value: parsePrimitive('1'), check: undefined }
  await writeValueAt(opened.store, alice, { object: { about: 'counted' }, path: 'alice/count' }, writing)
})
afterAll(() => opened.close())

/** What is found, and in how many single statements and views. */
async function found<T>(find: () => Promise<T>): Promise<T & { statements: number; views: number }> {
  const { store } = opened
  const [one, many, views] = [
    jest.spyOn(store, 'glance'),
    jest.spyOn(store, 'glanceAll'),
    jest.spyOn(store, 'read'),
  ]
  try {
    const result = await find()
    const statements = one.mock.calls.length + many.mock.calls.length
    return { ...result, statements, views: views.mock.calls.length }
  } finally {
    for (const spy of [one, many, views]) spy.mockRestore()
  }
}

const tagsOn = (object: ObjectLocator) => found(() => readObjectAt(opened.store, alice, object))

test('one statement finds the tags on an object, by what that is about and by its id', async () => {
  const byAbout = await tagsOn({ about: 'counted' })
  expect(byAbout).toMatchObject({ tagPaths: PATHS, statements: 1, views: 0 })
  expect(await tagsOn({ id: byAbout.id })).toEqual(byAbout)
})

test('a view is opened where there are none', async () => {
  const id = newObjectId()
  expect(await tagsOn({ id })).toEqual({ id, tagPaths: [], statements: 1, views: 1 })
})

const user = (name: string) => found(() => readUserAt(opened.store, alice, name))

test('one statement finds a user, in any letter case', async () => {
  const object = await readObjectAt(opened.store, alice, { about: '@alice' })
  expect(await user('Alice')).toEqual({ id: object.id, name: 'alice', statements: 1, views: 0 })
})

test('a view is opened for a name that is too long for its row', async () => {
  const name = 'n'.repeat(INLINE_BYTES)
  await opened.store.write(SERVICE, async (tx) => {
    await updateOwnFields(tx, await permitUserChange(tx, 'update', 'alice'), { name })
  })
  expect(await user('alice')).toMatchObject({ name, statements: 1, views: 1 })
})

test.each(['nobody', 'not a name'])('there is no user %p', async (name) => {
  await expect(user(name)).rejects.toMatchObject({ errorClass: 'TNoSuchUser' })
})

const count = (about: string, value: string): Promise<void> => {
  const writing = { value: parsePrimitive(value), check: undefined }
  return writeValueAt(opened.store, alice, { object: { about }, path: 'alice/count' }, writing)
}

/** How many lookups and writes of single rows a write takes. */
async function takenBy(write: () => Promise<void>): Promise<{ lookups: number; writes: number }> {
  const { store } = opened
  const [glance, writeRow] = [jest.spyOn(store, 'glance'), jest.spyOn(store, 'writeRow')]
  try {
    await write()
    return { lookups: glance.mock.calls.length, writes: writeRow.mock.calls.length }
  } finally {
    for (const spy of [glance, writeRow]) spy.mockRestore()
  }
}

test('one statement writes a new value where the one before was new, and the next value at a known place', async () => {
  const objects = ['first', 'second', 'third']
  await opened.store.write(callerOfAlice, async (tx) => {
    for (const about of objects) await objectAbout(tx, permitObjectCreation(tx), about)
  })
  expect(await takenBy(() => count('first', '1'))).toEqual({ lookups: 1, writes: 1 })
  expect(await takenBy(() => count('second', '2'))).toEqual({ lookups: 0, writes: 1 })
  expect(await takenBy(() => count('third', '3'))).toEqual({ lookups: 0, writes: 1 })
  // It is there, so that the INSERT fails: from now on its place is known, and others are looked up first.
  expect(await takenBy(() => count('second', '4'))).toEqual({ lookups: 1, writes: 2 })
  expect(await takenBy(() => count('second', '5'))).toEqual({ lookups: 0, writes: 1 })
  expect(await takenBy(() => count('third', '6'))).toEqual({ lookups: 1, writes: 1 })
})
