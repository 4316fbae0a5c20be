/** `/values`: elements are applied in order and all or nothing, and `tag=*` means every tag. */
import { describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status, request } = useService()

type Entries = Readonly<Record<string, unknown>>

const set = (...queries: readonly (readonly [query: string, values: Entries])[]): object => ({
  queries: queries.map(([query, values]) => [
    query,
    Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }])),
  ]),
})

const putValues = (as: string, ...queries: readonly (readonly [string, Entries])[]): Promise<string> =>
  status('PUT', '/values', { as, json: set(...queries) })

/** The values of tags on the objects that a query matches, without `updated-at`. */
async function read(query: string, tag: string | string[], as?: string): Promise<Record<string, unknown>> {
  const { results } = (await get('/values', { ...(as !== undefined && { as }), query: { query, tag } })) as {
    results: { id: Record<string, Record<string, { value?: unknown; size?: number }>> }
  }
  return Object.fromEntries(
    Object.entries(results.id).map(([id, entries]) => [
      id,
      Object.fromEntries(Object.entries(entries).map(([path, entry]) => [path, entry.value ?? entry.size])),
    ]),
  )
}

const isAbout = (value: string): string => `service/about = "${value}"`

describe('PUT', () => {
  test('a later element sees what an earlier one wrote, including new tags', async () => {
    const [a, b] = [await about('chain a'), await about('chain b')]
    expect(
      await putValues(
        'alice',
        [isAbout('chain a'), { 'alice/chain/new': 1 }],
        ['alice/chain/new = 1', { 'alice/chain/second': 2, 'alice/chain/new': 5 }],
        ['alice/chain/new = 1', { 'alice/chain/never': 3 }],
        [`alice/chain/second = 2 or service/id = "${b}"`, { 'alice/chain/third': 3 }],
      ),
    ).toBe('204')
    expect(
      await read('has alice/chain/third', ['alice/chain/new', 'alice/chain/second', 'alice/chain/never']),
    ).toEqual({ [a]: { 'alice/chain/new': 5, 'alice/chain/second': 2 }, [b]: {} })
  })

  test('the last element for an object wins, however the object is named', async () => {
    const id = await about('overwritten')
    const byId = `service/id = "${id}"`
    await putValues(
      'alice',
      [byId, { 'alice/over/a': 1, 'alice/over/b': 1 }],
      [isAbout('overwritten'), { 'alice/over/b': 2, 'alice/over/c': 2 }],
      [byId, { 'alice/over/c': 3 }],
    )
    expect(await read(byId, ['alice/over/a', 'alice/over/b', 'alice/over/c'])).toEqual({
      [id]: { 'alice/over/a': 1, 'alice/over/b': 2, 'alice/over/c': 3 },
    })
  })

  test('a query sees what earlier elements wrote and nothing of later ones', async () => {
    const id = await about('ordered')
    await putValues(
      'alice',
      [isAbout('ordered'), { 'alice/order/state': 'early' }],
      ['alice/order/state = "early"', { 'alice/order/seen': 'early' }],
      [isAbout('ordered'), { 'alice/order/state': 'late' }],
    )
    expect(await read(isAbout('ordered'), ['alice/order/state', 'alice/order/seen'])).toEqual({
      [id]: { 'alice/order/state': 'late', 'alice/order/seen': 'early' },
    })
  })

  test.each([
    ['without permission', 'alice/books', { 'alice/forbidden': 1 }, '401 TPathPermissionDenied'],
    ['with a tag that nobody can make', 'nobody', { 'nobody/tag': 1 }, '404 TNonexistentTag'],
    ['with a malformed path', 'malformed', { 'bob/a b': 1 }, '400 TInvalidPath'],
  ])('a third element %s undoes the first two', async (_name, word, third, expected) => {
    await put('/about/steady/bob/steady', '1', 'bob')
    const name = `bob/undone-${word.replace('/', '-')}`
    const failed = await putValues(
      'bob',
      [isAbout(`undone ${word}`), { [`${name}/deep/tag`]: 1 }],
      ['has bob/steady', { 'bob/steady': 2, [`${name}/other`]: 2 }],
      [isAbout(`undone ${word}`), third],
    )
    expect(failed).toBe(expected)
    const { pathname } = new URL(`http://x/about/undone ${word.replace('/', '%2F')}`)
    expect(await status('GET', pathname)).toBe('404 NoSuchObject')
    expect(await status('GET', `/tags/${name}/deep/tag`)).toBe('404 TNonexistentTag')
    expect(await status('GET', `/namespaces/${name}`)).toBe('404 TNonexistentNamespace')
    expect((await ok('GET', '/about/steady/bob/steady')).body.toString()).toBe('1')
  })

  test('a query for a missing tag in a later element undoes the earlier ones', async () => {
    expect(await putValues('alice', [isAbout('half'), { 'alice/half': 1 }], ['has alice/none', {}])).toBe(
      '404 TNonexistentTag',
    )
    expect(await status('GET', '/about/half')).toBe('404 NoSuchObject')
    expect(await status('GET', '/tags/alice/half')).toBe('404 TNonexistentTag')
  })

  test('only an element whose whole query is service/about = "…" creates an object', async () => {
    const before = `${isAbout('unmade')} and has service/tags/path`
    expect(await putValues('alice', [before, { 'alice/unmade': 1 }])).toBe('204')
    expect(await putValues('alice', [`${isAbout('unmade')} or ${isAbout('unmade')}`, {}])).toBe('204')
    expect(await status('GET', '/about/unmade')).toBe('404 NoSuchObject')
    expect(await putValues('alice', [isAbout('unmade'), {}])).toBe('204')
    expect(await status('GET', '/about/unmade')).toBe('200')
    await get('/objects', { query: { query: isAbout('looked for') } })
    expect(await status('GET', '/about/looked%20for')).toBe('404 NoSuchObject')
  })

  test('tags are created even when nothing matches', async () => {
    await put('/about/x/alice/present', '1')
    expect(await putValues('alice', ['alice/present = 0', { 'alice/idle/tag': 1 }])).toBe('204')
    expect(await get('/tags/alice/idle/tag')).toMatchObject({ indexed: true })
    expect(await find('has alice/idle/tag')).toEqual([])
  })

  test('writes a thousand objects in one request, and GET returns them in one answer', async () => {
    const many = Array.from({ length: 1200 }, (_, i) => i)
    const elements = many.map(
      (i) => [isAbout(`many ${String(i)}`), { 'alice/many/n': i, 'alice/many/even': i % 2 === 0 }] as const,
    )
    expect(await putValues('alice', ...elements)).toBe('204')
    expect(await find('has alice/many/n')).toHaveLength(1200)
    expect(await putValues('alice', ['alice/many/even = true', { 'alice/many/half': 'yes' }])).toBe('204')
    const found = Object.values(await read('has alice/many/n', ['alice/many/n', 'alice/many/half']))
    const ns = found.map((entries) => (entries as Record<string, unknown>)['alice/many/n'])
    expect(ns.sort((a, b) => Number(a) - Number(b))).toEqual(many)
    expect(
      found.filter((entries) => Object.keys(entries as object).includes('alice/many/half')),
    ).toHaveLength(600)
    await ok('DELETE', '/values', {
      as: 'alice',
      query: { query: 'alice/many/n < 1100', tag: 'alice/many/half' },
    })
    expect(await find('has alice/many/half')).toHaveLength(50)
  })
})

