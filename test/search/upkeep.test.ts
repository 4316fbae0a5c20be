/** Queries and tables stay exact, however values change. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkStore } from '../../src/data/maintenance/check-store.ts'
import { startService, type Service } from '../support/service.ts'
import type { Value } from './model.ts'
import { Random, quoted, randomQuery, randomString, randomValue } from './random.ts'
import { impliedRows, storedRows } from './stored-rows.ts'
import { without, ModelledService } from './modelled-service.ts'

const PATHS = ['alice/one', 'alice/two', 'alice/deep/three', 'alice/plain', 'alice/now/and/then']

let service: Service
let modelled: ModelledService
const random = new Random()

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  for (const path of PATHS.slice(0, 4)) await modelled.makeTag(path, path !== 'alice/plain')
  for (let i = 0; i < 10; i++) await modelled.makeObject(`zebra ${String(i)}`)
  modelled.objects.push(...Array.from({ length: 15 }, () => random.uuid()))
})
afterAll(() => service.stop())

/** Makes one random change, which may create or delete a tag. */
async function change(): Promise<void> {
  const path = random.pick(modelled.paths)
  const gone = PATHS.filter((candidate) => !modelled.model.has(candidate))
  switch (random.below(12)) {
    case 0:
    case 1:
      return modelled.remove(path, random.pick(modelled.objects))
    case 2:
      return modelled.removeWhere(randomQuery(random, modelled.queryParts(), 2), somePaths())
    case 3:
    case 4:
      return modelled.putWhere([someElement(), someElement(), someElement()])
    case 5:
      return modelled.putWhere(random.picks(modelled.objects, 8).map((object) => addressed(object)))
    case 6:
      if (modelled.paths.length > 2 && random.chance(0.3)) return modelled.dropTag(path)
      break
    case 7:
      // A missing tag is created by its first value (then it is indexed), or explicitly (then it may not be).
      if (gone.length > 0 && random.chance(0.5))
        return modelled.makeTag(random.pick(gone), random.chance(0.5))
      if (gone.length > 0)
        return modelled.put(random.pick(gone), random.pick(modelled.objects), randomValue(random))
      break
  }
  return modelled.put(path, random.pick(modelled.objects), randomValue(random))
}

const somePaths = (): string[] => [...new Set(random.picks(modelled.paths, 1 + random.below(2)))]

function primitive(): Value {
  const value = randomValue(random)
  return value.type === 'opaque' ? primitive() : value
}

const someValues = (): Map<string, Value> => new Map(somePaths().map((path) => [path, primitive()]))

const someElement = () => ({ query: randomQuery(random, modelled.queryParts(), 1), values: someValues() })

const addressed = (object: string) => ({
  query: random.chance(0.7)
    ? `service/id = "${object}"`
    : `service/about = ${quoted(`zebra ${String(random.below(10))}`)}`,
  values: someValues(),
})

/** Fails with the rows that are surplus or missing. */
async function checkTables(round: number): Promise<void> {
  const [stored, implied] = [await storedRows(service.store), impliedRows(modelled)]
  const faults = (['values', 'parts', 'terms'] as const).flatMap((table) => [
    ...without(stored[table], implied[table]).map((row) => `surplus in ${table}: ${row}`),
    ...without(implied[table], stored[table]).map((row) => `missing in ${table}: ${row}`),
  ])
  const { stray, beyondBound } = stored
  expect({ seed: random.seed, round, stray, beyondBound, faults }).toEqual({
    seed: random.seed,
    round,
    stray: 0,
    beyondBound: 0,
    faults: [],
  })
}

test('tables and queries are exact after random changes', async () => {
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 40; i++) {
      await change().catch((cause: unknown) => {
        throw new Error(`SEED=${String(random.seed)} round ${String(round)} change ${String(i)}`, { cause })
      })
    }
    await checkTables(round)
    await modelled.checkQueries(random, 25)
  }
  const found = await checkStore(service.store)
  expect({ seed: random.seed, broken: found.flatMap(({ examples }) => examples) }).toEqual({
    seed: random.seed,
    broken: [],
  })
})

test('a string written again, with a word less, or as a list leaves exactly its own terms', async () => {
  const object = random.pick(modelled.objects)
  await modelled.put('alice/word', object, { type: 'string', value: 'a b c b', text: '"a b c b"' })
  const counted = async (): Promise<number> => (await storedRows(service.store)).terms.filter(isWord).length
  const isWord = (line: string): boolean => line.startsWith('alice/word ')
  expect(await counted()).toBe(3)
  await modelled.put('alice/word', object, { type: 'string', value: 'a b c b', text: '"a b c b"' })
  expect(await counted()).toBe(3)
  await modelled.put('alice/word', object, { type: 'string', value: 'a c', text: '"a c"' })
  expect(await counted()).toBe(2)
  const value = ['a', 'a c', 'a']
  await modelled.put('alice/word', object, { type: 'list-of-strings', value, text: JSON.stringify(value) })
  expect(await counted()).toBe(4)
  await modelled.put('alice/word', object, { type: 'null', value: null, text: 'null' })
  expect(await counted()).toBe(0)
})

test('values of several megabytes are stored in parts, and shorter ones leave no part behind', async () => {
  const object = random.pick(modelled.objects)
  const path = `/objects/${object}/alice/large`
  const lengths = [3_000_000, 1024 * 1024, 1024 * 1024 + 1, 513, 512]
  const parts = [3, 1, 2, 1, 0]
  for (const [i, length] of lengths.entries()) {
    const body = Buffer.alloc(length, `${String(i)}${randomString(random)}`)
    await service.ok('PUT', path, { as: 'alice', body, headers: { 'content-type': 'application/x-thing' } })
    expect((await service.ok('GET', path, { as: 'alice' })).body.equals(body)).toBe(true)
    const stored = await storedRows(service.store)
    expect(stored.parts.filter((line) => line.startsWith('alice/large '))).toHaveLength(parts[i] ?? 0)
  }
})
