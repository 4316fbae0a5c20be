/** What each condition of a query finds, and which queries are refused. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'

const ABSENT = '99999999-9999-4999-8999-999999999999'
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

let service: Service
/** Object ids by about value. */
const objects = new Map<string, string>()

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'alice/title': {
    moby: '"Moby-Dick; or, The Whale"',
    faust: '"Faust. Der Tragödie erster Teil"',
    ulysses: '"ULYSSES"',
    list: '["The quick", "brown fox", "fox brown"]',
    empty: '""',
    none: '[]',
    number: '1851',
    long: `"${LONG} ${LONG}s"`,
  },
  'alice/note': {
    moby: '"see https://example.org/x, v3.14"',
    faust: '"New_York"',
    ulysses: '"can\'t a_1"',
    list: '["city:New", "York", "col·lecció"]',
  },
  'alice/plain': { moby: '"Moby-Dick"', list: '["one", "two"]', number: '5' },
  'alice/secret': { moby: '1' },
}

beforeAll(async () => {
  service = await startService()
  const as = 'alice'
  for (const [name, indexed] of Object.entries({ title: true, note: true, plain: false, secret: true })) {
    await service.ok('POST', '/tags/alice', { as, json: { name, description: '', indexed } })
  }
  for (const [path, values] of Object.entries(VALUES)) {
    for (const [about, primitive] of Object.entries(values)) {
      await service.ok('PUT', `/about/${about}/${path}`, { as, primitive })
      const { id } = (await service.ok('GET', `/about/${about}`)).json() as { id: string }
      objects.set(about, id)
    }
  }
  await service.ok('PUT', `/about/moby/alice/cover`, {
    as,
    body: 'whale',
    headers: { 'content-type': 'text/plain' },
  })
  await service.ok('PUT', '/permissions/tag-values/alice/secret', {
    as,
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: ['alice'] },
  })
})
afterAll(() => service.stop())

const ask = (query: string, as?: string): Promise<Answer> =>
  service.request('GET', '/objects', { query: { query }, ...(as !== undefined && { as }) })

/** The names (about values) of the objects that a query finds. */
async function found(query: string): Promise<string[]> {
  const answer = await ask(query)
  if (answer.status !== 200) throw new Error(`${query}: ${String(answer.status)} ${String(answer.error)}`)
  const { ids } = answer.json() as { ids: string[] }
  return ids.map((id) => [...objects].find(([, object]) => object === id)?.[0] ?? id).sort()
}

describe('matches', () => {
  test.each<[phrase: string, finds: string[]]>([
    ['moby', ['moby']],
    ['MOBY DICK', ['moby']],
    ['dick moby', []],
    ['the whale', ['moby']],
    ['or whale', []],
    ['wh*', ['moby']],
    ['w* ', ['moby']],
    ['th*', ['list', 'moby']],
    ['t* w*', ['moby']],
    ['*', ['empty', 'faust', 'list', 'long', 'moby', 'none', 'ulysses']],
    ['', ['empty', 'faust', 'list', 'long', 'moby', 'none', 'ulysses']],
    ['?!', ['empty', 'faust', 'list', 'long', 'moby', 'none', 'ulysses']],
    ['TRAGO\u0308DIE', ['faust']],
    ['tragodie', []],
    ['ulysses', ['ulysses']],
    ['ulyss', []],
    ['brown fox', ['list']],
    ['quick brown', []],
    ['fox fox', []],
    ['1851', []],
    [LONG.toUpperCase(), ['long']],
    [`${LONG}s`, ['long']],
    [`${LONG}*`, ['long']],
    [`${LONG.slice(0, 33)}*`, ['long']],
    [`${LONG.slice(0, 33)}x*`, []],
    [`${LONG.slice(0, 70)}x*`, []],
    [`${LONG} ${LONG}s`, ['long']],
    [`${LONG}s ${LONG}`, []],
    [`${LONG}t`, []],
  ])('%j finds %j', async (phrase, finds) => {
    expect(await found(`alice/title matches "${phrase}"`)).toEqual(finds)
  })

  test.each<[phrase: string, finds: string[]]>([
    ['example', ['moby']],
    ['org', ['moby']],
    ['example.org', ['moby']],
    ['EXAMPLE ORG', ['moby']],
    ['https://example.org/*', ['moby']],
    ['ex* org x', ['moby']],
    ['org example', []],
    ['york', ['faust', 'list']],
    ['new_york', ['faust']],
    ['new york', ['faust']],
    ['city:new', ['list']],
    ['yo*', ['faust', 'list']],
    ['Lecció', ['list']],
    ['col·lecció', ['list']],
    ["can't", ['ulysses']],
    ['can', []],
    ['a_1', ['ulysses']],
    ['a', []],
    ['1', []],
    ['v3.14', ['moby']],
    ['14', []],
  ])('%j finds %j, though UAX #29 would join words', async (phrase, finds) => {
    expect(await found(`alice/note matches "${phrase}"`)).toEqual(finds)
  })

  test('finds what about values begin with, and what follows', async () => {
    await service.ok('PUT', '/about/book:Dune/alice/title', { as: 'alice', primitive: '"Dune"' })
    const { id } = (await service.ok('GET', '/about/book:Dune')).json() as { id: string }
    for (const phrase of ['dune', 'book', 'book:dune', 'Book Dune', 'du*']) {
      const query = `service/about matches "${phrase}" except alice/title = 1`
      expect((await ask(query)).json()).toEqual({ ids: [id] })
    }
    expect((await ask('service/about matches "dune book"')).json()).toEqual({ ids: [] })
    await service.ok('DELETE', '/about/book:Dune/alice/title', { as: 'alice' })
  })

  test('finds a phrase of a hundred words', async () => {
    const words = Array.from({ length: 100 }, (_, i) => `word${String(i)}`)
    const json = { name: 'essay', description: '', indexed: true }
    await service.ok('POST', '/tags/alice', { as: 'alice', json })
    await service.ok('PUT', '/about/faust/alice/essay', {
      as: 'alice',
      primitive: JSON.stringify(words.join(' ')),
    })
    expect(await found(`alice/essay matches "${words.join(' ')}"`)).toEqual(['faust'])
    expect(await found(`alice/essay matches "${words.toReversed().join(' ')}"`)).toEqual([])
  })

  test('no longer finds a deleted value by its words', async () => {
    const path = '/about/faust/alice/title'
    await service.ok('DELETE', path, { as: 'alice' })
    expect(await found('alice/title matches "faust"')).toEqual([])
    await service.ok('PUT', path, { as: 'alice', primitive: VALUES['alice/title']?.['faust'] ?? '' })
    expect(await found('alice/title matches "faust"')).toEqual(['faust'])
  })

  test('is refused, with the reason, on a tag that is not indexed', async () => {
    const answer = await ask('has alice/title or alice/plain matches "moby"')
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    expect(answer.headers['x-service-message']).toMatch(/not indexed/)
    expect((await ask('alice/plain matches ""')).error).toBe('TBadRequest')
  })
})

