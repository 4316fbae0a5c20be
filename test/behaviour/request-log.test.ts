/** The log of requests: what the service prints of each, and what it never prints. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import type { LogEntry } from '../support/process.ts'
import { send } from '../support/service.ts'
import { PASSWORD, useProcess } from './use-process.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const { start, ask, service, entries } = useProcess({ shared: true })
const requests = (count: number): Promise<LogEntry[]> => entries('request', count)

test('a request has its operation, its user, its answer, and what it took', async () => {
  await start()
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await ask('PUT', '/about/dune/service/number', { primitive: '1' })
  await ask('GET', '/objects', {
    query: { query: 'has service/number' },
    headers: { traceparent },
  })
  await ask('HEAD', '/about/dune/service/number')
  const [put, get, head] = await requests(3)
  expect(put).toMatchObject({ method: 'PUT', operationId: 'putValueByAbout', status: 204 })
  expect(put).not.toHaveProperty('traceparent')
  expect(head).toMatchObject({ method: 'HEAD', operationId: 'getValueByAbout', status: 200 })
  expect(get).toMatchObject({
    level: 'info',
    requestId: expect.stringMatching(UUID),
    traceparent,
    method: 'GET',
    operationId: 'findObjects',
    username: 'service',
    status: 200,
    matches: 1,
    durationMs: expect.any(Number),
    waitingMs: expect.any(Number),
    databaseMs: expect.any(Number),
  })
  const { durationMs, databaseMs, rows } = get as Record<string, number>
  expect(databaseMs).toBeGreaterThan(0)
  expect(durationMs).toBeGreaterThan(0)
  expect(rows).toBeGreaterThanOrEqual(1)
})

test('an error has its class and the id that the client was told', async () => {
  await start()
  const { headers } = await ask('GET', '/about/dune/nobody/tag')
  const [entry] = await requests(1)
  expect(entry).toMatchObject({
    requestId: headers['x-service-request-id'],
    operationId: 'getValueByAbout',
    username: 'service',
    status: 404,
    errorClass: headers['x-service-error-class'],
  })
})

test('what is no operation, no user or no HTTP has none', async () => {
  const url = await start()
  await send(url, 'GET', '/nothing/here', {})
  // Remembered from now on.
  await ask('GET', '/users/service')
  await ask('GET', '/objects', { as: 'service', password: 'wrong', query: { query: 'has a/b' } })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  socket.resume()
  await once(socket, 'close')
  const [lost, , wrong, nonsense] = await requests(4)
  expect(lost).toMatchObject({ username: 'anon', status: 404 })
  expect(lost).not.toHaveProperty('operationId')
  expect(wrong).toMatchObject({ status: 401, errorClass: 'WrongCredentials' })
  expect(wrong).not.toHaveProperty('username')
  expect(nonsense).toMatchObject({ status: 400, errorClass: 'TBadRequest' })
  expect(nonsense).not.toHaveProperty('method')
})

const EXPECTING = [
  'POST /objects HTTP/1.1',
  'Host: x',
  `Authorization: Basic ${Buffer.from(`service:${PASSWORD}`).toString('base64')}`,
  'Expect: 100-continue',
  'Content-Length: 100',
  '\r\n',
].join('\r\n')

test('a request that is refused in the middle of its body is one request', async () => {
  const url = await start()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(EXPECTING)
  await once(socket, 'data')
  // The other direction stays open.
  socket.end('{')
  socket.resume()
  await once(socket, 'close')
  await ask('GET', '/users/service')
  const [refused, next] = await requests(2)
  expect(refused).toMatchObject({
    operationId: 'createObject',
    status: 400,
    errorClass: 'ContentLengthMismatch',
    durationMs: expect.any(Number),
  })
  expect(next).toMatchObject({ operationId: 'getUser', status: 200 })
})

test('a client that leaves early gets no status', async () => {
  const url = await start()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(EXPECTING)
  // The service begins with the request before it says to continue.
  await once(socket, 'data')
  socket.resetAndDestroy()
  const [left] = await requests(1)
  expect(left).toMatchObject({ method: 'POST', operationId: 'createObject' })
  expect(left).not.toHaveProperty('status')
})

test('no password, value or path is logged', async () => {
  await start()
  const secret = 'a-secret-of-alice'
  await ask('POST', '/users', { json: { name: 'alice', password: secret, email: 'a@b.c' } })
  await ask('PUT', `/about/${secret}/service/number`, { primitive: `"${secret}"` })
  await ask('GET', `/users/alice`, {
    as: 'alice',
    password: secret,
    query: { callback: 'f', payload: secret },
  })
  await requests(3)
  expect(service().printed()).not.toContain(secret)
  expect(service().printed()).not.toContain(Buffer.from(`alice:${secret}`).toString('base64'))
  expect(service().printed()).not.toContain(PASSWORD)
})

test('LOG_LEVEL=warn leaves out what went well', async () => {
  await start({ LOG_LEVEL: 'warn' })
  await ask('GET', '/objects', { query: { query: 'has service/about' } })
  service().process.kill('SIGTERM')
  await service().end
  expect(service().printed()).toContain('listens on')
  expect(service().printed()).not.toContain('"request"')
})
