/** `gloss user reset`: a lost password is set in the store itself, and counts at once in instances that run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gloss-reset-'))
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const reset = (args: readonly string[], { env, ...options }: RunOptions = {}): Promise<Ended> =>
  gloss(['user', 'reset', ...args], {
    cwd: folder,
    env: { DATABASE_URL: service.databaseUrl, ...env },
    ...options,
  })

const signIn = async (as: string, password: string): Promise<number> =>
  (await service.request('GET', '/users/service', { as, password })).status

test('a new password is shown once, and the former one no longer counts where it is remembered', async () => {
  expect([await signIn('service', PASSWORD), await signIn('service', PASSWORD)]).toEqual([200, 200])
  const { status, stdout, stderr } = await reset(['service'])
  expect([status, stderr]).toEqual([0, 'The password of service is set. It is shown this once:\n'])
  expect(stdout).toMatch(/^[\w-]{22}\n$/)
  expect([await signIn('service', PASSWORD), await signIn('service', stdout.trim())]).toEqual([401, 200])
  // Each time another one.
  expect((await reset(['service'])).stdout).not.toBe(stdout)
})

test('a password from a file or a variable is not shown', async () => {
  const file = join(folder, 'password')
  writeFileSync(file, 'from a file\n')
  const fromFile = await reset(['alice', '--new-password-file', file])
  expect(fromFile).toEqual({ status: 0, stdout: '', stderr: 'The password of alice is set.\n' })
  expect([await signIn('alice', PASSWORD), await signIn('alice', 'from a file')]).toEqual([401, 200])
  expect(await reset(['alice'], { env: { GLOSS_NEW_PASSWORD: 'from a variable' } })).toMatchObject({
    stdout: '',
  })
  expect(await signIn('alice', 'from a variable')).toBe(200)
})

test('it is an event in the log of the service, if that is a file', async () => {
  const LOG_FILE = join(folder, 'gloss.log')
  await reset(['bob'], { env: { LOG_FILE } })
  expect(() => readFileSync(LOG_FILE)).toThrow('ENOENT')
  writeFileSync(LOG_FILE, '')
  await reset(['bob'], { env: { LOG_FILE } })
  expect(JSON.parse(readFileSync(LOG_FILE, 'utf8'))).toMatchObject({
    msg: 'security',
    event: 'password changed',
    username: 'bob',
    by: 'service',
  })
})

test.each<[what: string, args: string[], env: Record<string, string>, status: number, said: string]>([
  ['nobody', ['nobody'], {}, 1, `'nobody' is no user of this store`],
  ['anon', ['anon'], {}, 1, `'anon' stands for requests without credentials, and has no password`],
  ['no user', [], {}, 2, 'missing required argument'],
  ['a short password', ['carol'], { GLOSS_NEW_PASSWORD: 'short' }, 2, 'must have at least 8 characters'],
])('%s is refused', async (_what, args, env, status, said) => {
  expect(await reset(args, { env })).toMatchObject({
    status,
    stdout: '',
    stderr: expect.stringContaining(said),
  })
  expect(await signIn('carol', PASSWORD)).toBe(200)
})

test('a store of another version is not touched', async () => {
  const rename = (from: string, to: string): Promise<unknown> =>
    service.store.write(SERVICE, (tx) =>
      tx.run(raw(`UPDATE knex_migrations SET name = '${to}' WHERE name = '${from}'`)),
    )
  await rename(SCHEMA, '9999-later')
  expect(await reset(['carol'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('9999-later'),
  })
  await rename('9999-later', SCHEMA)
  expect(await signIn('carol', PASSWORD)).toBe(200)
})

test('the new password is shown also if the log cannot be written', async () => {
  const { status, stdout, stderr } = await reset(['bob'], { env: { LOG_FILE: folder } })
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('The log does not have this change: LOG_FILE'),
  ])
  expect(await signIn('bob', stdout.trim())).toBe(200)
})
