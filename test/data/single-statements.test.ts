/** The tags on an object: by one statement, unless there are none that the asker may read. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { newObjectId } from '../../src/data/database/ids.ts'
import { writeValueAt } from '../../src/data/operations/single-values.ts'
import { confirmedAsker, type Asker } from '../../src/data/permissions/askers.ts'
import { readObjectAt, type ObjectLocator } from '../../src/data/things/objects.ts'
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
async function found(object: ObjectLocator) {
  const [glances, views] = [jest.spyOn(opened.store, 'glanceAll'), jest.spyOn(opened.store, 'read')]
  try {
    const { id, tagPaths } = await readObjectAt(opened.store, alice, object)
    return { id, tagPaths, glances: glances.mock.calls.length, views: views.mock.calls.length }
  } finally {
    glances.mockRestore()
    views.mockRestore()
  }
}

test('one statement finds them, by what the object is about and by its id', async () => {
  const byAbout = await found({ about: 'counted' })
  expect(byAbout).toMatchObject({ tagPaths: PATHS, glances: 1, views: 0 })
  expect(await found({ id: byAbout.id })).toEqual(byAbout)
})

test('a view is opened where there are none', async () => {
  const id = newObjectId()
  expect(await found({ id })).toEqual({ id, tagPaths: [], glances: 1, views: 1 })
})
