/** TLS to the database: whatever connects is encrypted as the URL says, or refused with what to do about it. */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createConnection } from 'mysql2/promise'
import { openProbe } from '../../src/data/database/probe.ts'
import { Hosts } from '../../src/data/database/mysql/mysql-hosts.ts'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { executor } from '../../src/data/database/mysql/mysql.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { openStoreCheck } from '../../src/data/store/store-check.ts'
import { createStore } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { Authority, type Certificate } from '../support/certificates.ts'
import { engineOfProject, PATIENT } from '../support/database.ts'
import {
  askedOf,
  faultOf,
  sendSample,
  SHORT_WAITS,
  startHarmed,
  untilGreen,
  type Harmed,
} from '../support/harmed.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { INHERITED, listening, programFile, runProcess } from '../support/process.ts'
import { HARMS, TcpProxy } from '../support/tcp-proxy.ts'

let ours: Authority
let others: Authority
let client: Certificate
/** Of the server. */
let own: Certificate
let server: MysqlServer
let plain: MysqlServer
let harmed: Harmed
const shared = process.env.TEST_DATABASE_URL
const engine = engineOfProject()

const WITHOUT_TLS = { mariadb: '--skip-ssl', mysql: '--tls-version=' } as const
/** MariaDB refuses the account, MySQL says why. */
const REQUIRES_TLS = {
  mariadb: /the password, the privileges, and whether it requires TLS \(ssl-mode\)/,
  mysql: /^DATABASE_URL: 127.0.0.1:\d+ requires TLS: add ssl-mode to the URL/m,
} as const

const settingsOf = ({ cert, key }: Certificate): string[] => [
  `--ssl-ca=${ours.ca}`,
  `--ssl-cert=${cert}`,
  `--ssl-key=${key}`,
]

beforeAll(async () => {
  ours = await Authority.create()
  others = await Authority.create()
  client = ours.sign('client', 'DNS:client')
  own = ours.sign('server', 'DNS:localhost')
  server = await startMysqlServer({ engine, settings: settingsOf(own) })
  plain = await startMysqlServer({ engine, settings: [WITHOUT_TLS[engine]] })
  await administer('CREATE DATABASE gloss')
  await administer(`CREATE USER 'strict'@'127.0.0.1' IDENTIFIED BY 'strict' REQUIRE X509`)
  await administer(`GRANT ALL ON gloss.* TO 'strict'@'127.0.0.1'`)
  // Nobody gets in without TLS any more.
  await administer('SET GLOBAL require_secure_transport = ON')
  process.env.TEST_DATABASE_URL = urlOf('?ssl-mode=REQUIRED')
}, 120_000)
afterAll(async () => {
  process.env.TEST_DATABASE_URL = shared
  await Promise.all([server.stop(), plain.stop()])
  ours.remove()
  others.remove()
})

async function administer(statement: string): Promise<void> {
  const connection = await createConnection(server.url)
  await connection.query(statement).finally(() => connection.end())
}

/** A URL of the server, by another name, user or port. */
function urlOf(
  query: string,
  changes: Partial<Pick<URL, 'hostname' | 'username' | 'password'>> = {},
): string {
  return Object.assign(new URL(`/gloss${query}`, server.url), changes).href
}

const verifying = (mode: string, ca: string): string => `?ssl-mode=${mode}&ssl-ca=${ca}`
const cipherOf = raw(`SHOW STATUS LIKE 'Ssl_cipher'`)

async function cipher(databaseUrl: string): Promise<string> {
  const session = await openSession(databaseUrl, 'read', PATIENT)
  const [row] = await session.query<{ Value: string }>(cipherOf.text)
  await session.close()
  return row?.Value ?? ''
}