describe('a tag that is not indexed', () => {
  test.each<[query: string, finds: string[]]>([
    ['has alice/plain', ['list', 'moby', 'number']],
    ['alice/plain = "Moby-Dick"', ['moby']],
    ['alice/plain contains "two"', ['list']],
    ['alice/plain > 4.5', ['number']],
    ['alice/plain >= "M"', ['moby']],
    ['alice/plain != 5', ['list', 'moby']],
  ])('allows %s', async (query, finds) => {
    expect(await found(query)).toEqual(finds)
  })
})

describe('comparison', () => {
  test.each<[query: string, finds: string[]]>([
    ['alice/cover != "whale"', ['moby']],
    ['alice/cover = "whale"', []],
    ['alice/title != null', ['empty', 'faust', 'list', 'long', 'moby', 'none', 'number', 'ulysses']],
    ['alice/title = ""', ['empty']],
    ['alice/title = 1851.0', ['number']],
    ['alice/title < "F"', ['empty', 'long']],
    ['ALICE/title = "ULYSSES"', ['ulysses']],
    ['alice/title = "ulysses"', []],
  ])('%s finds exactly what it should', async (query, finds) => {
    expect(await found(query)).toEqual(finds)
  })

  test.each(['alice/Title', 'alice/title/more', 'bob/title', 'nobody/title', 'service/nothing'])(
    'a path in another letter case or of another tag does not exist: %s',
    async (path) => {
      const answer = await ask(`has ${path}`)
      expect([answer.status, answer.error, answer.headers['x-service-path']]).toEqual([
        404,
        'TNonexistentTag',
        path,
      ])
    },
  )
})

describe('service/id', () => {
  test('finds an object that was never mentioned before, in either letter case', async () => {
    expect(await found(`service/id = "${ABSENT}"`)).toEqual([ABSENT])
    expect(await found(`SERVICE/id = "ABCDEF00-0000-0000-0000-000000000000"`)).toEqual([
      'abcdef00-0000-0000-0000-000000000000',
    ])
  })

  test('may stand anywhere in a query', async () => {
    const moby = objects.get('moby') ?? ''
    expect(await found(`has alice/plain and service/id = "${moby}"`)).toEqual(['moby'])
    expect(await found(`service/id = "${ABSENT}" and has alice/plain`)).toEqual([])
    expect(await found(`has alice/plain except service/id = "${moby}"`)).toEqual(['list', 'number'])
    expect(await found(`service/id = "${ABSENT}" or alice/plain = 5`)).toEqual([ABSENT, 'number'].sort())
  })

  test.each([
    'has service/id',
    'service/id != "99999999-9999-4999-8999-999999999999"',
    'service/id > "99999999-9999-4999-8999-999999999999"',
    'service/id = "99999999"',
    'service/id = 5',
    'service/id = null',
    'service/id matches "9*"',
    'service/id contains "9"',
  ])('cannot be used like this: %s', async (query) => {
    const answer = await ask(query)
    expect([answer.status, answer.error]).toEqual([400, 'TParseError'])
  })
})

