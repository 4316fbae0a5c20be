/** Users: signing in, their namespaces and roles, and what remains when they are deleted. */
import { describe, expect, test } from '@jest/globals'
import { PASSWORD } from '../support/service.ts'
import { useService } from './use-service.ts'

const { request, ok, put, get, about, status } = useService()

const makeUser = (username: string, more: object = {}): Promise<unknown> =>
  ok('POST', '/users', { as: 'service', json: { username, password: PASSWORD, ...more } })

const changeUser = (username: string, json: object, as = 'service'): Promise<unknown> =>
  ok('PUT', `/users/${username}`, { as, json })

const policyOf = (target: string, action: string, as = 'service'): Promise<unknown> =>
  get(`/permissions/${target}`, { as, query: { action } })

describe('a user name', () => {
  test('is read in any letter case, in credentials, URLs and payloads', async () => {
    expect(await status('PUT', '/about/x/Alice/a', { as: 'ALICE', primitive: '1' })).toBe('204')
    expect(await get('/users/aLiCe')).toEqual(await get('/users/alice'))
    await makeUser('Éric')
    expect(
      await status('POST', '/users', { as: 'service', json: { username: 'éRIC', password: PASSWORD } }),
    ).toBe('412 TUserAlreadyExists')
    expect(await get('/namespaces/%C3%A9ric')).toHaveProperty('id')
    expect(await status('PUT', '/about/x/%C3%89RIC/a', { as: 'ÉRIC', primitive: '1' })).toBe('204')
  })

  test('has an object', async () => {
    const { id } = (await get('/users/alice')) as { id: string }
    expect(await about('@alice')).toBe(id)
    expect(await get(`/objects/${id}`)).toEqual({
      tagPaths: ['service/about', 'service/users/name', 'service/users/role', 'service/users/username'],
    })
  })
})

describe('a new user', () => {
  test('has a display name, by default the user name', async () => {
    await makeUser('dora')
    await makeUser('dave', { name: 'Dave "the" Rave', email: 'dave@example.org' })
    expect(await get('/users/dora')).toMatchObject({ name: 'dora' })
    expect(await get('/users/dave')).toMatchObject({ name: 'Dave "the" Rave' })
    await changeUser('dave', { name: '' }, 'dave')
    expect(await get('/users/dave')).toMatchObject({ name: '' })
  })

  test('has two namespaces, of which one is private', async () => {
    await makeUser('eve')
    expect(await get('/namespaces/eve', { query: 'returnNamespaces=1&returnTags=1' })).toMatchObject({
      namespaceNames: ['private'],
      tagNames: [],
    })
    const own = { policy: 'closed', exceptions: ['eve'] }
    for (const action of ['create', 'update', 'delete', 'control']) {
      expect(await policyOf('namespaces/eve', action, 'eve')).toEqual(own)
      expect(await policyOf('namespaces/eve/private', action, 'eve')).toEqual(own)
    }
    expect(await policyOf('namespaces/eve', 'list', 'eve')).toEqual({ policy: 'open', exceptions: [] })
    expect(await policyOf('namespaces/eve/private', 'list', 'eve')).toEqual(own)
    expect(await status('GET', '/namespaces/eve/private', { as: 'eve' })).toBe('200')
    expect(await status('GET', '/namespaces/eve/private', { as: 'alice' })).toBe('401 TPathPermissionDenied')
    expect(await status('GET', '/namespaces/eve/private')).toBe('401 TPathPermissionDenied')
  })
})

describe('a password', () => {
  test('can be changed: the old one stops working at once and the new one works', async () => {
    await makeUser('frank')
    const signIn = (password: string): Promise<string> =>
      status('GET', '/users/frank', { as: 'frank', password })
    expect([await signIn(PASSWORD), await signIn('new: with colons ü')]).toEqual(['200', '401'])
    await changeUser('frank', { password: 'new: with colons ü' }, 'frank')
    expect([await signIn(PASSWORD), await signIn('new: with colons ü')]).toEqual(['401', '200'])
  })

  test('is never shown', async () => {
    const answers = await Promise.all(
      ['/users/frank', '/about/@frank', `/objects/${await about('@frank')}`].map((path) =>
        ok('GET', path, { as: 'service' }),
      ),
    )
    for (const { body } of answers) expect(body.toString()).not.toMatch(/argon2|password|new: with/)
  })

  test.each(['Basic', 'Basic !', 'Basic YWxpY2U=', 'Bearer x', 'basic', `Digest username="alice"`])(
    'is not accepted in the form %s',
    async (authorization) => {
      const { status: code, error } = await request('GET', '/users/alice', { headers: { authorization } })
      expect([code, error]).toEqual([401, undefined])
    },
  )

  test('cannot be used to sign in as the anonymous user', async () => {
    expect(await status('GET', '/users/alice', { as: 'anon', password: '' })).toBe('401')
    expect(await status('PUT', '/users/anon', { as: 'service', json: { password: PASSWORD } })).toMatch(
      /^400/,
    )
  })
})

