/** Pages of random searches, followed to the end, show what a simple evaluation finds, in its order. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { listOf, numberOf, sortOrder, stringOf, type Value, type Values } from './model.ts'
import { ModelledService } from './modelled-service.ts'
import { NUMBERS, Random, randomQuery, randomString, randomValue } from './random.ts'
import { loosenBounds } from './stored-rows.ts'

let service: Service
let modelled: ModelledService
const random = new Random()

const BEGINNING = 'https://www.example.org/'

/** A URL, of which many begin with the same 24 octets or more, and some are long. */
const randomUrl = (): string =>
  BEGINNING +
  random.pick(['', 'a', 'b/', '\u0000', '"', '\\', 'é', '😀', 'index/', 'p'.repeat(400), 'q'.repeat(990)]) +
  random.pick(['', 'x', 'y', '\n', 'ß', '￿', '/z'])

/** For each tag, the share of objects that have it, and how to make its values. */
const TAGS: Readonly<Record<string, { share: number; value?: () => Value }>> = {
  'alice/any': { share: 0.8 },
  'alice/number': { share: 0.7, value: () => numberOf(random.pick(NUMBERS)) },
  'alice/url': { share: 0.8, value: () => stringOf(randomUrl()) },
  'alice/text': { share: 0.6, value: () => stringOf(randomString(random)) },
  'alice/few': { share: 0.9, value: () => numberOf(String(random.below(3))) },
  'alice/list': { share: 0.3, value: () => listOf([randomString(random)]) },
  'alice/rare': { share: 0.05 },
  'alice/none': { share: 0 },
}

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  for (const path of Object.keys(TAGS)) await modelled.makeTag(path, true)
  for (let i = 0; i < 40; i++) {
    await modelled.makeObject(
      random.chance(0.7) ? `${randomUrl().replaceAll('\0', '')}${String(i)}` : undefined,
    )
  }
  modelled.objects.push(...Array.from({ length: 120 }, () => random.uuid()))
  await modelled.learnAbouts()
  for (const [path, { share, value = () => randomValue(random) }] of Object.entries(TAGS)) {
    const some = [...new Set(modelled.objects)].filter(() => random.chance(share))
    await Promise.all(some.map((object) => modelled.put(path, object, value())))
  }
})
afterAll(() => service.stop())

interface Page {
  readonly count?: number
  readonly exact?: boolean
  readonly results: readonly {
    readonly id: string
    readonly about: string | null
    readonly values: Readonly<Record<string, unknown>>
  }[]
  readonly next?: string
}

/** The objects of the model that a query matches, in the order of `sort`. */
function inOrder(query: string, sort: string): string[] {
  const sign = sort.startsWith('-') ? -1 : 1
  const path = sign < 0 ? sort.slice(1) : sort
  const values: Values = modelled.model.get(path) ?? new Map<string, Value>()
  return modelled.expected(query).sort((a, b) => {
    const [one, other] = [values.get(a), values.get(b)]
    if ((one === undefined) !== (other === undefined)) return one === undefined ? 1 : -1
    const order = one !== undefined && other !== undefined ? sortOrder(one, other) : 0
    return sign * (order || (a < b ? -1 : 1))
  })
}

async function pagesOf(query: Record<string, unknown>): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next) {
    const asked = { ...query, ...(cursor === '' ? {} : { cursor }) } as Record<string, string>
    const answer = await service.ok('GET', '/search', { as: 'alice', query: asked })
    pages.push(answer.json() as Page)
    const link = /, <([^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    const { next } = pages.at(-1) as Page
    if (link !== undefined) expect(new URL(link).searchParams.get('cursor')).toBe(next)
  }
  return pages
}

/** Checks a random search; throws, with the seed, where it differs from the model. */
async function check(): Promise<void> {
  const query = randomQuery(random, modelled.queryParts(), 3)
  const path = random.pick([...Object.keys(TAGS), 'service/about', 'service/id'])
  const sort = random.chance(0.5) ? `-${path}` : path
  const columns = random.picks(Object.keys(TAGS), random.below(3))
  const upTo = 1 + random.below(100)
  const count = random.pick(['none', 'exact', `upto:${String(upTo)}`])
  const expected = inOrder(query, sort)
  const limit = random.pick(expected.length > 30 ? [11, 20, 1000] : [1, 2, 3, 7])
  const pages = await pagesOf({ query, sort, limit: String(limit), count, tag: columns })
  const found = pages.flatMap(({ results }) => results)
  const about = `SEED=${String(random.seed)} ${sort} limit ${String(limit)}: ${query}`
  expect([about, found.map(({ id }) => id)]).toEqual([about, expected])
  expect([about, pages.slice(0, -1).every(({ results }) => results.length === limit)]).toEqual([about, true])
  const [{ count: counted, exact } = {}] = pages
  const bound = count === 'exact' ? Infinity : upTo
  expect([about, counted, exact]).toEqual(
    count === 'none'
      ? [about, undefined, undefined]
      : [about, Math.min(expected.length, bound), expected.length <= bound],
  )
  for (const { id, about: text, values } of found) {
    const known = modelled.model.get('service/about')?.get(id)
    expect(text).toBe(known?.type === 'string' ? known.value : null)
    const tags = [...new Set(columns)].filter((tag) => modelled.model.get(tag)?.has(id))
    expect(Object.keys(values).sort()).toEqual(tags.sort())
  }
}

/** `SEARCHES=20000 npm test test/search/pages` tries as many. */
const ROUNDS = Number(process.env['SEARCHES'] ?? 100)

test(
  `${String(ROUNDS)} random searches show the right objects in the right order`,
  async () => {
    for (let i = 0; i < ROUNDS; i++) {
      if (i % 40 === 39) await loosenBounds(service.store, random)
      await check()
    }
  },
  // As long for each as for each of those that are tried by default.
  3000 * ROUNDS,
)

test('a cursor belongs to its query, sort and tags, and to no limit or count', async () => {
  const first = { query: 'has alice/few', sort: 'alice/few', tag: 'alice/few', limit: '1' }
  const { next: cursor = '' } = (
    await service.ok('GET', '/search', { as: 'alice', query: first })
  ).json() as Page
  const ask = async (change: Readonly<Record<string, string>>): Promise<unknown[]> => {
    const { status, error } = await service.request('GET', '/search', {
      as: 'alice',
      query: { ...first, cursor, ...change },
    })
    return [status, error]
  }
  for (const same of [{}, { limit: '5' }, { count: 'exact' }])
    expect(await ask(same)).toEqual([200, undefined])
  for (const other of [{ query: 'has alice/any' }, { sort: '-alice/few' }, { tag: 'alice/any' }]) {
    expect(await ask(other)).toEqual([400, 'TBadArgument'])
  }
})
