/** Objects: every UUID is one, and each about value belongs to at most one. */
import { expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status } = useService()
const UNHEARD = '0197a3c0-5a5a-7000-8000-0000000000ff'

test('every UUID is an object that can hold values without being created first', async () => {
  expect(await get(`/objects/${UNHEARD}`, { query: 'showAbout=true' })).toEqual({ tagPaths: [], about: null })
  await put(`/objects/${UNHEARD.toUpperCase()}/alice/first`, '1')
  expect(await get(`/objects/${UNHEARD}`)).toEqual({ tagPaths: ['alice/first'] })
  expect(await find('has alice/first')).toEqual([UNHEARD])
  expect((await ok('GET', `/objects/${UNHEARD}/service/id`)).json()).toBe(UNHEARD)
  for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    await put(`/objects/${id}/alice/last`, '1')
    expect(await find(`alice/last = 1 and service/id = "${id}"`)).toEqual([id])
  }
})

test('an about value has one object, however it was created', async () => {
  const first = (await ok('POST', '/objects', { as: 'bob', json: { about: 'Dune' } })).json() as {
    id: string
  }
  expect(await about('Dune')).toBe(first.id)
  await put('/about/Dune/alice/rating', '9')
  expect((await ok('GET', `/objects/${first.id}/alice/rating`)).body.toString()).toBe('9')
  await ok('PUT', '/values', {
    as: 'alice',
    json: { queries: [['service/about = "Dune"', { 'alice/rating': { value: 10 } }]] },
  })
  expect(await find('service/about = "Dune" and alice/rating = 10')).toEqual([first.id])
})

test('the first value put on an about value creates its object', async () => {
  expect(await status('GET', '/about/Hyperion')).toBe('404 NoSuchObject')
  await put('/about/Hyperion/alice/rating', '8')
  const { id } = (await get('/about/Hyperion')) as { id: string }
  expect(await find('service/about = "Hyperion"')).toEqual([id])
})

test('all who create the same object at once get the same id', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => about('wanted by many')))
  expect(new Set(ids).size).toBe(1)
  expect(await find('service/about = "wanted by many"')).toEqual([ids[0]])
})

test('creating an object without an about value always makes a new one', async () => {
  const make = async (json?: object): Promise<string> =>
    ((await ok('POST', '/objects', { as: 'alice', ...(json && { json }) })).json() as { id: string }).id
  const ids = [await make(), await make({}), await make()]
  expect(new Set(ids).size).toBe(3)
  expect(await get(`/objects/${ids[0] ?? ''}`, { query: 'showAbout=1' })).toEqual({
    tagPaths: [],
    about: null,
  })
})

test('a refused write creates no object', async () => {
  expect(await status('PUT', '/about/Refused/alice/rating', { as: 'bob', primitive: '1' })).toBe(
    '401 TPathPermissionDenied',
  )
  const conditional = { as: 'alice', primitive: '1', headers: { 'if-match': '*' } }
  expect(await status('PUT', '/about/Refused/alice/rating', conditional)).toBe('412 TPreconditionFailed')
  expect(await status('GET', '/about/Refused')).toBe('404 NoSuchObject')
})

test('the tag paths of an object are sorted in code-point order', async () => {
  for (const name of ['b', '𝔘', 'B', 'ﬀ', 'a', 'é', 'z']) {
    await put(`/about/sorted/alice/s/${encodeURIComponent(name)}`, '1')
  }
  const { tagPaths } = (await get('/about/sorted')) as { tagPaths: string[] }
  expect(tagPaths.map((path) => path.split('/').at(-1))).toEqual(['B', 'a', 'b', 'z', 'é', 'ﬀ', '𝔘', 'about'])
})
