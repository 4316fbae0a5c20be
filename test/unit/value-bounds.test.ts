/** The bound of a tag always covers the values of all processes, and its row is seldom changed. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Connection } from '../../src/data/database/connection/connection.ts'
import { ValueBounds } from '../../src/data/store/value-bounds.ts'

const TAG = 7

/** The bound in a tag's row, the number of its values, and how often the row was changed. */
class Tag {
  bound = 0
  values = 0
  changes = 0

  /** The part of a connection that `settle` needs. */
  get connection(): Connection {
    const run = ({ values: [by] }: { values: readonly unknown[] }): Promise<number> => {
      this.bound += by as number
      this.changes++
      return Promise.resolve(1)
    }
    return { run } as unknown as Connection
  }

  /** A transaction that adds or removes `count` values, committed or not. */
  async write(bounds: ValueBounds, count: number, committed: boolean): Promise<void> {
    const before = this.bound
    const settled = await bounds.settle(this.connection, new Map([[TAG, count]]))
    if (committed) {
      this.values += count
      settled()
    } else {
      this.bound = before
    }
  }
}

const change = fc.record({
  process: fc.nat(2),
  count: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -5000, max: 5000 })),
  committed: fc.boolean(),
  alone: fc.boolean(),
})

test('the bound holds whatever several processes write, delete and roll back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 60 }), async (changes) => {
      const processes = [new ValueBounds(), new ValueBounds(), new ValueBounds()]
      const tag = new Tag()
      for (const { process, count, committed, alone } of changes) {
        const bounds = processes[process] as ValueBounds
        if (alone && bounds.take(TAG)) tag.values++
        await tag.write(bounds, Math.max(count, -tag.values), committed)
        expect(tag.bound).toBeGreaterThanOrEqual(tag.values)
      }
    }),
  )
})

test('the row is changed once in a thousand values', async () => {
  const [bounds, tag] = [new ValueBounds(), new Tag()]
  for (let i = 0; i < 10_000; i++) {
    if (bounds.take(TAG)) tag.values++
    else await tag.write(bounds, 1, true)
  }
  expect(tag.values).toBe(10_000)
  expect(tag.changes).toBe(10)
})

test('room that is given back can be taken again, and no more than that', async () => {
  const [bounds, tag] = [new ValueBounds(), new Tag()]
  await tag.write(bounds, 1, true)
  for (let i = 0; i < 1000; i++) expect(bounds.take(TAG)).toBe(true)
  bounds.giveBack(TAG)
  expect([bounds.take(TAG), bounds.take(TAG)]).toEqual([true, false])
})

test('values that are written and deleted again do not raise the bound', async () => {
  const [bounds, tag] = [new ValueBounds(), new Tag()]
  for (let i = 0; i < 200; i++) {
    await tag.write(bounds, 900, true)
    await tag.write(bounds, -900, true)
  }
  expect(tag.values).toBe(0)
  expect(tag.bound).toBeLessThan(5000)
})
