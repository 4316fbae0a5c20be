/** `gloss doctor`: each check says that all is well, and says what is wrong when it is. */
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { raw } from '../../src/data/database/connection/sql.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { RESTORING } from '../../src/data/store/tables.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { expectGolden, gloss, type Ended, useEmptyHome } from '../support/gloss.ts'
import { startService, type Service } from '../support/service.ts'

interface Finding {
  readonly check: string
  readonly state: string
  readonly found: string
  readonly remedy: string
}

const isSqlite = (globalThis as { database?: string }).database !== 'mysql'

/** Texts are stored as octets. */
const RESTORING_BLOCK = `x'${Buffer.from(RESTORING).toString('hex')}'`

let service: Service
const home = useEmptyHome()
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const doctor = (env: object, args: readonly string[] = [], columns?: number): Promise<Ended> =>
  gloss(['doctor', ...args], {
    cwd: home.folder,
    env: { PORT: '0', DATABASE_URL: service.databaseUrl, ...env },
    ...(columns === undefined ? {} : { columns }),
  })

/** What the checks find, by name. */
async function findings(
  env: object,
  args: readonly string[] = [],
): Promise<Readonly<Record<string, Finding>>> {
  const { stdout } = await doctor(env, [...args, '--json'])
  const all = JSON.parse(stdout) as Finding[]
  return Object.fromEntries(all.map((one) => [one.check, one]))
}

/** What is not as it should be, with the state. */
const wrong = (found: Readonly<Record<string, Finding>>): string[] =>
  Object.values(found)
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state }) => `${check}: ${state}`)

/** Depends on the machine; a server that is for tests alone need not keep what it acknowledges. */
const OF_MACHINES = ['memory', 'open files', 'disk', 'temporary files', 'durability'].map(
  (check) => `${check}: warning`,
)

test('a service that can start has 27 checks, 28 on SQLite, none of which fails', async () => {
  const { status, stdout, stderr } = await doctor({})
  expect(status).toBe(0)
  const checks = isSqlite ? 28 : 27
  expect(stdout.trim().split('\n')).toHaveLength(checks)
  expect(stdout).not.toMatch(/\t$/m)
  expect(stderr).toMatch(new RegExp(`^${String(checks)} checks: \\d+ ok, \\d warnings?, 0 failures\\n$`))
  expect(wrong(await findings({})).filter((one) => !OF_MACHINES.includes(one))).toEqual([])
})

test.each([80, 200])('on a terminal of %d columns each remedy stands below its check', async (columns) => {
  const { status, stdout } = await doctor({ WORKERS: '100', JSONP: 'maybe' }, [], columns)
  expect(status).toBe(1)
  const kept = stdout
    .split('\r\n')
    .filter((line) => /configuration|JSONP|gloss config|variables|proxies|address/.test(line))
  expectGolden(`doctor.${String(columns)}.txt`, kept.join('\n'))
})

describe('settings that are wrong', () => {
  test.each([
    ['configuration: failure', { JSONP: 'maybe' }],
    ['variables: failure', { DATABSE_URL: 'sqlite:a.db' }],
    ['password: warning', { ADMIN_PASSWORD: 'correct horse' }],
    ['address: warning', { HOST: '0.0.0.0' }],
    ['address: warning', { BASE_URL: 'http://gloss.example.org', TRUST_PROXY: 'loopback' }],
    ['proxies: warning', { BASE_URL: 'https://gloss.example.org' }],
    ['proxies: failure', { TRUST_PROXY: '0.0.0.0/1' }],
    ['origins: failure', { CORS_CREDENTIAL_ORIGINS: 'https://app.example.org/path' }],
    ['origins: warning', { CORS_CREDENTIAL_ORIGINS: 'http://app.example.org' }],
    ['processors: warning', { WORKERS: '128' }],
    ['open files: warning', { MAX_CONNECTIONS: '1000000' }],
    ['port: failure', { HOST: '192.0.2.1' }],
    ['admin port: failure', { ADMIN_PORT: '0', ADMIN_HOST: '192.0.2.1' }],
    ['temporary files: failure', { TMPDIR: '/proc/nowhere' }],
    ['database: failure', { DATABASE_URL: 'postgres://x' }],
    ['database: failure', { DATABASE_URL: 'mysql://u:p@127.0.0.1:1/g' }],
  ])('%s for %j', async (expected, env) => {
    const found = await findings(env)
    expect(wrong(found)).toContain(expected)
    const [name = ''] = expected.split(':')
    expect(found[name]?.remedy).not.toBe('')
    expect(JSON.stringify(found)).not.toContain('correct horse')
  })

  test('in a file .env that others may read', async () => {
    writeFileSync(join(home.folder, '.env'), 'ADMIN_PASSWORD=correct horse\n')
    const found = await findings({})
    expect(wrong(found)).toEqual(expect.arrayContaining(['.env: warning', 'password: warning']))
    chmodSync(join(home.folder, '.env'), 0o600)
    expect((await findings({}))['.env']?.state).toBe('ok')
  })
})

