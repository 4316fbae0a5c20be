/** Several hosts in `DATABASE_URL`: one that is down, dies, freezes or becomes read-only is passed over for the next. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Hosts } from '../../src/data/database/mysql/mysql-hosts.ts'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { PATIENT } from '../support/database.ts'
import { SHORT_WAITS } from '../support/harmed.ts'
import type { MysqlServer } from '../support/mysql-server.ts'
import { freePort } from '../support/ports.ts'
import { listening, runProcess, type ServiceProcess } from '../support/process.ts'
import { send, startAnother, startService, type Answer, type Service } from '../support/service.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'
import { caughtUp, follow, on, startReplicated, stopFollowing } from './replication.ts'

/** A URL with the hosts of several. */
function together(...urls: readonly string[]): string {
  const [first = ''] = urls
  return first.replace(new URL(first).host, urls.map((url) => new URL(url).host).join(','))
}

const atPort = (databaseUrl: string, port: number): string =>
  Object.assign(new URL(databaseUrl), { port: String(port) }).href

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('two hosts of one cluster', () => {
  let calm: Service
  let first: TcpProxy
  let second: TcpProxy
  let url: string
  let started: ServiceProcess | undefined
  beforeAll(async () => {
    calm = await startService()
  })
  afterAll(() => calm.stop())
  beforeEach(async () => {
    first = await TcpProxy.start(calm.databaseUrl)
    second = await TcpProxy.start(calm.databaseUrl)
    url = together(first.url, second.url)
  })
  afterEach(async () => {
    started?.process.kill('SIGKILL')
    await Promise.all([first.stop(), second.stop()])
  })

  const inUse = (): number | undefined => Hosts.of(url).inUse[0]

  test('are used in their order', async () => {
    const session = await openSession(url, 'read', PATIENT)
    await session.close()
    expect(inUse()).toBe(0)
  })

  test.each(['down', 'frozen'])('serve from the start on if the first one is %s', async (how) => {
    if (how === 'frozen') first.freeze()
    const down = how === 'frozen' ? first.url : atPort(first.url, await freePort())
    const env = { DATABASE_URL: together(down, second.url), ADMIN_PORT: String(await freePort()) }
    const service = (started = runProcess({ ...env, STARTUP_WAIT_MS: '600000' }))
    const port = await listening(service)
    expect(service.printed()).not.toContain('Waiting')
    const ready = await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/readyz`)
    expect(await ready.json()).toMatchObject({ ready: true, checks: { database: 'ok', schema: 'ok' } })
    const user = await send(`http://127.0.0.1:${String(port)}`, 'GET', '/users/alice', {})
    expect(user.status).toBe(200)
    expect(service.printed()).toMatch(
      /The data is in the database gloss_test_\w+ on 127.0.0.1:\d+ or 127.0.0.1:\d+$/m,
    )
    service.process.kill('SIGTERM')
    expect(await service.end).toBe(0)
  })

  test('are both waited for, and what fails is said of each', async () => {
    const away = together(atPort(first.url, await freePort()), atPort(first.url, await freePort()))
    const { end, printed } = runProcess({ DATABASE_URL: away, STARTUP_WAIT_MS: '1' })
    expect(await end).toBe(1)
    expect(printed().trim().split('\n').at(-1)).toMatch(
      /^DATABASE_URL: nobody answers at 127.0.0.1:\d+: .* \(ECONNREFUSED\); nobody answers at 127.0.0.1:\d+: .*$/,
    )
    expect(printed()).not.toContain(new URL(first.url).password)
  })

  test('keep what was acknowledged when the first dies under load, and go on', async () => {
    await keepWriting(calm, url, () => first.stop())
    expect(inUse()).toBe(1)
    // Whoever comes back may be behind: it is used again once the other one fails.
    first = await TcpProxy.start(calm.databaseUrl, Number(new URL(first.url).port))
    const session = await openSession(url, 'read', PATIENT)
    await session.close()
    expect(inUse()).toBe(1)
  })

  test('keep what was acknowledged when the first freezes under load, and go on', async () => {
    await keepWriting(calm, url, () => {
      first.freeze()
      return Promise.resolve()
    })
    expect(inUse()).toBe(1)
  })

  test('are left together, also by connections that were open and by searches', async () => {
    const service = await startAnother(url, PATIENT)
    const never = new AbortController().signal
    const one = raw('SELECT CONNECTION_ID() AS id')
    const ids = async (): Promise<unknown[]> => [
      await service.store.readRow(one),
      await service.store.write(SERVICE, (tx) => tx.one(one)),
      await service.store.scan(SERVICE, never, (tx) => tx.one(one)),
    ]
    const before = await ids()
    Atomics.store(Hosts.of(url).inUse, 0, 1)
    for (const [i, id] of (await ids()).entries()) expect(id).not.toEqual(before[i])
    await service.stop()
  })

  test('are looked at while nobody gets an answer', async () => {
    const session = await openSession(url, 'read', { ...PATIENT, statement: 8000 })
    first.freeze()
    const stuck = session.query('SELECT 1').catch(() => undefined)
    while (inUse() === 0) await wait(50)
    session.end(new Error('enough'))
    await stuck
  })

  test('are looked at by whoever only reads', async () => {
    const service = await startAnother(url, PATIENT)
    const one = raw('SELECT 1 AS one')
    await service.store.readRow(one)
    // Nothing that is under way fails: only new connections are refused.
    first.refuse()
    while (inUse() === 0) {
      expect(await service.store.readRow(one)).toEqual({ one: 1 })
      await wait(50)
    }
    await service.stop()
  })
})

