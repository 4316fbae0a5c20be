/** Sorted sets of ids: union, intersection, difference, sorting, JSON. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  bytesOf,
  difference,
  idsAsJson,
  intersection,
  jsonLength,
  portionsOfSet,
  sizeOf,
  sorted,
  union,
  type IdSet,
} from '../../src/data/id-sets.ts'
import {
  findObjectId,
  idBytes,
  idText,
  newObjectId,
  readObjectId,
  type ObjectId,
} from '../../src/data/ids.ts'
import { refused } from './refused.ts'

// A few distinct octets in all positions, so that sets overlap and ids differ at every octet.
const octet = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)
const id = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(15), octet).map(([at, value]) => Buffer.alloc(16).fill(value, at, at + 1)),
  },
  {
    weight: 1,
    arbitrary: fc.array(octet, { minLength: 16, maxLength: 16 }).map((octets) => Buffer.from(octets)),
  },
)
const ids = fc.array(id, { maxLength: 60 }).map((some) => new Set(some.map((bytes) => idText(bytes))))

const idsOf = (set: IdSet): ObjectId[] => bytesOf(set).map((bytes) => idText(bytes))
const packed = (some: ReadonlySet<ObjectId>): IdSet => Buffer.concat([...some].sort().map(idBytes))

describe('for any sets', () => {
  test.each<
    [name: string, actual: (a: IdSet, b: IdSet) => IdSet, keep: (inA: boolean, inB: boolean) => boolean]
  >([
    ['union', union, (inA, inB) => inA || inB],
    ['intersection', intersection, (inA, inB) => inA && inB],
    ['difference', difference, (inA, inB) => inA && !inB],
  ])('the %s is right, and its arguments stay unchanged', (_name, actual, keep) => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [left, right] = [packed(a), packed(b)]
        const expected = [...new Set([...a, ...b])].filter((one) => keep(a.has(one), b.has(one))).sort()
        const found = actual(left, right)
        expect(idsOf(found)).toEqual(expected)
        expect(sizeOf(found)).toBe(expected.length)
        // The arguments are unchanged.
        expect([idsOf(left), idsOf(right)]).toEqual([[...a].sort(), [...b].sort()])
      }),
    )
  })

  test('a set may be a part of a larger buffer', () => {
    fc.assert(
      fc.property(ids, ids, fc.nat(7), (a, b, shift) => {
        const shifted = (set: IdSet): IdSet =>
          Buffer.concat([Buffer.alloc(shift), set, Buffer.alloc(3)]).subarray(shift, shift + set.length)
        const [left, right] = [packed(a), packed(b)]
        expect(idsOf(union(shifted(left), shifted(right)))).toEqual(idsOf(union(left, right)))
      }),
    )
  })

  test('sorting puts ids of any order in order', () => {
    const inAnyOrder = ids.chain((some) => fc.shuffledSubarray([...some], { minLength: some.size }))
    fc.assert(
      fc.property(inAnyOrder, (some) => {
        const given = Buffer.concat(some.map(idBytes))
        expect(idsOf(sorted(given))).toEqual(some.toSorted())
        expect(idsOf(given)).toEqual(some)
      }),
    )
  })

  test('the JSON is right and has the predicted length', () => {
    fc.assert(
      fc.property(ids, (some) => {
        const set = packed(some)
        const json = Buffer.concat(Array.from(idsAsJson(set), (piece) => Buffer.from(piece)))
        expect(json).toHaveLength(jsonLength(set))
        expect(JSON.parse(`[${json.toString()}]`)).toEqual([...some].sort())
      }),
    )
  })

  test('the portions make up the set', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 70 }), (some, atOnce) => {
        const portions = [...portionsOfSet(packed(some), atOnce)]
        expect(portions.flatMap(idsOf)).toEqual([...some].sort())
        expect(portions.every((portion) => sizeOf(portion) <= atOnce)).toBe(true)
      }),
    )
  })

  test('the operations are right for many ids', () => {
    const all = Array.from({ length: 30_000 }, (_, i) => {
      const bytes = Buffer.alloc(16)
      bytes.writeUInt32BE((i * 2654435761) % 2 ** 32, 4)
      return idText(bytes)
    })
    const [a, b] = [new Set(all.slice(0, 20_000)), new Set(all.slice(10_000))]
    expect(sizeOf(union(packed(a), packed(b)))).toBe(30_000)
    expect(idsOf(intersection(packed(a), packed(b)))).toEqual(all.slice(10_000, 20_000).sort())
    expect(idsOf(difference(packed(a), packed(b)))).toEqual(all.slice(0, 10_000).sort())
  })
})

describe('identifiers', () => {
  test('convert from text to bytes and back', () => {
    fc.assert(
      fc.property(fc.uuid(), (text) => {
        const found = readObjectId(text.toUpperCase())
        expect(found).toBe(text)
        expect(idBytes(found)).toHaveLength(16)
        expect(idText(Buffer.concat([Buffer.alloc(5), idBytes(found)]), 5)).toBe(text)
      }),
    )
  })

  test.each([
    '',
    'x',
    '00000000000040008000000000000000',
    '{00000000-0000-4000-8000-000000000000}',
    'urn:uuid:00000000-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-00000000000',
    '00000000-0000-4000-8000-0000000000000',
    '00000000-0000-4000-8000-00000000000g',
    '00000000-0000-4000-8000-000000000000\n',
  ])('do not include %j', (text) => {
    expect(findObjectId(text)).toBeUndefined()
    expect(refused(() => readObjectId(text))).toEqual(['NoSuchResource', 404, {}])
  })

  test('that are new are distinct ascending UUIDs', () => {
    const made = Array.from({ length: 1000 }, newObjectId)
    expect(made.every((one) => findObjectId(one) === one)).toBe(true)
    expect(new Set(made).size).toBe(1000)
    expect(made).toEqual([...made].sort())
  })
})
