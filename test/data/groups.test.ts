/**
 * MySQL Group Replication: a server is used only as long as its group has it serve. One that was put out, or that found no
 * group when it started, takes writes that no other server will ever have.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createConnection } from 'mysql2/promise'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { PATIENT } from '../support/database.ts'
import { provideProgram } from '../support/mysql-programs.ts'
import { startMysqlServer, type MysqlServer } from '../support/mysql-server.ts'
import { freePort } from '../support/ports.ts'
import { runProcess, type ServiceProcess } from '../support/process.ts'
import { startAnother, startService, type Answer, type Service } from '../support/service.ts'

const GROUP = 'd2b7f9a4-53c1-4d0e-8a86-0f4b1c9e7d35'
const MEMBERS = 'performance_schema.replication_group_members'

/** Where it cannot be had, the last lines of a run say so. */
function hasMysql(): boolean {
  try {
    provideProgram('mysql')
    return true
  } catch {
    return false
  }
}
const describeGroup = hasMysql() ? describe : describe.skip

describeGroup('a server of a group', () => {
  const shared = process.env.TEST_DATABASE_URL
  let server: MysqlServer
  let made: Service
  let service: Service
  let url: string
  let started: ServiceProcess | undefined

  beforeAll(async () => {
    server = await startMysqlServer({
      engine: 'mysql',
      settings: [
        ...['--innodb-buffer-pool-size=128M', '--server-id=1', '--log-bin=log'],
        ...['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--report-host=127.0.0.1'],
        ...['--plugin-load-add=group_replication.so', `--group-replication-group-name=${GROUP}`],
        '--group-replication-start-on-boot=OFF',
        `--group-replication-local-address=127.0.0.1:${String(await freePort())}`,
      ],
    })
    await administer(`CREATE USER 'service'@'127.0.0.1' IDENTIFIED BY 'service'`)
    await administer(`GRANT ALL ON \`gloss\\_test\\_%\`.* TO 'service'@'127.0.0.1'`)
    await administer(`GRANT SELECT ON ${MEMBERS} TO 'service'@'127.0.0.1'`)
    await begin()
    process.env.TEST_DATABASE_URL = server.url
    const asService = { username: 'service', password: 'service' }
    made = await startService()
    url = Object.assign(new URL(made.databaseUrl), asService).href
    service = await startAnother(url, PATIENT, { report: () => undefined })
  }, 300_000)
  afterAll(async () => {
    await service.stop()
    await made.stop()
    process.env.TEST_DATABASE_URL = shared
    await server.stop()
  })

  afterEach(() => {
    started?.process.kill('SIGKILL')
  })

  async function administer(statement: string): Promise<unknown[]> {
    const connection = await createConnection(server.url)
    const [rows] = await connection.query(statement).finally(() => connection.end())
    return rows as unknown[]
  }

  /** Makes it a group of its own. */
  async function begin(): Promise<void> {
    await administer('SET GLOBAL group_replication_bootstrap_group = ON')
    await administer('START GROUP_REPLICATION')
    while ((await administer(`SELECT 1 FROM ${MEMBERS} WHERE MEMBER_STATE = 'ONLINE'`)).length === 0);
    while ((await administer('SELECT 1 FROM DUAL WHERE @@super_read_only = 0')).length === 0);
  }

  /** As it is when it has found no group in a minute. */
  async function leave(): Promise<void> {
    await administer('STOP GROUP_REPLICATION')
    await administer('SET GLOBAL super_read_only = 0')
    await administer('SET GLOBAL read_only = 0')
  }

  const put = (n: number): Promise<Answer> =>
    service.request('PUT', '/about/x/alice/n', { as: 'alice', primitive: String(n) })
  const get = (): Promise<Answer> => service.request('GET', '/about/x/alice/n', { as: 'alice' })

  test('is asked for what was acknowledged anywhere, by an account without special rights', async () => {
    for (const purpose of ['lookup', 'read', 'write', 'row'] as const) {
      const session = await openSession(url, purpose, PATIENT)
      const [row] = await session.query('SELECT @@group_replication_consistency AS consistency')
      expect(row).toEqual({ consistency: 'BEFORE' })
      await session.close()
    }
  })

  test('serves while it is in its group, is left when it is outside, and serves again', async () => {
    expect((await put(1)).status).toBe(204)
    await leave()
    // Nothing tells it but its own looking.
    while ((await put(2)).status !== 503) await sleep(20)
    while ((await get()).status !== 503) await sleep(20)
    expect((await put(3)).status).toBe(503)
    await expect(openSession(url, 'read', PATIENT)).rejects.toThrow('the server is OFFLINE in its group')
    await begin()
    while ((await put(4)).status !== 204) await sleep(20)
    expect((await get()).json()).toBe(4)
  })

  test('that was outside from the start is no host of several either', async () => {
    await leave()
    const { host } = new URL(url)
    const twice = url.replace(host, `${host},${host}`)
    await expect(openSession(twice, 'write', PATIENT)).rejects.toMatchObject({ code: 'GROUP_OUTSIDER' })
    const { end, printed } = (started = runProcess({ DATABASE_URL: url, STARTUP_WAIT_MS: '1' }))
    expect(await end).toBe(1)
    expect(printed().trim().split('\n').at(-1)).toMatch(
      /^DATABASE_URL: 127.0.0.1:\d+: the server is OFFLINE in its group \(GROUP_OUTSIDER\)$/,
    )
    await begin()
  })

  test('is refused at once where the account may not see its state, with the right that is missing', async () => {
    await administer(`CREATE USER 'blind'@'127.0.0.1' IDENTIFIED BY 'blind'`)
    await administer(`GRANT ALL ON \`gloss\\_test\\_%\`.* TO 'blind'@'127.0.0.1'`)
    const blind = Object.assign(new URL(url), { username: 'blind', password: 'blind' }).href
    const { end, printed } = (started = runProcess({ DATABASE_URL: blind, STARTUP_WAIT_MS: '600000' }))
    expect(await end).toBe(1)
    const [, grant = ''] = /: (GRANT SELECT ON \S+ TO \S+) \(GROUP_UNREADABLE\)$/m.exec(printed()) ?? []
    await administer(grant)
    const session = await openSession(blind, 'read', PATIENT)
    await session.close()
  })
})