describe('a connection is encrypted', () => {
  test('by every mode that fits the certificate of the server', async () => {
    for (const url of [
      urlOf('?ssl-mode=REQUIRED'),
      urlOf(verifying('VERIFY_CA', ours.ca)),
      urlOf(verifying('VERIFY_IDENTITY', ours.ca), { hostname: 'localhost' }),
    ])
      expect(await cipher(url)).toMatch(/^TLS_/)
  })

  test('and it is known when the certificate of the server ends', async () => {
    const { validTo } = new X509Certificate(readFileSync(own.cert))
    const check = openStoreCheck(urlOf('?ssl-mode=REQUIRED'))
    await check.look()
    expect(check.certificateEnds()).toBe(Date.parse(validTo))
    check.close()
  })

  test('with a certificate of the client, if there is one', async () => {
    const strict = { username: 'strict', password: 'strict' }
    const files = `ssl-cert=${client.cert}&ssl-key=${client.key}`
    expect(await cipher(urlOf(`${verifying('VERIFY_CA', ours.ca)}&${files}`, strict))).toMatch(/^TLS_/)
    await expect(cipher(urlOf('?ssl-mode=REQUIRED', strict))).rejects.toMatchObject({
      code: 'ER_ACCESS_DENIED_ERROR',
    })
  })

  test('by the files as they are when it is opened', async () => {
    const ca = `${ours.ca}.changing`
    const url = urlOf(verifying('VERIFY_CA', ca))
    const [own, other] = [readFileSync(ours.ca, 'utf8'), readFileSync(others.ca, 'utf8')]
    for (const text of [own, `${other}${own}`, own]) {
      writeFileSync(ca, text)
      expect(await cipher(url)).toMatch(/^TLS_/)
    }
    writeFileSync(ca, other)
    await expect(cipher(url)).rejects.toMatchObject({ code: 'HANDSHAKE_SSL_ERROR' })
    writeFileSync(ca, 'half a certif')
    await expect(Hosts.of(url).renew(PATIENT)).rejects.toMatchObject({ code: 'TLS_FILE' })
    writeFileSync(ca, own)
    expect(await Hosts.of(url).renew(PATIENT)).toBe(false)
    expect(await cipher(url)).toMatch(/^TLS_/)
  })

  test('for readers, writers, searches, migrations and the check of the database', async () => {
    const url = urlOf('?ssl-mode=REQUIRED')
    const store = createStore(url, undefined, PATIENT)
    // The server lets nobody in without.
    await store.migrate()
    const never = new AbortController().signal
    const ciphers: unknown[] = [
      await store.readRow(cipherOf),
      await store.scan(SERVICE, never, (tx) => tx.one(cipherOf)),
      await store.write(SERVICE, (tx) => tx.one(cipherOf)),
    ]
    await store.close()
    const probe = openProbe(url, 60_000)
    ciphers.push((await probe.ask(cipherOf.text))[0])
    probe.close()
    for (const found of ciphers) expect(String((found as { Value: unknown }).Value)).toMatch(/^TLS_/)
  })
})

describe('a start is refused', () => {
  const refusals: readonly (readonly [what: string, url: () => string, said: RegExp])[] = [
    [
      'by a certificate of another authority',
      () => urlOf(verifying('VERIFY_CA', others.ca)),
      /^DATABASE_URL: no authority that is known signed the certificate of 127.0.0.1:\d+: name the file .* by ssl-ca/m,
    ],
    [
      'by a certificate of another name',
      () => urlOf(verifying('VERIFY_IDENTITY', ours.ca)),
      /^DATABASE_URL: the certificate of 127.0.0.1:\d+ is not for '127.0.0.1': name the host as its certificate does/m,
    ],
    [
      'by a server without TLS',
      () => `${new URL('/mysql', plain.url).href}?ssl-mode=REQUIRED`,
      /^DATABASE_URL: 127.0.0.1:\d+ offers no TLS: set up a certificate there/m,
    ],
    ['without TLS where it is required', () => urlOf(''), REQUIRES_TLS[engine]],
  ]

  test.each(refusals)('%s, at once and with what to do', async (_what, url, said) => {
    const { end, printed } = runProcess({ DATABASE_URL: url(), STARTUP_WAIT_MS: '600000' })
    expect(await end).toBe(1)
    expect(printed()).toMatch(said)
    expect(printed()).not.toContain('Waiting')
    expect(printed()).not.toContain(new URL(url()).password)
  })
})

