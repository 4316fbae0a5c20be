/** How a server ends: whoever has a connection gets an answer that says that it is the last one. */
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { readConfig } from '../../src/settings/config.ts'
import { createHttpServer, type DrainableServer } from '../../src/http/server/server.ts'

const AN_HOUR_MS = 3_600_000
const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${more}\r\n`
const answersIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/Connection: ([\w-]+)\r\n(?:[^]*?\r\n)?\r\n(\/[a-z]+)/g),
    ([, said = '', path = '']) => `${path} ${said}`,
  )

let server: DrainableServer
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** Answers with the path; what begins with `/held` is answered when the test says so. */
async function serve(): Promise<{
  port: number
  seen: string[]
  arrived: (path: string) => Promise<ServerResponse>
}> {
  const seen: string[] = []
  const held = new Map<string, ServerResponse>()
  const waiting = new Map<string, (res: ServerResponse) => void>()
  const listener: RequestListener = ({ url = '' }, res) => {
    seen.push(url)
    res.setHeader('Content-Length', url.length)
    if (!url.startsWith('/held')) {
      res.end(url)
      return
    }
    held.set(url, res)
    waiting.get(url)?.(res)
  }
  server = createHttpServer(readConfig({}), listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const arrived = (path: string): Promise<ServerResponse> =>
    new Promise((resolve) => {
      const res = held.get(path)
      if (res === undefined) waiting.set(path, resolve)
      else resolve(res)
    })
  return { port: (server.address() as AddressInfo).port, seen, arrived }
}

/** A connection, all that has come on it, and its end: whether the server ended or reset it. */
function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  let text = ''
  socket.on('data', (part: Buffer) => (text += part.toString()))
  const closed = new Promise<string>((resolve) => {
    socket.once('end', () => {
      resolve('ended')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message)
    })
  })
  const answered = async (path: string): Promise<void> => {
    while (!answersIn(text).some((answer) => answer.startsWith(`${path} `))) await once(socket, 'data')
  }
  return { socket, closed, answered, answers: () => answersIn(text) }
}

test('an answer in the making says that it is the last, and ends its connection', async () => {
  const { port, arrived } = await serve()
  const { socket, closed, answers } = open(port)
  socket.write(request('/held'))
  const res = await arrived('/held')
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  res.end('/held')
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/held close'])
  await drained
})

test('an idle connection is served until the wait is over, and is then closed', async () => {
  const { port } = await serve()
  const [used, idle, untouched] = [open(port), open(port), open(port)]
  for (const { socket, answered } of [used, idle]) {
    socket.write(request('/before'))
    await answered('/before')
  }
  const begin = performance.now()
  const drained = server.drain({ waitMs: 1500, workMs: AN_HOUR_MS })
  used.socket.write(request('/after'))
  expect(await used.closed).toBe('ended')
  expect(used.answers()).toEqual(['/before keep-alive', '/after close'])
  expect([await idle.closed, await untouched.closed]).toEqual(['ended', 'ended'])
  expect(performance.now() - begin).toBeGreaterThan(1490)
  expect(server.listening).toBe(false)
  await drained
})

test('a client that was served a moment ago may still ask', async () => {
  const { port } = await serve()
  const { socket, closed, answered, answers } = open(port)
  socket.write(request('/before'))
  await answered('/before')
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  while (server.listening) await new Promise(setImmediate)
  socket.write(request('/after'))
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/before keep-alive', '/after close'])
  await drained
})

test('of requests in line, the last one ends the connection', async () => {
  const { port, arrived } = await serve()
  const { socket, closed, answers } = open(port)
  socket.write(request('/held'))
  const res = await arrived('/held')
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  socket.write(request('/second') + request('/third'))
  await once(server, 'request')
  res.end('/held')
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/held keep-alive', '/second keep-alive', '/third close'])
  await drained
})

test('what follows the last answer is not acted on, and does not cost that answer', async () => {
  const { port, seen, arrived } = await serve()
  const { socket, closed, answers } = open(port)
  socket.write(request('/held'))
  const res = await arrived('/held')
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  res.flushHeaders()
  const late = once(server, 'request')
  socket.write(request('/late'))
  await late
  res.end('/held')
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/held close'])
  expect(seen).toEqual(['/held'])
  await drained
})

test('an answer that has begun is finished, and its connection closed after it', async () => {
  const { port, arrived } = await serve()
  const { socket, closed, answers } = open(port)
  socket.write(request('/held'))
  const res = await arrived('/held')
  res.flushHeaders()
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  while (server.listening) await new Promise(setImmediate)
  const before = performance.now()
  res.end('/held')
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/held keep-alive'])
  // It had a second to ask again.
  expect(performance.now() - before).toBeGreaterThan(990)
  await drained
})

test('whoever is not done in time is cut off', async () => {
  const { port, arrived } = await serve()
  const { socket, closed } = open(port)
  socket.write(request('/held'))
  await arrived('/held')
  await server.drain({ waitMs: 0, workMs: 50 })
  expect(await closed).toMatch(/^(?:ended|ECONNRESET)$/)
})

test('a request of which a part has come is waited for', async () => {
  const { port } = await serve()
  const { socket, closed, answered, answers } = open(port)
  socket.write(request('/before'))
  await answered('/before')
  const other = open(port)
  const drained = server.drain({ waitMs: 0, workMs: AN_HOUR_MS })
  socket.write('GET /after HTTP/1.1\r\n')
  // Closed because it is idle, and so was this one, but for a part of a request.
  expect(await other.closed).toBe('ended')
  socket.write('Host: h\r\n\r\n')
  expect(await closed).toBe('ended')
  expect(answers()).toEqual(['/before keep-alive', '/after close'])
  await drained
})
