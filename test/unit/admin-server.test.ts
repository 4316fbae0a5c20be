/** By which names the admin server is asked. */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createAdminServer, plain } from '../../src/observing/admin/server.ts'

const server = createAdminServer({ '/livez': () => plain(200, 'ok') }, console.error, ['gloss.internal'])

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const statusFor = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const sent = request({ port, host: '127.0.0.1', path: '/livez', headers: { host }, agent: false })
    sent.on('error', reject).on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.end()
  })

test.each([
  '127.0.0.1',
  '10.1.2.3:9090',
  '[::1]:9090',
  'localhost:9090',
  'LOCALHOST',
  hostname(),
  'gloss.internal',
  'Gloss.Internal:9090',
])('it answers to %s', async (host) => {
  expect(await statusFor(host)).toBe(200)
})

test.each(['evil.test', 'evil.test:9090', 'x.localhost', 'gloss', '127.0.0.1.evil.test', '[::1].evil.test'])(
  '%s is another host',
  async (host) => {
    expect(await statusFor(host)).toBe(421)
  },
)
