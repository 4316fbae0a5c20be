/** What would happen to a store, and whether a process migrates it: `gloss migrate --plan` and `--status`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { planOf } from '../../command/running/migration-plan.ts'
import { openPool } from '../../src/data/database/pool.ts'
import { MIGRATIONS } from '../../src/data/store/migrations/index.ts'
import { fitOf, MIGRATION_NAMES } from '../../src/data/store/versions.ts'
import { gloss, useEmptyHome } from '../support/gloss.ts'
import { CONTRACTED } from '../support/made-up/migrations.ts'

const home = useEmptyHome()
const inHome = (name: string): string => join(home.folder, name)

describe('migrate --plan', () => {
  const ask = (file: string, ...args: string[]) =>
    gloss(['migrate', ...args], { cwd: home.folder, env: { DATABASE_URL: `sqlite:${inHome(file)}` } })

  test('says what would happen to an empty database, ends with 4, and changes nothing', async () => {
    writeFileSync(inHome('empty.db'), '')
    const { status, stdout, stderr } = await ask('empty.db', '--plan')
    expect([status, stderr]).toEqual([4, 'The database is empty. Nothing was changed.\n'])
    expect(stdout).toMatch(
      /^0001-initial\n {2}does {7}Makes [^]*\n {2}back {7}Delete the new, empty database\.\n/,
    )
    expect(readFileSync(inHome('empty.db'), 'utf8')).toBe('')
    const rows = await ask('empty.db', '--plan', '--json', '--columns', 'migration,back')
    expect([rows.status, JSON.parse(rows.stdout)]).toEqual([
      4,
      MIGRATION_NAMES.map((migration) => ({ migration, back: 'Delete the new, empty database.' })),
    ])
  })

  test('ends with 0 if there is nothing to do, with 1 on a store of a later version, and is asked alone', async () => {
    expect(await ask('plan.db')).toMatchObject({ status: 0 })
    expect(await ask('plan.db', '--plan')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'There is nothing to do.\n',
    })
    expect(await ask('plan.db', '--plan', '--status')).toMatchObject({ status: 2, stdout: '' })
    const pool = openPool(`sqlite:${inHome('plan.db')}`, 'migrate')
    await pool.knex('knex_migrations').insert({ name: '9999-other-9.0.0 begun', batch: 0 })
    await pool.close()
    expect(await ask('plan.db', '--plan')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('does not know 9999-other-9.0.0; it needs Gloss 9.0.0 or later'),
    })
    expect(await ask('plan.db', '--status')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('9999-other-9.0.0\tbegun, and has not ended\n'),
    })
  })

  test('--status says whether a process migrates, and whether it lives', async () => {
    expect(await ask('locked.db')).toMatchObject({ status: 0 })
    const pool = openPool(`sqlite:${inHome('locked.db')}`, 'migrate')
    const lock = pool.knex('knex_migrations_lock')
    await lock.clone().update({ is_locked: 7 })
    expect((await ask('locked.db', '--status')).stderr).toContain('shows no sign of life')
    const beating = setInterval(() => void lock.clone().increment('is_locked').then(), 100)
    const { status, stderr } = await ask('locked.db', '--status')
    clearInterval(beating)
    await pool.close()
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/shows signs of life: \d+ so far, one a second/),
    ])
  })
})

test('a plan says of each migration whether older versions serve meanwhile, and what the way back is', () => {
  const plan = planOf(fitOf(Object.keys(MIGRATIONS), Object.keys(CONTRACTED)), CONTRACTED)
  expect(plan.map(({ migration, meanwhile, back }) => [migration, meanwhile, back])).toEqual([
    [
      '0002-add-marks-0.2.1',
      expect.stringMatching(/^Older versions serve/),
      expect.stringMatching(/^Restart/),
    ],
    [
      '0003-add-grams-0.3.0',
      expect.stringMatching(/^Older versions serve/),
      expect.stringMatching(/^Restart/),
    ],
    [
      '0004-only-grams-0.4.0',
      expect.stringMatching(/stop all/),
      expect.stringMatching(/^Restore the backup/),
    ],
  ])
  expect(plan[0]).toMatchObject({ does: expect.stringMatching(/^Adds a table/), took: expect.any(String) })
})
