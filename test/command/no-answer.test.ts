/** What the command says of servers that do not answer, or are not Gloss; and how long it waits for them. */
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { Authority } from '../support/certificates.ts'
import { gloss, type Ended } from '../support/gloss.ts'
import { freePort } from '../support/ports.ts'

let authority: Authority
let ownTls: { readonly key: Buffer; readonly cert: Buffer }

beforeAll(async () => {
  authority = await Authority.create()
  const { key, cert } = authority.sign('own', 'IP:127.0.0.1')
  ownTls = { key: readFileSync(key), cert: readFileSync(cert) }
})

afterAll(() => authority.remove())

const open: Server[] = []
const sockets = new Set<Socket>()

afterEach(() => {
  for (const server of open.splice(0)) server.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

/** Listens, and returns the address without its scheme. */
async function listening(server: Server): Promise<string> {
  open.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

const answering = (listener: RequestListener): Promise<string> => listening(createHttpServer(listener))
const speaking = (talk: (socket: Socket) => void): Promise<string> => listening(createServer(talk))

/** An answer with a body of this type. */
const typed = (type: string, body: string): Promise<string> =>
  answering((_request, response) => response.setHeader('Content-Type', type).end(body))

const OURS = { Link: '</openapi.json>; rel="service-desc"' }

const query = (url: string, ...more: readonly string[]): Promise<Ended> =>
  gloss(['query', 'has a/b', '--url', url, ...more])

/** Each kind of server: its URL, and what is said of it with the URL as URL. */
const KINDS: Readonly<Record<string, readonly [start: () => Promise<string>, said: string]>> = {
  'a page with the status 200': [
    async () => `http://${await typed('text/html; charset=utf-8', '<h1>Sign in</h1>')}`,
    'what answers at URL is not Gloss (text/html)',
  ],
  'another service': [
    async () => `http://${await typed('application/json', '{"results":[]}')}`,
    'what answers at URL is not Gloss (application/json)',
  ],
  'another web server, which lacks the path': [
    async () => `http://${await answering((_request, response) => response.writeHead(404).end())}`,
    'what answers at URL is not Gloss (status 404)',
  ],
  'a redirection': [
    async () =>
      `http://${await answering((_request, response) => response.writeHead(302, { location: 'https://gloss.example.org/' }).end())}`,
    'URL redirects requests to https://gloss.example.org/',
  ],
  'headers that are too long': [
    async () =>
      `http://${await answering((_request, response) => response.setHeader('x-long', 'a'.repeat(20_000)).end())}`,
    'the answer of URL cannot be read (UND_ERR_HEADERS_OVERFLOW)',
  ],
  'HTTP where TLS is expected': [
    async () => `https://${await typed('text/plain', 'hello')}`,
    'what answers at URL does not speak TLS',
  ],
  'TLS where HTTP is expected': [
    async () => `http://${await listening(createTlsServer(ownTls))}`,
    'the connection to URL was closed before the answer was complete',
  ],
  'a certificate of its own': [
    async () => `https://${await listening(createTlsServer(ownTls))}`,
    'the certificate of URL is not trusted',
  ],
  'another protocol': [
    async () => `http://${await speaking((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))}`,
    'what answers at URL does not speak HTTP',
  ],
  'a connection that closes': [
    async () => `http://${await speaking((socket) => socket.on('data', () => socket.end()))}`,
    'the connection to URL was closed before the answer was complete',
  ],
  'a connection that is reset': [
    async () => `http://${await speaking((socket) => socket.on('data', () => socket.resetAndDestroy()))}`,
    'the connection to URL was closed before the answer was complete',
  ],
  'an answer that is cut': [
    async () =>
      `http://${await answering((_request, response) => {
        response.writeHead(200, { ...OURS, 'Content-Length': 100 }).write('{', () => response.destroy())
      })}`,
    'the connection to URL was closed before the answer was complete',
  ],
  'a closed port': [async () => `http://127.0.0.1:${String(await freePort())}`, 'nothing listens at URL'],
  'a name that there is not': [
    async () => 'http://no-such-host.invalid',
    'the host name in URL is not found',
  ],
  'a port that fetch refuses': [async () => 'http://127.0.0.1:6000', 'URL does not answer (bad port)'],
}

test.each(Object.entries(KINDS))('%s is said in two lines', async (_name, [start, said]) => {
  const url = await start()
  const { status, stdout, stderr } = await query(url)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^gloss: .*\n {2}→ .*\n$/)
  expect(stderr).toContain(said.replace('URL', url))
})

test.each([
  ['at all', (): Promise<string> => speaking(() => undefined)],
  [
    'to its end',
    (): Promise<string> =>
      answering((_request, response) =>
        response.writeHead(200, { ...OURS, 'Content-Length': 100 }).write('{'),
      ),
  ],
])('a server that does not answer %s is waited for as long as --timeout says', async (_name, start) => {
  const url = `http://${await start()}`
  const { status, stderr } = await query(url, '--timeout', '1')
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `gloss: no byte came from ${url} in 1 second\n  → wait longer with --timeout SECONDS\n`,
  })
})

test('an answer that comes in parts may take longer than --timeout', async () => {
  const body = '{"results":[]}'
  const address = await answering((_request, response) => {
    response.writeHead(200, { ...OURS, 'Content-Length': body.length })
    const write = (index: number): void => {
      if (index < body.length) response.write(body.charAt(index), () => setTimeout(write, 200, index + 1))
    }
    write(0)
  })
  expect(await query(`http://${address}`, '--timeout', '1')).toMatchObject({
    status: 0,
    stderr: '0 objects\n',
  })
})

test('a change that gets no answer may have been made', async () => {
  const url = `http://${await speaking(() => undefined)}`
  const { stderr } = await gloss(['api', 'POST', '/objects', '--url', url], { env: { GLOSS_TIMEOUT: '1' } })
  expect(stderr).toContain('→ the change may have been made: look before you repeat it')
})

test('a terminal is told that the command still waits', async () => {
  const url = `http://${await speaking(() => undefined)}`
  const { stdout } = await gloss(['query', 'has a/b', '--url', url, '--timeout', '7'], { columns: 120 })
  expect(stdout).toContain(`Still waiting for ${url}, at most 7 s without a byte`)
})

test.each([
  ['--timeout', ['--timeout', '0'], {}],
  ['GLOSS_TIMEOUT', [], { GLOSS_TIMEOUT: 'soon' }],
])('%s must be a number of seconds', async (_name, more, env) => {
  const ended = await gloss(['query', 'has a/b', ...more], { env })
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain('are whole numbers of seconds from 1 to 86400')
})
