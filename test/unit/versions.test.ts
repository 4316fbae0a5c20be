/** What a version can do with a store, by the names of the migrations that the store has. */
import { expect, test } from '@jest/globals'
import { MIGRATIONS } from '../../src/data/store/migrations/index.ts'
import { fitOf, MIGRATION_NAMES, refusal, type Relation } from '../../src/data/store/versions.ts'

const KNOWN = ['0001-initial', '0002-add-marks-0.3.0', '0003-only-grams-0.4.0']
const [FIRST = '', SECOND = '', THIRD = ''] = KNOWN

test.each<[what: string, rows: string[], relation: Relation, backs: boolean, checks: boolean]>([
  ['no tables', [], 'new', false, false],
  ['its own schema', KNOWN, 'fits', true, true],
  ['its own, with the mark of what was begun', [...KNOWN, `${THIRD} begun`], 'fits', true, true],
  ['one that a later version has added to', [...KNOWN, '0004-add-x-0.5.0'], 'fits', true, true],
  ['an older one', [FIRST], 'older', true, false],
  ['an older one with additions of another line', [FIRST, '0003-add-y-0.3.1'], 'older', true, false],
  ['one on the way to its own', [FIRST, SECOND, `${THIRD} begun`], 'begun', false, false],
  ['one that a later version has changed', [...KNOWN, '0004-no-x-0.5.0'], 'newer', false, false],
  ['one that a later version began to change', [...KNOWN, '0004-no-x-0.5.0 begun'], 'newer', false, false],
  ['an older one that a later version has changed', [FIRST, '0004-no-x-0.5.0'], 'newer', false, false],
])('%s', (_what, rows, relation, backs, checks) => {
  const fit = fitOf(rows, KNOWN)
  expect(fit.relation).toBe(relation)
  expect(fit.obstacle === undefined).toBe(relation === 'fits')
  expect([refusal('back up', fit) === undefined, refusal('check', fit) === undefined]).toEqual([
    backs,
    checks,
  ])
})

test('a backup says the last migration of the store that the version knows', () => {
  expect(fitOf([FIRST, SECOND], KNOWN).schema).toBe(SECOND)
  expect(fitOf([...KNOWN, '0004-add-x-0.5.0'], KNOWN).schema).toBe(THIRD)
})

test('of several changes, the last one says the version that is needed', () => {
  const { obstacle } = fitOf([...KNOWN, '0004-no-x-0.5.0', '0005-no-y-0.6.1', '0006-add-z-0.7.0'], KNOWN)
  expect(obstacle).toBe(
    'newer than this version, which does not know 0004-no-x-0.5.0, 0005-no-y-0.6.1; it needs Gloss 0.6.1 or later',
  )
})

test('the names of the migrations are in order, and say the version that brought each; each is described', () => {
  expect(MIGRATION_NAMES).toEqual([...MIGRATION_NAMES].sort())
  // The first one was named before versions were.
  for (const name of MIGRATION_NAMES.slice(1)) expect(name).toMatch(/^\d{4}(-[a-z]+)+-\d+\.\d+\.\d+$/)
  for (const { about } of Object.values(MIGRATIONS)) {
    expect(about.does).toMatch(/^[A-Z].+\.$/)
    expect(about.took).toMatch(/^[A-Z].+\.$/)
  }
})
