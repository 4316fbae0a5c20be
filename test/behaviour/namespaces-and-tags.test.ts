/** Namespaces and tags: created as needed, inheriting permissions, listed, deleted. */
import { describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status } = useService()

interface Policy {
  readonly policy: string
  readonly exceptions: readonly string[]
}

const description = 'for tests'
const own: Policy = { policy: 'closed', exceptions: ['alice'] }
const open: Policy = { policy: 'open', exceptions: [] }

const policyOf = (target: string, action: string): Promise<unknown> =>
  get(`/permissions/${target}`, { as: 'service', query: { action } })

const setPolicy = (target: string, action: string, json: Policy): Promise<unknown> =>
  ok('PUT', `/permissions/${target}`, { as: 'alice', query: { action }, json })

const makeNamespace = (parent: string, name: string, as = 'alice'): Promise<unknown> =>
  ok('POST', `/namespaces/${parent}`, { as, json: { name, description } })

const makeTag = (parent: string, name: string, indexed = true): Promise<unknown> =>
  ok('POST', `/tags/${parent}`, { as: 'alice', json: { name, description, indexed } })

const describedAt = (path: string): Promise<unknown> =>
  get(path, { as: 'alice', query: 'returnDescription=true' })

describe('a missing namespace or tag', () => {
  test('is created by writing a value', async () => {
    await put('/about/x/alice/p/q/r/tag', '"three words here"')
    for (const path of ['alice/p', 'alice/p/q', 'alice/p/q/r']) {
      expect(await describedAt(`/namespaces/${path}`)).toMatchObject({
        description: `Object for the namespace ${path}`,
        id: await about(`Object for the namespace ${path}`),
      })
    }
    expect(await describedAt('/tags/alice/p/q/r/tag')).toEqual({
      indexed: true,
      description: 'Object for the attribute alice/p/q/r/tag',
      id: await about('Object for the attribute alice/p/q/r/tag'),
    })
    expect(await find('alice/p/q/r/tag matches "words here"')).toHaveLength(1)
  })

  test('is created by creating a namespace or a tag below it', async () => {
    await makeNamespace('alice/n/o', 'deep')
    await makeTag('alice/t/u', 'tag')
    expect(await describedAt('/namespaces/alice/n/o/deep')).toMatchObject({ description })
    expect(await get('/namespaces/alice/n', { query: 'returnNamespaces=1' })).toMatchObject({
      namespaceNames: ['o'],
    })
    expect(await get('/namespaces/alice/t/u', { query: 'returnTags=1' })).toMatchObject({ tagNames: ['tag'] })
  })

  test('is not created by a refused request', async () => {
    expect(await status('PUT', '/about/x/alice/refused/tag', { as: 'bob', primitive: '1' })).toBe(
      '401 TPathPermissionDenied',
    )
    expect(
      await status('POST', '/namespaces/alice/refused/a', {
        as: 'alice',
        json: { name: 'a b', description },
      }),
    ).toBe('400 TInvalidPath')
    expect(await status('GET', '/namespaces/alice/refused')).toBe('404 TNonexistentNamespace')
  })

  test('inherits its permissions, level by level, from the nearest existing namespace', async () => {
    await makeNamespace('alice', 'club')
    await setPolicy('namespaces/alice/club', 'create', { policy: 'closed', exceptions: ['alice', 'bob'] })
    await setPolicy('namespaces/alice/club', 'list', { policy: 'closed', exceptions: ['bob'] })
    await put('/about/x/alice/club/inner/room/tag', '1', 'bob')
    for (const path of ['alice/club/inner', 'alice/club/inner/room']) {
      const policies = await Promise.all(
        ['create', 'update', 'delete', 'list', 'control'].map((action) =>
          policyOf(`namespaces/${path}`, action),
        ),
      )
      expect(policies).toEqual([
        { policy: 'closed', exceptions: ['alice', 'bob'] },
        own,
        own,
        { policy: 'closed', exceptions: ['bob'] },
        own,
      ])
    }
    const tag = 'alice/club/inner/room/tag'
    expect(await policyOf(`tag-values/${tag}`, 'read')).toEqual({ policy: 'closed', exceptions: ['bob'] })
    expect(await status('GET', `/about/x/${tag}`, { as: 'bob' })).toBe('200')
    expect(await status('GET', `/about/x/${tag}`, { as: 'alice' })).toBe('401 TPathPermissionDenied')
  })

  test('is private under a private namespace', async () => {
    await put('/about/x/alice/private/deep/diary', '1')
    expect(await status('GET', '/namespaces/alice/private/deep', { as: 'bob' })).toBe(
      '401 TPathPermissionDenied',
    )
    expect(await status('GET', '/about/x/alice/private/deep/diary', { as: 'bob' })).toBe(
      '401 TPathPermissionDenied',
    )
    expect(await status('GET', '/about/x/alice/private/deep/diary', { as: 'alice' })).toBe('200')
  })
})

