/** What a connection may hold: requests in line, answers that nobody reads, and how many connections there are. */
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/settings/config.ts'
import { createHttpServer } from '../../src/http/server/server.ts'
import { ask, exchange, useService, type Setting } from './raw-requests.ts'

const MIB = 1024 * 1024
const VALUE = '/about/big/alice/books/plain'
const GET = `GET ${VALUE} HTTP/1.1\r\nHost: h\r\n\r\n`
/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(16 * MIB, 'x')

async function storeLarge({ url }: Setting): Promise<void> {
  const headers = { 'content-type': 'text/plain' }
  expect((await ask(url, 'PUT', VALUE, { as: 'alice', body: LARGE, headers })).status).toBe(204)
}

/** A connection on which this is sent, and nothing read. */
function deaf(url: string, octets: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write(octets)
  return socket
}

/** Resolves when a connection is closed, by an error or without. */
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

describe('a client that reads nothing', () => {
  const setting = useService({ IDLE_TIMEOUT_MS: '300' })

  test('is cut off in the middle of its answer', async () => {
    await storeLarge(setting())
    const socket = deaf(setting().url, GET)
    const end = closed(socket)
    // It does not read, so only writing shows it that the connection is gone. What it sends does not keep the answer.
    const prod = setInterval(() => socket.write('\r\n'), 50)
    await end
    clearInterval(prod)
  })
})