describe('a role', () => {
  const secret = '/about/x/alice/private/secret'

  test('of superuser grants everything at once, and losing it takes everything away', async () => {
    await put(secret, '1')
    await makeUser('rita')
    const everything = (): Promise<string[]> =>
      Promise.all([
        status('GET', secret, { as: 'rita' }),
        status('PUT', secret, { as: 'rita', primitive: '2' }),
        status('GET', '/namespaces/service', { as: 'rita' }),
        status('PUT', '/users/carol', { as: 'rita', json: {} }),
      ])
    const refused = '401 TPathPermissionDenied'
    expect(await everything()).toEqual([refused, refused, refused, refused])
    await changeUser('rita', { role: 'superuser' })
    expect(await everything()).toEqual(['200', '204', '200', '204'])
    expect(await status('PUT', '/about/x/service/about', { as: 'rita', primitive: '"y"' })).toBe(refused)
    await changeUser('rita', { role: 'user' }, 'rita')
    expect(await everything()).toEqual([refused, refused, refused, refused])
  })

  test('of superuser keeps its user out of every exceptions list', async () => {
    await makeUser('sue')
    await put('/about/x/alice/open', '1')
    const allow = (): Promise<string> =>
      status('PUT', '/permissions/tag-values/alice/open', {
        as: 'alice',
        query: 'action=read',
        json: { policy: 'open', exceptions: ['sue'] },
      })
    expect(await allow()).toBe('204')
    await changeUser('sue', { role: 'superuser' })
    expect(await allow()).toBe('400 TInvalidUsername')
    expect(await status('GET', '/about/x/alice/open', { as: 'sue' })).toBe('200')
  })

  test('can be found by a query', async () => {
    await makeUser('tess')
    await changeUser('tess', { role: 'superuser' })
    const found = await get('/objects', { query: { query: 'service/users/role = "superuser"' } })
    expect(found).toMatchObject({
      ids: expect.arrayContaining([await about('@tess'), await about('@service')]) as unknown,
    })
  })
})

describe('a deleted user', () => {
  test('must have left nothing in their namespaces, the private one included', async () => {
    await makeUser('hoarder')
    const remove = (): Promise<string> => status('DELETE', '/users/hoarder', { as: 'service' })
    await put('/about/x/hoarder/private/diary', '1', 'hoarder')
    expect(await remove()).toBe('412 TNamespaceNotEmpty')
    await ok('DELETE', '/tags/hoarder/private/diary', { as: 'hoarder' })
    await ok('POST', '/namespaces/hoarder', { as: 'hoarder', json: { name: 'box', description: '' } })
    expect(await remove()).toBe('412 TNamespaceNotEmpty')
    expect(await get('/namespaces/hoarder', { query: 'returnNamespaces=1' })).toMatchObject({
      namespaceNames: ['box', 'private'],
    })
    await ok('DELETE', '/namespaces/hoarder/box', { as: 'hoarder' })
    expect(await remove()).toBe('204')
    expect(await status('GET', '/namespaces/hoarder')).toBe('404 TNonexistentNamespace')
    expect(await status('GET', '/namespaces/hoarder/private', { as: 'service' })).toBe(
      '404 TNonexistentNamespace',
    )
  })

  test('may have deleted their private namespace before', async () => {
    await makeUser('public')
    await ok('DELETE', '/namespaces/public/private', { as: 'public' })
    expect(await status('DELETE', '/users/public', { as: 'service' })).toBe('204')
  })

  test('cannot sign in, and disappears from every exceptions list', async () => {
    await makeUser('guest')
    await put('/about/x/alice/guestbook', '1')
    const setPolicy = (action: string, exceptions: string[]): Promise<unknown> =>
      ok('PUT', '/permissions/tag-values/alice/guestbook', {
        as: 'alice',
        query: { action },
        json: { policy: 'closed', exceptions },
      })
    await setPolicy('write', ['alice', 'guest'])
    await setPolicy('delete', ['guest'])
    await put('/about/x/alice/guestbook', '2', 'guest')
    await ok('DELETE', '/users/guest', { as: 'service' })
    expect(await status('GET', '/users/alice', { as: 'guest' })).toBe('401')
    expect(await status('GET', '/users/guest')).toBe('404 TNoSuchUser')
    const left = await Promise.all(
      ['write', 'delete'].map((action) => policyOf('tag-values/alice/guestbook', action)),
    )
    expect(left).toEqual([
      { policy: 'closed', exceptions: ['alice'] },
      { policy: 'closed', exceptions: [] },
    ])
    expect((await ok('GET', '/about/x/alice/guestbook')).body.toString()).toBe('2')

    await makeUser('guest')
    expect(await status('PUT', '/about/x/alice/guestbook', { as: 'guest', primitive: '3' })).toBe(
      '401 TPathPermissionDenied',
    )
  })

  test('leaves an object without the system tags of a user', async () => {
    await makeUser('ghost')
    const { id } = (await get('/users/ghost')) as { id: string }
    await ok('DELETE', '/users/ghost', { as: 'service' })
    expect(await get(`/objects/${id}`, { as: 'service', query: 'showAbout=1' })).toEqual({
      tagPaths: ['service/about'],
      about: '@ghost',
    })
    await makeUser('ghost')
    expect(await get('/users/ghost')).toEqual({ id, name: 'ghost' })
  })
})
