/** Moves: what stays as it is, what follows, and what is made anew at the old path. */
import { describe, expect, test } from '@jest/globals'
import { MAX_MOVED_NAMES } from '../../src/data/entities/moves.ts'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status, request } = useService()

const move = (json: object, as = 'alice') => ok('POST', '/moves', { as, json })
const idAt = async (path: string): Promise<string> =>
  ((await get(path, { as: 'alice' })) as { id: string }).id
const valueAt = async (path: string): Promise<unknown> => (await ok('GET', path, { as: 'alice' })).json()
const closed = { policy: 'closed', exceptions: ['alice'] }

describe('a tag that moves', () => {
  test('keeps its id, values, description and permissions, and is nowhere else', async () => {
    await put('/about/dune/alice/films/rating', '9')
    await ok('PUT', '/tags/alice/films/rating', { as: 'alice', json: { description: 'of mine' } })
    await ok('PUT', '/permissions/tag-values/alice/films/rating?action=read', { as: 'alice', json: closed })
    await ok('POST', '/namespaces/alice', { as: 'alice', json: { name: 'cinema', description: '' } })
    const id = await idAt('/tags/alice/films/rating')
    await move({ tag: 'alice/films/rating', to: 'alice/cinema/stars' })

    expect(await get('/tags/alice/cinema/stars?returnDescription=1')).toEqual({
      id,
      indexed: true,
      description: 'of mine',
    })
    expect(await valueAt('/about/dune/alice/cinema/stars')).toBe(9)
    expect(await status('GET', '/about/dune/alice/cinema/stars')).toBe('401 TPathPermissionDenied')
    expect(await find('alice/cinema/stars = 9')).toEqual([await about('dune')])
    expect(await get('/namespaces/alice/cinema?returnTags=1')).toMatchObject({ tagNames: ['stars'] })
    expect(await get('/namespaces/alice/films?returnTags=1')).toMatchObject({ tagNames: [] })
    expect(await get(`/objects/${await about('dune')}`, { as: 'alice' })).toMatchObject({
      tagPaths: expect.arrayContaining(['alice/cinema/stars']) as unknown,
    })
    const old = 'alice/films/rating'
    for (const [method, path, options] of [
      ['GET', `/tags/${old}`, {}],
      ['PUT', `/tags/${old}`, { json: { description: 'x' } }],
      ['DELETE', `/tags/${old}`, {}],
      ['GET', `/about/dune/${old}`, {}],
      ['GET', `/objects?query=has%20${old}`, {}],
      ['GET', `/permissions/tag-values/${old}?action=read`, {}],
    ] as const) {
      expect(await status(method, path, { as: 'alice', ...options })).toBe('404 TNonexistentTag')
    }
  })

  test('takes the path in the tags of the service with it, and keeps its about value', async () => {
    await put('/about/x/alice/shown/one', '1')
    const id = await idAt('/tags/alice/shown/one')
    await move({ tag: 'alice/shown/one', to: 'alice/shown/two' })
    expect(await valueAt(`/objects/${id}/service/tags/path`)).toBe('alice/shown/two')
    expect(await find('service/tags/path = "alice/shown/two"')).toEqual([id])
    expect(await find('service/tags/path matches "alice shown one"')).toEqual([])
    expect(await valueAt(`/objects/${id}/service/about`)).toBe('Object for the attribute alice/shown/one')
  })

  test('leaves its old path to a new tag, whose object has no about value while it is there', async () => {
    await put('/about/x/alice/twice/name', '"old"')
    const id = await idAt('/tags/alice/twice/name')
    await move({ tag: 'alice/twice/name', to: 'alice/twice/moved' })
    await put('/about/x/alice/twice/name', '"new"')
    const other = await idAt('/tags/alice/twice/name')
    expect(other).not.toBe(id)
    expect(await status('GET', `/objects/${other}/service/about`)).toBe('404 TNoInstanceOnObject')
    expect(await valueAt(`/objects/${other}/service/tags/path`)).toBe('alice/twice/name')
    expect(await get('/tags/alice/twice/name?returnDescription=1')).toMatchObject({
      description: 'Object for the attribute alice/twice/name',
    })
    expect(await valueAt('/about/x/alice/twice/moved')).toBe('old')
    expect(await valueAt('/about/x/alice/twice/name')).toBe('new')

    await ok('DELETE', '/tags/alice/twice/moved', { as: 'alice' })
    await ok('DELETE', '/tags/alice/twice/name', { as: 'alice' })
    await put('/about/x/alice/twice/name', '"third"')
    expect(await idAt('/tags/alice/twice/name')).toBe(id)
  })

  test('has another entity tag than the one that was at its path', async () => {
    const queries = [
      ['service/about = "swap"', { 'alice/swap/a': { value: 5 }, 'alice/swap/b': { value: 6 } }],
    ]
    await ok('PUT', '/values', { as: 'alice', json: { queries } })
    const { etag } = (await ok('GET', '/about/swap/alice/swap/a', { as: 'alice' })).headers
    await move({ tag: 'alice/swap/a', to: 'alice/swap/c' })
    await move({ tag: 'alice/swap/b', to: 'alice/swap/a' })
    const again = await request('GET', '/about/swap/alice/swap/a', {
      as: 'alice',
      headers: { 'if-none-match': etag },
    })
    expect([again.status, again.json()]).toEqual([200, 6])
  })
})

