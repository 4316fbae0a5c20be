/** The account of the database changes while instances serve: by which order no request fails, and how soon others do not. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Connection } from 'mysql2/promise'
import { connectTo, engineOfProject, freshDatabase, type FreshDatabase } from '../support/database.ts'
import { listening, nodeCommand, runProcess, type ServiceProcess } from '../support/process.ts'
import { send } from '../support/service.ts'

const PASSWORD = 'open sesame'

let database: FreshDatabase
let admin: Connection
let folder = ''
let file = ''
/** Names of accounts are of the whole server. */
let own = ''
let service: (ServiceProcess & { readonly url: string }) | undefined

beforeEach(async () => {
  database = await freshDatabase()
  admin = await connectTo(database.url)
  folder = mkdtempSync(join(tmpdir(), 'gloss-account-'))
  file = join(folder, 'database-url')
  own = randomBytes(4).toString('hex')
  await make('a', 'first')
  writeFile('a', 'first')
})
afterEach(async () => {
  service?.process.kill('SIGKILL')
  await service?.end
  service = undefined
  await admin.query(`DROP USER IF EXISTS ${account('a')}, ${account('b')}`)
  await admin.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const account = (name: string): string => `'${name}-${own}'@'127.0.0.1'`

async function make(name: string, password: string): Promise<void> {
  await admin.query(`CREATE USER ${account(name)} IDENTIFIED BY '${password}'`)
  await admin.query(`GRANT ALL ON ${new URL(database.url).pathname.slice(1)}.* TO ${account(name)}`)
}

const urlOf = (name: string, password: string): string =>
  Object.assign(new URL(database.url), { username: `${name}-${own}`, password }).href

const writeFile = (name: string, password: string): void => {
  writeFileSync(file, `${urlOf(name, password)}\n`)
}

/** The connections of an account, by their numbers. */
async function connectionsOf(name: string): Promise<number[]> {
  // MySQL 9 cannot select from `information_schema.PROCESSLIST` while a statement in it holds bytes that are not text.
  const [rows] = await admin.query('SHOW PROCESSLIST')
  return (rows as { Id: number; User: string }[])
    .filter(({ User }) => User === `${name}-${own}`)
    .map(({ Id }) => Id)
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const settings = { DATABASE_URL_FILE: file, ADMIN_PASSWORD: PASSWORD, ...env }
  const started = runProcess(settings, ['setsid', ...nodeCommand('src/main')])
  service = { ...started, url: '' }
  service = { ...started, url: `http://127.0.0.1:${String(await listening(started))}` }
  for (const [path, primitive] of [
    ['/about/x/service/n', '1'],
    ['/about/y/service/n', '2'],
  ] as const)
    await send(service.url, 'PUT', path, { as: 'service', password: PASSWORD, primitive })
}

/** What the service has been asked to do, each by a pool of its own. */
const REQUESTS = [
  ['GET', '/about/x/service/n', {}],
  ['PUT', '/about/x/service/n', { primitive: '3' }],
  ['PUT', '/about/x/service/n', { primitive: '"some words"' }],
  ['GET', '/objects?query=has%20service%2Fn', {}],
  ['GET', '/values?query=has%20service%2Fn&tag=service%2Fn&limit=1000', {}],
] as const

/** Sends every request `times` times at once; returns the statuses. */
async function burst(times: number): Promise<Set<number>> {
  const all = Array.from({ length: times }, () => REQUESTS).flat()
  const answers = await Promise.all(
    all.map(([method, path, options]) =>
      send(service?.url ?? '', method, path, { as: 'service', password: PASSWORD, ...options }),
    ),
  )
  return new Set(answers.map(({ status }) => Math.floor(status / 100)))
}

/** Keeps the service busy until the returned function is called, which resolves to the statuses. */
function load(): () => Promise<Set<number>> {
  let isOver = false
  const run = async (): Promise<Set<number>> => {
    const statuses = new Set<number>()
    while (!isOver) for (const status of await burst(1)) statuses.add(status)
    return statuses
  }
  const running = run()
  return () => {
    isOver = true
    return running
  }
}

async function untilLogged(text: string): Promise<void> {
  while (!(service?.printed().includes(text) ?? true)) await sleep(50)
}

const GOOD = new Set([2])

test('the file first, then the server: no request fails, and no signal is needed', async () => {
  await start()
  const stop = load()
  expect(await burst(1)).toEqual(GOOD)
  writeFile('a', 'second')
  expect(await burst(1)).toEqual(GOOD)
  const before = await connectionsOf('a')
  await admin.query(`ALTER USER ${account('a')} IDENTIFIED BY 'second'`)
  await expect(connectTo(urlOf('a', 'first'))).rejects.toMatchObject({ code: 'ER_ACCESS_DENIED_ERROR' })
  // More at once than before, so that it takes new connections, and each that had the former password is given up.
  while ((await connectionsOf('a')).some((id) => before.includes(id))) expect(await burst(10)).toEqual(GOOD)
  expect(await stop()).toEqual(GOOD)
})

test('the server first: requests fail until the file has the new password, and no longer', async () => {
  await start()
  expect(await burst(1)).toEqual(GOOD)
  await admin.query(`ALTER USER ${account('a')} IDENTIFIED BY 'second'`)
  for (const id of await connectionsOf('a')) await admin.query(`KILL ${String(id)}`)
  while ((await connectionsOf('a')).length > 0);
  expect(await burst(1)).toEqual(new Set([5]))
  writeFile('a', 'second')
  expect(await burst(10)).toEqual(GOOD)
})

test('two accounts in turn, with SIGHUP and two workers: no request fails, also when the first is dropped', async () => {
  await start({ WORKERS: '2' })
  const stop = load()
  expect(await burst(10)).toEqual(GOOD)
  await make('b', 'other')
  writeFile('b', 'other')
  service?.process.kill('SIGHUP')
  await untilLogged('SIGHUP: the account in DATABASE_URL_FILE is in use from now on')
  while ((await connectionsOf('a')).length > 0) expect(await burst(10)).toEqual(GOOD)
  await admin.query(`DROP USER ${account('a')}`)
  expect(await burst(10)).toEqual(GOOD)
  expect(await stop()).toEqual(GOOD)
  expect((await connectionsOf('b')).length).toBeGreaterThan(0)
})

test.each([
  ['a wrong password', () => urlOf('a', 'wrong'), 'ccess denied for user'],
  [
    'another database',
    () => urlOf('a', 'first').replace(/gloss_test_/, 'other_'),
    'names other hosts or another database',
  ],
  ['no URL', () => 'mysql://', 'must be mysql://user'],
])(
  'after SIGHUP with %s in the file, the service goes on as before and says why',
  async (_what, content, why) => {
    await start()
    writeFileSync(file, content())
    service?.process.kill('SIGHUP')
    await untilLogged(why)
    expect(service?.printed()).toContain('SIGHUP: the account of the database stays as it was')
    expect(await burst(10)).toEqual(GOOD)
  },
)

if (engineOfProject() === 'mysql') {
  test('two passwords of one account, as MySQL has them: no request fails', async () => {
    await start()
    const stop = load()
    await admin.query(`ALTER USER ${account('a')} IDENTIFIED BY 'second' RETAIN CURRENT PASSWORD`)
    writeFile('a', 'second')
    service?.process.kill('SIGHUP')
    await untilLogged('SIGHUP: the account in DATABASE_URL_FILE is in use from now on')
    await admin.query(`ALTER USER ${account('a')} DISCARD OLD PASSWORD`)
    expect(await burst(10)).toEqual(GOOD)
    expect(await stop()).toEqual(GOOD)
  })
}
