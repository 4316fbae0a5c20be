/** The security log: its lines, and that nobody can fill the disk with them. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { SecurityEvent } from '../../src/http/security-events.ts'
import { securityLine, securityLog } from '../../src/security-log.ts'

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

test('its lines', () => {
  expect(securityLine(failed('alice'))).toBe('security: sign-in failed, user alice, from 192.0.2.1')
  expect(securityLine({ event: 'role changed', username: 'bob', by: 'service' })).toBe(
    'security: role changed, user bob, by service',
  )
})

test('what clients choose can look like nothing else', () => {
  const line = securityLine(failed('a\nsecurity: role changed, user x, by y\u202e\ud800', 'b c\r\n'))
  expect(line).toMatch(/^security: sign-in failed, user [\w%.-]+, from [\w%]+$/)
  expect(securityLine(failed('é'.repeat(50_000), 'x'.repeat(50_000))).length).toBeLessThan(300)
})

test('repeats of a line are counted, not written', () => {
  const lines: string[] = []
  const note = securityLog((line) => lines.push(line))
  for (let i = 0; i < 50; i++) note(failed('alice'))
  note(failed('bob'))
  expect(lines).toHaveLength(11)
  jest.advanceTimersByTime(60_000)
  expect(lines.slice(11)).toEqual(['security: sign-in failed, 40 more in the last minute'])
  note(failed('alice'))
  expect(lines).toHaveLength(13)
  jest.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(13)
})

test('of one kind, 300 lines a minute are written, and another kind still is', () => {
  const lines: string[] = []
  const note = securityLog((line) => lines.push(line))
  for (let i = 0; i < 5000; i++) note(failed(`guess-${String(i)}`))
  note({ event: 'user deleted', username: 'alice', by: 'service' })
  expect(lines).toHaveLength(301)
  jest.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toBe('security: sign-in failed, 4700 more in the last minute')
})
