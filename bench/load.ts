/**
 * Generates load: sends requests over persistent connections with little work of its own, and measures their latencies.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** An encoded request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** A connection for one request at a time; answers must have a Content-Length or be chunked. */
class Connection {
  readonly #socket: Socket
  #arrived = Buffer.alloc(0)
  #done: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      this.#arrived = this.#arrived.length === 0 ? bytes : Buffer.concat([this.#arrived, bytes])
      const status = wholeAnswer(this.#arrived)
      if (status === undefined) return
      this.#arrived = Buffer.alloc(0)
      this.#done?.(status)
    })
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
  }

  /** Sends a request; returns the status of the answer once it is complete. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }
}

const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

/** The status of the answer in these bytes, once it is complete. */
function wholeAnswer(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? status : undefined
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 204) throw new Error(`an answer of unknown length: ${head}`)
  return bytes.length >= end + 4 + Number(length ?? 0) ? status : undefined
}

/** The outcome of a load: latencies in milliseconds, in no particular order, and its duration. */
export interface Load {
  readonly latencies: readonly number[]
  readonly ms: number
}

/** The way to send requests: the number of connections, the duration, and the pauses on each connection. */
export interface Pace {
  readonly connections: number
  readonly forMs: number
  readonly pauseMs?: number
}

/** Keeps sending the requests that `next` returns. Throws on an answer whose status is not `expected`. */
export async function load(port: number, next: () => Buffer, expected: number, pace: Pace): Promise<Load> {
  const begin = performance.now()
  const end = begin + pace.forMs
  const latencies: number[] = []
  const work = async (): Promise<void> => {
    const socket = connect({ host: '127.0.0.1', port })
    await once(socket, 'connect')
    const connection = new Connection(socket)
    while (performance.now() < end) {
      const sent = performance.now()
      const status = await connection.send(next())
      if (status !== expected) throw new Error(`status ${status} instead of ${expected}`)
      latencies.push(performance.now() - sent)
      if (pace.pauseMs !== undefined) await sleep(pace.pauseMs)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: pace.connections }, work))
  return { latencies, ms: performance.now() - begin }
}