test('migrations say what to do, too', () => {
  const env = { ...INHERITED, DATABASE_URL: urlOf(verifying('VERIFY_CA', others.ca)) }
  const { status, stdout, stderr } = spawnSync(process.execPath, [programFile('command/gloss'), 'migrate'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^gloss: DATABASE_URL: no authority that is known signed the certificate of 127.0.0.1:\d+\n {2}→ .*\n$/,
  )
})

test('an address is compared with the addresses of the certificate, not with `localhost`', async () => {
  const addressed = ours.sign('addressed', 'IP:127.0.0.1')
  const other = await startMysqlServer({ engine, settings: settingsOf(addressed) })
  const query = `mysql${verifying('VERIFY_IDENTITY', ours.ca)}`
  expect(await cipher(other.url + query)).toMatch(/^TLS_/)
  await expect(cipher(other.url.replace('127.0.0.1', 'localhost') + query)).rejects.toThrow('does not match')
  await other.stop()
})

test('a process serves by TLS and says where its data is, without the parameters', async () => {
  const service = runProcess({ DATABASE_URL: urlOf(verifying('VERIFY_CA', ours.ca)) })
  expect(await listening(service)).toBeGreaterThan(0)
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
  expect(service.printed()).toMatch(/^The data is in the database gloss on 127.0.0.1:\d+$/m)
})

describe('an encrypted connection that breaks', () => {
  beforeAll(async () => {
    harmed = await startHarmed()
  })
  afterAll(() => harmed.stop())

  test('is encrypted, beyond the proxy that harms it', async () => {
    // By a store that waits: the harmed one gives a server up that takes 400 ms for a connection.
    const store = createStore(harmed.proxy.url, undefined, PATIENT)
    expect(await store.readRow(cipherOf)).toMatchObject({ Value: expect.stringMatching(/^TLS_/) })
    await store.close()
  })

  test.each(HARMS)('by all being %s at once, is survived by requests of every kind', async (harm) => {
    const kinds = [
      'GET /objects',
      'GET /values',
      'PUT /values',
      'PUT /about/{about_value}/{tag_path}',
      'GET /users/{username}',
    ]
    const samples = await Promise.all(kinds.map((operation) => askedOf(harmed, operation)))
    const answers = samples.map((sample) => sendSample(harmed, sample))
    await Promise.race(answers)
    harmed.proxy.harmAll(harm)
    const all = await Promise.all(answers)
    expect(samples.map((sample, i) => faultOf(sample, all[i] as (typeof all)[0]))).toEqual(
      kinds.map(() => undefined),
    )
    await untilGreen(harmed, kinds)
  })

  test.each(['cut', 'reset', 'freeze'] as const)('fails what streams, and closes: %s', async (harm) => {
    const proxy = await TcpProxy.start(harmed.calm.databaseUrl)
    const session = await openSession(proxy.url, 'read', SHORT_WAITS)
    const execute = executor(session)
    const slow = execute({ do: 'ids', text: 'SELECT SLEEP(600) AS object_id', values: [] })
    const failed = expect(slow).rejects.toThrow()
    proxy.harmAll(harm)
    await failed
    await expect(session.query('SELECT 1')).rejects.toThrow()
    await session.closed
    await proxy.stop()
  })

  test('is interrupted in the middle of a statement, which ends on the server', async () => {
    const session = await openSession(harmed.calm.databaseUrl, 'read', PATIENT)
    const failed = expect(session.query('SELECT SLEEP(601)')).rejects.toMatchObject({
      code: 'PROTOCOL_CONNECTION_LOST',
    })
    const working = raw(
      `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(601)'`,
    )
    const count = async (): Promise<number> =>
      (await harmed.calm.store.readRow<{ n: number }>(working))?.n ?? 0
    while ((await count()) === 0);
    await session.interrupt()
    await failed
    await session.closed
    while ((await count()) > 0);
  })

  test('is lost, not refused, if that happens while it is being encrypted', async () => {
    const { hostname, port } = new URL(server.url)
    const half = createServer((incoming) => {
      const outgoing = connect({ host: hostname, port: Number(port) })
      outgoing.once('data', (greeting: Buffer) => {
        incoming.write(greeting)
        incoming.once('data', () => {
          incoming.destroy()
          outgoing.destroy()
        })
      })
    }).listen(0, '127.0.0.1')
    await once(half, 'listening')
    const away = Object.assign(new URL(urlOf('?ssl-mode=REQUIRED')), {
      port: String((half.address() as AddressInfo).port),
    })
    await expect(cipher(away.href)).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' })
    half.close()
  })
})