describe('a client that reads slowly', () => {
  const setting = useService({ IDLE_TIMEOUT_MS: '3000' })

  test('gets its whole answer, however long that takes', async () => {
    await storeLarge(setting())
    const socket = deaf(setting().url, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    let read = 0
    for await (const chunk of socket) {
      const before = read
      read += (chunk as Buffer).length
      if (Math.floor(before / MIB) < Math.floor(read / MIB)) await setTimeout(400)
    }
    expect(read).toBeGreaterThan(LARGE.length)
  })
})

describe('large answers', () => {
  const setting = useService()

  test('wait for room while one address holds half of it, and small ones do not', async () => {
    await storeLarge(setting())
    const { url } = setting()
    const holding = Array.from({ length: 3 }, () => deaf(url, GET))
    await Promise.all(holding.map((socket) => once(socket, 'readable')))
    let answered = false
    const waiting = ask(url, 'GET', VALUE).finally(() => (answered = true))
    for (let i = 0; i < 20; i++) expect((await ask(url, 'GET', '/users/alice')).status).toBe(200)
    expect(answered).toBe(false)
    const other = await ask(url, 'GET', VALUE, { as: 'bob' })
    expect([other.status, other.body.length]).toEqual([200, LARGE.length])
    expect(answered).toBe(false)
    holding[0]?.destroy()
    const { status, body } = await waiting
    expect([status, body.length]).toEqual([200, LARGE.length])
    for (const socket of holding) socket.destroy()
  })
})

describe('large bodies', () => {
  const setting = useService()

  test('wait for room while one address holds half of it', async () => {
    const { url } = setting()
    const head = `PUT ${VALUE} HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: ${String(LARGE.length)}\r\n\r\n`
    const holding = Array.from({ length: 3 }, () => deaf(url, head))
    await Promise.all(
      holding.map((socket) => new Promise((resolve) => socket.write(LARGE.subarray(1), resolve))),
    )
    const body = { body: LARGE, headers: { 'content-type': 'text/plain' } }
    let answered = false
    const waiting = ask(url, 'PUT', VALUE, body).finally(() => (answered = true))
    for (let i = 0; i < 20; i++) expect((await ask(url, 'GET', '/users/alice')).status).toBe(200)
    expect((await ask(url, 'PUT', VALUE, { as: 'alice', ...body })).status).toBe(204)
    expect(answered).toBe(false)
    holding[0]?.destroy()
    expect((await waiting).status).toBe(401)
    for (const socket of holding) socket.destroy()
  })
})

describe('a server', () => {
  let server: Server
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  async function serve(listener: RequestListener, env: Record<string, string> = {}): Promise<string> {
    server = createHttpServer(readConfig(env), listener)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  }

  const MANY = 74_000
  const pipelined = (more = ''): string => `GET / HTTP/1.1\r\nHost: h\r\n${more}\r\n`

  test('answers the requests of a connection one after the other, in their order', async () => {
    let [now, most] = [0, 0]
    const url = await serve((req, res) => {
      most = Math.max(most, (now += 1))
      setImmediate(() => {
        now -= 1
        res.end(req.url)
      })
    })
    const requests = Array.from({ length: 2000 }, (_, i) => `GET /${String(i)} HTTP/1.1\r\nHost: h\r\n\r\n`)
    const answers = await exchange(url, requests.join('') + pipelined('Connection: close\r\n'))
    expect(answers.map(({ body }) => body)).toEqual(
      [...requests.keys()].map((i) => `/${String(i)}`).concat('/'),
    )
    expect(most).toBe(1)
  })

  test('does not read on while requests wait, nor listens to those that wait', async () => {
    let [started, parsed] = [0, 0]
    const patient = { HEADERS_TIMEOUT_MS: '3600000', REQUEST_TIMEOUT_MS: '3600000' }
    const url = await serve((req, res) => {
      if (req.url === '/other') res.end()
      else started += 1
    }, patient)
    server.on('request', ({ url: path }) => {
      if (path === '/') parsed += 1
    })
    const socket = deaf(url, pipelined().repeat(MANY))
    for (let i = 0; i < 100; i++) await ask(url, 'GET', '/other')
    expect(started).toBe(1)
    // What came with the first one, and in one read of at most 64 KiB.
    expect(parsed).toBeGreaterThan(1)
    expect(parsed).toBeLessThan((2 * 64 * 1024) / pipelined().length)
    socket.destroy()
  })

  test('closes connections when too many requests wait on all of them', async () => {
    const url = await serve(() => undefined)
    const sockets = Array.from({ length: 20 }, () => deaf(url, pipelined().repeat(MANY)))
    await Promise.race(sockets.map(closed))
    for (const socket of sockets) socket.destroy()
  })

  test('goes on with what waited when the connection of others is gone', async () => {
    const held: (() => void)[] = []
    const url = await serve((req, res) => {
      if (req.url === '/hold') held.push(() => res.end())
      else res.end()
    })
    const hold = 'GET /hold HTTP/1.1\r\nHost: h\r\n\r\n'
    const [gone, stays] = [
      deaf(url, hold + pipelined().repeat(100)),
      deaf(url, hold + pipelined().repeat(100)),
    ]
    while (held.length < 2) await ask(url, 'GET', '/')
    gone.destroy()
    for (const release of held) release()
    let text = ''
    for await (const chunk of stays) {
      text += String(chunk)
      if (text.split('HTTP/1.1 200').length === 102) break
    }
    expect((await ask(url, 'GET', '/')).status).toBe(200)
  })

  test('closes connections beyond MAX_CONNECTIONS at once', async () => {
    const url = await serve((_req, res) => res.end(), { MAX_CONNECTIONS: '2' })
    const open = [deaf(url, pipelined()), deaf(url, pipelined())]
    await Promise.all(open.map((socket) => once(socket, 'readable')))
    const third = deaf(url, '').resume()
    third.once('end', () => third.end())
    await closed(third)
    open[0]?.destroy()
    // The place is free as soon as the server has noticed.
    const status = async (): Promise<number> =>
      (await ask(url, 'GET', '/').catch(() => undefined))?.status ?? 0
    while ((await status()) !== 200);
    for (const socket of open) socket.destroy()
  })

  test('closes a connection that it has refused, even if the client keeps its half open', async () => {
    const url = await serve((_req, res) => res.end(), { IDLE_TIMEOUT_MS: '200' })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = deaf(url, 'this is not HTTP\r\n\r\n').resume()
    const [socket] = await accepted
    await closed(socket)
    client.destroy()
  })
})