describe('a namespace that moves', () => {
  test('takes everything below it along, with ids, values and permissions', async () => {
    await put('/about/x/alice/trip/day/one/note', '"first"')
    await put('/about/x/alice/trip/day/two', '"second"')
    await put('/about/x/alice/trip', '"a tag of that name stays"')
    await put('/about/x/alice/trip-2/note', '"a sibling stays"')
    await put('/about/x/alice/trip.old/note', '"and this one"')
    await ok('PUT', '/permissions/namespaces/alice/trip/day?action=list', { as: 'alice', json: closed })
    const [day, note] = [
      await idAt('/namespaces/alice/trip/day'),
      await idAt('/tags/alice/trip/day/one/note'),
    ]
    await ok('POST', '/namespaces/alice', { as: 'alice', json: { name: 'travel', description: '' } })
    await move({ namespace: 'alice/trip', to: 'alice/travel/italy' })

    expect(await idAt('/namespaces/alice/travel/italy/day')).toBe(day)
    expect(await idAt('/tags/alice/travel/italy/day/one/note')).toBe(note)
    expect(await status('GET', '/namespaces/alice/travel/italy/day', { as: 'bob' })).toBe(
      '401 TPathPermissionDenied',
    )
    expect(await valueAt('/about/x/alice/travel/italy/day/one/note')).toBe('first')
    expect(await valueAt('/about/x/alice/travel/italy/day/two')).toBe('second')
    expect(await valueAt('/about/x/alice/trip')).toBe('a tag of that name stays')
    expect(await valueAt('/about/x/alice/trip-2/note')).toBe('a sibling stays')
    expect(await valueAt('/about/x/alice/trip.old/note')).toBe('and this one')
    expect(await status('GET', '/namespaces/alice/trip', { as: 'alice' })).toBe('404 TNonexistentNamespace')
    expect(await status('GET', '/tags/alice/trip/day/two')).toBe('404 TNonexistentTag')
    expect(await find('service/namespaces/path = "alice/travel/italy/day"')).toEqual([day])
    expect(await find('service/tags/path = "alice/travel/italy/day/one/note"')).toEqual([note])
    expect(await get('/namespaces/alice/travel?returnNamespaces=1')).toMatchObject({
      namespaceNames: ['italy'],
    })
  })

  test('is made anew by a write at its old path', async () => {
    await put('/about/x/alice/anew/tag', '1')
    const id = await idAt('/namespaces/alice/anew')
    await move({ namespace: 'alice/anew', to: 'alice/renewed' })
    await put('/about/x/alice/anew/tag', '2')
    expect(await idAt('/namespaces/alice/anew')).not.toBe(id)
    expect(await valueAt('/about/x/alice/renewed/tag')).toBe(1)
    expect(await valueAt('/about/x/alice/anew/tag')).toBe(2)
  })

  test('has at most 10,000 names below it', async () => {
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`alice/many/t${String(i)}`, { value: 1 }]))
    const write = (count: number) =>
      ok('PUT', '/values', {
        as: 'alice',
        json: { queries: [['service/about = "many"', values(count)]] },
      })
    await write(MAX_MOVED_NAMES)
    await move({ namespace: 'alice/many', to: 'alice/more' })
    expect(await valueAt('/about/many/alice/more/t9999')).toBe(1)
    await put('/about/many/alice/more/below/one', '1')
    const json = { namespace: 'alice/more', to: 'alice/most' }
    const { status: code, error, headers } = await request('POST', '/moves', { as: 'alice', json })
    expect([code, error]).toEqual([413, 'TooManyObjects'])
    expect(headers['x-service-message']).toBe(
      'this changes too much at once: alice/more holds more than 10000 names; move what is in it in several requests',
    )
    expect(await valueAt('/about/many/alice/more/t0')).toBe(1)
  }, 120_000)
})
