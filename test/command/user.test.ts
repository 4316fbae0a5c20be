/** `gloss user`: accounts, and how their passwords are given. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { expectGolden, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gloss-user-'))
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const NEW = 'a new and longer one'

const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  gloss(['user', ...args], {
    ...options,
    env: { GLOSS_URL: service.url, GLOSS_USER: 'service', GLOSS_PASSWORD: PASSWORD, ...options.env },
  })

const signIn = async (as: string, password: string): Promise<number> =>
  (await service.request('GET', '/users/service', { as, password })).status

test('add makes an account that can sign in, with the password of a variable or a file', async () => {
  const added = await run(['add', 'dora', '--name', 'Dora Maar', '--email', 'dora@example.org'], {
    env: { GLOSS_NEW_PASSWORD: NEW },
  })
  expect(added).toMatchObject({ status: 0, stdout: '' })
  expect([await signIn('dora', NEW), await signIn('dora', PASSWORD)]).toEqual([200, 401])
  writeFileSync(join(folder, 'password'), `${NEW}\n`)
  const file = ['--new-password-file', join(folder, 'password')]
  expect(await run(['add', 'emil', ...file, '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await signIn('emil', NEW)).toBe(200)
})

test('a password is asked for twice, and not shown', async () => {
  const answers = [NEW, 'another one', NEW, NEW]
  let shown = ''
  let asked = 0
  const { status, stdout } = await run(['add', 'fay'], {
    columns: 80,
    input: null,
    started: (child) => {
      child.stdout?.on('data', (part: Buffer) => {
        shown += part.toString()
        const questions = shown.match(/New password of fay: |The same again: /g)?.length ?? 0
        for (; asked < questions; asked++) child.stdin?.write(`${answers[asked] ?? ''}\r`)
      })
    },
  })
  expect([status, asked]).toEqual([0, 4])
  expect(stdout).toContain('These were not the same.')
  expect(stdout).not.toContain(NEW)
  expect(await signIn('fay', NEW)).toBe(200)
})

test('passwd sets the password of another user, and by default your own', async () => {
  const env = { GLOSS_NEW_PASSWORD: 'the second of bob' }
  expect((await run(['passwd', 'bob'], { env })).status).toBe(0)
  expect(await signIn('bob', 'the second of bob')).toBe(200)
  const own = { GLOSS_USER: 'carol', GLOSS_NEW_PASSWORD: 'the second of carol' }
  const { status, stderr } = await run(['passwd'], { env: own })
  expect([status, stderr]).toEqual([0, 'The password of carol is set. gloss login keeps it.\n'])
  expect(await signIn('carol', 'the second of carol')).toBe(200)
})

test('role makes a superuser, and a user again', async () => {
  expect((await run(['role', 'alice', 'superuser'])).stderr).toBe('alice is a superuser.\n')
  const list = async (): Promise<string> => (await run(['list', '--columns', 'username,role'])).stdout
  expect(await list()).toContain('alice\tsuperuser\n')
  expect((await run(['role', 'alice', 'user'])).status).toBe(0)
  expect(await list()).toContain('alice\tuser\n')
})

test('delete asks, and deletes only if it may', async () => {
  const unasked = await run(['delete', 'emil'])
  expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const refused = await run(['delete', 'emil'], { columns: 80, input: 'n\r' })
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining('Nothing was deleted.')])
  expect(await signIn('emil', NEW)).toBe(200)
  expect((await run(['delete', 'emil', '--yes'])).status).toBe(0)
  expect(await signIn('emil', NEW)).toBe(401)
})

describe('list shows all users', () => {
  test('without the column that only superusers read', async () => {
    const env = { GLOSS_USER: 'alice' }
    const { status, stdout } = await run(['list', '--csv'], { env })
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'username,role,name'])
    expect(await run(['list', '--columns', 'name,username'], { env })).toMatchObject({ status: 0 })
    const refused = await run(['list', '--columns', 'email'], { env })
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    const unknown = await run(['list', '--columns', 'nope'], { env })
    expect(unknown.stderr).toContain('→ there are id, about, username, role, name, email')
  })

  test.each([
    ['user-list.tsv', [], undefined],
    ['user-list.csv', ['--csv'], undefined],
    ['user-list.json', ['--json'], undefined],
    ['user-list.80.txt', [], 80],
    ['user-list.200.txt', [], 200],
  ])('%s', async (file, options, columns) => {
    const size = columns === undefined ? {} : { columns }
    const { status, stdout } = await run(['list', ...options], size)
    expect(status).toBe(0)
    expectGolden(file, stdout)
  })
})

test.each([
  ['a wrong password', ['list'], { GLOSS_USER: 'nobody' }, 1, 'password'],
  ['a role that there is not', ['role', 'alice', 'king'], {}, 2, 'there are user, superuser'],
  ['a name that is taken', ['add', 'alice'], { GLOSS_NEW_PASSWORD: NEW }, 1, 'alice'],
  ['a password that is too short', ['add', 'gus'], { GLOSS_NEW_PASSWORD: 'x' }, 1, '8'],
  ['no password', ['add', 'gus'], {}, 2, 'set GLOSS_NEW_PASSWORD'],
  ['a user that there is not', ['passwd', 'nobody'], { GLOSS_NEW_PASSWORD: NEW }, 1, 'nobody'],
])('%s is said in two lines', async (_what, args, env, status, said) => {
  const ended = await run(args, { env })
  expect([ended.status, ended.stdout]).toEqual([status, ''])
  expect(ended.stderr).toMatch(/^gloss: .+\n {2}→ .+\n$/)
  expect(ended.stderr).toContain(said)
})
