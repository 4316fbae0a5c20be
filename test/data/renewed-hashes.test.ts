/** Hashes of passwords that are renewed at a sign-in, while their users change. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { findAccount, renewHash, type Account } from '../../src/data/entities/accounts.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { openStores, type Opened } from './open.ts'

let opened: Opened

beforeAll(async () => {
  opened = await openStores()
})
afterAll(() => opened.close())

const setHash = (passwordHash: string): Promise<unknown> =>
  opened.store.write(SERVICE, (tx) =>
    tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE username = ${SERVICE.username}`),
  )

async function found(): Promise<Account> {
  const account = await findAccount(opened.store, SERVICE.username)
  if (account === undefined) throw new Error('nobody can sign in')
  return account
}

test('a hash is renewed', async () => {
  await setHash('weak')
  const renewed = await renewHash(opened.store, await found(), 'strong')
  expect(renewed).toMatchObject({ caller: SERVICE, passwordHash: 'strong' })
  expect((await found()).passwordHash).toBe('strong')
})

test('but not if the password has been changed since', async () => {
  await setHash('weak')
  const account = await found()
  await setHash('of another password')
  expect(await renewHash(opened.store, account, 'strong')).toBeUndefined()
  expect((await found()).passwordHash).toBe('of another password')
})
