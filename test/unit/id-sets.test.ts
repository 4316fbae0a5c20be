/** Sorted sets of ids: union, intersection, difference, sorting, JSON. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { mergeIds, sortIds, withoutRepeats, type Merge } from '../../src/data/database/ids/id-set-merging.ts'
import { IdSet, type SortedIds } from '../../src/data/database/ids/id-sets.ts'
import { idsAsJson, jsonLength } from '../../src/data/database/ids/ids-as-json.ts'
import {
  findObjectId,
  idBytes,
  idText,
  idTextAt,
  newObjectId,
  readObjectId,
  type ObjectId,
} from '../../src/data/database/ids/ids.ts'
import type { BorrowedBytes } from '../../src/model/borrowed-bytes.ts'
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

const packed = (some: Iterable<ObjectId>): Buffer => Buffer.concat([...some].sort().map(idBytes))
const setOf = (some: Iterable<ObjectId>): IdSet => IdSet.inOrder(packed(some))
const merged = (merge: Merge, a: Buffer, b: Buffer): ObjectId[] =>
  IdSet.inOrder(mergeIds(merge, a, b)).texts()

const copyOf = (piece: BorrowedBytes): Buffer => {
  const copy = Buffer.alloc(piece.length)
  piece.copy(copy)
  return copy
}

describe('for any sets', () => {
  test.each<[merge: Merge, keep: (inA: boolean, inB: boolean) => boolean]>([
    ['union', (inA, inB) => inA || inB],
    ['intersection', (inA, inB) => inA && inB],
    ['difference', (inA, inB) => inA && !inB],
  ])('the %s is right, and its arguments stay unchanged', (merge, keep) => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [left, right] = [packed(a), packed(b)]
        const expected = [...new Set([...a, ...b])].filter((one) => keep(a.has(one), b.has(one))).sort()
        expect(merged(merge, left, right)).toEqual(expected)
        // The arguments are unchanged.
        expect([left, right]).toEqual([packed(a), packed(b)])
      }),
    )
  })

  test('a set without another is right, and both stay unchanged', () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [left, right] = [setOf(a), setOf(b)]
        expect(left.without(right).texts()).toEqual([...a].filter((one) => !b.has(one)).sort())
        expect([left.size, right.size]).toEqual([a.size, b.size])
      }),
    )
  })

  test('ids that come several times are sorted, and then each is there once', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), (some) => {
        const sorted = sortIds(Buffer.concat(some))
        expect(sorted).toEqual(Buffer.concat(some.toSorted((a, b) => a.compare(b))))
        expect(IdSet.inOrder(withoutRepeats(sorted)).texts()).toEqual(
          [...new Set(some.map((bytes) => idText(bytes)))].sort(),
        )
      }),
    )
  })

  test('a set may be a part of a larger buffer', () => {
    fc.assert(
      fc.property(ids, ids, fc.nat(7), (a, b, shift) => {
        const shifted = (some: Buffer): Buffer =>
          Buffer.concat([Buffer.alloc(shift), some, Buffer.alloc(3)]).subarray(shift, shift + some.length)
        const [left, right] = [packed(a), packed(b)]
        expect(merged('union', shifted(left), shifted(right))).toEqual(merged('union', left, right))
      }),
    )
  })

  test('sorting puts ids of any order in order', () => {
    const inAnyOrder = ids.chain((some) => fc.shuffledSubarray([...some], { minLength: some.size }))
    fc.assert(
      fc.property(inAnyOrder, (some) => {
        const given = Buffer.concat(some.map(idBytes))
        expect(IdSet.inOrder(sortIds(given)).texts()).toEqual(some.toSorted())
        expect(given).toEqual(Buffer.concat(some.map(idBytes)))
      }),
    )
  })

  test('the JSON is right and has the predicted length', () => {
    fc.assert(
      fc.property(ids, (some) => {
        const set = setOf(some)
        const json = Buffer.concat(Array.from(idsAsJson(set), copyOf))
        expect(json).toHaveLength(jsonLength(set))
        expect(JSON.parse(`[${json.toString()}]`)).toEqual([...some].sort())
      }),
    )
  })

  test('the portions make up the set', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 70 }), (some, atOnce) => {
        const portions: SortedIds[] = [...setOf(some).portions(atOnce)]
        expect(portions.flatMap((portion) => portion.texts())).toEqual([...some].sort())
        expect(portions.every((portion) => portion.size <= atOnce)).toBe(true)
      }),
    )
  })

  test('the operations are right for many ids', () => {
    const all = Array.from({ length: 30_000 }, (_, i) => {
      const bytes = Buffer.alloc(16)
      bytes.writeUInt32BE((i * 2654435761) % 2 ** 32, 4)
      return idText(bytes)
    })
    const [a, b] = [packed(all.slice(0, 20_000)), packed(all.slice(10_000))]
    expect(merged('union', a, b)).toHaveLength(30_000)
    expect(merged('intersection', a, b)).toEqual(all.slice(10_000, 20_000).sort())
    expect(merged('difference', a, b)).toEqual(all.slice(0, 10_000).sort())
  })
})

describe('a set that was given away', () => {
  const large = (): IdSet => setOf(new Set(Array.from({ length: 5000 }, newObjectId)))

  test.each<[how: string, give: (set: IdSet) => unknown]>([
    ['consumed', (set) => set.consume()],
    [
      'released',
      (set) => {
        set.release()
      },
    ],
  ])('cannot be used once it was %s', (_how, give) => {
    const set = large()
    give(set)
    const uses: (() => unknown)[] = [
      () => set.size,
      () => set.bytes,
      () => set.texts(),
      () => [...set.portions()],
      () => set.consume(),
    ]
    for (const use of uses) expect(use).toThrow('after it was given away')
    // Whoever cleans up need not know.
    expect(() => {
      set.release()
    }).not.toThrow()
  })

  test('lets go of its memory when it is released, and keeps it when it is consumed', () => {
    const [consumed, released] = [large(), large()]
    const { buffer } = released.bytes
    released.release()
    expect(buffer.byteLength).toBe(0)
    expect(consumed.consume()).toHaveLength(5000 * 16)
  })
})

describe('identifiers', () => {
  test('convert from text to bytes and back', () => {
    fc.assert(
      fc.property(fc.uuid(), (text) => {
        const found = readObjectId(text.toUpperCase())
        expect(found).toBe(text)
        expect(idBytes(found)).toEqual(Buffer.from(text.replaceAll('-', ''), 'hex'))
        expect(idText(idBytes(found))).toBe(text)
        expect(idTextAt(Buffer.concat([Buffer.alloc(5), idBytes(found)]), 5)).toBe(text)
      }),
    )
  })

  // A database may send text where it is to send bytes.
  test.each([
    '',
    '0000000000000000',
    Buffer.alloc(15),
    Buffer.alloc(17),
    new Uint8Array(16),
    null,
    undefined,
  ] as unknown[] as Buffer[])('are not read from %p', (bytes) => {
    expect(() => idText(bytes)).toThrow('an identifier of 16 bytes was expected')
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
