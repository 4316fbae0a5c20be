/** The tags that the service maintains: everybody may read them, nobody may write them. */
import { describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status } = useService()

const SYSTEM_TAGS = [
  'service/about',
  'service/namespaces/path',
  'service/namespaces/description',
  'service/tags/path',
  'service/tags/description',
  'service/users/username',
  'service/users/name',
  'service/users/email',
  'service/users/role',
]

const refused = '401 TPathPermissionDenied'

describe.each(SYSTEM_TAGS)('the system tag %s', (tag) => {
  const thing = '/objects/0197a3c0-5a5a-7000-8000-0000000000dd'
  const query = 'service/users/username = "alice"'

  test.each(['alice', 'service'])('cannot be written or deleted by %s in any way', async (as) => {
    const element = ['service/id = "0197a3c0-5a5a-7000-8000-0000000000dd"', { [tag]: { value: 'x' } }]
    const ways = await Promise.all([
      status('PUT', `${thing}/${tag}`, { as, primitive: '"x"' }),
      status('PUT', `/about/@alice/${tag}`, { as, primitive: '"x"' }),
      status('PUT', '/values', { as, json: { queries: [element] } }),
      status('DELETE', `${thing}/${tag}`, { as }),
      status('DELETE', `/about/@alice/${tag}`, { as }),
      status('DELETE', '/values', { as, query: { query, tag } }),
      status('DELETE', `/tags/${tag}`, { as }),
    ])
    expect(ways).toEqual(ways.map(() => refused))
    expect(await get(thing, { as: 'service' })).toEqual({ tagPaths: [] })
  })

  test('can be read by everybody, unless it holds e-mail addresses', async () => {
    const expected = tag === 'service/users/email' ? refused : '404 TNoInstanceOnObject'
    for (const options of [{}, { as: 'bob' }])
      expect(await status('GET', `${thing}/${tag}`, options)).toBe(expected)
    expect(await status('GET', `${thing}/${tag}`, { as: 'service' })).toBe('404 TNoInstanceOnObject')
    expect(await status('GET', `/tags/${tag}`)).toBe('200')
  })
})

test('system tags describe users, namespaces and tags', async () => {
  await ok('POST', '/namespaces/alice', { as: 'alice', json: { name: 'n', description: 'a namespace' } })
  await ok('POST', '/tags/alice/n', {
    as: 'alice',
    json: { name: 't', description: 'a tag', indexed: false },
  })
  await ok('PUT', '/users/alice', { as: 'alice', json: { name: 'Alice L.', email: 'alice@example.org' } })
  const said = async (value: string, as?: string): Promise<unknown> => {
    const query = `service/about = "${value}"`
    const { results } = (await get('/values', {
      ...(as !== undefined && { as }),
      query: { query, tag: '*' },
    })) as {
      results: { id: Record<string, Record<string, { value: unknown }>> }
    }
    const [entries = {}] = Object.values(results.id)
    return Object.fromEntries(Object.entries(entries).map(([path, entry]) => [path, entry.value]))
  }
  const alice = {
    'service/about': '@alice',
    'service/users/username': 'alice',
    'service/users/name': 'Alice L.',
    'service/users/role': 'user',
  }
  expect(await said('@alice')).toEqual(alice)
  expect(await said('@alice', 'alice')).toEqual(alice)
  expect(await said('@alice', 'service')).toEqual({ ...alice, 'service/users/email': 'alice@example.org' })
  expect(await said('Object for the namespace alice/n')).toEqual({
    'service/about': 'Object for the namespace alice/n',
    'service/namespaces/path': 'alice/n',
    'service/namespaces/description': 'a namespace',
  })
  expect(await said('Object for the attribute alice/n/t')).toEqual({
    'service/about': 'Object for the attribute alice/n/t',
    'service/tags/path': 'alice/n/t',
    'service/tags/description': 'a tag',
  })
  expect(await said('@service')).toMatchObject({ 'service/users/role': 'superuser' })
  expect(await said('@anon')).toMatchObject({ 'service/users/role': 'anonymous' })
  expect(await said('Object for the attribute service/about')).toMatchObject({
    'service/tags/path': 'service/about',
  })
})

test('users, namespaces and tags can be found by querying their system tags', async () => {
  await put('/about/x/alice/found/tag', '1')
  const tag = await about('Object for the attribute alice/found/tag')
  expect(await find('service/tags/path = "alice/found/tag"')).toEqual([tag])
  expect(await get('/tags/alice/found/tag')).toMatchObject({ id: tag })
  expect(await find('service/namespaces/path = "alice/found"')).toEqual([
    await about('Object for the namespace alice/found'),
  ])
  expect(await find('service/users/username = "bob"')).toEqual([await about('@bob')])
  expect(await find('has service/users/username except service/users/role = "user"')).toEqual(
    [await about('@service'), await about('@anon')].sort(),
  )
  const { tagPaths } = (await get(`/objects/${tag}`)) as { tagPaths: string[] }
  expect(tagPaths).toEqual(['service/about', 'service/tags/description', 'service/tags/path'])
})

test('a query cannot be used to guess e-mail addresses', async () => {
  await ok('PUT', '/users/bob', { as: 'bob', json: { email: 'bob@example.org' } })
  for (const as of ['alice', 'bob']) {
    for (const query of ['service/users/email = "bob@example.org"', 'service/users/email matches "bob"']) {
      expect(await status('GET', '/objects', { as, query: { query } })).toBe(refused)
    }
    expect(await status('GET', '/about/@bob/service/users/email', { as })).toBe(refused)
  }
  expect(await find('service/users/email = "bob@example.org"', 'service')).toEqual([await about('@bob')])
})

test('only superusers see the permissions of system tags', async () => {
  const policyOf = (tag: string, action: string): Promise<unknown> =>
    get(`/permissions/tag-values/${tag}`, { as: 'service', query: { action } })
  expect(await policyOf('service/about', 'read')).toEqual({ policy: 'open', exceptions: [] })
  expect(await policyOf('service/users/email', 'read')).toEqual({ policy: 'closed', exceptions: [] })
  expect(await status('GET', '/permissions/tag-values/service/about?action=read', { as: 'alice' })).toBe(
    refused,
  )
})

test('nobody can create a tag in place of the virtual service/id', async () => {
  const json = { name: 'id', description: 'mine', indexed: true }
  expect(await status('POST', '/tags/service', { as: 'service', json })).toMatch(/^4\d\d T/)
  expect(await status('GET', '/tags/service/id')).toBe('404 TNonexistentTag')
})