describe('the permissions', () => {
  test('of a new tag come from those of its namespace', async () => {
    await makeNamespace('alice', 'source')
    await setPolicy('namespaces/alice/source', 'create', { policy: 'open', exceptions: ['carol'] })
    await setPolicy('namespaces/alice/source', 'list', { policy: 'closed', exceptions: ['bob'] })
    await setPolicy('namespaces/alice/source', 'control', { policy: 'closed', exceptions: ['alice', 'bob'] })
    await makeTag('alice/source', 'tag')
    const create = { policy: 'open', exceptions: ['carol'] }
    const control = { policy: 'closed', exceptions: ['alice', 'bob'] }
    const expected = {
      'tags.update': create,
      'tags.delete': create,
      'tags.control': control,
      'tag-values.write': create,
      'tag-values.read': { policy: 'closed', exceptions: ['bob'] },
      'tag-values.delete': create,
      'tag-values.control': control,
    }
    for (const [permission, policy] of Object.entries(expected)) {
      const [category = '', action = ''] = permission.split('.')
      expect([permission, await policyOf(`${category}/alice/source/tag`, action)]).toEqual([
        permission,
        policy,
      ])
    }
  })

  test('of existing namespaces and tags do not change with those of the parent', async () => {
    await makeNamespace('alice', 'elder')
    await makeNamespace('alice/elder', 'child')
    await makeTag('alice/elder', 'tag')
    await setPolicy('namespaces/alice/elder', 'create', open)
    await setPolicy('namespaces/alice/elder', 'list', own)
    expect(await policyOf('namespaces/alice/elder/child', 'create')).toEqual(own)
    expect(await policyOf('namespaces/alice/elder/child', 'list')).toEqual(open)
    expect(await policyOf('tag-values/alice/elder/tag', 'write')).toEqual(own)
    expect(await policyOf('tag-values/alice/elder/tag', 'read')).toEqual(open)
  })

  test('of an open policy shut out its exceptions and nobody else', async () => {
    await put('/about/x/alice/shunned', '1')
    await setPolicy('tag-values/alice/shunned', 'read', { policy: 'open', exceptions: ['BOB'] })
    expect(await policyOf('tag-values/alice/shunned', 'read')).toEqual({
      policy: 'open',
      exceptions: ['bob'],
    })
    const seen = await Promise.all(
      ['alice', 'bob', 'carol', undefined].map((as) =>
        status('GET', '/about/x/alice/shunned', as ? { as } : {}),
      ),
    )
    expect(seen).toEqual(['200', '401 TPathPermissionDenied', '200', '200'])
  })

  test('can name anon to let everybody in or keep the anonymous user out', async () => {
    await put('/about/x/alice/anonymous', '1')
    await setPolicy('tag-values/alice/anonymous', 'read', { policy: 'closed', exceptions: ['anon'] })
    expect(await status('GET', '/about/x/alice/anonymous')).toBe('200')
    expect(await status('GET', '/about/x/alice/anonymous', { as: 'bob' })).toBe('401 TPathPermissionDenied')
    await setPolicy('tag-values/alice/anonymous', 'read', { policy: 'open', exceptions: ['anon'] })
    expect(await status('GET', '/about/x/alice/anonymous')).toBe('401 TPathPermissionDenied')
    expect(await status('GET', '/about/x/alice/anonymous', { as: 'bob' })).toBe('200')
  })

  test('give a creator no lasting right, and CONTROL that is given up is lost', async () => {
    await makeTag('alice', 'given')
    await setPolicy('tag-values/alice/given', 'write', { policy: 'closed', exceptions: ['bob'] })
    expect(await status('PUT', '/about/x/alice/given', { as: 'alice', primitive: '1' })).toBe(
      '401 TPathPermissionDenied',
    )
    expect(await status('PUT', '/about/x/alice/given', { as: 'bob', primitive: '1' })).toBe('204')
    await setPolicy('tag-values/alice/given', 'control', { policy: 'closed', exceptions: ['bob'] })
    const action = 'write'
    expect(
      await status('PUT', '/permissions/tag-values/alice/given', {
        as: 'alice',
        query: { action },
        json: open,
      }),
    ).toBe('401 TPathPermissionDenied')
    expect(
      await status('PUT', '/permissions/tag-values/alice/given', {
        as: 'bob',
        query: { action },
        json: open,
      }),
    ).toBe('204')
  })

  test('of a tag are separate from those of its values', async () => {
    await makeTag('alice', 'apart')
    await setPolicy('tags/alice/apart', 'delete', open)
    await put('/about/x/alice/apart', '1')
    expect(await status('DELETE', '/about/x/alice/apart', { as: 'bob' })).toBe('401 TPathPermissionDenied')
    expect(await status('DELETE', '/tags/alice/apart', { as: 'bob' })).toBe('204')
  })
})

