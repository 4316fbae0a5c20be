/** Every way in which `gloss serve` fails to start ends with 1 and one sentence: what is wrong, and what to do. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { RESTORING } from '../../src/data/store/tables.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { gloss } from '../support/gloss.ts'
import { startService, type Service } from '../support/service.ts'

const isSqlite = (globalThis as { database?: string }).database !== 'mysql'

/** Texts are stored as octets. */
const RESTORING_BLOCK = `x'${Buffer.from(RESTORING).toString('hex')}'`

let service: Service
let folder = ''
/** Listens, and says nothing of MySQL. */
const holder = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
let held = ''

beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'gloss-start-'))
  writeFileSync(join(folder, 'text.db'), 'a text, and no database at all '.repeat(99))
  writeFileSync(join(folder, 'read-only.db'), '')
  chmodSync(join(folder, 'read-only.db'), 0o444)
  mkdirSync(join(folder, 'folder.db'))
  chmodSync(join(folder, 'folder.db'), 0o755)
  holder.listen(0, '127.0.0.1')
  await once(holder, 'listening')
  held = String((holder.address() as AddressInfo).port)
})
afterAll(async () => {
  holder.close()
  await service.stop()
  rmSync(folder, { recursive: true })
})

/** What is printed when the service does not start with these settings. */
async function failure(env: Readonly<Record<string, string>>): Promise<string> {
  const settings = { PORT: '0', DATABASE_URL: service.databaseUrl, STARTUP_WAIT_MS: '0', ...env }
  const { status, stdout, stderr } = await gloss(['serve'], { cwd: folder, env: settings })
  expect(status).toBe(1)
  // Before what fails stand the versions, for people and in the log.
  expect(stdout.replace(/^Gloss \S+ \(schema .*\)\n/, '')).toBe('')
  return stderr.replace(/^\{.*"msg":"start"\}\n/, '')
}

type Row = [sentence: () => string | RegExp, env: () => Readonly<Record<string, string>>]

const db = (databaseUrl: string) => () => ({ DATABASE_URL: databaseUrl })
const inUse = (prefix: string): string =>
  `${prefix}PORT ${held} is in use (by node, pid ${String(process.pid)}): choose another with ${prefix}PORT=…\n`

/** What is found before a store is asked. */
const EVERYWHERE: Row[] = [
  [() => inUse(''), () => ({ PORT: held })],
  [() => inUse('ADMIN_'), () => ({ ADMIN_PORT: held })],
  [() => /^HOST 192.0.2.1 is no address of this machine: 127.0.0.1 serves/, () => ({ HOST: '192.0.2.1' })],
  [() => /^ADMIN_HOST 192.0.2.1 is no address/, () => ({ ADMIN_HOST: '192.0.2.1', ADMIN_PORT: '0' })],
  [
    () =>
      "The configuration is not valid:\n  PORT must be a whole number from 0 to 65535, not 'x'\n  DATABSE_URL is not a setting; did you mean DATABASE_URL?\n",
    () => ({ PORT: 'x', DATABSE_URL: 'sqlite:a.db' }),
  ],
  [() => /^The configuration is not valid:\n {2}DATABASE_URL must be/, db('postgres://db/gloss')],
  [() => /^DATABASE_URL: the file '\.\/folder.db' cannot be opened for writing: /, db('sqlite:./folder.db')],
  [() => /^DATABASE_URL: '\.\/text.db' is not a SQLite database: name another/, db('sqlite:./text.db')],
  [
    () => /^DATABASE_URL: the file '\.\/text.db\/a.db' cannot be opened for writing: /,
    db('sqlite:./text.db/a.db'),
  ],
  [() => /^DATABASE_URL: the file '\.\/read-only.db' is read-only: make it/, db('sqlite:./read-only.db')],
  [
    () =>
      'DATABASE_URL: nobody answers at 127.0.0.1:1: is the server running, and does it listen there? (ECONNREFUSED)\n',
    db('mysql://u:geheim@127.0.0.1:1/gloss'),
  ],
  [() => /^DATABASE_URL: no host has the name 'db.invalid': /, db('mysql://u:geheim@db.invalid/gloss')],
  [
    () => new RegExp(`^DATABASE_URL: nobody at 127.0.0.1:${held} speaks the MySQL protocol: `),
    () => ({ DATABASE_URL: `mysql://u:geheim@127.0.0.1:${held}/gloss` }),
  ],
]

const ON_MYSQL: Row[] = [
  [
    () => /^DATABASE_URL: \S+ does not admit the user 'root': look at/,
    () => ({
      DATABASE_URL: Object.assign(new URL(service.databaseUrl), { username: 'root', password: 'geheim' })
        .href,
    }),
  ],
  [
    () => /^DATABASE_URL: \S+ has no database 'gloss_nowhere': create it first/,
    () => ({
      DATABASE_URL: Object.assign(new URL(service.databaseUrl), { pathname: '/gloss_nowhere' }).href,
    }),
  ],
]

describe('a service does not start', () => {
  test.each((isSqlite ? EVERYWHERE : ON_MYSQL).map((row, i) => [i, ...row] as const))(
    'way %d',
    async (_i, sentence, env) => {
      const printed = await failure(env())
      const expected = sentence()
      if (typeof expected === 'string') expect(printed).toBe(expected)
      else expect(printed).toMatch(expected)
      expect(printed).not.toContain('geheim')
      expect(printed).not.toMatch(/\n {4}at /)
      // A folder in place of a file stays open to others.
      expect(statSync(join(folder, 'folder.db')).mode & 0o777).toBe(0o755)
    },
  )

  test('on a store of a later version, or one that a restore has left', async () => {
    const change = (statement: string): Promise<unknown> =>
      service.store.write(SERVICE, (tx) => tx.run(raw(statement)))
    await change(`UPDATE knex_migrations SET name = '9999-later' WHERE name = '${SCHEMA}'`)
    expect(await failure({})).toMatch(
      /^the schema of the store is newer than this version, .*: run the version/,
    )
    await change(`UPDATE knex_migrations SET name = '${SCHEMA}' WHERE name = '9999-later'`)
    await change(`INSERT INTO id_blocks (kind, next_id) VALUES (${RESTORING_BLOCK}, 1)`)
    expect(await failure({})).toMatch(
      /^A backup is being restored into this store, or was restored only in part: see/,
    )
    await change(`DELETE FROM id_blocks WHERE kind = ${RESTORING_BLOCK}`)
  })
})
