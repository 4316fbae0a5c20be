/** How V8 keeps memory, at all times and while large bodies and answers are under way. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const MIB = 1024 * 1024
const PRESSURE = new URL('../../src/memory/pressure.ts', import.meta.url).href

/** What a program prints that has a `pressure` and runs in a process of its own. */
async function printed(program: string): Promise<string> {
  const begin = `import { MemoryPressure } from '${PRESSURE}'\nconst pressure = new MemoryPressure()\n`
  const args = ['--input-type=module', '-e', begin + program]
  return (await promisify(execFile)(process.execPath, args, { timeout: 240_000 })).stdout
}

/**
 * Makes a million lasting objects, then three million of the same kind that are garbage at once, then six million that are kept
 * for a while. Says by how many bytes the second ones made the old space grow, how many bytes were there before the third ones,
 * and how many at most since then.
 */
const AFTER_A_BURST = `
import { getHeapSpaceStatistics } from 'node:v8'
const oldSpace = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
const make = (i) => ({ a: i, b: { c: i }, d: [i, i] })
const lasting = (n) => Array.from({ length: n }, (_, i) => make(i))
const garbage = (n) => {
  let last
  for (let i = 0; i < n; i++) last = make(i)
  return last
}
const kept = Array.from({ length: 20 }, () => lasting(50_000))
let last = oldSpace()
let grown = 0
for (let i = 0; i < 3000; i++) {
  garbage(1000)
  const now = oldSpace()
  grown += Math.max(0, now - last)
  last = now
}
const before = oldSpace()
let most = 0
const queue = new Array(100_000)
for (let i = 0; i < 6_000_000; i++) {
  queue[i % queue.length] = make(i)
  if (i % 1000 === 0) most = Math.max(most, oldSpace())
}
console.log(JSON.stringify({ kept: kept.length, grown, before, most }))`

test('after a burst of lasting objects, others are collected in the nursery, and the heap soon', async () => {
  const { kept, grown, before, most } = JSON.parse(await printed(AFTER_A_BURST)) as Record<string, number>
  expect(kept).toBe(20)
  expect(grown).toBeLessThan(100 * MIB)
  expect(most).toBeLessThan(3 * (before ?? 0))
})

/** Makes garbage while so much of the memory for large bodies is taken. V8 prints a line for each of its collections. */
const garbageAt = (share: string): string => `
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
pressure.note(1)
pressure.note(${share})
setFlagsFromString('--trace-gc')
for (let i = 0; i < 200; i++) {
  JSON.parse('[' + '{"a":1},'.repeat(100_000) + '1]')
  await turn()
}`

test.each([
  ['keeps no empty pages while more than a twelfth is taken', '1 / 11', true],
  ['keeps them again when less is taken', '1 / 13', false],
])('V8 %s', async (_what, share, reduces) => {
  const collections = (await printed(garbageAt(share))).match(/Mark-Compact \(reduce\)/g) ?? []
  // The first one may have begun before.
  expect(collections.length > 1).toBe(reduces)
})
