/** What one statement finds, unless that has to be found out in steps: the tags on an object, and a user. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { newObjectId } from '../../src/data/database/ids.ts'
import { writeValueAt } from '../../src/data/operations/single-values.ts'
import { confirmedAsker, type Asker } from '../../src/data/permissions/askers.ts'
import { permitUserChange } from '../../src/data/permissions/user-rights.ts'
import { readObjectAt, type ObjectLocator } from '../../src/data/things/objects.ts'
import { readUserAt, SERVICE, updateOwnFields } from '../../src/data/things/users.ts'
import { INLINE_BYTES } from '../../src/data/values/encoding.ts'
import { parsePrimitive } from '../../src/tag-value.ts'
import { callerOf, openStores, type Opened } from './open.ts'

const PATHS = ['alice/count', 'service/about']

let opened: Opened
let alice: Asker

beforeAll(async () => {
  opened = await openStores()
  alice = confirmedAsker(await callerOf(opened.store, 'alice'))
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