describe('service/about', () => {
  test.each<[query: string, finds: string[]]>([
    ['service/about = "moby"', ['moby']],
    ['service/about = "Moby"', []],
    ['service/about = "nobody ever said this"', []],
    ['service/about matches "moby"', ['moby']],
    ['service/about >= "ulysses" and has alice/title', ['ulysses']],
  ])('%s finds exactly what it should', async (query, finds) => {
    expect(await found(query)).toEqual(finds)
  })

  test('creates no object when it is queried', async () => {
    await ask('service/about = "nobody ever said this"', 'alice')
    expect((await service.request('GET', '/about/nobody%20ever%20said%20this')).status).toBe(404)
  })

  test.each([
    'has service/about',
    'HAS Service/about',
    'service/about matches ""',
    'service/about matches " ?! "',
    'service/about matches "*"',
    'has alice/title and (has alice/plain except has service/about)',
    'alice/title = 1 or service/about matches "…"',
  ])('is refused where it would match too much: %s', async (query) => {
    const answer = await ask(query)
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    expect(answer.headers['x-service-message']).toMatch(/too many/)
  })

  test.each([
    ['Object for the namespace alice/private', 'service/namespaces/path = "alice/private"'],
    ['Object for the attribute alice/title', 'service/tags/path = "alice/title"'],
    ['@alice', 'service/users/username = "alice"'],
  ])('is %s on the object that the system tags describe', async (about, query) => {
    const { id } = (await service.ok('GET', `/about/${encodeURIComponent(about)}`)).json() as { id: string }
    expect(await found(query)).toEqual([id])
  })
})

describe('a query on missing or unreadable tags', () => {
  const REFUSED: [query: string, who: string | undefined, status: number, error: string, path: string][] = [
    ['has alice/secret', 'bob', 401, 'TPathPermissionDenied', 'alice/secret'],
    ['has alice/secret', undefined, 401, 'TPathPermissionDenied', 'alice/secret'],
    ['alice/secret = 1 or has alice/title', 'bob', 401, 'TPathPermissionDenied', 'alice/secret'],
    ['has alice/title except alice/secret > 0', 'bob', 401, 'TPathPermissionDenied', 'alice/secret'],
    ['has alice/secret or has alice/nothing', 'bob', 404, 'TNonexistentTag', 'alice/nothing'],
    ['has alice/nothing or has alice/secret', 'bob', 404, 'TNonexistentTag', 'alice/nothing'],
    ['has alice/secret and has alice/secret/x', 'bob', 404, 'TNonexistentTag', 'alice/secret/x'],
    ['has service/users/email', 'alice', 401, 'TPathPermissionDenied', 'service/users/email'],
    ['has alice/no1 and has alice/no2', 'alice', 404, 'TNonexistentTag', 'alice/no1'],
  ]

  /** Every way to run a query; the last two are never allowed to the anonymous user. */
  const WAYS: [method: string, path: string, options: (query: string) => Options][] = [
    ['GET', '/objects', (query) => ({ query: { query } })],
    ['GET', '/values', (query) => ({ query: { query, tag: 'alice/title' } })],
    ['GET', '/recent/objects', (query) => ({ query: { query } })],
    ['GET', '/recent/users', (query) => ({ query: { query } })],
    ['PUT', '/values', (query) => ({ json: { queries: [[query, { 'alice/open': { value: 1 } }]] } })],
    ['DELETE', '/values', (query) => ({ query: { query, tag: 'alice/open' } })],
  ]

  beforeAll(async () => {
    await service.ok('POST', '/tags/alice', {
      as: 'alice',
      json: { name: 'open', description: '', indexed: true },
    })
    for (const action of ['write', 'delete']) {
      const json = { policy: 'open', exceptions: [] }
      await service.ok('PUT', '/permissions/tag-values/alice/open', { as: 'alice', query: { action }, json })
    }
  })

  test.each(REFUSED)('is refused: %s by %s gets %d %s', async (query, as, status, error, path) => {
    for (const [method, url, options] of WAYS) {
      if (as === undefined && method !== 'GET') continue
      const answer = await service.request(method, url, {
        ...(as !== undefined && { as }),
        ...options(query),
      })
      expect([method, url, answer.status, answer.error, answer.headers['x-service-path']]).toEqual([
        method,
        url,
        status,
        error,
        path,
      ])
    }
  })

  test('is answered for the owner and the superuser', async () => {
    for (const as of ['alice', 'service']) expect((await ask('has alice/secret', as)).status).toBe(200)
  })
})
