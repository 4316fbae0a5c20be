/** Errors of the project's engine, provoked: each is taken for what the table of errors says, whoever says it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { fateAfter, failureOf } from '../../src/data/database/connection/failures.ts'
import { connectTo, engineOfProject } from '../support/database.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { onSqlite } from './open.ts'
import { Ground, type Provocation, type Provoked } from './provoking.ts'
import { ON_SERVERS } from './provoked-on-servers.ts'
import { ON_SQLITE } from './provoked-on-sqlite.ts'

const SETTINGS = [
  '--log-bin',
  '--server-id=1',
  '--max-user-connections=1000',
  // Who must change the password may sign in, but do nothing else.
  '--disconnect-on-expired-password=OFF',
]

/** Expects that an error is what it should be, once it is provoked. */
async function expectError<Where>(provocation: Provocation<Where>, where: Where): Promise<void> {
  const [, number, code, failure, fate, provoke, text = ''] = provocation
  const error = await Promise.resolve(provoke(where)).then(
    () => new Error('nothing went wrong'),
    (reason: unknown) => reason as Error & { code?: string; errno?: number },
  )
  const { code: said = error.name, errno } = error as { code?: string; errno?: number }
  // What a server says unasked has no number any more.
  expect({ code: said, number: number && (errno ?? number) }).toEqual({ code, number })
  expect([failureOf(error), fateAfter(error)]).toEqual([failure, fate])
  expect(error.message).toContain(text)
}

const titled = <Where>(provocations: readonly Provocation<Where>[]) =>
  provocations.map((one) => [`${one[2]} ${String(one[1] ?? '')}`.trim(), one] as const)

/** The engine that is provoked: TiDB if the project has that, or a server of the project's engine. */
async function provokedEngine(): Promise<Provoked> {
  if (onSqlite) return 'SQLite'
  const connection = await connectTo(process.env.TEST_DATABASE_URL ?? '')
  const [rows] = await connection.query('SELECT VERSION() AS version')
  await connection.end()
  if ((rows as { version: string }[])[0]?.version.includes('TiDB') === true) return 'TiDB'
  return engineOfProject() === 'mysql' ? 'MySQL' : 'MariaDB'
}

const engine = await provokedEngine()

const onServer = (): void => {
  let server: MysqlServer | undefined
  let ground: Ground
  beforeAll(async () => {
    if (engine !== 'TiDB') server = await startMysqlServer({ engine: engineOfProject(), settings: SETTINGS })
    const url = server?.url ?? process.env.TEST_DATABASE_URL ?? ''
    ground = new Ground(Object.assign(new URL(url), { pathname: '/trial' }).href)
    await ground.prepare()
  }, 120_000)
  afterAll(async () => {
    await ground.admin('DROP DATABASE trial')
    await server?.stop()
  })

  const provocations = ON_SERVERS.filter(([on]) => on.includes(engine) || on.includes('any'))
  test.each(titled(provocations))('%s', (_title, provocation) => expectError(provocation, ground))
}

if (engine === 'SQLite')
  describe('what SQLite says', () => {
    test.each(titled(ON_SQLITE))('%s', async (_title, provocation) => {
      const folder = mkdtempSync(join(tmpdir(), 'gloss-errors-'))
      try {
        await expectError(provocation, folder)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
else describe(`what ${engine} says`, onServer)
