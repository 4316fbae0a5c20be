/** What only superusers or the service itself may change: built-in namespaces, system tags, users. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Options, type Service } from '../support/service.ts'
import { ACTIONS } from './oracle.ts'
import { CLOSED, OPEN, Policies } from './policies.ts'

const EVERYBODY = [undefined, 'bob', 'alice', 'service']
const NAMESPACES = ['service', 'service/namespaces', 'service/tags', 'service/users', 'anon']
const READABLE = [
  'service/about',
  'service/namespaces/path',
  'service/namespaces/description',
  'service/tags/path',
  'service/tags/description',
  'service/users/username',
  'service/users/name',
  'service/users/role',
]
const EMAIL = 'service/users/email'
const TAGS = [...READABLE, EMAIL]

let service: Service
let policies: Policies
/** The object of the user alice, which has many system tags. */
let alice = ''

beforeAll(async () => {
  service = await startService()
  policies = new Policies(service)
  await service.ok('PUT', '/users/alice', { as: 'alice', json: { email: 'alice@example.com' } })
  alice = ((await service.ok('GET', '/about/@alice')).json() as { id: string }).id
})
afterAll(() => service.stop())

const request = (as: string | undefined, method: string, path: string, options: Options = {}) =>
  service.request(method, path, { ...options, ...(as !== undefined && { as }) })

describe('built-in namespaces', () => {
  test.each(NAMESPACES)('%s is closed for all five actions', async (path) => {
    const found = await policies.all(path, { namespaces: ACTIONS.namespaces })
    expect(Object.values(found)).toEqual(Array(5).fill(CLOSED))
  })

  test.each(NAMESPACES)('only superusers create, list or change anything in %s', async (path) => {
    for (const as of [undefined, 'bob', 'alice']) {
      for (const [method, url, options] of [
        ['GET', `/namespaces/${path}`, {}],
        ['PUT', `/namespaces/${path}`, { json: { description: '' } }],
        ['POST', `/namespaces/${path}`, { json: { name: 'x', description: '' } }],
        ['POST', `/tags/${path}`, { json: { name: 'x', description: '', indexed: true } }],
        ['PUT', `/about/x/${path}/x`, { primitive: '1' }],
        ['GET', `/permissions/namespaces/${path}`, { query: { action: 'list' } }],
        ['PUT', `/permissions/namespaces/${path}`, { query: { action: 'list' }, json: OPEN }],
      ] as const) {
        const answer = await request(as, method, url, options)
        expect([method, url, as, answer.status, answer.error]).toEqual([
          method,
          url,
          as,
          401,
          'TPathPermissionDenied',
        ])
      }
    }
    expect((await request('service', 'GET', `/namespaces/${path}`)).status).toBe(200)
  })
})

describe('top-level namespaces', () => {
  test.each(['alice', 'service', 'anon'])('%s cannot be deleted by anybody', async (path) => {
    for (const as of EVERYBODY) {
      const answer = await request(as, 'DELETE', `/namespaces/${path}`)
      expect([as, answer.status, answer.error]).toEqual([as, 401, 'TPathPermissionDenied'])
    }
  })

  test('cannot be deleted even with an open policy', async () => {
    await policies.set('namespaces', 'alice', 'delete', OPEN)
    for (const as of EVERYBODY) expect((await request(as, 'DELETE', '/namespaces/alice')).status).toBe(401)
    expect((await request('service', 'GET', '/namespaces/alice')).status).toBe(200)
  })
})