test('a port is in use by a program that is named, or by a Gloss that runs', async () => {
  const holder = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const taken = (await findings({ PORT: String(port) }))['port']
  holder.close()
  expect(taken).toMatchObject({
    state: 'failure',
    found: `PORT ${String(port)} is in use (by node, pid ${String(process.pid)})`,
  })
  const ours = (await findings({ PORT: new URL(service.url).port }))['port']
  expect(ours).toMatchObject({ state: 'ok', found: expect.stringContaining('a running Gloss has it') })
})

test('a schema that lacks something, or that is too new, and a restore that was broken off', async () => {
  const change = (statement: string): Promise<unknown> =>
    service.store.write(SERVICE, (tx) => tx.run(raw(statement)))
  const rename = (from: string, to: string): Promise<unknown> =>
    change(`UPDATE knex_migrations SET name = '${to}' WHERE name = '${from}'`)
  await rename(SCHEMA, '9999-later')
  expect((await findings({}))['schema']).toMatchObject({ state: 'failure' })
  await rename('9999-later', '9999-add-later')
  expect((await findings({}))['schema']).toMatchObject({
    state: 'warning',
    found: `it is older than this version: it lacks ${SCHEMA}`,
  })
  await rename('9999-add-later', SCHEMA)
  await change(`INSERT INTO id_blocks (kind, next_id) VALUES (${RESTORING_BLOCK}, 1)`)
  expect((await findings({}))['restore']).toMatchObject({ state: 'failure' })
  await change(`DELETE FROM id_blocks WHERE kind = ${RESTORING_BLOCK}`)
  expect((await findings({}))['restore']).toMatchObject({ state: 'ok' })
})

const aFile = (): void => {
  test('that others may read, that nobody may write, or that is none', async () => {
    const file = service.databaseUrl.slice('sqlite:'.length)
    chmodSync(file, 0o644)
    expect((await findings({}))['file']).toMatchObject({ state: 'warning' })
    chmodSync(file, 0o400)
    expect((await findings({}))['file']).toMatchObject({ state: 'failure' })
    chmodSync(file, 0o600)
    writeFileSync(
      join(home.folder, 'text.db'),
      'no database, but a text that is long enough to be one'.repeat(99),
    )
    const text = await findings({ DATABASE_URL: 'sqlite:text.db' })
    expect(text['database']).toMatchObject({
      state: 'failure',
      found: expect.stringContaining('is not a SQLite'),
    })
    expect(text['schema']).toMatchObject({ state: 'unknown' })
  })

  test('that is not there is no failure, unless its folder cannot be written', async () => {
    expect((await findings({ DATABASE_URL: 'sqlite:new/a.db' }))['database']).toMatchObject({ state: 'ok' })
    const nowhere = await findings({ DATABASE_URL: 'sqlite:/proc/a.db' })
    expect(wrong(nowhere)).toEqual(expect.arrayContaining(['journal: failure']))
  })
}
if (isSqlite) describe('a file of SQLite', aFile)

/** A proxy that does one thing to requests or answers. */
interface Habit {
  readonly path?: (path: string) => string
  readonly refuses?: (request: IncomingMessage) => boolean
  readonly drops?: readonly string[]
  readonly compresses?: boolean
  readonly lengths?: boolean
  /** Headers that it adds or replaces; undefined removes one. */
  readonly forwards?: Readonly<Record<string, string | undefined>>
}

