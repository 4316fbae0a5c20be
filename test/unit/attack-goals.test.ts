/** Which goals an attack misses, by what was measured of it. */
import { expect, test } from '@jest/globals'
import type { Attack } from '../../attacks/attack.ts'
import { attackTable, missedGoals, type Measured, type Round } from '../../attacks/goals.ts'

const attack: Attack = {
  name: 'flood',
  what: (size) => `${size} requests`,
  size: 1_000,
  quick: 10,
  expected: ['400', '401'],
  withinMs: 3_000,
  prepare: () => async () => ({ answers: new Map() }),
}
const round: Round = {
  answers: new Map([['400', 2]]),
  cut: false,
  tookMs: 3_000,
  cpuMs: 220,
  longestMs: { read: 250, search: 250, write: 3_000 },
  failed: 0,
  peakMb: 400,
}
const met: Measured = {
  attack,
  size: 1_000,
  half: { ...round, cpuMs: 100 },
  full: round,
  idleMb: 100,
  laterMb: 150,
}
const full = (changed: Partial<Round>): Measured => ({ ...met, full: { ...round, ...changed } })

test('every goal is met at its limit', () => {
  expect(missedGoals(met)).toEqual([])
})

test.each<[missed: string, measured: Measured]>([
  ['answer', full({ answers: new Map([...round.answers, ['500', 1]]) })],
  ['time', full({ tookMs: 3_001 })],
  ['wait', full({ longestMs: { ...round.longestMs, read: 251 } })],
  ['wait', full({ longestMs: { ...round.longestMs, search: 251 } })],
  ['wait', full({ longestMs: { ...round.longestMs, write: 3_001 } })],
  ['wait', { ...met, attack: { ...attack, writersWaitMs: 2_999 } }],
  ['bystander', full({ failed: 1 })],
  ['growth', full({ cpuMs: 221 })],
  ['growth', { ...full({ cpuMs: 111 }), attack: { ...attack, growth: 1.1 } }],
  ['peak', full({ peakMb: 401 })],
  ['memory', { ...met, laterMb: 151 }],
  ['end', full({ cut: true })],
  ['end', { ...met, half: { ...round, cut: true }, full: undefined }],
])('a goal is missed: %s', (missed, measured) => {
  expect(missedGoals(measured)).toEqual([missed])
})

test('growth of next to nothing is no growth', () => {
  expect(missedGoals({ ...full({ cpuMs: 20 }), half: { ...round, cpuMs: 1 } })).toEqual([])
})

test('the table has a row for each attack, and says of one that was cut off what is known of it', () => {
  const cut = { ...met, half: { ...round, cut: true }, full: undefined, laterMb: undefined }
  const lines = attackTable([met, cut]).split('\n').slice(2)
  const [whole = [], part = []] = lines.map((line) => line.split('|').map((cell) => cell.trim()))
  const waits = 'read 250, search 250, write 3,000'
  expect(whole.slice(1, -1)).toEqual([
    ...['1000 requests', 'flood', '400 × 2', '3,000', '220', '100', '2.2', waits, '300', '50', 'met'],
  ])
  expect(part.slice(1, -1)).toEqual([
    ...['500 requests', 'flood', 'cut off', 'over 3,000', 'over 220', '', '', waits, '300', ''],
    '**missed**: end',
  ])
})