describe('system tags', () => {
  test.each(READABLE)('everybody can read %s', async (path) => {
    for (const as of EVERYBODY) {
      const answer = await request(as, 'GET', '/values', {
        query: { query: `service/id = "${alice}"`, tag: path },
      })
      expect(answer.status).toBe(200)
      expect(
        (await request(as, 'GET', '/objects', { query: { query: `${path} = "@nothing"` } })).status,
      ).toBe(200)
    }
    expect(await policies.get('tag-values', path, 'read')).toEqual(OPEN)
  })

  test('only superusers can read e-mail addresses, in any way', async () => {
    const ways: [path: string, options: Options][] = [
      [`/objects/${alice}/${EMAIL}`, {}],
      [`/about/@alice/${EMAIL}`, {}],
      ['/objects', { query: { query: `${EMAIL} = "alice@example.com"` } }],
      ['/objects', { query: { query: `has ${EMAIL}` } }],
      ['/values', { query: { query: 'service/users/username = "alice"', tag: EMAIL } }],
      ['/recent/objects', { query: { query: `has ${EMAIL}` } }],
    ]
    for (const [path, options] of ways) {
      for (const as of [undefined, 'bob', 'alice']) {
        const answer = await request(as, 'GET', path, options)
        expect([path, as, answer.error]).toEqual([path, as, 'TPathPermissionDenied'])
      }
      expect((await request('service', 'GET', path, options)).status).toBe(200)
    }
    const filtered = ['/objects/', '/recent/objects/'].map((path) => path + alice)
    const every = { query: { query: `service/id = "${alice}"`, tag: '*' } }
    for (const as of [undefined, 'bob', 'alice']) {
      for (const path of filtered)
        expect((await request(as, 'GET', path)).body.toString()).not.toContain('email')
      expect((await request(as, 'GET', '/values', every)).body.toString()).not.toContain('email')
    }
    for (const path of filtered)
      expect((await request('service', 'GET', path)).body.toString()).toContain(EMAIL)
    expect((await request('service', 'GET', '/values', every)).body.toString()).toContain(EMAIL)
  })

  test.each([...TAGS, 'service/id'])(
    'nobody can write or delete values of %s, whatever its policies',
    async (path) => {
      const opened = path === 'service/id' ? [] : ['write', 'delete']
      for (const action of opened) {
        expect((await policies.set('tag-values', path, action, OPEN)).status).toBe(204)
      }
      for (const as of EVERYBODY) {
        for (const [method, url, options] of [
          ['PUT', `/objects/${alice}/${path}`, { primitive: '"x"' }],
          ['PUT', `/about/@alice/${path}`, { primitive: '"x"' }],
          [
            'PUT',
            '/values',
            { json: { queries: [[`service/id = "${alice}"`, { [path]: { value: 'x' } }]] } },
          ],
          [
            'PUT',
            '/values',
            { json: { queries: [['service/about = "@alice"', { [path]: { value: 'x' } }]] } },
          ],
          ['DELETE', `/objects/${alice}/${path}`, {}],
          ['DELETE', `/about/@alice/${path}`, {}],
          ['DELETE', '/values', { query: { query: `service/id = "${alice}"`, tag: path } }],
        ] as const) {
          const answer = await request(as, method, url, options)
          expect([method, url, as, answer.status, answer.error]).toEqual([
            method,
            url,
            as,
            401,
            'TPathPermissionDenied',
          ])
        }
      }
      const kept = await request('service', 'GET', `/objects/${alice}/service/users/username`)
      expect(kept.json()).toBe('alice')
    },
  )

  test('deleting every tag of an object leaves its system tags', async () => {
    await service.ok('PUT', `/objects/${alice}/alice/own`, { as: 'alice', primitive: '1' })
    const before = ((await request('service', 'GET', `/objects/${alice}`)).json() as { tagPaths: string[] })
      .tagPaths
    for (const as of ['alice', 'service']) {
      await service.ok('DELETE', '/values', { as, query: { query: `service/id = "${alice}"`, tag: '*' } })
    }
    const after = ((await request('service', 'GET', `/objects/${alice}`)).json() as { tagPaths: string[] })
      .tagPaths
    expect(before).toContain('alice/own')
    expect(after).toEqual(before.filter((path) => path !== 'alice/own'))
    expect(after).toEqual([
      'service/about',
      'service/users/email',
      'service/users/name',
      'service/users/role',
      'service/users/username',
    ])
  })

  test.each(TAGS)('nobody can delete the tag %s itself', async (path) => {
    for (const as of EVERYBODY) expect((await request(as, 'DELETE', `/tags/${path}`)).status).toBe(401)
  })

  test('service/id is virtual: it has values but is not a tag', async () => {
    for (const as of EVERYBODY)
      expect((await request(as, 'GET', '/tags/service/id')).error).toBe('TNonexistentTag')
    const read = await request(undefined, 'GET', `/objects/${alice}/service/id`)
    expect([read.status, read.json(), read.headers['x-service-type']]).toEqual([200, alice, 'string'])
  })
})

describe('administration of users', () => {
  test.each([
    ['create', 'POST', '/users', { json: { username: 'dave', password: 'a long sentence' } }],
    ['update', 'PUT', '/users/carol', { json: { name: 'Carol' } }],
    ['update', 'PUT', '/users/carol', { json: { role: 'superuser' } }],
    ['delete', 'DELETE', '/users/carol', {}],
  ])('others have no %s permission: %s %s', async (action, method, path, options) => {
    for (const as of [undefined, 'bob']) {
      const answer = await request(as, method, path, options)
      expect([
        answer.error,
        answer.headers['x-service-category'],
        answer.headers['x-service-action'],
      ]).toEqual(['TPathPermissionDenied', 'users', action])
    }
  })

  test('users can change themselves, but not their role, and cannot delete themselves', async () => {
    expect((await request('bob', 'PUT', '/users/bob', { json: { name: 'Robert' } })).status).toBe(204)
    expect((await request('bob', 'PUT', '/users/bob', { json: { role: 'superuser' } })).status).toBe(401)
    expect((await request('bob', 'PUT', '/users/bob', { json: { name: 'x', role: 'user' } })).status).toBe(
      401,
    )
    expect((await request('bob', 'DELETE', '/users/bob')).status).toBe(401)
    expect((await request(undefined, 'GET', '/users/bob')).json()).toMatchObject({ name: 'Robert' })
  })

  test('the role of superuser grants everything until it is taken away', async () => {
    const secret = '/namespaces/alice/private'
    const email = '/about/@alice/service/users/email'
    expect((await request('carol', 'GET', secret)).status).toBe(401)
    await service.ok('PUT', '/users/carol', { as: 'service', json: { role: 'superuser' } })
    expect((await request('carol', 'GET', secret)).status).toBe(200)
    expect((await request('carol', 'GET', email)).status).toBe(200)
    expect((await request('carol', 'PUT', `/about/x/service/about`, { primitive: '"x"' })).status).toBe(401)
    await service.ok('PUT', '/users/carol', { as: 'service', json: { role: 'user' } })
    expect((await request('carol', 'GET', secret)).status).toBe(401)
  })
})

test('nobody can create a real tag in place of the virtual service/id', async () => {
  const json = { name: 'id', description: 'hides the virtual one', indexed: true }
  const answer = await service.request('POST', '/tags/service', { as: 'service', json })
  expect([answer.status, answer.error]).toEqual([412, 'TTagAlreadyExists'])
})