test('names are listed in code-point order', async () => {
  const names = ['b', 'B', 'a', '_', '10', '9', 'é', 'z', 'ﬀ', '𝔘', 'é'.normalize('NFD'), '-', ':', '.']
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  for (const name of names) {
    await makeNamespace('alice/listed', name)
    await makeTag('alice/listed', name)
  }
  expect(await get('/namespaces/alice/listed', { query: 'returnTags=1&returnNamespaces=1' })).toMatchObject({
    namespaceNames: sorted,
    tagNames: sorted,
  })
})

test('a namespace lists only its direct children', async () => {
  await makeTag('alice/family/child', 'toy')
  await makeTag('alice/family-friend', 'toy')
  expect(await get('/namespaces/alice/family', { query: 'returnTags=1&returnNamespaces=1' })).toMatchObject({
    namespaceNames: ['child'],
    tagNames: [],
  })
})

test('a changed description is found at once', async () => {
  await makeNamespace('alice', 'described')
  await makeTag('alice/described', 'tag')
  const text = 'Größe "in" m²\n\u0000'
  await ok('PUT', '/namespaces/alice/described', { as: 'alice', json: { description: text } })
  await ok('PUT', '/tags/alice/described/tag', { as: 'alice', json: { description: text } })
  expect(await describedAt('/namespaces/alice/described')).toMatchObject({ description: text })
  expect(await describedAt('/tags/alice/described/tag')).toMatchObject({ description: text })
  const words = 'matches "größe in"'
  expect(await find(`service/tags/description ${words}`)).toEqual([
    await about('Object for the attribute alice/described/tag'),
  ])
  expect(await find(`service/namespaces/description ${words}`)).toEqual([
    await about('Object for the namespace alice/described'),
  ])
})

describe('a deleted tag', () => {
  test('has lost its values, even when it is created again', async () => {
    const id = await about('tagged')
    await put(`/objects/${id}/alice/gone`, '"old words"')
    await put('/about/tagged too/alice/gone'.replace(' ', '%20'), '2')
    await setPolicy('tag-values/alice/gone', 'read', own)
    const { id: object } = (await get('/tags/alice/gone')) as { id: string }
    await ok('DELETE', '/tags/alice/gone', { as: 'alice' })

    expect(await get(`/objects/${id}`, { as: 'alice' })).toEqual({ tagPaths: ['service/about'] })
    expect(await status('GET', `/objects/${id}/alice/gone`)).toBe('404 TNonexistentTag')
    expect(await status('GET', '/objects?query=has+alice/gone')).toBe('404 TNonexistentTag')
    expect(await get(`/recent/objects/${id}`, { as: 'alice' })).toHaveLength(1)
    expect(await get(`/objects/${object}`, { query: 'showAbout=1' })).toEqual({
      tagPaths: ['service/about'],
      about: 'Object for the attribute alice/gone',
    })

    await makeTag('alice', 'gone', false)
    expect(await get('/tags/alice/gone')).toEqual({ id: object, indexed: false })
    expect(await find('has alice/gone')).toEqual([])
    expect(await status('GET', `/objects/${id}/alice/gone`)).toBe('404 TNoInstanceOnObject')
    expect(await policyOf('tag-values/alice/gone', 'read')).toEqual(open)
    await put(`/objects/${id}/alice/gone`, '3')
    expect(await find('has alice/gone')).toEqual([id])
  })

  test('leaves a namespace of the same name alone', async () => {
    await makeTag('alice', 'twin')
    await makeTag('alice/twin', 'inner')
    await put('/about/twins/alice/twin', '1')
    await put('/about/twins/alice/twin/inner', '2')
    await ok('DELETE', '/tags/alice/twin', { as: 'alice' })
    expect((await ok('GET', '/about/twins/alice/twin/inner')).body.toString()).toBe('2')
    expect(await status('GET', '/tags/alice/twin')).toBe('404 TNonexistentTag')
  })
})

test('a deleted namespace is gone, and starts afresh when created again', async () => {
  await makeNamespace('alice', 'fleeting')
  const { id } = (await get('/namespaces/alice/fleeting')) as { id: string }
  await setPolicy('namespaces/alice/fleeting', 'list', own)
  await ok('DELETE', '/namespaces/alice/fleeting', { as: 'alice' })
  expect(await status('GET', '/namespaces/alice/fleeting')).toBe('404 TNonexistentNamespace')
  expect(await get(`/objects/${id}`)).toEqual({ tagPaths: ['service/about'] })
  await makeNamespace('alice', 'fleeting')
  expect(await get('/namespaces/alice/fleeting', { as: 'bob' })).toEqual({ id })
})
