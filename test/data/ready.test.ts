/** `/readyz` says what requests are told: each state of the database in which they are refused makes an instance not ready. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createConnection, type Connection } from 'mysql2/promise'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { freePort } from '../support/ports.ts'
import { listening, runProcess, type ServiceProcess } from '../support/process.ts'

const ACCOUNT = `'service'@'127.0.0.1'`
const MIGRATING = 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP'
const PASSWORD = 'open sesame'

let server: MysqlServer
/** Of the administrator; it stays, as new ones may be refused. */
let admin: Connection
let service: ServiceProcess & { readonly port: number; readonly admin: number }

beforeAll(async () => {
  server = await startMysqlServer({ settings: ['--log-bin=log', '--server-id=1'] })
  admin = await createConnection(server.url)
  await administer('CREATE DATABASE gloss')
  await administer(`CREATE USER ${ACCOUNT} IDENTIFIED BY 'service'`)
  await administer(`GRANT ${MIGRATING} ON gloss.* TO ${ACCOUNT}`)
  await administer('SET GLOBAL sync_binlog = 0')
  service = await start()
  for (const tag of ['n', 'm']) expect(await send('PUT', `/about/x/service/${tag}`, '1')).toBe(204)
}, 120_000)
afterAll(async () => {
  service.process.kill('SIGKILL')
  await service.end
  await admin.end()
  await server.stop()
})

async function administer<Row>(statement: string): Promise<Row[]> {
  const [rows] = await admin.query(statement)
  return rows as Row[]
}

const url = (): string =>
  Object.assign(new URL(server.url), { username: 'service', password: 'service', pathname: '/gloss' }).href

async function start(): Promise<typeof service> {
  const port = await freePort()
  const started = runProcess({
    DATABASE_URL: url(),
    ADMIN_PASSWORD: PASSWORD,
    ADMIN_PORT: String(port),
  })
  return { ...started, admin: port, port: await listening(started) }
}

const AUTHORIZATION = `Basic ${Buffer.from(`service:${PASSWORD}`).toString('base64')}`

async function send(method: string, path: string, body?: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${String(service.port)}${path}`, {
    method,
    headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/vnd.service.value+json' },
    ...(body === undefined ? {} : { body }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const read = (): Promise<number> => send('GET', '/about/x/service/n')
const write = (): Promise<number> => send('PUT', '/about/x/service/n', '2')

interface State {
  readonly status: number
  readonly database: string
}

async function state(): Promise<State> {
  const answer = await fetch(`http://127.0.0.1:${String(service.admin)}/readyz`)
  const { checks } = (await answer.json()) as { checks: { database: string } }
  return { status: answer.status, database: checks.database }
}

const READY = ['gloss_ready 1']
const DATABASE_FAILS = ['gloss_ready 0', 'gloss_not_ready_reason{reason="database"} 1']

