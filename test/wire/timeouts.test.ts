/** Time-outs for headers, requests and idle connections, each tested on a service where it is short. */
import { describe, expect, test } from '@jest/globals'
import { basic, open, rawRequest, useService } from './raw-requests.ts'

const SHORT = { HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600', IDLE_TIMEOUT_MS: '200' }
/** Longer than any test may take. */
const LONG = { HEADERS_TIMEOUT_MS: '3600000', REQUEST_TIMEOUT_MS: '3600000', IDLE_TIMEOUT_MS: '3600000' }

const BODY_HEADERS = [`Authorization: ${basic('alice')}`, 'Content-Type: text/plain', 'Content-Length: 10']
const TIMEOUT = [408, 'RequestTimeout', '0', '*']

describe('HEADERS_TIMEOUT_MS', () => {
  const setting = useService({ ...LONG, HEADERS_TIMEOUT_MS: SHORT.HEADERS_TIMEOUT_MS })

  test.each([
    ['a request line that never ends', 'GET /users/alice'],
    ['headers that never end', 'GET /users/alice HTTP/1.1\r\nHost: h\r\nX-Slow: '],
  ])('ends %s', async (_what, octets) => {
    const { socket, closed } = open(setting().url)
    socket.write(octets)
    const answers = await closed
    const received = answers.map(({ status, error, headers }) => [
      status,
      error,
      headers['content-length'],
      headers['access-control-allow-origin'],
    ])
    expect(received).toEqual([TIMEOUT])
  })

  test('ends headers that keep arriving slowly', async () => {
    const { socket, closed } = open(setting().url)
    socket.write('GET /users/alice HTTP/1.1\r\nHost: h\r\n')
    const drip = setInterval(() => {
      if (socket.writable) socket.write('X: 1\r\n')
    }, 50)
    const answers = await closed
    clearInterval(drip)
    expect(answers.map(({ status }) => status)).toEqual([408])
  })

  test('closes a connection on which nothing is sent', async () => {
    expect((await open(setting().url).closed).map(({ status }) => status)).toEqual([408])
  })
})

describe('REQUEST_TIMEOUT_MS', () => {
  const setting = useService({ ...SHORT, IDLE_TIMEOUT_MS: LONG.IDLE_TIMEOUT_MS })

  test('ends a body that never ends', async () => {
    const { socket, closed } = open(setting().url)
    socket.write(rawRequest('PUT /about/x/alice/books/plain', BODY_HEADERS, 'hello'))
    const answers = await closed
    expect(answers.map(({ status, error }) => [status, error])).toEqual([[408, 'RequestTimeout']])
  })

  test('leaves nothing stored', async () => {
    const { status } = await setting().service.request('GET', '/about/x/alice/books/plain')
    expect(status).toBe(404)
  })
})

describe('REQUEST_TIMEOUT_MS below HEADERS_TIMEOUT_MS', () => {
  const setting = useService({ ...LONG, REQUEST_TIMEOUT_MS: SHORT.REQUEST_TIMEOUT_MS })

  test('also ends headers', async () => {
    const { socket, closed } = open(setting().url)
    socket.write('GET /users/alice HTTP/1.1\r\nHost: h\r\n')
    const answers = await closed
    expect(answers.map(({ status }) => status)).toEqual([408])
  })
})

describe('IDLE_TIMEOUT_MS', () => {
  const setting = useService({ ...LONG, IDLE_TIMEOUT_MS: SHORT.IDLE_TIMEOUT_MS })

  test('lets a connection be used again, then closes it', async () => {
    const { socket, closed } = open(setting().url)
    const request = 'GET /users/alice HTTP/1.1\r\nHost: h\r\n\r\n'
    socket.write(request)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write(request)
    const answers = await closed
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('ends a body of which nothing more comes', async () => {
    const { socket, closed } = open(setting().url)
    socket.write(rawRequest('PUT /about/x/alice/books/plain', BODY_HEADERS, 'hello'))
    const answers = await closed
    expect(answers.map(({ status, error }) => [status, error])).toEqual([[408, 'RequestTimeout']])
    expect((await setting().service.request('GET', '/about/x/alice/books/plain')).status).toBe(404)
  })
})
