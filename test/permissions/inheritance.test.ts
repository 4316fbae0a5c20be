/** New namespaces and tags copy permissions from their parent, and keep them when the parent's change. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { ACTIONS, type Policy } from './oracle.ts'
import { allBut, CLOSED, only, OPEN, Policies } from './policies.ts'

let service: Service
let policies: Policies
let round = 0
/** A namespace of alice's with five different policies. */
let parent = ''

const PARENT: Readonly<Record<string, Policy>> = {
  create: only('alice', 'bob'),
  update: allBut('carol'),
  delete: OPEN,
  list: only('alice', 'anon', 'carol'),
  control: only('alice'),
}

const NAMESPACE = Object.fromEntries(
  Object.entries(PARENT).map(([action, policy]) => [`namespaces.${action}`, policy]),
)
const TAG = {
  'tags.update': PARENT['create'],
  'tags.delete': PARENT['create'],
  'tags.control': PARENT['control'],
  'tag-values.write': PARENT['create'],
  'tag-values.read': PARENT['list'],
  'tag-values.delete': PARENT['create'],
  'tag-values.control': PARENT['control'],
}

beforeAll(async () => {
  service = await startService()
  policies = new Policies(service)
})
afterAll(() => service.stop())
beforeEach(async () => {
  parent = await makeNamespace('alice', `parent-${String(round++)}`)
  await setAll(parent, PARENT)
})

async function makeNamespace(above: string, name: string, as = 'alice'): Promise<string> {
  await service.ok('POST', `/namespaces/${above}`, { as, json: { name, description: '' } })
  return `${above}/${name}`
}

async function makeTag(above: string, name: string, as = 'alice'): Promise<string> {
  await service.ok('POST', `/tags/${above}`, { as, json: { name, description: '', indexed: false } })
  return `${above}/${name}`
}

async function setAll(namespace: string, wanted: Readonly<Record<string, Policy>>): Promise<void> {
  for (const [action, policy] of Object.entries(wanted)) {
    expect((await policies.set('namespaces', namespace, action, policy)).status).toBe(204)
  }
}

const ofNamespace = (path: string) => policies.all(path, { namespaces: ACTIONS.namespaces })
const ofTag = (path: string) =>
  policies.all(path, { tags: ACTIONS.tags, 'tag-values': ACTIONS['tag-values'] })

test('a new top-level namespace is open to everybody for LIST and to its user for the rest', async () => {
  const own = only('alice')
  expect(await ofNamespace('alice')).toEqual({
    'namespaces.create': own,
    'namespaces.update': own,
    'namespaces.delete': own,
    'namespaces.list': OPEN,
    'namespaces.control': own,
  })
})

test('the private namespace is closed for LIST as well, and so are its tags', async () => {
  const own = only('alice')
  expect((await ofNamespace('alice/private'))['namespaces.list']).toEqual(own)
  const tag = await makeTag('alice/private', 'diary')
  expect(Object.values(await ofTag(tag))).toEqual(Array<Policy>(7).fill(own))
  await service.ok('PUT', `/about/today/${tag}`, { as: 'alice', primitive: '"dear diary"' })
  for (const as of ['bob', undefined]) {
    const who = as === undefined ? {} : { as }
    expect((await service.request('GET', `/about/today/${tag}`, who)).error).toBe('TPathPermissionDenied')
    expect((await service.request('GET', '/namespaces/alice/private', who)).error).toBe(
      'TPathPermissionDenied',
    )
  }
})