describe('GET', () => {
  test('an object with none of the requested tags gives an empty entry', async () => {
    const [a, b] = [await about('some a'), await about('some b')]
    await putValues(
      'alice',
      [isAbout('some a'), { 'alice/some/x': 1, 'alice/some/y': 'y' }],
      [isAbout('some b'), { 'alice/some/x': 2 }],
    )
    expect(await read('has alice/some/x', 'alice/some/y')).toEqual({ [a]: { 'alice/some/y': 'y' }, [b]: {} })
    expect(await read('has alice/some/x', 'service/id')).toEqual({
      [a]: { 'service/id': a },
      [b]: { 'service/id': b },
    })
  })

  test('tag=* means every tag that the caller may read', async () => {
    const id = await about('starred')
    await putValues('alice', [isAbout('starred'), { 'alice/star/open': [], 'alice/private/star': 'mine' }])
    const open = { 'alice/star/open': [], 'service/about': 'starred' }
    expect(await read(isAbout('starred'), '*')).toEqual({ [id]: open })
    expect(await read(isAbout('starred'), '*', 'bob')).toEqual({ [id]: open })
    expect(await read(isAbout('starred'), '*', 'alice')).toEqual({
      [id]: { ...open, 'alice/private/star': 'mine' },
    })
    expect(await read(isAbout('starred'), ['*', 'service/id'])).toEqual({
      [id]: { ...open, 'service/id': id },
    })
  })

  test('each value has the time of its last change beside it', async () => {
    const times = async (): Promise<Record<string, number>> => {
      const { results } = (await get('/values', {
        query: { query: isAbout('timed'), tag: ['alice/time/a', 'alice/time/b'] },
      })) as { results: { id: Record<string, Record<string, { 'updated-at': string }>> } }
      const [entries = {}] = Object.values(results.id)
      return Object.fromEntries(
        Object.entries(entries).map(([path, entry]) => {
          expect(entry['updated-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
          return [path, Date.parse(entry['updated-at'])]
        }),
      )
    }
    const before = Date.now() - 1
    await putValues('alice', [isAbout('timed'), { 'alice/time/a': 1 }])
    await ok('PUT', '/about/timed/alice/time/b', {
      as: 'alice',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    const first = await times()
    expect(Object.keys(first)).toEqual(['alice/time/a', 'alice/time/b'])
    for (const time of Object.values(first)) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now() + 1)
    }
    await put('/about/timed/alice/time/a', '2')
    const second = await times()
    expect(second['alice/time/a']).toBeGreaterThanOrEqual(first['alice/time/b'] ?? NaN)
    expect(second['alice/time/b']).toBe(first['alice/time/b'])
  })
})

describe('DELETE', () => {
  test('tag=* means every tag whose values the caller may delete', async () => {
    const id = await about('cleared')
    await putValues('alice', [isAbout('cleared'), { 'alice/clear/a': 1, 'alice/clear/b': 'two words' }])
    await put('/about/cleared/bob/kept', '3', 'bob')
    await ok('DELETE', '/values', { as: 'alice', query: { query: isAbout('cleared'), tag: '*' } })
    expect(await read(isAbout('cleared'), '*', 'service')).toEqual({
      [id]: { 'bob/kept': 3, 'service/about': 'cleared' },
    })
    expect(await find('alice/clear/b matches "two"')).toEqual([])
    await ok('DELETE', '/values', { as: 'service', query: { query: isAbout('cleared'), tag: '*' } })
    expect(await read(isAbout('cleared'), '*', 'service')).toEqual({ [id]: { 'service/about': 'cleared' } })
  })

  test('deletes the values and keeps the tags', async () => {
    await putValues('alice', [isAbout('emptied'), { 'alice/empty/a': 1, 'alice/empty/b': 2 }])
    await ok('DELETE', '/values', {
      as: 'alice',
      query: { query: 'has alice/empty/a', tag: ['alice/empty/a', 'alice/empty/b'] },
    })
    expect(await status('GET', '/tags/alice/empty/a')).toBe('200')
    expect(await find('has alice/empty/a or has alice/empty/b')).toEqual([])
  })

  test('deletes nothing when one of the tags may not be deleted from', async () => {
    await putValues('alice', [isAbout('shared'), { 'alice/share/a': 1 }])
    await put('/about/shared/bob/share', '2', 'bob')
    const { error } = await request('DELETE', '/values', {
      as: 'bob',
      query: { query: isAbout('shared'), tag: ['bob/share', 'alice/share/a'] },
    })
    expect(error).toBe('TPathPermissionDenied')
    expect(await find('has bob/share and has alice/share/a')).toEqual([await about('shared')])
  })
})

test('long values stay whole and with their objects, however many parts they are stored in', async () => {
  const long = (i: number, tag: number): string =>
    `${i} ${tag} `.repeat(40 + ((i * 7919 + tag * 104_729) % 30_000))
  const values = (i: number): Entries => ({
    'alice/long/a': long(i, 0),
    'alice/long/b': i % 3 === 0 ? i : long(i, 1),
    ...(i % 2 === 0 && { 'alice/long/c': long(i, 2) }),
  })
  const expected: Record<string, Entries> = {}
  for (let i = 0; i < 40; i++) expected[await about(`long ${i}`)] = values(i)
  const elements = Object.entries(expected).map(([id, entries]) => [`service/id = "${id}"`, entries] as const)
  // More would be longer than JSON may be.
  for (let at = 0; at < elements.length; at += 4)
    expect(await putValues('alice', ...elements.slice(at, at + 4))).toBe('204')
  expect(await read('has alice/long/a', ['alice/long/a', 'alice/long/b', 'alice/long/c'])).toEqual(expected)
})
