/** How a process begins so that memory can be given back, and when it is: after growth, in calm. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { reclaiming } from '../../src/memory/collecting.ts'
import { missingOf, type Beginning } from '../../src/memory/memory.ts'

const MIB = 1024 * 1024

/** A process whose numbers a test sets, and that has given back what its start needed. */
async function fake() {
  const { state, reclaim } = starting()
  await reclaim()
  state.collected = 0
  return { state, reclaim }
}

/** A process that has just started. */
function starting() {
  const state = { residentMb: 100, busy: 0, collected: 0, trimmed: 0, afterMb: 100 }
  const reclaim = reclaiming({
    resident: () => state.residentMb * MIB,
    busy: () => state.busy,
    collect: async () => {
      state.collected += 1
      state.residentMb = state.afterMb
    },
    trim: async () => {
      state.trimmed += 1
    },
  })
  return { state, reclaim }
}

/** At which of so many looks something was collected. */
async function collectedIn(looks: number, look: () => Promise<boolean>): Promise<number[]> {
  const collected: number[] = []
  for (let at = 1; at <= looks; at++) if (await look()) collected.push(at)
  return collected
}

test('what the start needed is given back, once the process is idle', async () => {
  const { state, reclaim } = starting()
  for (const busy of [0.9, 0.2]) {
    state.busy = busy
    expect(await reclaim()).toBe(false)
  }
  Object.assign(state, { residentMb: 80, busy: 0.02, afterMb: 60 })
  expect([await reclaim(), await reclaim()]).toEqual([true, false])
})

test('a process that has not grown is left alone', async () => {
  const { state, reclaim } = await fake()
  expect(await reclaim()).toBe(false)
  state.residentMb = 120
  expect(await reclaim()).toBe(false)
  expect(state.collected).toBe(0)
})

test('an idle process that stays large gives back what is free at each look, also where it is not collected', async () => {
  const { state, reclaim } = await fake()
  state.afterMb = 150
  for (const [residentMb, busy] of [
    [400, 0.02], // collected
    [150, 0.02], // large
    [150, 0.15], // large, but at work
    [120, 0.02], // not much larger than at first
  ] as const) {
    Object.assign(state, { residentMb, busy })
    await reclaim()
  }
  expect(state).toMatchObject({ collected: 1, trimmed: 1 })
})

test('a process that has grown gives back, once it is calm', async () => {
  const { state, reclaim } = await fake()
  Object.assign(state, { residentMb: 400, busy: 0.9 })
  expect(await reclaim()).toBe(false)
  state.busy = 0.02
  expect(await reclaim()).toBe(true)
  expect(await reclaim()).toBe(false)
  expect(state.collected).toBe(1)
})

test('what stays in use is collected ever more rarely', async () => {
  const { state, reclaim } = await fake()
  Object.assign(state, { residentMb: 400, afterMb: 400 })
  expect(await collectedIn(100, reclaim)).toEqual([1, 3, 6, 11, 20, 37, 70])
})

test('what was in use at the last collection is given back once it no longer is', async () => {
  const { state, reclaim } = await fake()
  Object.assign(state, { residentMb: 400, afterMb: 400 })
  await reclaim()
  state.afterMb = 100
  expect([await reclaim(), await reclaim(), await reclaim(), await reclaim()]).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect(state.residentMb).toBe(100)
})

test('a process that stays large is collected within a minute when it grows again', async () => {
  const { state, reclaim } = await fake()
  Object.assign(state, { residentMb: 400, afterMb: 400 })
  for (let look = 1; look <= 40; look++) await reclaim()
  state.residentMb = 500
  expect(await collectedIn(6, reclaim)).toEqual([3])
})

test('a process that grows again and again is collected once a minute', async () => {
  const { state, reclaim } = await fake()
  const collected = await collectedIn(40, async () => {
    state.residentMb = 150
    return reclaim()
  })
  expect(collected).toEqual([1, 3, 6, 11, 17, 23, 29, 35])
})

test('what a process that was small has grown by is given back at once', async () => {
  const { state, reclaim } = await fake()
  for (let burst = 1; burst <= 5; burst++) {
    state.residentMb = 400
    expect(await collectedIn(3, reclaim)).toEqual([1])
  }
})

test('a process that works is collected only if it has grown much', async () => {
  const collectedAt = async (grownMb: number): Promise<number[]> => {
    const { state, reclaim } = await fake()
    Object.assign(state, { busy: 0.2, residentMb: 100 + grownMb })
    return collectedIn(6, reclaim)
  }
  expect(await collectedAt(200)).toEqual([])
  expect(await collectedAt(300)).toEqual([1])
})

test('the least that a process had counts, not what it had first', async () => {
  const { state, reclaim } = await fake()
  state.residentMb = 50
  await reclaim()
  Object.assign(state, { residentMb: 90, afterMb: 50 })
  expect(await reclaim()).toBe(true)
})

/** A process that frees most of what it has, in gaps that glibc keeps, and ends once it has given them back. */
const WITH_GAPS = `
import { startReclaiming } from '${new URL('../../src/memory/collecting.ts', import.meta.url).href}'
const before = process.memoryUsage.rss()
const more = () => process.memoryUsage.rss() - before
const pieces = Array.from({ length: 5000 }, () => new ArrayBuffer(64_000))
for (const piece of pieces) new Uint8Array(piece).fill(1)
for (const [i, piece] of pieces.entries()) if (i % 10 > 0) piece.transfer(0)
const freed = more()
startReclaiming()
setInterval(() => {
  if (more() > ${String(100 * MIB)}) return
  console.log(JSON.stringify({ freed, inUse: pieces.filter(({ byteLength }) => byteLength > 0).length }))
  process.exit()
}, 100)`

