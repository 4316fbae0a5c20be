/** Every operation answers 503 while the database cannot be reached, and 500 while it has no tables. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/settings/config.ts'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { createStore } from '../../src/data/store/store.ts'
import { createHttpServer } from '../../src/http/server/server.ts'
import { AnswerRecorder } from '../support/answer-recorder.ts'
import { freshDatabase } from '../support/database.ts'
import { CONTRACT_OPERATIONS, PATHS } from '../support/samples.ts'
import { ask, type Parts } from '../wire/raw-requests.ts'
import { freePort } from '../support/ports.ts'

const awayUrl = async (): Promise<string> =>
  `mysql://nobody:nothing@127.0.0.1:${String(await freePort())}/gloss`

/** A service on a database that is not set up; its faults are collected instead of printed. */
function useServiceOn(databaseUrl: () => Promise<string>): { url: string; readonly reported: string[] } {
  const setting = { url: '', reported: [] as string[] }
  const answers = new AnswerRecorder()
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const config = readConfig({ DATABASE_URL: await databaseUrl() })
    const store = createStore(config.databaseUrl)
    const ignore = (): void => undefined
    const report = (message: string): unknown => setting.reported.push(message)
    const app = await createApp(config, store, { report, observe: ignore, note: ignore, answered: ignore })
    const server = createHttpServer(config, app)
    answers.watch(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    setting.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
    stop = async () => {
      server.closeAllConnections()
      server.close()
      await store.close()
    }
  })
  afterAll(async () => {
    await stop?.()
    answers.close()
  })
  return setting
}

const REQUESTS: readonly (readonly [method: string, path: string, parts: Parts])[] = [
  ['GET', '/users/alice', {}],
  ['GET', '/objects?query=has+alice/x', {}],
  ...CONTRACT_OPERATIONS.map((operation): [string, string, Parts] => {
    const [method = '', template = ''] = operation.split(' ')
    return [method, PATHS.get(template) ?? '', { as: 'alice' }]
  }),
]

describe('503 from an unreachable database', () => {
  const setting = useServiceOn(awayUrl)

  test.each(REQUESTS)('%s %s', async (method, path, parts) => {
    const answer = await ask(setting.url, method, path, parts)
    expect([answer.status, answer.error, answer.body.length]).toEqual([503, 'ServiceUnavailable', 0])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(setting.reported.at(-1)).toContain(answer.headers['x-service-request-id'])
  })
})

describe('500 from a database without tables', () => {
  let drop: (() => Promise<void>) | undefined
  const setting = useServiceOn(async () => {
    const database = await freshDatabase()
    drop = () => database.drop()
    // To SQLite an empty file is a database without tables; without the file there is no database.
    if (database.url.startsWith('sqlite:')) await writeFile(sqlitePath(database.url), '')
    return database.url
  })
  afterAll(() => drop?.())

  test.each(REQUESTS)('%s %s', async (method, path, parts) => {
    const answer = await ask(setting.url, method, path, parts)
    expect([answer.status, answer.error, answer.body.length]).toEqual([500, 'InternalServerError', 0])
    expect(setting.reported.at(-1)).toContain(answer.headers['x-service-request-id'])
  })
})
