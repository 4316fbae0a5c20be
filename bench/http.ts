/** The HTTP client of all measurements: that of Node, with a persistent connection for each concurrent request. */
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The parts of a request other than its method and path. */
export interface Sent {
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A client of one server on this machine. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #port: number
  readonly #headers: Readonly<Record<string, string>>

  /** The client sends `headers` with every request. */
  constructor(port: number, headers: Readonly<Record<string, string>> = {}) {
    this.#port = port
    this.#headers = headers
  }

  /** Sends a request; returns the answer once its body is complete. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const res = await this.open(method, path, sent)
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk as Buffer)
    return { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }
  }

  /** Sends a request; returns the answer as soon as its head has arrived. */
  open(method: string, path: string, { body, headers }: Sent = {}): Promise<IncomingMessage> {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const all = { ...this.#headers, ...headers, ...length }
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers: all }
      request(options, resolve).on('error', reject).end(body)
    })
  }

  /** Sends a GET and discards the answer as it arrives, with a pause after each piece; returns its length in octets. */
  async drain(path: string, pauseMs?: number): Promise<number> {
    const res = await this.open('GET', path)
    if (res.statusCode !== 200) throw new Error(`GET ${path} gave ${String(res.statusCode)}`)
    let octets = 0
    for await (const chunk of res) {
      octets += (chunk as Buffer).length
      if (pauseMs !== undefined) await sleep(pauseMs)
    }
    return octets
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy()
  }
}

/** The `Authorization` header of HTTP Basic. */
export const basic = (username: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})
