/** When an idle process collects garbage: once after its start, and after it has grown. */
import { expect, test } from '@jest/globals'
import { reclaiming } from '../../src/memory/reclaim.ts'

const MIB = 1024 * 1024
/** How many looks make half a minute. */
const PAUSE = 3

/** A process that has just started, with numbers that a test sets. */
function starting() {
  const state = { residentMib: 100, busy: 0, collected: 0, afterMib: 100 }
  const look = reclaiming({
    resident: () => state.residentMib * MIB,
    busy: () => state.busy,
    collect: async () => {
      state.collected += 1
      state.residentMib = state.afterMib
    },
  })
  return { state, look }
}

/** The same half a minute after it was collected for the first time. */
async function started() {
  const { state, look } = starting()
  for (let i = 0; i < PAUSE; i++) await look()
  state.collected = 0
  return { state, look }
}

/** At which of so many looks something was collected. */
async function collectedIn(looks: number, look: () => Promise<boolean>): Promise<number[]> {
  const collected: number[] = []
  for (let at = 1; at <= looks; at++) if (await look()) collected.push(at)
  return collected
}

test('what the start left behind is collected once, when the thread is idle', async () => {
  const { state, look } = starting()
  state.busy = 0.2
  expect(await collectedIn(2, look)).toEqual([])
  state.busy = 0.1
  expect(await collectedIn(20, look)).toEqual([1])
})

test.each([
  ['that has grown by less than 32 MiB', { residentMib: 131 }, []],
  ['that has grown by 32 MiB', { residentMib: 132 }, [1]],
  ['that has grown and works', { residentMib: 900, busy: 0.11 }, []],
  ['that has grown and works little', { residentMib: 900, busy: 0.1 }, [1]],
])('a process %s', async (_what, change, collected) => {
  const { state, look } = await started()
  Object.assign(state, change)
  expect(await collectedIn(3, look)).toEqual(collected)
})

test('a process that works is collected once it is idle', async () => {
  const { state, look } = await started()
  Object.assign(state, { residentMib: 400, busy: 0.9 })
  await look()
  state.busy = 0
  expect(await look()).toBe(true)
})

test('a process that stays large is collected every half minute, until what it had in use is free', async () => {
  const { state, look } = await started()
  Object.assign(state, { residentMib: 400, afterMib: 400 })
  expect(await collectedIn(2 * PAUSE + 1, look)).toEqual([1, 1 + PAUSE, 1 + 2 * PAUSE])
  state.afterMib = 100
  expect(await collectedIn(3 * PAUSE, look)).toEqual([PAUSE])
})

test('the least that a process had after a collection counts, not what it had at first', async () => {
  const { state, look } = await started()
  Object.assign(state, { residentMib: 400, afterMib: 60 })
  expect(await collectedIn(1, look)).toEqual([1])
  state.residentMib = 95
  expect(await collectedIn(PAUSE, look)).toEqual([PAUSE])
})