describe('the parent’s policies', () => {
  test('are copied to a new namespace', async () => {
    expect(await ofNamespace(await makeNamespace(parent, 'child'))).toEqual(NAMESPACE)
  })

  test('give the creator no more rights than others', async () => {
    expect(await ofNamespace(await makeNamespace(parent, 'child', 'bob'))).toEqual(NAMESPACE)
    expect(await ofTag(await makeTag(parent, 'tag', 'bob'))).toEqual(TAG)
  })

  test('for create, list and control become those of a new tag', async () => {
    expect(await ofTag(await makeTag(parent, 'tag'))).toEqual(TAG)
  })

  test.each([
    ['POST /tags', (below: string) => makeTag(below, 'tag')],
    [
      'PUT of a value by id',
      async (below: string) => {
        const object = 'cccccccc-0000-4000-8000-000000000000'
        await service.ok('PUT', `/objects/${object}/${below}/tag`, { as: 'bob', primitive: 'null' })
        return `${below}/tag`
      },
    ],
    [
      'PUT of a value by about value',
      async (below: string) => {
        await service.ok('PUT', `/about/x/${below}/tag`, { as: 'bob', primitive: 'null' })
        return `${below}/tag`
      },
    ],
    [
      'PUT /values',
      async (below: string) => {
        const queries = [['service/about = "x"', { [`${below}/tag`]: { value: 1 } }]]
        await service.ok('PUT', '/values', { as: 'bob', json: { queries } })
        return `${below}/tag`
      },
    ],
  ])('are copied level by level through missing namespaces, by %s', async (_way, make) => {
    expect(await ofTag(await make(`${parent}/missing/and/too`))).toEqual(TAG)
    for (const namespace of ['missing', 'missing/and', 'missing/and/too']) {
      expect(await ofNamespace(`${parent}/${namespace}`)).toEqual(NAMESPACE)
      const about = `Object for the namespace ${parent}/${namespace}`
      const described = await service.ok('GET', `/namespaces/${parent}/${namespace}`, {
        as: 'alice',
        query: { returnDescription: 'true' },
      })
      expect(described.json()).toMatchObject({ description: about })
      const object = (await service.ok('GET', `/about/${encodeURIComponent(about)}`)).json()
      expect(described.json()).toMatchObject({ id: (object as { id: string }).id })
    }
  })

  test('are copied level by level through missing namespaces, by POST /namespaces', async () => {
    await makeNamespace(`${parent}/missing/and`, 'too')
    for (const namespace of ['missing', 'missing/and', 'missing/and/too']) {
      expect(await ofNamespace(`${parent}/${namespace}`)).toEqual(NAMESPACE)
    }
  })

  test('do not change with those of a child, nor theirs with the parent’s', async () => {
    const child = await makeNamespace(parent, 'child')
    const tag = await makeTag(parent, 'tag')
    await setAll(parent, { create: OPEN, update: CLOSED, delete: CLOSED, list: OPEN, control: CLOSED })
    expect(await ofNamespace(child)).toEqual(NAMESPACE)
    expect(await ofTag(tag)).toEqual(TAG)
    await setAll(child, { create: CLOSED })
    expect((await ofNamespace(parent))['namespaces.create']).toEqual(OPEN)
  })

  test('are copied again to a tag created again at the same path', async () => {
    const tag = await makeTag(parent, 'tag')
    await policies.set('tag-values', tag, 'read', CLOSED)
    await policies.set('tags', tag, 'control', OPEN)
    await service.ok('DELETE', `/tags/${tag}`, { as: 'alice' })
    expect(await ofTag(await makeTag(parent, 'tag'))).toEqual(TAG)
  })

  test('are copied separately to a namespace and a tag of the same path', async () => {
    const path = await makeNamespace(parent, 'both')
    await makeTag(parent, 'both')
    await setAll(path, { create: CLOSED, list: OPEN })
    expect(await ofTag(path)).toEqual(TAG)
    await policies.set('tag-values', path, 'control', OPEN)
    expect(await ofNamespace(path)).toMatchObject({ 'namespaces.control': PARENT['control'] })
  })
})

describe('creating under a missing parent', () => {
  test('needs CREATE on the nearest existing namespace, not on one above it', async () => {
    await setAll('alice', { create: OPEN })
    try {
      for (const [method, path, options] of [
        ['POST', `/namespaces/${parent}/missing/and`, { json: { name: 'x', description: '' } }],
        ['POST', `/tags/${parent}/missing/and`, { json: { name: 'x', description: '', indexed: true } }],
        ['PUT', `/about/x/${parent}/missing/and/x`, { primitive: '1' }],
      ] as const) {
        const answer = await service.request(method, path, { as: 'carol', ...options })
        expect([answer.status, answer.headers['x-service-action'], answer.headers['x-service-path']]).toEqual(
          [401, 'create', parent],
        )
      }
    } finally {
      await setAll('alice', { create: only('alice') })
    }
  })

  test('leaves nothing behind when it fails', async () => {
    const name = 'x'.repeat(230)
    const json = { name, description: '', indexed: true }
    const answer = await service.request('POST', `/tags/${parent}/missing`, { as: 'alice', json })
    expect(answer.error).toBe('TInvalidPath')
    expect((await service.request('GET', `/namespaces/${parent}/missing`, { as: 'alice' })).status).toBe(404)
  })

  test.each<[method: string, path: string, options: object, error: string]>([
    ['POST', '/namespaces/nobody', { json: { name: 'x', description: '' } }, 'TNonexistentNamespace'],
    ['POST', '/namespaces/nobody/x', { json: { name: 'x', description: '' } }, 'TNonexistentNamespace'],
    [
      'POST',
      '/tags/nobody',
      { json: { name: 'x', description: '', indexed: true } },
      'TNonexistentNamespace',
    ],
    ['PUT', '/about/x/nobody/x', { primitive: '1' }, 'TNonexistentTag'],
    ['PUT', '/about/x/nobody/x/y', { primitive: '1' }, 'TNonexistentTag'],
    [
      'PUT',
      '/values',
      { json: { queries: [['service/about = "x"', { 'nobody/x': { value: 1 } }]] } },
      'TNonexistentTag',
    ],
  ])(
    'fails without the top-level namespace, even for the superuser: %s %s',
    async (method, path, options, error) => {
      for (const as of ['alice', 'service']) {
        const answer = await service.request(method, path, { as, ...options })
        expect([answer.status, answer.error]).toEqual([404, error])
      }
    },
  )
})
