/** The memory for large answers: who gets it, who waits, and who waits in vain. */
import { describe, expect, test } from '@jest/globals'
import { Document } from '../../src/documents/document.ts'
import type { Reply } from '../../src/http/answer/reply.ts'
import { MemoryBudget, Reservation } from '../../src/http/answer/memory-budget.ts'

const MIB = 1024 * 1024
const FOREVER_MS = 1_000_000
const never = new AbortController().signal

test('nobody gets more than is left for others', () => {
  const budget = new MemoryBudget({ bytes: 16 * MIB, waitMs: FOREVER_MS })
  const taken = (caller: string): number => {
    let count = 0
    while (budget.take(caller, MIB) !== undefined) count += 1
    return count
  }
  expect([taken('a'), taken('b'), taken('c'), taken('d')]).toEqual([8, 4, 2, 1])
})

test('which part of it is taken is noted whenever that changes', () => {
  const parts: number[] = []
  const budget = new MemoryBudget({ bytes: 16 * MIB, waitMs: FOREVER_MS, note: (part) => parts.push(part) })
  const leave = budget.take('a', MIB)
  const other = budget.take('b', 3 * MIB)
  leave?.()
  leave?.()
  other?.()
  expect(parts).toEqual([1 / 16, 1 / 4, 3 / 16, 0])
})

test('small answers always find memory, and an answer larger than the budget finds it when it is empty', () => {
  const budget = new MemoryBudget({ bytes: MIB, waitMs: FOREVER_MS })
  const leave = budget.take('a', 100 * MIB)
  expect(leave).toBeDefined()
  expect(budget.take('a', 100 * MIB)).toBeUndefined()
  expect(budget.take('b', 64 * 1024)).toBeDefined()
  for (let i = 0; i < 1000; i++) expect(budget.take('a', 64 * 1024)).toBeDefined()
  leave?.()
  expect(budget.take('a', 100 * MIB)).toBeDefined()
})

test('whoever waits longest gets what is given back', async () => {
  const budget = new MemoryBudget({ bytes: 2 * MIB, waitMs: FOREVER_MS })
  const leave = budget.take('a', MIB)
  const order: string[] = []
  const waiting = ['b', 'c'].map(async (caller) => {
    const leaveLater = await budget.wait(caller, 100 * MIB, never)
    order.push(caller)
    leaveLater()
  })
  const other = budget.take('x', MIB)
  leave?.()
  other?.()
  await Promise.all(waiting)
  expect(order).toEqual(['b', 'c'])
})

test('those of one party do not overtake each other, and hold up nobody else', async () => {
  const budget = new MemoryBudget({ bytes: 4 * MIB, waitMs: FOREVER_MS })
  budget.take('a', MIB)
  const leave = budget.take('x', MIB)
  const large = budget.wait('a', 2 * MIB, never)
  expect(budget.take('a', MIB / 2)).toBeUndefined()
  expect(budget.take('a', 64 * 1024)).toBeDefined()
  budget.take('b', MIB / 2)?.()
  leave?.()
  const leaveLarge = await large
  leaveLarge()
  expect(budget.take('a', MIB / 2)).toBeDefined()
})

test('whoever waited behind one that is gone may be next', async () => {
  const budget = new MemoryBudget({ bytes: 4 * MIB, waitMs: FOREVER_MS })
  budget.take('a', MIB)
  budget.take('x', MIB)
  const controller = new AbortController()
  const large = budget.wait('a', 2 * MIB, controller.signal)
  const small = budget.wait('a', MIB / 2, never)
  controller.abort()
  await expect(large).rejects.toMatchObject({ name: 'AbortError' })
  expect(await small).toBeDefined()
})

test('who waits too long is told when to come again, and takes nothing afterwards', async () => {
  const budget = new MemoryBudget({ bytes: MIB, waitMs: 1 })
  const leave = budget.take('a', MIB)
  await expect(budget.wait('a', MIB, never)).rejects.toMatchObject({ errorClass: 'ServiceUnavailable' })
  leave?.()
  expect(budget.take('a', MIB)).toBeDefined()
})

test('who is gone waits no longer', async () => {
  const budget = new MemoryBudget({ bytes: MIB, waitMs: FOREVER_MS })
  const leave = budget.take('a', MIB)
  const controller = new AbortController()
  const waiting = budget.wait('a', MIB, controller.signal)
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  leave?.()
  expect(budget.take('a', MIB)).toBeDefined()
})

test('memory that is given back twice is free once', () => {
  const budget = new MemoryBudget({ bytes: 2 * MIB, waitMs: FOREVER_MS })
  const leave = budget.take('a', MIB)
  leave?.()
  leave?.()
  const found = ['b', 'c', 'd'].map((caller) => budget.take(caller, MIB) !== undefined)
  expect(found).toEqual([true, true, false])
})

describe('a reply', () => {
  const replyOf = (octets: number): Reply => ({
    status: 200,
    document: new Document('text/plain', 'x'.repeat(octets)),
  })
  const shareOf = (budget: MemoryBudget, signal = never): Reservation => new Reservation(budget, 'b', signal)

  test('of known size is not made before there is memory', async () => {
    const budget = new MemoryBudget({ bytes: 2 * MIB, waitMs: FOREVER_MS })
    const [leave] = [budget.take('a', MIB), budget.take('c', MIB)]
    let made = 0
    const share = shareOf(budget)
    const waiting = share.replyFrom(async () => {
      await share.wait(MIB)
      made += 1
      return replyOf(MIB)
    })
    await new Promise(setImmediate)
    expect(made).toBe(0)
    leave?.()
    expect((await waiting).document?.content.length).toBe(MIB)
    expect(made).toBe(1)
  })

  test('that is larger than announced is dropped, and made again when there is memory', async () => {
    const budget = new MemoryBudget({ bytes: 4 * MIB, waitMs: FOREVER_MS })
    const [leave] = [budget.take('a', 2 * MIB), budget.take('c', MIB)]
    let made = 0
    const share = shareOf(budget)
    const waiting = share.replyFrom(async () => {
      await share.wait(MIB / 2)
      made += 1
      return replyOf(1.5 * MIB)
    })
    await new Promise(setImmediate)
    expect(made).toBe(1)
    leave?.()
    expect((await waiting).document?.content.length).toBe(1.5 * MIB)
    expect(made).toBe(2)
  })

  test('whose client is gone meanwhile keeps no memory', async () => {
    const budget = new MemoryBudget({ bytes: 2 * MIB, waitMs: FOREVER_MS })
    const controller = new AbortController()
    const share = shareOf(budget, controller.signal)
    await share.replyFrom(async () => {
      controller.abort()
      share.release()
      return replyOf(MIB)
    })
    expect(budget.take('c', MIB)).toBeDefined()
    expect(budget.take('d', MIB)).toBeDefined()
  })
})
