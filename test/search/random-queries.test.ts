/** Random queries on random values find exactly what a simple evaluation of the same query finds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { Random, randomString, randomValue } from './random.ts'
import { listOf, numberOf, stringOf, type Value } from './model.ts'
import { NUMBERS } from './random.ts'
import { loosenBounds } from './stored-rows.ts'
import { ModelledService } from './modelled-service.ts'

let service: Service
let modelled: ModelledService
const random = new Random()

/** For each tag, the share of objects that have it, and how to make its values. */
const TAGS: Readonly<Record<string, { share: number; indexed?: boolean; value?: () => Value }>> = {
  'alice/any': { share: 0.9 },
  'alice/text': { share: 0.7, value: () => stringOf(randomString(random)) },
  'alice/deep/down/number': { share: 0.7, value: () => numberOf(random.pick(NUMBERS)) },
  'alice/łist.of:strings-1': {
    share: 0.5,
    value: () => listOf(Array.from({ length: random.below(4) }, () => randomString(random))),
  },
  'alice/rare': { share: 0.03 },
  'alice/none': { share: 0 },
  'alice/plain': { share: 0.6, indexed: false },
}

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  for (const [path, { indexed = true }] of Object.entries(TAGS)) await modelled.makeTag(path, indexed)
  for (let i = 0; i < 60; i++)
    await modelled.makeObject(
      i % 2 === 0 ? `zebra ${String(i)} ${randomString(random).replaceAll('\0', '')}` : undefined,
    )
  modelled.objects.push(...Array.from({ length: 60 }, () => random.uuid()))
  // No further about values are created after this.
  await modelled.learnAbouts()
  modelled.further.push('service/about != null', 'service/about > "P"')
  const writes = Object.entries(TAGS).flatMap(([path, { share, value = () => randomValue(random) }]) =>
    [...new Set(modelled.objects)]
      .filter(() => random.chance(share))
      .map((object) => [path, object, value()] as const),
  )
  await Promise.all(writes.map(([path, object, value]) => modelled.put(path, object, value)))
})
afterAll(() => service.stop())

test('GET /objects returns the ids that the simple evaluation finds, sorted', async () => {
  for (let round = 0; round < 20; round++) {
    await modelled.checkQueries(random, 40)
    await loosenBounds(service.store, random)
  }
})

test.each<[name: string, condition: (i: number) => string]>([
  ['mixed comparisons', (i) => `alice/any ${['=', '>', '!='][i % 3] ?? ''} ${String(i % 7)}`],
  ['values', (i) => `alice/any = ${String(i)}`],
  ['excluded values', (i) => `alice/any != ${String(i)}`],
  [
    'ranges',
    (i) => `alice/deep/down/number ${i % 2 === 0 ? '>=' : '<'} ${NUMBERS[i % NUMBERS.length] ?? '0'}`,
  ],
  [
    'items and words',
    (i) => `alice/any ${i % 2 === 0 ? 'contains' : 'matches'} "${['The', 'a', 'fox', 'é'][i % 4] ?? ''}"`,
  ],
])('chains of %s find what the simple evaluation finds', async (_name, condition) => {
  const conditions = Array.from({ length: 200 }, (_, i) => condition(i))
  for (const operator of ['or', 'and', 'except']) {
    const query = conditions.join(` ${operator} `)
    expect(await modelled.found(query)).toEqual(modelled.expected(query))
  }
})

test('every value reads back as it was written', async () => {
  for (const path of modelled.paths) {
    for (const [object, value] of modelled.model.get(path) ?? []) {
      const answer = await service.ok('GET', `/objects/${object}/${encodeURIComponent(path)}`, { as: 'bob' })
      const wanted = value.type === 'float' ? String(value.value) : value.text
      const text = answer.body.toString()
      expect([
        path,
        answer.headers['x-service-type'],
        value.type === 'float' ? String(Number(text)) : text,
      ]).toEqual([path, value.type === 'opaque' ? undefined : value.type, wanted])
    }
  }
})

test('GET /values returns the values of each object that the query matches', async () => {
  for (const query of ['has alice/any', 'alice/any > 0 or alice/text > "a"', 'has alice/none']) {
    const found = await service.ok('GET', '/values', { as: 'alice', query: { query, tag: modelled.paths } })
    const { id: objects } = (found.json() as { results: { id: Record<string, Record<string, unknown>> } })
      .results
    const expected = modelled
      .expected(query)
      .map((object) => [
        object,
        modelled.paths.filter((path) => modelled.model.get(path)?.has(object)).sort(),
      ])
    expect(Object.entries(objects).map(([object, tags]) => [object, Object.keys(tags).sort()])).toEqual(
      expected,
    )
  }
})