/** Writes and reads by way of a URL, and does something in the midst. Then whatever was acknowledged must be there. */
async function keepWriting(calm: Service, url: string, harm: () => Promise<void>): Promise<void> {
  const service = await startAnother(url, { ...SHORT_WAITS, connect: 2000 }, { report: () => undefined })
  let acknowledged = 0
  let end = Infinity
  const write = async (writer: number): Promise<void> => {
    const place = `/about/under-load-${String(writer)}/alice/n`
    for (let n = 1, last = 0; acknowledged < end; n++) {
      const answer = await service.request('PUT', place, { as: 'alice', primitive: String(n) })
      expect([204, 503]).toContain(answer.status)
      if (answer.status === 204) {
        last = n
        acknowledged++
      }
      const read = await calm.request('GET', place, { as: 'alice' })
      // What got a 503 may have been written all the same, but nothing older.
      if (last > 0) expect(read.json()).toBeGreaterThanOrEqual(last)
    }
  }
  const writers = Promise.all(Array.from({ length: 6 }, (_, i) => write(i)))
  while (acknowledged < 60) await wait(10)
  await harm()
  // By then all that was under way has failed or gone on.
  end = acknowledged + 200
  await writers
  const answers: Answer[] = []
  for (let i = 0; i < 20; i++) {
    answers.push(await service.request('PUT', '/about/x/alice/n', { as: 'alice', primitive: String(i) }))
  }
  expect(answers.at(-1)?.status).toBe(204)
  await service.stop()
}