test('what lies free between pieces in use is given back', async () => {
  const args = ['--input-type=module', '-e', WITH_GAPS]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000 })
  const { freed, inUse } = JSON.parse(stdout) as { freed: number; inUse: number }
  expect(inUse).toBe(500)
  expect(freed).toBeGreaterThan(250 * MIB)
})

const KEPT = { MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '4194304' }
const ENV = { ...KEPT, MALLOC_ARENA_MAX: '2' }
const ARGUMENT = '--max-semi-space-size=8'

/**
 * A process that makes a million lasting objects, then three million of the same kind that nobody keeps, then six million that
 * are kept for a while. It says by how many octets the second ones made the old space grow, how many octets were there before
 * the third ones, and how many at most since then.
 */
const AFTER_A_BURST = `
import { getHeapSpaceStatistics } from 'node:v8'
import { continueGivingBack } from '${new URL('../../src/memory/memory.ts', import.meta.url).href}'
continueGivingBack()
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
  const args = [ARGUMENT, '--input-type=module', '-e', AFTER_A_BURST]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...ENV },
    timeout: 240_000,
  })
  const { kept, grown, before, most } = JSON.parse(stdout) as Record<string, number>
  expect(kept).toBe(20)
  expect(grown).toBeLessThan(100 * MIB)
  expect(most).toBeLessThan(3 * (before ?? 0))
})

/** A process that takes in 1250 MiB in buffers of 64 KiB, each of which is garbage at once. It says how many octets it held at most. */
const OF_BUFFERS = `
import { continueGivingBack } from '${new URL('../../src/memory/memory.ts', import.meta.url).href}'
continueGivingBack()
let most = 0
for (let i = 0; i < 20_000; i++) {
  Buffer.allocUnsafeSlow(65_536)
  most = Math.max(most, process.memoryUsage().arrayBuffers)
}
console.log(JSON.stringify({ most }))`

test('garbage outside the heap has the nursery collected before it is as large as V8 itself allows', async () => {
  const args = [ARGUMENT, '--input-type=module', '-e', OF_BUFFERS]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...ENV },
    timeout: 240_000,
  })
  const { most } = JSON.parse(stdout) as { most: number }
  expect(most).toBeGreaterThan(MIB)
  expect(most).toBeLessThan(128 * MIB)
})

/** A process whose room for large bodies is half full, and that makes garbage. V8 prints a line for each of its collections. */
const WHILE_SCARCE = `
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { noteTaken } from '${new URL('../../src/memory/memory.ts', import.meta.url).href}'
noteTaken(1 / 2)
setFlagsFromString('--trace-gc')
for (let i = 0; i < 200; i++) {
  JSON.parse('[' + '{"a":1},'.repeat(100_000) + '1]')
  await turn()
}`

test('V8 keeps no empty pages while large bodies take the room', async () => {
  const args = [ARGUMENT, '--input-type=module', '-e', WHILE_SCARCE]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...ENV },
    timeout: 240_000,
  })
  const collections = stdout.match(/Mark-Compact.*/g) ?? []
  expect(collections.length).toBeGreaterThan(2)
  // The first one may have begun before.
  for (const one of collections.slice(1)) expect(one).toMatch(/^Mark-Compact \(reduce\)/)
})

/**
 * A process with the collections of a thread of a connection. V8 prints a line for each. It works before caches must be small,
 * and once afterwards.
 */
const WORKING_TWICE = `
import { setFlagsFromString } from 'node:v8'
import { noteTaken, smallCaches } from '${new URL('../../src/memory/memory.ts', import.meta.url).href}'
import { startCollecting } from '${new URL('../../src/memory/collecting.ts', import.meta.url).href}'
const noteWork = startCollecting(smallCaches)
setFlagsFromString('--trace-gc')
const steps = [noteWork, () => {}, () => noteTaken(1 / 2), () => {}, () => {}, noteWork, () => {}, () => {}, process.exit]
setInterval(() => {
  console.log('step')
  steps.shift()(0)
}, 1000)`

test('a thread that has worked is collected once, as soon as caches must be small', async () => {
  const args = ['--input-type=module', '-e', WORKING_TWICE]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000 })
  // V8 says "testing" of what a program asks for.
  const after = (from: number, to?: number): number =>
    stdout
      .split('step')
      .slice(from, to)
      .join()
      .match(/Mark-Compact.*testing/g)?.length ?? 0
  expect([after(0, 3), after(3, 6), after(6)]).toEqual([0, 1, 1])
})

test.each<[what: string, beginning: Partial<Beginning>, missing: Beginning]>([
  ['nothing is chosen', {}, { env: ENV, execArgv: [ARGUMENT] }],
  ['all is there', { env: ENV, execArgv: [ARGUMENT] }, { env: {}, execArgv: [] }],
  [
    'the operator has chosen one variable',
    { env: { MALLOC_ARENA_MAX: '8' } },
    { env: KEPT, execArgv: [ARGUMENT] },
  ],
  [
    'the operator has chosen another nursery',
    { env: ENV, execArgv: ['--max_semi_space_size', '64'] },
    { env: {}, execArgv: [] },
  ],
  [
    'the operator has chosen it for all programs',
    { env: { ...ENV, NODE_OPTIONS: '--no-warnings --max-semi-space-size=64' } },
    { env: {}, execArgv: [] },
  ],
])('what a process lacks when it begins: %s', (_what, { env = {}, execArgv = [] }, missing) => {
  expect(missingOf({ env, execArgv })).toEqual(missing)
})
