/** When the statement that finds the tags of a search confirms who asks, and when the account has to be looked up. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { writeValueAt } from '../../src/data/operations/single-values.ts'
import { confirmedAsker, type Asker } from '../../src/data/permissions/askers.ts'
import { finding } from '../../src/data/search/search.ts'
import { findAccount } from '../../src/data/things/accounts.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { parsePrimitive } from '../../src/tag-value.ts'
import { callerOf, openStores, type Opened } from './open.ts'

const OBJECT = '0197a3c0-5a5a-7000-8000-00000000000a'

let opened: Opened

beforeAll(async () => {
  opened = await openStores()
  const alice = confirmedAsker(await callerOf(opened.store, 'alice'))
  const writing = { value: parsePrimitive('1'), check: undefined }
  await writeValueAt(opened.store, alice, { object: { about: 'counted' }, path: 'alice/count' }, writing)
})
afterAll(() => opened.close())

/**
 * How many objects alice finds, or the class of the error, and how often her account is looked up for it. `isLittle`: whether
 * the short view answers.
 */
async function asked(query: string, isLittle = true): Promise<{ found: unknown; lookups: number }> {
  const { store } = opened
  const account = await findAccount(store, 'alice')
  if (account === undefined) throw new Error('alice has no account')
  const { caller, remembered } = account
  let lookups = 0
  const asker: Asker = {
    ...confirmedAsker(caller),
    claimed: remembered,
    confirmed: () => {
      lookups++
      return Promise.resolve(caller)
    },
  }
  const asking = { store, asker, signal: new AbortController().signal, observe: () => undefined }
  const wanted = { query: parseQuery(query), isLittle: () => isLittle }
  const found = await finding(asking, wanted, (_tx, _permitted, ids) => Promise.resolve(ids.size)).catch(
    (error: unknown) => (error as { errorClass?: string }).errorClass,
  )
  return { found, lookups }
}

test.each([
  ['has alice/count', 1],
  [`alice/count = 1 except service/id = "${OBJECT}"`, 1],
])('the tags of %s confirm who asks', async (query, found) => {
  expect(await asked(query)).toEqual({ found, lookups: 0 })
  // So they do in the long view.
  expect(await asked(query, false)).toEqual({ found, lookups: 0 })
})

test.each([
  ['has alice/missing', 'TNonexistentTag'],
  ['has alice/count or has alice/missing', 'TNonexistentTag'],
  [`service/id = "${OBJECT}"`, 1],
])('%s says nothing of who asks, so the account is looked up', async (query, found) => {
  expect(await asked(query)).toEqual({ found, lookups: 1 })
})
