/** The security log: its lines, and that nobody can fill the disk with them. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { SecurityEvent } from '../../src/http/credentials/security-events.ts'
import { fewOfEach, securityEntry, type SecurityEntry } from '../../src/observing/security-log.ts'

const failed = (username: string, address = '192.0.2.1'): SecurityEvent => ({
  event: 'sign-in failed',
  username,
  address,
})

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('its entries', () => {
  expect(securityEntry(failed('alice'))).toEqual({
    event: 'sign-in failed',
    username: 'alice',
    address: '192.0.2.1',
  })
  expect(securityEntry({ event: 'role changed', username: 'bob', by: 'service' })).toEqual({
    event: 'role changed',
    username: 'bob',
    by: 'service',
  })
})

test('what clients choose can look like nothing else', () => {
  const entry = securityEntry(failed('a\nsecurity: role changed, user x, by y\u202e\ud800', 'b c\r\n'))
  expect(entry.username).toMatch(/^[\w%.-]+$/)
  expect(entry.address).toMatch(/^[\w%]+$/)
  expect(JSON.stringify(securityEntry(failed('é'.repeat(50_000), 'x'.repeat(50_000)))).length).toBeLessThan(
    400,
  )
})

test('repeats of a line are counted, not written', () => {
  const lines: SecurityEntry[] = []
  const few = fewOfEach((entry) => lines.push(entry))
  const note = (event: SecurityEvent): void => {
    few(securityEntry(event))
  }
  for (let i = 0; i < 50; i++) note(failed('alice'))
  note(failed('bob'))
  expect(lines).toHaveLength(11)
  jest.advanceTimersByTime(60_000)
  expect(lines.slice(11)).toEqual([{ event: 'sign-in failed', more: 40 }])
  note(failed('alice'))
  expect(lines).toHaveLength(13)
  jest.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(13)
})

test('of one kind, 300 lines a minute are written, and another kind still is', () => {
  const lines: SecurityEntry[] = []
  const few = fewOfEach((entry) => lines.push(entry))
  const note = (event: SecurityEvent): void => {
    few(securityEntry(event))
  }
  for (let i = 0; i < 5000; i++) note(failed(`guess-${String(i)}`))
  note({ event: 'user deleted', username: 'alice', by: 'service' })
  expect(lines).toHaveLength(301)
  jest.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toEqual({ event: 'sign-in failed', more: 4700 })
})
