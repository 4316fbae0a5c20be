/** Facets of random values for random queries are what the plainest counting finds, however they are counted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { facetsOf } from '../../src/data/operations/facets.ts'
import { searching } from '../../src/data/search/search.ts'
import type { Dialect } from '../../src/data/database/connection/dialects.ts'
import type { ReadTx } from '../../src/data/store/views.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { facetList } from '../../src/http/answer/search-representations.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { startService, type Service } from '../support/service.ts'
import { flawOf, readFacets, type AnsweredFacets, type Asked } from './facet-model.ts'
import { listOf, numberOf, type Value } from './model.ts'
import { ModelledService } from './modelled-service.ts'
import { NUMBERS, Random, randomQuery, randomString, randomValue } from './random.ts'
import { loosenBounds } from './stored-rows.ts'

/** How many random cases there are in all; each is one query, one to four tags, and other arguments. */
const CASES = Number(process.env['FACET_CASES'] ?? 1000)

let service: Service
let modelled: ModelledService
const random = new Random()

const randomNumber = (): Value =>
  numberOf(
    random.chance(0.5) ? random.pick(NUMBERS) : String(random.below(9) - 4) + random.pick(['', '.0', '.5']),
  )

/** For each tag, the share of objects that have it, and how to make its values. */
const TAGS: Readonly<Record<string, { share: number; indexed?: boolean; value?: () => Value }>> = {
  'alice/any': { share: 0.9 },
  'alice/few': { share: 0.8, value: () => numberOf(String(random.below(3))) },
  'alice/number': { share: 0.7, value: randomNumber },
  'alice/floats': {
    share: 0.5,
    value: () => numberOf((random.next() * 10 ** random.below(12)).toExponential()),
  },
  'alice/lists': {
    share: 0.6,
    value: () => listOf(Array.from({ length: random.below(6) }, () => randomString(random))),
  },
  'alice/rare': { share: 0.03 },
  'alice/none': { share: 0 },
  'alice/plain': { share: 0.6, indexed: false },
}

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  for (const [path, { indexed = true }] of Object.entries(TAGS)) await modelled.makeTag(path, indexed)
  for (let i = 0; i < 30; i++) await modelled.makeObject(i % 2 === 0 ? `zebra ${String(i)}` : undefined)
  modelled.objects.push(...Array.from({ length: 60 }, () => random.uuid()))
  await modelled.learnAbouts()
  const writes = Object.entries(TAGS).flatMap(([path, { share, value = () => randomValue(random) }]) =>
    [...new Set(modelled.objects)]
      .filter(() => random.chance(share))
      .map((object) => [path, object, value()] as const),
  )
  await Promise.all(writes.map(([path, object, value]) => modelled.put(path, object, value)))
})
afterAll(() => service.stop())

interface Case extends Asked {
  readonly query: string
  readonly tag: readonly string[]
}

function randomCase(): Case {
  const tag = random.picks([...modelled.paths, 'service/about'], 1 + random.below(4))
  const own = `has ${random.pick(modelled.paths)}`
  return {
    query: random.chance(0.2) ? own : randomQuery(random, modelled.queryParts(), 3),
    tag: [...new Set(tag)],
    top: random.pick([0, 1, 3, 10, 100]),
    bins: random.pick([0, 1, 2, 5, 10, 100]),
    scale: random.pick(['linear', 'logarithmic'] as const),
  }
}

/** Throws, with the seed and the request, where the answer is not what it must be. */
async function check(ask: (request: Case) => Promise<AnsweredFacets>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const request = randomCase()
    const found = modelled.expected(request.query)
    const { count: matches, facets } = await ask(request)
    const flaws = request.tag.map((path) => {
      const values = modelled.model.get(path)
      const of = found.flatMap((object) => values?.get(object) ?? [])
      const facet = facets[path]
      const flaw = facet === undefined ? 'no facet' : flawOf(facet, of, request)
      return flaw === undefined ? undefined : `${path}: ${flaw}`
    })
    const flaw =
      matches === found.length ? flaws.find((one) => one !== undefined) : `count ${String(matches)}`
    if (flaw !== undefined) throw new Error(`SEED=${String(random.seed)} ${JSON.stringify(request)}\n${flaw}`)
    if (i % 200 === 0) await loosenBounds(service.store, random)
  }
}

test('GET /search/facets counts what the plainest counting counts', async () => {
  await check(async ({ query, tag, top, bins, scale }) => {
    const sent = { query, tag, top: String(top), bins: String(bins), scale }
    return readFacets(
      (await service.ok('GET', '/search/facets', { as: 'alice', query: sent })).body.toString(),
    )
  }, CASES / 2)
})

/** The same view with another dialect. */
const withDialect = <V>(tx: ReadTx<V>, change: Partial<Dialect>): ReadTx<V> =>
  new Proxy(tx, {
    get(target, name) {
      if (name === 'dialect') return { ...target.dialect, ...change }
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })

/** Facets where a statement takes only so many ids, and a probe costs so much. */
const askWith =
  (change: Partial<Dialect>, held?: { readonly groups: number; readonly octets: number }) =>
  async ({ query, tag, ...asked }: Case): Promise<AnsweredFacets> => {
    const signal = new AbortController().signal
    const parsed = parseQuery(query)
    const facets = await searching(
      { store: service.store, caller: SERVICE, signal, observe: () => undefined },
      { query: parsed, also: tag },
      (tx, permitted, observe) =>
        facetsOf(withDialect(tx, change), permitted, {
          ...asked,
          paths: tag,
          observe,
          ...(held && { held }),
        }),
    )
    return readFacets(Buffer.concat([...(facetList(facets).pieces as Buffer[])]).toString())
  }

const LITTLE = { groups: 3, octets: 20 }

test.each([
  ['only portions of few ids and keys', { mostIds: 2, probeCost: 0.01 }],
  ['few ids, and probes that cost little', { mostIds: 2, probeCost: 1000 }],
  ['little memory', {}],
] as const)('the counts are the same with %s', async (_name, change) => {
  await check(askWith(change, LITTLE), CASES / 6)
})

test('whoever observes the search is told how values are counted', async () => {
  const told: string[] = []
  const [query, paths] = [parseQuery('has alice/few'), ['alice/few', 'alice/lists', 'service/id']]
  const signal = new AbortController().signal
  await searching(
    {
      ...{ store: service.store, caller: SERVICE, signal },
      observe: ({ plan, matches }) => told.push(`${String(matches)} matches`, ...plan().split('\n')),
    },
    { query, also: paths },
    (tx, permitted, observe) => facetsOf(tx, permitted, { paths, top: 1, bins: 0, scale: 'linear', observe }),
  )
  expect(told.filter((line) => /^count|matches$/.test(line))).toEqual([
    `${String(modelled.expected('has alice/few').length)} matches`,
    'count alice/few by its own values',
    'count alice/lists by joining the query, items by reading its lists',
  ])
})

test('an answer has its numbers exactly', () => {
  const text =
    '{"count":3,"facets":{"a/b":{"objects":1,"types":{"int":1},"top":[{"value":9007199254740993,"count":1}]}}}'
  expect(readFacets(text).facets['a/b']?.top).toEqual([{ value: '#9007199254740993', count: 1 }])
})
