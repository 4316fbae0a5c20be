/** Recent values: newest first, and only those that the caller may read. */
import { expect, test } from '@jest/globals'
import { PASSWORD } from '../support/service.ts'
import { useService } from './use-service.ts'

const { ok, put, get, about, status } = useService()

interface Recent {
  readonly id: string
  readonly about: string | null
  readonly tag: string
  readonly username: string | null
  readonly value?: unknown
  readonly size?: number
  readonly 'updated-at': string
}

async function recent(
  path: string,
  as?: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Recent[]> {
  return (await get(`/recent/${path}`, { ...(as !== undefined && { as }), query })) as Recent[]
}

const shown = (values: readonly Recent[]): unknown[] => values.map(({ tag, value }) => [tag, value])

test('the newest come first, and a rewritten one comes first again', async () => {
  for (const [name, text] of Object.entries({ a: '1', b: '"two"', c: '[]', d: 'null' })) {
    await put(`/about/story/alice/s/${name}`, text)
  }
  expect(shown(await recent('about/story'))).toEqual([
    ['alice/s/d', null],
    ['alice/s/c', []],
    ['alice/s/b', 'two'],
    ['alice/s/a', 1],
    ['service/about', 'story'],
  ])
  await put('/about/story/alice/s/a', '5.0')
  await ok('DELETE', '/about/story/alice/s/d', { as: 'alice' })
  const values = await recent('about/story')
  expect(values.map(({ tag }) => tag)).toEqual(['alice/s/a', 'alice/s/c', 'alice/s/b', 'service/about'])
  const times = values.map((value) => value['updated-at'])
  expect(times).toEqual([...times].sort().reverse())
})

test('each entry has the value, its object and tag, and who wrote it', async () => {
  await ok('PUT', '/about/cover/bob/image', {
    as: 'bob',
    body: 'xyz',
    headers: { 'content-type': 'Image/PNG' },
  })
  const id = await about('cover')
  const moment: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  expect(await recent('about/cover')).toEqual([
    {
      id,
      about: 'cover',
      tag: 'bob/image',
      username: 'bob',
      'value-type': 'Image/PNG',
      size: 3,
      'updated-at': moment,
    },
    { id, about: 'cover', tag: 'service/about', username: 'service', value: 'cover', 'updated-at': moment },
  ])
  const nameless = '0197a3c0-5a5a-7000-8000-0000000000cc'
  await put(`/objects/${nameless}/bob/note`, 'true', 'bob')
  expect(await recent(`objects/${nameless}`)).toEqual([
    { id: nameless, about: null, tag: 'bob/note', username: 'bob', value: true, 'updated-at': moment },
  ])
})

test('values that the caller may not read are left out and do not count towards the limit', async () => {
  for (const n of [1, 2, 3]) await put(`/about/mixed/alice/m/${String(n)}`, String(n))
  for (const n of [4, 5, 6]) await put(`/about/mixed/alice/private/${String(n)}`, String(n))
  const query = { limit: '3' }
  const open = [3, 2, 1].map((n) => [`alice/m/${String(n)}`, n])
  expect(shown(await recent('about/mixed', undefined, query))).toEqual(open)
  expect(shown(await recent('about/mixed', 'bob', query))).toEqual(open)
  expect(shown(await recent('about/mixed', 'alice', query))).toEqual(
    [6, 5, 4].map((n) => [`alice/private/${String(n)}`, n]),
  )
})

test('lists the twenty newest, unless there is a limit', async () => {
  for (let n = 0; n < 24; n++) await put(`/about/crowded/carol/t${String(n)}`, String(n), 'carol')
  const newest = [...Array(24).keys()].reverse()
  expect((await recent('users/carol')).map(({ value }) => value)).toEqual(newest.slice(0, 20))
  expect((await recent('about/crowded')).map(({ value }) => value)).toEqual(newest.slice(0, 20))
  expect(await recent('users/carol', undefined, { limit: '1' })).toHaveLength(1)
  expect((await recent('users/carol', undefined, { limit: '100' })).map(({ value }) => value)).toEqual(newest)
})

test('lists values on all objects, or by all users, that a query matches', async () => {
  await put('/about/one/alice/q/n', '1')
  await put('/about/two/bob/q/n', '2', 'bob')
  await put('/about/three/alice/q/n', '3')
  const tags = async (path: string, query: string): Promise<unknown[]> =>
    shown(await recent(path, undefined, { query, limit: '4' }))
  expect(await tags('objects', 'service/about = "one" or has bob/q/n')).toEqual([
    ['bob/q/n', 2],
    ['service/about', 'two'],
    ['alice/q/n', 1],
    ['service/about', 'one'],
  ])
  const [newest] = await tags('users', 'service/users/username = "bob"')
  expect(newest).toEqual(['bob/q/n', 2])
  const both = 'service/users/username = "bob" or service/users/username = "alice"'
  expect((await tags('users', both)).slice(0, 3)).toEqual([
    ['alice/q/n', 3],
    ['bob/q/n', 2],
    ['alice/q/n', 1],
  ])
})

test('a value belongs to its last writer, and to nobody once that user is deleted', async () => {
  await ok('POST', '/users', { as: 'service', json: { username: 'passer-by', password: PASSWORD } })
  await put('/about/bench/alice/carving', '1')
  await ok('PUT', '/permissions/tag-values/alice/carving', {
    as: 'alice',
    query: 'action=write',
    json: { policy: 'open', exceptions: [] },
  })
  await put('/about/bench/alice/carving', '2', 'passer-by')
  expect((await recent('about/bench'))[0]).toMatchObject({ username: 'passer-by', value: 2 })
  expect(await recent('users/passer-by')).toHaveLength(1)
  await ok('DELETE', '/users/passer-by', { as: 'service' })
  expect((await recent('about/bench'))[0]).toMatchObject({ tag: 'alice/carving', username: null, value: 2 })
  expect(await status('GET', '/recent/users/passer-by')).toBe('404 TNoSuchUser')
  await ok('POST', '/users', { as: 'service', json: { username: 'passer-by', password: PASSWORD } })
  expect(await recent('users/passer-by')).toEqual([])
})

test('only superusers see e-mail addresses', async () => {
  await ok('PUT', '/users/bob', { as: 'bob', json: { email: 'bob@example.org' } })
  const tags = async (as: string): Promise<string[]> => (await recent('about/@bob', as)).map(({ tag }) => tag)
  expect(await tags('bob')).not.toContain('service/users/email')
  expect(await tags('service')).toContain('service/users/email')
})
