/** Who may be named in an exceptions list, and what that does. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PASSWORD, startService, type Service } from '../support/service.ts'
import { ACTIONS, type Category } from './oracle.ts'
import { allBut, CLOSED, only, OPEN, Policies } from './policies.ts'

const TAG = 'alice/tag'
const LISTS: [category: Category, action: string][] = Object.entries(ACTIONS).flatMap(([category, actions]) =>
  actions.map((action): [Category, string] => [category as Category, action]),
)

let service: Service
let policies: Policies

beforeAll(async () => {
  service = await startService()
  policies = new Policies(service)
  await service.ok('PUT', `/about/x/${TAG}`, { as: 'alice', primitive: '1' })
})
afterAll(() => service.stop())

const targetOf = (category: Category): string => (category === 'namespaces' ? 'alice/private' : TAG)

describe.each(LISTS)('the exceptions list of %s.%s', (category, action) => {
  const target = targetOf(category)

  test('reads back folded, sorted and without duplicates', async () => {
    const sent = allBut('carol', 'ALICE', 'Carol', 'bob')
    expect((await policies.set(category, target, action, sent)).status).toBe(204)
    expect(await policies.get(category, target, action)).toEqual(allBut('alice', 'bob', 'carol'))
    await policies.set(category, target, action, only('bob'))
    expect(await policies.get(category, target, action)).toEqual(only('bob'))
    await policies.set(category, target, action, CLOSED)
    expect(await policies.get(category, target, action)).toEqual(CLOSED)
  })

  test('is found by its action in any letter case', async () => {
    expect((await policies.set(category, target, action.toUpperCase(), OPEN)).status).toBe(204)
    expect(await policies.get(category, target, action)).toEqual(OPEN)
  })

  test.each(['service', 'SERVICE', 'not a name', '', 'a/b', 'x'.repeat(129), 'a\u0000'])(
    'refuses %j',
    async (name) => {
      await policies.set(category, target, action, only('bob'))
      const answer = await policies.set(category, target, action, only('carol', name))
      expect([answer.status, answer.error]).toEqual([400, 'TInvalidUsername'])
      expect(answer.headers['x-service-name']).toBe(name.replace('\u0000', '%00'))
      expect(await policies.get(category, target, action)).toEqual(only('bob'))
    },
  )

  test('refuses a user who does not exist', async () => {
    const answer = await policies.set(category, target, action, only('bob', 'Nobody'))
    expect([answer.status, answer.error, answer.headers['x-service-name']]).toEqual([
      412,
      'TNoSuchUser',
      'Nobody',
    ])
  })

  test('takes the anonymous user for LIST and READ only', async () => {
    const answer = await policies.set(category, target, action, only('anon'))
    const fine = action === 'list' || action === 'read'
    expect([answer.status, answer.error]).toEqual(fine ? [204, undefined] : [400, 'TInvalidUsername'])
    if (fine) expect(await policies.get(category, target, action)).toEqual(only('anon'))
  })

  test('does not exist for an action of another category', async () => {
    const others = LISTS.map(([, other]) => other).filter((other) => !ACTIONS[category].includes(other))
    for (const other of [...new Set(others), 'nothing', '']) {
      const answer = await policies.set(category, target, other, OPEN)
      expect([other, answer.status, answer.error]).toEqual([other, 400, 'TBadRequest'])
    }
  })
})

test('naming anon as an exception works for open and closed READ policies', async () => {
  const read = () => service.request('GET', `/about/x/${TAG}`)
  await policies.set('tag-values', TAG, 'read', only('anon'))
  expect([
    (await read()).status,
    (await service.request('GET', `/about/x/${TAG}`, { as: 'bob' })).status,
  ]).toEqual([200, 401])
  await policies.set('tag-values', TAG, 'read', allBut('anon'))
  expect([
    (await read()).status,
    (await service.request('GET', `/about/x/${TAG}`, { as: 'bob' })).status,
  ]).toEqual([401, 200])
})

test('a deleted user disappears from every list, and a new user of that name is in none', async () => {
  const dave = { as: 'service', json: { username: 'dave', password: PASSWORD } }
  await service.ok('POST', '/users', dave)
  for (const [category, action] of LISTS)
    await policies.set(category, targetOf(category), action, only('dave', 'bob'))
  await service.ok('DELETE', '/users/dave', { as: 'service' })
  await service.ok('POST', '/users', dave)
  for (const [category, action] of LISTS) {
    expect(await policies.get(category, targetOf(category), action)).toEqual(only('bob'))
  }
})

test('a user with the role of superuser cannot be an exception', async () => {
  await service.ok('PUT', '/users/carol', { as: 'service', json: { role: 'superuser' } })
  expect((await policies.set('tag-values', TAG, 'read', only('carol'))).error).toBe('TInvalidUsername')
  await service.ok('PUT', '/users/carol', { as: 'service', json: { role: 'user' } })
  expect((await policies.set('tag-values', TAG, 'read', only('carol'))).status).toBe(204)
})

test('a malformed name counts before one that is not allowed, and that before one that nobody has', async () => {
  const refused = async (...names: string[]): Promise<unknown> => {
    const answer = await policies.set('tag-values', TAG, 'read', only(...names))
    return [answer.error, answer.headers['x-service-name']]
  }
  expect(await refused('nobody', 'Service', 'not a name')).toEqual(['TInvalidUsername', 'not a name'])
  expect(await refused('nobody', 'Service', 'SERVICE')).toEqual(['TInvalidUsername', 'Service'])
  expect(await refused('bob', 'Nobody', 'nobody', 'nobody2')).toEqual(['TNoSuchUser', 'Nobody'])
  const many = Array.from({ length: 1200 }, (_, i) => `nobody${String(i)}`)
  expect(await refused('bob', ...many)).toEqual(['TNoSuchUser', 'nobody0'])
  expect(await refused(...many, 'service')).toEqual(['TInvalidUsername', 'service'])
})

test('CONTROL can be given up, and then only a superuser can restore it', async () => {
  await policies.set('tag-values', TAG, 'control', only('alice'))
  expect((await policies.set('tag-values', TAG, 'control', only('bob'), 'alice')).status).toBe(204)
  expect((await policies.set('tag-values', TAG, 'control', only('alice'), 'alice')).status).toBe(401)
  expect((await policies.set('tag-values', TAG, 'control', only('alice'), 'service')).status).toBe(204)
})
