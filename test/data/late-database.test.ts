/** A database server that cannot be reached when the service starts, or is lost meanwhile: it is waited for, but not in vain. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { gloss } from '../support/gloss.ts'
import { freePort } from '../support/ports.ts'
import { listening, nodeCommand, runProcess, type ServiceProcess } from '../support/process.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

let database: FreshDatabase
let port: number
let service: ServiceProcess | undefined
beforeEach(async () => {
  database = await freshDatabase()
  port = await freePort()
})
afterEach(async () => {
  service?.process.kill('SIGKILL')
  await database.drop()
})

/** Starts the service on the database, by way of a port. */
function start(env: Readonly<Record<string, string>>, changed: (url: URL) => void): ServiceProcess {
  const url = new URL(database.url)
  changed(url)
  return (service = runProcess({ DATABASE_URL: url.href, ...env }))
}
const elsewhere = (url: URL): void => {
  url.port = String(port)
}
const WAITING = /^Waiting for the database: DATABASE_URL: nobody answers at 127.0.0.1:\d+: .*$/gm

test('is waited for', async () => {
  const started = start({ STARTUP_WAIT_MS: '600000' }, elsewhere)
  while ((started.printed().match(WAITING) ?? []).length < 2) {
    await once(started.process.stdout as NodeJS.ReadableStream, 'data')
  }
  const proxy = await TcpProxy.start(database.url, port)
  expect(await listening(started)).toBeGreaterThan(0)
  started.process.kill('SIGTERM')
  expect(await started.end).toBe(0)
  await proxy.stop()
})

test.each([3, 9, 15])('is waited for if it goes away after %d statements', async (after) => {
  const first = start({}, () => undefined)
  await listening(first)
  first.process.kill('SIGTERM')
  await first.end
  const proxy = await TcpProxy.start(database.url, port)
  proxy.set({ harm: 'freeze', point: 'answer', after })
  const started = start({ STARTUP_WAIT_MS: '600000' }, elsewhere)
  while (proxy.isSet) await sleep(10)
  await proxy.stop()
  while (!started.printed().includes('Waiting')) {
    await once(started.process.stdout as NodeJS.ReadableStream, 'data')
  }
  const back = await TcpProxy.start(database.url, port)
  await listening(started)
  started.process.kill('SIGTERM')
  expect(await started.end).toBe(0)
  await back.stop()
})

test('is waited for by gloss migrate, too', async () => {
  const env = { DATABASE_URL: database.url, STARTUP_WAIT_MS: '600000' }
  await gloss(['migrate'], { env })
  const proxy = await TcpProxy.start(database.url, port)
  proxy.set({ harm: 'freeze', point: 'answer', after: 3 })
  const url = new URL(database.url)
  elsewhere(url)
  const started = runProcess({ ...env, DATABASE_URL: url.href }, nodeCommand('command/gloss', 'migrate'))
  while (proxy.isSet) await sleep(10)
  await proxy.stop()
  // With a server at once, a read that is repeated would not need to wait.
  while (!started.printed().includes('Waiting') && started.process.exitCode === null) await sleep(50)
  const back = await TcpProxy.start(database.url, port)
  expect(await started.end).toBe(0)
  expect(started.printed()).toContain('Waiting')
  await back.stop()
})

test('is waited for as long as the setting says', async () => {
  const { end, printed } = start({ STARTUP_WAIT_MS: '1' }, elsewhere)
  expect(await end).toBe(1)
  expect(printed().trim().split('\n').at(-1)).toMatch(/^DATABASE_URL: nobody answers at .*\(ECONNREFUSED\)$/)
})

test.each<[what: string, change: (url: URL) => void, said: RegExp]>([
  ['a wrong password', (url) => (url.password = 'wrong'), /does not admit the user/],
  ['an unknown database', (url) => (url.pathname = '/gloss_nowhere'), /has no database 'gloss_nowhere'/],
])('is not waited for with %s', async (_what, change, said) => {
  const { end, printed } = start({ STARTUP_WAIT_MS: '600000' }, change)
  expect(await end).toBe(1)
  expect(printed()).toMatch(said)
  expect(printed()).not.toContain('Waiting')
})