/** The metrics of readiness: the first one, and the reasons that are 1. */
async function readiness(): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${String(service.admin)}/metrics`)).text()
  return text.match(/^gloss_ready .*|^gloss_not_ready_reason.* 1$/gm) ?? []
}

/** Waits until `/readyz` says `status`, and returns what it says of the database then. */
async function untilReadiness(status: number): Promise<string> {
  for (;;) {
    const now = await state()
    if (now.status === status) return now.database
    await sleep(100)
  }
}

/** Ends the connections of the service that were made before: an account is asked for when it signs in. */
async function disconnect(): Promise<void> {
  const theirs = `SELECT ID AS id FROM information_schema.PROCESSLIST WHERE USER = 'service'`
  for (const { id } of await administer<{ id: number }>(theirs))
    await administer(`KILL ${String(id)}`).catch(() => undefined)
}

test('the start warns of settings with which a crash loses what was acknowledged', () => {
  expect(service.printed()).toContain(
    'Warning: a crash of the database server loses what was acknowledged last: set sync_binlog = 1 there\n',
  )
})

describe('not ready without a restart of any connection, and ready again by itself', () => {
  test.each<[what: string, refuse: string, mend: string, said: RegExp]>([
    [
      'another password',
      `ALTER USER ${ACCOUNT} IDENTIFIED BY 'another'`,
      `ALTER USER ${ACCOUNT} IDENTIFIED BY 'service'`,
      /^Access denied for user/,
    ],
    [
      'a locked account',
      `ALTER USER ${ACCOUNT} ACCOUNT LOCK`,
      `ALTER USER ${ACCOUNT} ACCOUNT UNLOCK`,
      /locked/,
    ],
    [
      'no rights',
      `REVOKE ${MIGRATING} ON gloss.* FROM ${ACCOUNT}`,
      `GRANT ${MIGRATING} ON gloss.* TO ${ACCOUNT}`,
      /denied/,
    ],
  ])('%s', async (_what, refuse, mend, said) => {
    expect(await untilReadiness(200)).toBe('ok')
    await administer(refuse)
    expect(await untilReadiness(503)).toMatch(said)
    await disconnect()
    expect([await read(), await write()]).toEqual([503, 503])
    expect((await state()).status).toBe(503)
    expect(await readiness()).toEqual(DATABASE_FAILS)
    await administer(mend)
    await untilReadiness(200)
    expect([await read(), await write()]).toEqual([200, 204])
    expect(await readiness()).toEqual(READY)
  })

  test('a server that stands still, for which the metrics do not wait', async () => {
    await untilReadiness(200)
    const [row] = await administer<{ file: string }>('SELECT @@pid_file AS file')
    const pid = Number(readFileSync(row?.file ?? '', 'utf8'))
    process.kill(pid, 'SIGSTOP')
    try {
      await untilReadiness(503)
      expect(await readiness()).toEqual(DATABASE_FAILS)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await untilReadiness(200)
    expect(await readiness()).toEqual(READY)
  })

  test.each(['INSERT', 'UPDATE', 'DELETE'])('no right to %s', async (right) => {
    await untilReadiness(200)
    await administer(`REVOKE ${right} ON gloss.* FROM ${ACCOUNT}`)
    expect(await untilReadiness(503)).toMatch(new RegExp(`^${right} command denied`))
    expect(await read()).toBe(200)
    await administer(`GRANT ${right} ON gloss.* TO ${ACCOUNT}`)
    await untilReadiness(200)
    expect([await read(), await write()]).toEqual([200, 204])
  })

  test('a server that only reads', async () => {
    await untilReadiness(200)
    await administer('SET GLOBAL read_only = ON')
    expect(await untilReadiness(503)).toMatch(/read-only/)
    expect([await read(), await write()]).toEqual([200, 503])
    await administer('SET GLOBAL read_only = OFF')
    await untilReadiness(200)
    expect(await write()).toBe(204)
  })

  test('all connections used up by others', async () => {
    await untilReadiness(200)
    await administer(`CREATE USER 'other'@'127.0.0.1' IDENTIFIED BY 'other'`)
    await administer('SET GLOBAL max_connections = 10')
    const another = Object.assign(new URL(server.url), { username: 'other', password: 'other' }).href
    const others: Connection[] = []
    const takeAll = async (): Promise<void> => {
      for (;;) {
        const connection = await createConnection(another).catch(() => undefined)
        if (connection === undefined) return
        others.push(connection)
      }
    }
    // What the service gives back, its check included, is taken at once.
    let said = ''
    while (said === '') {
      await disconnect()
      await takeAll()
      const { status, database } = await state()
      if (status === 503 && database.includes('Too many connections')) said = database
    }
    expect([await read(), await write()]).toEqual([503, 503])
    expect((await state()).status).toBe(503)
    await administer('SET GLOBAL max_connections = 151')
    await Promise.all(others.map((connection) => connection.end()))
    await untilReadiness(200)
    expect([await read(), await write()]).toEqual([200, 204])
  })
})

test('a pool that is full of our own work is no failure', async () => {
  await untilReadiness(200)
  const blocker = await createConnection(Object.assign(new URL(server.url), { pathname: '/gloss' }).href)
  await blocker.query('BEGIN')
  await blocker.query('SELECT * FROM tag_values FOR UPDATE')
  // More than there are connections; all of them wait for the lock.
  const waiting = Array.from({ length: 40 }, write)
  const busy = async (): Promise<number> => {
    const [row] = await administer<{ n: number }>(
      `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE USER = 'service' AND COMMAND <> 'Sleep'`,
    )
    return Number(row?.n)
  }
  while ((await busy()) < 6) await sleep(20)
  const states: State[] = []
  for (let i = 0; i < 20; i++) {
    states.push(await state())
    await sleep(200)
  }
  expect(new Set(states.map(({ status, database }) => `${String(status)} ${database}`))).toEqual(
    new Set(['200 ok']),
  )
  await blocker.query('ROLLBACK')
  await blocker.end()
  await Promise.all(waiting)
})

test('a lock on all tables, as for a backup, is no failure, and leaves no connection behind', async () => {
  await untilReadiness(200)
  await administer('FLUSH TABLES WITH READ LOCK')
  for (let i = 0; i < 6; i++) {
    expect(await state()).toEqual({ status: 200, database: 'ok' })
    await sleep(1000)
  }
  const [row] = await administer<{ n: number }>(
    `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE USER = 'service' AND STATE LIKE 'Waiting%'`,
  )
  expect(Number(row?.n)).toBeLessThanOrEqual(1)
  await administer('UNLOCK TABLES')
})
