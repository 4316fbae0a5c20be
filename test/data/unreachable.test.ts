/** The service while its database is away: 503 and Retry-After, for everybody and every operation. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createStore, type Store } from '../../src/data/store.ts'
import { closedPort } from './ports.ts'

let store: Store
let server: Server
const reported: string[] = []

beforeAll(async () => {
  const config = readConfig({
    DATABASE_URL: `mysql://nobody:nothing@127.0.0.1:${String(await closedPort())}/gloss`,
  })
  store = createStore(config.databaseUrl)
  const app = await createApp(config, store, (message) => reported.push(message))
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await store.close()
})

const credentials = { authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}` }

test.each<[method: string, path: string, headers: Record<string, string>]>([
  ['GET', '/users/alice', {}],
  ['GET', '/users/alice', credentials],
  ['GET', '/objects?query=has+alice/x', {}],
  ['POST', '/about/something', credentials],
  ['DELETE', '/namespaces/alice/x', credentials],
])('%s %s', async (method, path, headers) => {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method, headers })
  expect([answer.status, answer.headers.get('x-service-error-class'), await answer.text()]).toEqual([
    503,
    'ServiceUnavailable',
    '',
  ])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(reported.at(-1)).toContain(answer.headers.get('x-service-request-id'))
})
