/** The throttle of failed sign-ins: what counts, for whom, and what waits. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { networkOf } from '../../src/http/credentials/addresses.ts'
import { SignInThrottle, type Verdict } from '../../src/http/credentials/throttle.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['192.0.2.1:50000', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:50000', '192.0.2.1'],
  ['[2001:db8::1]:50000', '2001:db8::/64'],
  ['[2001:db8::1]', '2001:db8::/64'],
  ['', ''],
  ['unknown:50000', 'unknown:50000'],
  ['unknown', 'unknown'],
  ['x'.repeat(80_000), 'x'.repeat(45)],
])('the client at %.50s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

let throttle: SignInThrottle

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] })
  throttle = new SignInThrottle()
})
afterEach(() => {
  jest.useRealTimers()
})

const ticketOf = (verdict: Verdict): number | undefined => ('ticket' in verdict ? verdict.ticket : undefined)

async function fail(times: number, attempt: (i: number) => { name: string; network: string }): Promise<void> {
  for (let i = 0; i < times; i++) {
    const ticket = ticketOf(await throttle.admit(attempt(i)))
    if (ticket === undefined) throw new Error(`the attempt ${String(i)} was refused`)
    throttle.settle(ticket, false)
  }
}

const isAdmitted = async (name: string, network: string): Promise<boolean> =>
  ticketOf(await throttle.admit({ name, network })) !== undefined

describe('failures', () => {
  test('of a name from a client: ten a minute', async () => {
    await fail(10, () => ({ name: 'alice', network: 'a' }))
    expect(await throttle.admit({ name: 'alice', network: 'a' })).toEqual({ retryAfterSeconds: 60 })
    expect([await isAdmitted('bob', 'a'), await isAdmitted('alice', 'b')]).toEqual([true, true])
    jest.advanceTimersByTime(59_500)
    expect(await throttle.admit({ name: 'alice', network: 'a' })).toEqual({ retryAfterSeconds: 1 })
    jest.advanceTimersByTime(500)
    expect(await isAdmitted('alice', 'a')).toBe(true)
  })

  test.each([-86_400_000, 86_400_000])('are held for a minute when the clock is set by %i ms', async (ms) => {
    await fail(10, () => ({ name: 'alice', network: 'a' }))
    jest.setSystemTime(Date.now() + ms)
    expect(await throttle.admit({ name: 'alice', network: 'a' })).toEqual({ retryAfterSeconds: 60 })
    jest.advanceTimersByTime(60_000)
    expect(await isAdmitted('alice', 'a')).toBe(true)
  })

  test('of a client: a hundred a minute, then four attempts a second, for other names only', async () => {
    await fail(100, (i) => ({ name: `guess ${String(i)}`, network: 'a' }))
    expect(await throttle.admit({ name: 'guess 0', network: 'a' })).toEqual({ retryAfterSeconds: 60 })
    const tried = await Promise.all(['c', 'd', 'e', 'f', 'g', 'h'].map((name) => isAdmitted(name, 'a')))
    expect(tried).toEqual([true, true, true, true, false, false])
    expect(await throttle.admit({ name: 'i', network: 'a' })).toEqual({ retryAfterSeconds: 1 })
    jest.advanceTimersByTime(1000)
    expect([await isAdmitted('i', 'a'), await isAdmitted('i', 'b')]).toEqual([true, true])
  })

  test('of a name from all clients: a hundred a minute, then one attempt a second', async () => {
    await fail(100, (i) => ({ name: 'alice', network: String(i) }))
    expect([await isAdmitted('alice', 'x'), await isAdmitted('alice', 'y')]).toEqual([true, false])
    expect(await throttle.admit({ name: 'alice', network: 'z' })).toEqual({ retryAfterSeconds: 1 })
    expect(await isAdmitted('bob', 'z')).toBe(true)
    jest.advanceTimersByTime(1000)
    expect([await isAdmitted('alice', 'z'), await isAdmitted('alice', 'z')]).toEqual([true, false])
  })

  test('are not what right credentials leave behind', async () => {
    for (let i = 0; i < 200; i++) {
      const verdict = await throttle.admit({ name: 'alice', network: 'a' })
      throttle.settle(ticketOf(verdict) ?? NaN, true)
    }
    expect(await isAdmitted('alice', 'a')).toBe(true)
  })
})

test('attempts under way are waited for, and are no failures if they prove right', async () => {
  const attempts = Array.from({ length: 30 }, () => throttle.admit({ name: 'alice', network: 'a' }))
  const verdicts: Verdict[] = []
  for (const attempt of attempts) {
    const verdict = await attempt
    verdicts.push(verdict)
    throttle.settle(ticketOf(verdict) ?? NaN, true)
  }
  expect(verdicts.filter((verdict) => 'ticket' in verdict)).toHaveLength(30)
})

test('attempts under way that fail refuse those that wait', async () => {
  const attempts = Array.from({ length: 30 }, () => throttle.admit({ name: 'alice', network: 'a' }))
  for (const attempt of attempts.slice(0, 10)) throttle.settle(ticketOf(await attempt) ?? NaN, false)
  expect(await Promise.all(attempts.slice(10))).toEqual(
    Array.from({ length: 20 }, () => ({ retryAfterSeconds: 60 })),
  )
})

test('a thousand attempts wait at most', async () => {
  const attempts = Array.from({ length: 1012 }, () => throttle.admit({ name: 'alice', network: 'a' }))
  expect(await Promise.all(attempts.slice(1010))).toEqual([
    { retryAfterSeconds: 1 },
    { retryAfterSeconds: 1 },
  ])
})
