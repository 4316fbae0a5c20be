/** Profiles: whose password goes where, and who can read the file. */
import { statSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gloss, type Ended, useEmptyHome } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
const home = useEmptyHome()

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  gloss(args, { env: { XDG_CONFIG_HOME: home.folder, ...env } })

const file = (): string => join(home.folder, 'gloss/profiles.json')
const login = (...more: string[]): Promise<Ended> =>
  run(['login', service.url, '--as', 'alice', ...more], { GLOSS_PASSWORD: PASSWORD })

test('a profile is kept for its owner alone, and used from then on', async () => {
  expect(await login()).toMatchObject({ status: 0, stdout: '' })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  const { status, stderr } = await run(['query', 'service/about = "x"', '--count', '--verbose'])
  expect(status).toBe(0)
  expect(stderr).toContain('curl -u alice ')
})

test('an existing file that others could read becomes one for its owner', async () => {
  await login()
  writeFileSync(file(), readFileSync(file()), { mode: 0o644 })
  await login('--profile', 'other')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('a wrong password is refused and not kept', async () => {
  const ended = await run(['login', service.url, '--as', 'alice'], { GLOSS_PASSWORD: 'wrong' })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toContain('the credentials are wrong')
  expect(() => statSync(file())).toThrow('ENOENT')
})

test('without a terminal nobody is asked for a password', async () => {
  const ended = await run(['login', service.url, '--as', 'alice'])
  expect(ended).toMatchObject({ status: 2 })
  expect(ended.stderr).toContain('set GLOSS_PASSWORD')
})

test('on a terminal the password is asked for and not shown', async () => {
  const ended = await gloss(['login', service.url, '--as', 'alice'], {
    env: { XDG_CONFIG_HOME: home.folder },
    columns: 80,
    input: `${PASSWORD}\n`,
    typedAfter: 'Password of alice: ',
  })
  expect(ended.status).toBe(0)
  expect(ended.stdout).toContain('Signed in to')
  expect(ended.stdout).not.toContain(PASSWORD)
})

test('Ctrl-C while being asked ends with 130', async () => {
  const ended = await gloss(['login', service.url, '--as', 'alice'], {
    env: { XDG_CONFIG_HOME: home.folder },
    columns: 80,
    input: '\u0003',
    typedAfter: 'Password of alice: ',
  })
  expect(ended.status).toBe(130)
})

test('the password of a profile goes to its service alone', async () => {
  await login()
  const seen: (string | undefined)[] = []
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`
  await run(['query', 'has a/b', '--url', url])
  await run(['query', 'has a/b'], { GLOSS_URL: url })
  await run(['query', 'has a/b', '--url', url, '--as', 'alice'])
  other.closeAllConnections()
  other.close()
  expect(seen).toEqual([undefined, undefined])
})

test('several profiles are chosen by name, and forgotten', async () => {
  await login('--profile', 'one')
  await run(['login', service.url, '--as', 'bob', '--profile', 'two'], { GLOSS_PASSWORD: PASSWORD })
  const whose = async (...args: string[]): Promise<string | undefined> =>
    /-u (\w+)/.exec(
      (await run(['query', 'service/about = "x"', '--count', '--verbose', ...args])).stderr,
    )?.[1]
  expect([await whose(), await whose('--profile', 'one')]).toEqual(['bob', 'alice'])
  expect(await run(['query', 'has a/b', '--profile', 'three'])).toMatchObject({ status: 2 })
  expect(await run(['logout', 'two'])).toMatchObject({ status: 0 })
  expect(await whose()).toBe('alice')
  expect(readFileSync(file(), 'utf8')).not.toContain('bob')
  expect(await run(['logout', 'two'])).toMatchObject({ status: 2 })
})

test.each(['null', '[]', '{"profiles":5}', '{"current":"x","profiles":{"x":{}}}', '{'])(
  'a file of profiles that holds %s is named',
  async (content) => {
    await login()
    writeFileSync(file(), content)
    const { status, stderr } = await run(['query', 'has a/b'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^gloss: '.*profiles\.json' cannot be read: .*\n {2}→ mend it.*\n$/)
  },
)

test('a folder in which nothing can be kept is named', async () => {
  writeFileSync(join(home.folder, 'gloss'), 'a file in the place of the folder')
  const { status, stderr } = await login()
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^gloss: '.*profiles\.json' cannot be written: .*\n {2}→ make its folder writable.*\n$/,
  )
})

test.each(['ftp://x', 'gloss', 'http://alice:secret@127.0.0.1', 'http://127.0.0.1/?a'])(
  '%s is no service',
  async (url) => {
    expect(await run(['login', url, '--as', 'alice'], { GLOSS_PASSWORD: PASSWORD })).toMatchObject({
      status: 2,
    })
  },
)
