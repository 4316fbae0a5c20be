/** A client that sends octets unchanged over a kept-alive connection and reads answers one at a time. */
import { connect, type Socket } from 'node:net'
import { PASSWORD, type Answer } from '../support/service.ts'

/** Thrown when the connection ends, or stays silent, before the answer is complete. */
export class LostConnection extends Error {}

/** A request; target and header values have one character per octet. */
export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

const PATIENCE_MS = 120_000

/** The UTF-8 octets of a text, one character per octet. */
export const octets = (text: string): string => Buffer.from(text).toString('latin1')

/** The value of an `Authorization` header. */
export const basic = (username: string, password: string = PASSWORD): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The octets of a request, with a `Host`, and a `Content-Length` if it has a body. */
export function encodeRequest({ method, target, headers = {}, body }: RawRequest): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) }
  const lines = Object.entries({ Host: 'localhost', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return body === undefined ? head : Buffer.concat([head, body])
}

/** A connection that is opened when needed, and again if the other side closed it after an answer. */
export class Connection {
  readonly #port: number
  readonly #host: string
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => undefined

  readonly #patienceMs: number

  constructor(url: string, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** Sends a request and reads its answer. Throws `LostConnection`. */
  async request(request: RawRequest): Promise<Answer> {
    this.write(encodeRequest(request))
    return this.read(request.method)
  }

  /** Sends octets. */
  write(bytes: Buffer | string): void {
    const socket = this.#socket === undefined || this.#ended ? this.#open() : this.#socket
    socket.write(bytes)
  }

  /** Ends the sending side, as a client does that only waits for the answer. */
  end(): void {
    this.#socket?.end()
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  /** Reads the next answer, to a request with that method. Throws `LostConnection`. */
  async read(method: string): Promise<Answer> {
    const head = (await this.#until((bytes) => endOf(bytes, '\r\n\r\n'))).toString('latin1')
    const [statusLine = '', ...lines] = head.slice(0, -4).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) throw new LostConnection(`not an answer: ${statusLine.slice(0, 100)}`)
    if (status >= 100 && status < 200) return this.read(method)
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase()
      const value = line.slice(line.indexOf(':') + 1).trim()
      headers[name] = name in headers ? `${headers[name] ?? ''}, ${value}` : value
    }
    const body = await this.#readBody(method, status, headers)
    if (/close/i.test(headers['connection'] ?? '')) this.close()
    const error = headers['x-service-error-class']
    return { status, headers, body, error, json: () => JSON.parse(body.toString()) as unknown }
  }

  async #readBody(method: string, status: number, headers: Record<string, string>): Promise<Buffer> {
    if (method === 'HEAD' || status === 204 || status === 304) return Buffer.alloc(0)
    if (headers['transfer-encoding'] !== undefined) return this.#readChunks()
    const length = headers['content-length']
    if (length !== undefined) return this.#until((bytes) => fits(bytes, Number(length)))
    return this.#until((bytes, ended) => (ended ? bytes.length : undefined))
  }

  async #readChunks(): Promise<Buffer> {
    const chunks: Buffer[] = []
    for (;;) {
      const line = await this.#until((bytes) => endOf(bytes, '\r\n'))
      const size = parseInt(line.toString('latin1'), 16)
      const chunk = await this.#until((bytes) => fits(bytes, size + 2))
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, -2))
    }
  }

  /** Waits until `measure` gives a length, then takes that many octets from what was received. */
  async #until(measure: (bytes: Buffer, ended: boolean) => number | undefined): Promise<Buffer> {
    for (;;) {
      const length = measure(this.#received, this.#ended)
      if (length !== undefined) {
        const taken = this.#received.subarray(0, length)
        this.#received = this.#received.subarray(length)
        return taken
      }
      if (this.#ended || this.#socket === undefined) {
        throw new LostConnection(`closed after ${this.#received.length} octets of an answer`)
      }
      await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.close()
        reject(new LostConnection(`no answer within ${this.#patienceMs} ms`))
      }, this.#patienceMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true, allowHalfOpen: true })
    this.#socket?.destroy()
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    this.#ended = false
    const end = (): void => {
      if (this.#socket !== socket) return
      this.#ended = true
      this.#wake()
    }
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('end', () => {
      end()
      socket.destroy()
    })
    socket.on('error', end)
    socket.on('close', end)
    return socket
  }
}

function endOf(bytes: Buffer, mark: string): number | undefined {
  const index = bytes.indexOf(mark)
  return index < 0 ? undefined : index + mark.length
}

const fits = (bytes: Buffer, length: number): number | undefined =>
  bytes.length >= length ? length : undefined
