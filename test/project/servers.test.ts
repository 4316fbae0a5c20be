/** Which servers test files run on, and what a run says about them at its end. */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { describeServers, missedIn, readServers } from '../../scripts/servers-used.ts'
import { ltsOf } from '../support/engines.ts'
import type { ServerOfProject } from '../support/server-of-project.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Project {
  readonly displayName: string
  readonly testPathIgnorePatterns?: readonly string[]
}

/** The test files that each project on a server runs. */
function filesOf(env: Readonly<Record<string, string>>): Record<string, string[]> {
  const program = `import c from './jest.config.js'; console.log(JSON.stringify(c.projects))`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: undefined, TEST_DATABASE_URL: undefined, ...env },
    encoding: 'utf8',
  })
  const files = globSync('test/**/*.test.ts', { cwd: ROOT })
  const projects = (JSON.parse(told) as Project[]).filter(({ displayName }) => /m/.test(displayName))
  return Object.fromEntries(
    projects.map(({ displayName, testPathIgnorePatterns: ignored = [] }) => [
      displayName,
      files
        .filter((file) => !ignored.some((pattern) => new RegExp(pattern).test(`<rootDir>/${file}`)))
        .sort(),
    ]),
  )
}

test('a seed gives each file about a store to one of two servers, and always to the same', () => {
  const all = filesOf({})
  const split = filesOf({ TEST_SEED: '1' })
  expect(all['mariadb']).toEqual(all['mysql'])
  expect(all['mysql']).toContain('test/data/races.test.ts')
  const { mariadb = [], mysql = [] } = split
  expect([...mariadb, ...mysql].sort()).toEqual(all['mysql'])
  expect(Math.min(mariadb.length, mysql.length)).toBeGreaterThan(0)
  expect(filesOf({ TEST_SEED: '1' })).toEqual(split)
  expect(filesOf({ TEST_SEED: '2' })).not.toEqual(split)
})

test('a server that is named gets all files', () => {
  const { mysql: all } = filesOf({})
  expect(filesOf({ TEST_DATABASE_URL: 'mysql://u:p@h/' })).toEqual({ mysql: all })
})

test.each([
  ['9.7.4-2', '9.7'],
  ['8.4.3', '8.4'],
  ['8.0.43', undefined],
  ['9.6.0', undefined],
  ['9.70.1', undefined],
  ['10.11.19-MariaDB-0+deb12u1', undefined],
])('MySQL %s is of the long-term version %s', (version, lts) => {
  expect(ltsOf(version)).toBe(lts)
})

describe('the last lines', () => {
  const mariadb: ServerOfProject = {
    project: 'mariadb',
    engine: 'mariadb',
    version: '10.11.19-MariaDB-0',
    missing: {},
  }
  const mysql: ServerOfProject = { project: 'mysql', engine: 'mysql', version: '9.7.4-2', missing: {} }
  const onMariadb: ServerOfProject = {
    ...mariadb,
    project: 'mysql',
    missing: { mysql: 'No mirror\nNone at all' },
  }

  test('name the versions of both servers', () => {
    expect(describeServers([mariadb, mysql], '7')).toEqual([
      'The tests about stores ran on MariaDB 10.11.19 and MySQL 9.7.4 (TEST_SEED=7).',
    ])
    expect(missedIn([mariadb, mysql])).toBe(false)
  })

  test('say that the files of one server ran on the other', () => {
    expect(describeServers([mariadb, onMariadb], '7')).toEqual([
      'The tests about stores ran on MariaDB 10.11.19 (TEST_SEED=7).',
      'NOT TESTED on MySQL LTS (9.7 or 8.4): No mirror. Its test files ran on MariaDB 10.11.19.',
    ])
    expect(missedIn([mariadb, onMariadb])).toBe(true)
  })

  test('say that there was none', () => {
    const none: ServerOfProject = { project: 'mysql', missing: { mysql: 'No mirror.', mariadb: 'No apt.' } }
    expect(describeServers([none], '7')).toEqual([
      'NOT TESTED on MariaDB: No apt.',
      'NOT TESTED on MySQL LTS (9.7 or 8.4): No mirror.',
    ])
  })

  test('name the version of a server that was named, and nothing where no server was wanted', () => {
    const lines = describeServers(
      [{ project: 'mysql', version: '8.0.11-TiDB-v8.5.0', missing: {} }],
      undefined,
    )
    expect(lines).toEqual([
      'The tests about stores ran on 8.0.11-TiDB-v8.5.0, which TEST_DATABASE_URL names.',
    ])
    expect(describeServers([], '7')).toEqual([])
  })

  test('are about what was noted', () => {
    expect(readServers(`${JSON.stringify(mariadb)}\n${JSON.stringify(onMariadb)}\n`)).toEqual([
      mariadb,
      onMariadb,
    ])
    expect(readServers('')).toEqual([])
  })
})
