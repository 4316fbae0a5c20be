/** Requests that no well-behaved client can send: any headers, any octets. Answers are not checked by the client. */
import { afterAll, beforeAll } from '@jest/globals'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buildFixture, type Fixture } from '../support/fixture.ts'
import { PASSWORD, startService, type Answer, type Service } from '../support/service.ts'

/** A service with the fixture of the status tables, and its URL. */
export interface Setting {
  readonly service: Service
  readonly fixture: Fixture
  readonly url: string
}

/** Starts a service before the tests of the calling block, and stops it after them. */
export function useService(env: Readonly<Record<string, string>> = {}): () => Setting {
  let setting: Setting | undefined
  beforeAll(async () => {
    const service = await startService(env)
    setting = { service, fixture: await buildFixture(service), url: service.url }
  })
  afterAll(() => setting?.service.stop())
  return () => {
    if (setting === undefined) throw new Error('the service did not start')
    return setting
  }
}

/** The value of an `Authorization` header. */
export const basic = (username: string, password = PASSWORD): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The parts of a request beside its method and target. */
export interface Parts {
  readonly as?: string
  readonly password?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Buffer | string
}

/** Sends a request over a new connection. */
export function ask(url: string, method: string, target: string, parts: Parts = {}): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const { as, password, body, headers } = parts
  const all = {
    ...(as === undefined ? {} : { authorization: basic(as, password) }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...(headers as Record<string, string | string[]> | undefined),
  }
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, method, path: target, headers: all, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        const answered = Buffer.concat(chunks)
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: answered,
          error: res.headers['x-service-error-class'] as string | undefined,
          json: () => JSON.parse(answered.toString()) as unknown,
        })
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

/** An answer as read from a socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly error: string | undefined
}

/** A connection, and everything received on it once the service has closed it. */
interface Connection<T> {
  readonly socket: Socket
  readonly closed: Promise<T>
}

/** Opens a connection and parses the answers on it. */
export function open(url: string): Connection<RawAnswer[]> {
  const { socket, closed } = openText(url)
  return { socket, closed: closed.then(parseAnswers) }
}

/** Opens a connection; what is received is text with one character per octet. */
export function openText(url: string): Connection<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise<string>((resolve, reject) => {
    // After an answer, an RST only means that the service stopped reading; before, the connection was lost.
    socket.on('error', (error) => {
      if (chunks.length === 0) reject(error)
    })
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
  })
  return { socket, closed }
}

/** Sends octets and returns the answers once the service has closed the connection. */
export function exchange(url: string, octets: Buffer | string): Promise<RawAnswer[]> {
  const { socket, closed } = open(url)
  socket.write(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets)
  return closed
}

/** Sends octets to which there must be exactly one answer, and returns it. */
export async function exchangeOne(url: string, octets: Buffer | string): Promise<RawAnswer> {
  const answers = await exchange(url, octets)
  const [answer] = answers
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers instead of one`)
  return answer
}

/** A request as text, by default with `Connection: close`. */
export const rawRequest = (firstLine: string, headers: readonly string[] = [], body = ''): string =>
  [`${firstLine} HTTP/1.1`, 'Host: gloss.example', 'Connection: close', ...headers, '', body].join('\r\n')

function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]
    if (end < 0 || status === undefined) throw new Error(`this is not an answer: ${rest.slice(0, 200)}`)
    const headers = Object.fromEntries(lines.map(parseLine))
    // Only Node itself answers in chunks, and then the body is empty: `0`, CR LF, CR LF.
    const length = headers['transfer-encoding'] === 'chunked' ? 5 : Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    answers.push({ status: Number(status), headers, body, error: headers['x-service-error-class'] })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

function parseLine(line: string): [string, string] {
  const colon = line.indexOf(': ')
  if (!/^[\w-]+: ?[\x20-\x7e]*$/.test(line)) throw new Error(`this is not a header: ${JSON.stringify(line)}`)
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
}
