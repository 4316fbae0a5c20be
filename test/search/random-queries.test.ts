/** Random queries over random values find exactly what the plainest evaluation finds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { Random, randomString, randomValue } from './random.ts'
import { listOf, numberOf, stringOf, type Value } from './model.ts'
import { NUMBERS } from './random.ts'
import { loosenBounds } from './rows.ts'
import { World } from './world.ts'

let service: Service
let world: World
const random = new Random()

/** Each tag's share of the objects, and what its values are. */
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
  world = new World(service)
  for (const [path, { indexed = true }] of Object.entries(TAGS)) await world.makeTag(path, indexed)
  for (let i = 0; i < 60; i++)
    await world.makeObject(
      i % 2 === 0 ? `zebra ${String(i)} ${randomString(random).replaceAll('\0', '')}` : undefined,
    )
  world.objects.push(...Array.from({ length: 60 }, () => random.uuid()))
  // From here on nothing makes objects about anything else.
  await world.learnAbouts()
  world.further.push('service/about != null', 'service/about > "P"')
  const writes = Object.entries(TAGS).flatMap(([path, { share, value = () => randomValue(random) }]) =>
    [...new Set(world.objects)]
      .filter(() => random.chance(share))
      .map((object) => [path, object, value()] as const),
  )
  await Promise.all(writes.map(([path, object, value]) => world.put(path, object, value)))
})
afterAll(() => service.stop())

test('ids come as the naive evaluation has them, sorted', async () => {
  for (let round = 0; round < 20; round++) {
    await world.checkQueries(random, 40)
    await loosenBounds(service.store, random)
  }
})

test('long chains of one operator', async () => {
  const conditions = Array.from(
    { length: 333 },
    (_, i) => `alice/any ${['=', '>', '!='][i % 3] ?? ''} ${String(i % 7)}`,
  )
  for (const operator of ['or', 'and', 'except']) {
    const query = conditions.join(` ${operator} `)
    expect(await world.found(query)).toEqual(world.expected(query))
  }
})

test('every value reads back as it was written', async () => {
  for (const path of world.paths) {
    for (const [object, value] of world.model.get(path) ?? []) {
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

test('GET /values gives each object that the query matches the values that it has', async () => {
  for (const query of ['has alice/any', 'alice/any > 0 or alice/text > "a"', 'has alice/none']) {
    const found = await service.ok('GET', '/values', { as: 'alice', query: { query, tag: world.paths } })
    const { id: objects } = (found.json() as { results: { id: Record<string, Record<string, unknown>> } })
      .results
    const expected = world
      .expected(query)
      .map((object) => [object, world.paths.filter((path) => world.model.get(path)?.has(object)).sort()])
    expect(Object.entries(objects).map(([object, tags]) => [object, Object.keys(tags).sort()])).toEqual(
      expected,
    )
  }
})
