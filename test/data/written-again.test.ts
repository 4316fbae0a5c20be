/** Writing a value again: without looking it up, as long as nothing must be known of it. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { writeValueAt } from '../../src/data/operations/single-values.ts'
import { confirmedAsker, type Asker } from '../../src/data/permissions/askers.ts'
import { parsePrimitive } from '../../src/tag-value.ts'
import { callerOf, openStores, type Opened } from './open.ts'

let opened: Opened
let alice: Asker

beforeAll(async () => {
  opened = await openStores()
  alice = confirmedAsker(await callerOf(opened.store, 'alice'))
})
afterAll(() => opened.close())

/** Writes values at a place one after the other, and returns how many look-ups and how many transactions each one took. */
async function costs(about: string, texts: readonly string[], check?: () => void): Promise<string[]> {
  const { store } = opened
  const glances = jest.spyOn(store, 'glance')
  const writes = jest.spyOn(store, 'write')
  const found: string[] = []
  for (const text of texts) {
    const before = [glances.mock.calls.length, writes.mock.calls.length] as const
    const writing = { value: parsePrimitive(text), check }
    await writeValueAt(store, alice, { object: { about }, path: 'alice/count' }, writing)
    found.push(`${glances.mock.calls.length - before[0]}, ${writes.mock.calls.length - before[1]}`)
  }
  glances.mockRestore()
  writes.mockRestore()
  return found
}

test('the third time, and as long as it stays such a value', async () => {
  const texts = ['1', '2', '3', 'null', '"words"', '4', '5', '6']
  // The first makes the object, and words take a transaction, before and after.
  const expected = ['1, 1', '1, 0', '0, 0', '0, 0', '0, 1', '1, 1', '1, 0', '0, 0']
  expect(await costs('counted', texts)).toEqual(expected)
})

test('not if there is a condition', async () => {
  await costs('checked', ['1', '2'])
  const check = jest.fn()
  expect(await costs('checked', ['3'], check)).toEqual(['1, 0'])
  expect(check).toHaveBeenCalledTimes(1)
})
