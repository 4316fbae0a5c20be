/**
 * Whoever relies on a row writes it: on Galera and Group Replication, nothing else keeps the other nodes from deleting or
 * changing it at the same time.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { startService, type Service } from '../support/service.ts'
import { onSqlite, rowsOf } from './open.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Whether `work` has written the row at a path, or of a user. */
async function written(table: string, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const statements = {
    namespaces: sql`SELECT touched FROM namespaces WHERE path = ${name}`,
    tags: sql`SELECT touched FROM tags WHERE path = ${name}`,
    users: sql`SELECT touched FROM users WHERE username = ${name}`,
  }
  const touched = async (): Promise<unknown> =>
    (await rowsOf(service.store, statements[table as keyof typeof statements]))[0]
  const before = await touched()
  expect(before).toBeDefined()
  await work()
  return JSON.stringify(await touched()) !== JSON.stringify(before)
}

const create = (path: string, json: object) => () => service.ok('POST', path, { as: 'alice', json })
const named = (name: string) => ({ name, description: '', indexed: true })
const close = (exceptions: readonly string[]) => () =>
  service.ok('PUT', '/permissions/tag-values/alice/listed', {
    as: 'alice',
    query: { action: 'read' },
    json: { policy: 'closed', exceptions },
  })

// Elsewhere it is in vain.
if (!onSqlite) {
  test.each([
    ['a namespace', create('/namespaces/alice', { name: 'one', description: '' })],
    ['a tag', create('/tags/alice', named('two'))],
    ['a tag below missing namespaces', create('/tags/alice/three/four', named('five'))],
    [
      'a value of a missing tag',
      () => service.ok('PUT', '/about/x/alice/six', { as: 'alice', primitive: '1' }),
    ],
  ])('creating %s writes the namespace that it is created in', async (_what, work) => {
    expect(await written('namespaces', 'alice', work)).toBe(true)
  })

  test('a list of exceptions writes the tag and the users in it, also if the policy stays as it is', async () => {
    await service.ok('PUT', '/about/x/alice/listed', { as: 'alice', primitive: '1' })
    await close([])()
    expect(await written('tags', 'alice/listed', close(['alice']))).toBe(true)
    expect(await written('users', 'bob', close(['alice', 'bob']))).toBe(true)
  })
}

test('a value of a tag that exists writes no row of its namespace', async () => {
  const put = (value: string) => () =>
    service.ok('PUT', '/about/x/alice/kept', { as: 'alice', primitive: value })
  await put('1')()
  expect(await written('namespaces', 'alice', put('2'))).toBe(false)
})