describe('a primary and its replica', () => {
  const shared = process.env.TEST_DATABASE_URL
  let servers: readonly [MysqlServer, MysqlServer]
  let direct: Service
  let service: Service
  let reader: Service
  beforeAll(async () => {
    const primary = await startReplicated(1)
    // A password serves for both.
    const url = atPort(primary.url, await freePort())
    const replica = await startReplicated(2, url)
    servers = [primary, replica]
    await follow(replica, primary)
    await on(replica, 'SET GLOBAL read_only = 1')
    await on(primary, `CREATE USER 'service'@'127.0.0.1' IDENTIFIED BY 'service'`)
    await on(
      primary,
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX ON *.* TO 'service'@'127.0.0.1'`,
    )
    const asService = Object.assign(new URL(primary.url), { username: 'service', password: 'service' })
    process.env.TEST_DATABASE_URL = asService.href
    direct = await startService()
    const both = together(direct.databaseUrl, atPort(direct.databaseUrl, Number(new URL(url).port)))
    const quiet = { report: () => undefined }
    service = await startAnother(both, PATIENT, quiet)
    // As another process would: its own choice of a host.
    reader = await startAnother(`${both}?ssl-mode=DISABLED`, PATIENT, quiet)
  }, 120_000)
  afterAll(async () => {
    process.env.TEST_DATABASE_URL = shared
    await Promise.all([service.stop(), reader.stop()])
    await on(servers[0], 'SET GLOBAL read_only = 0')
    await direct.stop()
    await Promise.all(servers.map((server) => server.stop()))
  })

  const put = (n: number): Promise<Answer> =>
    service.request('PUT', '/about/x/alice/n', { as: 'alice', primitive: String(n) })
  const get = (from: Service): Promise<Answer> => from.request('GET', '/about/x/alice/n', { as: 'alice' })

  test('has what runs on it stopped there, wherever new connections go', async () => {
    const [primary] = servers
    const working = `SELECT ID FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(602)'`
    const url = `${service.databaseUrl}?ssl-mode=disabled`
    const session = await openSession(url, 'read', PATIENT)
    const failed = expect(session.query('SELECT SLEEP(602)')).rejects.toMatchObject({
      code: 'PROTOCOL_CONNECTION_LOST',
    })
    while ((await on(primary, working)).length === 0);
    Atomics.store(Hosts.of(url).inUse, 0, 1)
    await session.interrupt()
    await failed
    while ((await on(primary, working)).length > 0);
  })

  test('is used through a switch: reads go on, nothing is lost, and writes go on where they can', async () => {
    const [primary, replica] = servers
    expect((await put(1)).status).toBe(204)
    expect((await get(reader)).json()).toBe(1)
    await on(primary, 'SET GLOBAL read_only = 1')
    for (let i = 0; i < 3; i++) {
      expect((await put(2)).status).toBe(503)
      expect((await get(service)).json()).toBe(1)
      expect((await get(reader)).json()).toBe(1)
    }
    await caughtUp(replica, primary)
    await stopFollowing(replica)
    await on(replica, 'SET GLOBAL read_only = 0')
    while ((await put(3)).status !== 204) await wait(20)
    expect((await get(service)).json()).toBe(3)
    // Nothing tells it but its own looking.
    while ((await get(reader)).json() !== 3) await wait(20)
    // The new primary alone has this.
    expect(await valueOn(primary)).toBe('1')
    expect(await valueOn(replica)).toBe('3')
  })

  test('does not go back to one that only reads, and reads from no replica that is alone', async () => {
    const [, replica] = servers
    await on(replica, 'SET GLOBAL read_only = 1')
    expect((await put(4)).status).toBe(503)
    expect((await get(service)).json()).toBe(3)
    await servers[1].stop()
    // The other one lacks what was acknowledged.
    let answer = await get(service)
    while (answer.status === 200) {
      expect(answer.json()).toBe(3)
      answer = await get(service)
    }
    for (let i = 0; i < 3; i++) expect((await get(service)).status).toBe(503)
  })
})

async function valueOn(server: MysqlServer): Promise<string> {
  const [{ name } = { name: '' }] = await on<{ name: string }>(
    server,
    `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE 'gloss\\_test\\_%'`,
  )
  const [row] = await on<{ content: Buffer }>(
    server,
    `SELECT content FROM ${name}.tag_values JOIN ${name}.tags ON tags.id = tag_id WHERE tags.path = 'alice/n' LIMIT 1`,
  )
  return row?.content.toString() ?? ''
}
