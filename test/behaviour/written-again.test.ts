/**
 * A value whose place the service remembers is written without a look at it, and whatever has become of it meanwhile. So is a
 * new value of a tag where another one was new.
 */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, status, request } = useService()

let tag = ''
let path = ''
let round = 0

const LOCATED = ['by id', 'by about value'] as const

/** Three writes: after the second one, the place is remembered. */
async function remember(located: (typeof LOCATED)[number] = 'by about value'): Promise<void> {
  tag = `alice/again-${String(round++)}`
  const { id } = (await ok('POST', '/about/written%20again', { as: 'alice' })).json() as { id: string }
  path = located === 'by id' ? `/objects/${id}/${tag}` : `/about/written%20again/${tag}`
  for (const text of ['1', '2', '3']) await put(path, text)
}

beforeEach(() => remember())

const setPolicy = (action: string, policy: string, exceptions: readonly string[]): Promise<unknown> =>
  ok('PUT', `/permissions/tag-values/${tag}`, {
    as: 'alice',
    query: { action },
    json: { policy, exceptions },
  })

test.each(LOCATED)('each write replaces the one before, and has a later time: %s', async (located) => {
  await remember(located)
  const tags = new Set<string | undefined>()
  for (const text of ['4', '5.5', 'null', 'true', '4']) {
    await put(path, text)
    const answer = await request('GET', path)
    expect(answer.body.toString()).toBe(text)
    tags.add(answer.headers.etag)
  }
  expect(tags.size).toBe(5)
  expect(await find(`${tag} = 4`)).toHaveLength(1)
  expect(await find(`${tag} = 3`)).toHaveLength(0)
})

test('words and items of a value that came in between are gone with it', async () => {
  await put(path, '"some words"')
  expect(await find(`${tag} matches "words"`)).toHaveLength(1)
  await put(path, '5')
  expect(await find(`${tag} matches "words"`)).toHaveLength(0)
  await put(path, '6')
  await put(path, '["an item"]')
  await put(path, '7')
  expect(await find(`${tag} contains "an item"`)).toHaveLength(0)
  expect(await get(path)).toBe(7)
})

test('so are the parts of a long one', async () => {
  await ok('PUT', path, { as: 'alice', headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(5000) })
  await put(path, '8')
  expect(await get(path)).toBe(8)
})

test('a value that was deleted is there again, and counts', async () => {
  await ok('DELETE', path, { as: 'alice' })
  await put(path, '9')
  expect(await get(path)).toBe(9)
  expect(await find(`has ${tag}`)).toHaveLength(1)
})

test('a tag that was deleted is made again', async () => {
  await ok('DELETE', path, { as: 'alice' })
  await ok('DELETE', `/tags/${tag}`, { as: 'alice' })
  await put(path, '10')
  expect(await find(`${tag} = 10`)).toHaveLength(1)
})

test('who may no longer write changes nothing', async () => {
  await setPolicy('write', 'open', [])
  await ok('PUT', path, { as: 'bob', primitive: '11' })
  await setPolicy('write', 'closed', ['alice'])
  expect(await status('PUT', path, { as: 'bob', primitive: '12' })).toBe('401 TPathPermissionDenied')
  expect(await get(path)).toBe(11)
})

test('a condition is held against the current value', async () => {
  const headers = { 'If-Match': '"none"' }
  expect(await status('PUT', path, { as: 'alice', primitive: '13', headers })).toBe('412 TPreconditionFailed')
  expect(await get(path)).toBe(3)
})

describe('a new value of a tag where another one was new', () => {
  let objects: readonly string[] = []
  const at = (object: number): string => `${objects[object] ?? ''}/${tag}`

  /** The tag is made by the first value, and the second one is found to be new. */
  async function gain(located: (typeof LOCATED)[number] = 'by about value'): Promise<void> {
    tag = `alice/gaining-${String(round++)}`
    const abouts = Array.from({ length: 5 }, (_, i) => `${tag} ${String(i)}`)
    objects = await Promise.all(
      abouts.map(async (about) => {
        const segment = `/about/${encodeURIComponent(about)}`
        const { id } = (await ok('POST', segment, { as: 'alice' })).json() as { id: string }
        return located === 'by id' ? `/objects/${id}` : segment
      }),
    )
    for (const object of [0, 1]) await put(at(object), '1')
  }

  beforeEach(() => gain())

  test.each(LOCATED)('is there: %s', async (located) => {
    await gain(located)
    for (const object of [2, 3, 4]) await put(at(object), String(object))
    expect(await Promise.all([2, 3, 4].map((object) => get(at(object))))).toEqual([2, 3, 4])
    expect(await find(`has ${tag}`)).toHaveLength(5)
  })

  test('replaces one that is there after all, with its words', async () => {
    await put(at(0), '"some words"')
    await put(at(1), '2')
    await put(at(2), '3')
    await put(at(0), '4')
    expect(await get(at(0))).toBe(4)
    expect(await get(at(1))).toBe(2)
    expect(await find(`${tag} matches "words"`)).toHaveLength(0)
    expect(await find(`has ${tag}`)).toHaveLength(3)
  })

  test('is not written if its condition does not hold', async () => {
    const headers = { 'If-None-Match': '*' }
    const again = await status('PUT', at(1), { as: 'alice', primitive: '2', headers })
    expect(again).toBe('412 TPreconditionFailed')
    expect(await status('PUT', at(2), { as: 'alice', primitive: '2', headers })).toBe('204')
    expect(await get(at(1))).toBe(1)
  })

  test('makes an object that is missing', async () => {
    const missing = `/about/${encodeURIComponent(`${tag} missing`)}/${tag}`
    await put(missing, '5')
    expect(await get(missing)).toBe(5)
  })

  test('makes a tag again that was deleted', async () => {
    for (const object of [0, 1]) await ok('DELETE', at(object), { as: 'alice' })
    await ok('DELETE', `/tags/${tag}`, { as: 'alice' })
    await put(at(2), '6')
    expect(await find(`${tag} = 6`)).toHaveLength(1)
  })

  test('is not there where its writer may not write', async () => {
    expect(await status('PUT', at(2), { as: 'bob', primitive: '7' })).toBe('401 TPathPermissionDenied')
    expect(await find(`has ${tag}`)).toHaveLength(2)
  })
})