function proxy(
  { path = (it) => it, refuses = () => false, drops = [], compresses, lengths, forwards }: Habit,
  port: string,
): Server {
  const pass = (req: IncomingMessage, res: ServerResponse): void => {
    if (refuses(req)) {
      res.writeHead(431).end()
      return
    }
    const headers = Object.fromEntries(
      Object.entries({ ...req.headers, ...forwards }).filter(([, value]) => value !== undefined),
    )
    if (lengths && 'transfer-encoding' in headers) {
      delete headers['transfer-encoding']
      headers['content-length'] = '2'
    }
    const target = { port, method: req.method, path: path(req.url ?? ''), headers }
    const asked = request(target, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const given = Object.entries(answer.headers).filter(([name]) => !drops.includes(name))
        const body = Buffer.concat(parts)
        if (!compresses || req.headers['accept-encoding'] === undefined)
          res.writeHead(answer.statusCode ?? 0, Object.fromEntries(given)).end(body)
        else {
          const others = given.filter(([name]) => name !== 'content-length')
          const more = { ...Object.fromEntries(others), 'content-encoding': 'gzip' }
          res.writeHead(answer.statusCode ?? 0, more).end(gzipSync(body))
        }
      })
    })
    req.pipe(asked)
  }
  return createServer({ maxHeaderSize: 200_000 }, pass).listen(0, '127.0.0.1')
}

/** What the doctor finds behind a proxy. */
async function findingsBehind(habit: Habit, { url: behind }: Service): ReturnType<typeof findings> {
  const server = proxy(habit, new URL(behind).port)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const found = await findings({}, ['--url', url])
  server.close()
  return found
}

describe('what is in front of a service', () => {
  test.each<[string, string[], Habit]>([
    ['nothing', [], {}],
    ['decodes', ['%2F in paths: failure'], { path: (it) => it.replaceAll('%2F', '/') }],
    ['resolves dots', ['.. in paths: failure'], { path: (it) => it.replace('a/../b', 'b') }],
    ['merges slashes', ['// in paths: failure'], { path: (it) => it.replaceAll('//', '/') }],
    ['gives lengths', ['chunked bodies: warning'], { lengths: true }],
    ['refuses long URLs', ['long URLs: failure'], { refuses: ({ url = '' }) => url.length > 8000 }],
    [
      'refuses long headers',
      ['long headers: failure'],
      { refuses: ({ headers }) => 'x-gloss-doctor-9' in headers },
    ],
    ['refuses HEAD', ['HEAD: warning'], { refuses: ({ method }) => method === 'HEAD' }],
    ['compresses', ['compression: failure'], { compresses: true }],
    ['drops entity tags', ['conditions: failure'], { drops: ['etag'] }],
    ['refuses everything', ['url: failure'], { refuses: () => true }],
  ])('%s', async (_what, expected, habit) => {
    const found = wrong(await findingsBehind(habit, service))
    const own = found.filter((one) => !OF_MACHINES.includes(one) && !one.endsWith('unknown'))
    expect(own).toEqual(expected)
  })

  // The proxy and the doctor are at one address, which the service trusts.
  test.each<[string, string[], Habit]>([
    [
      'replaces all three',
      [],
      {
        forwards: {
          'x-forwarded-for': undefined,
          'x-forwarded-proto': undefined,
          'x-forwarded-host': undefined,
        },
      },
    ],
    ["passes a client's on", ['scheme: warning', 'host: warning', 'client address: warning'], {}],
    [
      'says wrong ones',
      ['scheme: failure', 'host: failure', 'client address: warning'],
      {
        forwards: {
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'inner.example.org',
        },
      },
    ],
  ])('that is trusted, and %s', async (_what, expected, habit) => {
    const trusting = await startService({ TRUST_PROXY: 'loopback', BASE_URL: 'https://gloss.example.org' })
    const found = wrong(await findingsBehind(habit, trusting)).filter((one) =>
      /^(scheme|host|client)/.test(one),
    )
    await trusting.stop()
    expect(found).toEqual(expected)
  })

  test('nothing is there', async () => {
    const found = await findings({}, ['--url', 'http://127.0.0.1:1'])
    expect(found['url']).toMatchObject({
      state: 'failure',
      found: expect.stringContaining('nothing listens'),
    })
    expect(found['HEAD']).toMatchObject({ state: 'unknown' })
  })
})
