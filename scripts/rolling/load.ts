/**
 * A steady load of clients with persistent connections: they read, write, create objects and upload, and detect lost
 * writes.
 */
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const CLIENTS = 16
/** The average pause of a client after each request, in milliseconds. */
const PAUSE_MS = 150
/** The number of parts of an upload, and the pause in milliseconds after each. */
const PARTS = 8
const PART_BYTES = 64 * 1024
const PART_PAUSE_MS = 100
const REQUEST_MS = 60_000

type Kind = 'reads' | 'writes' | 'objects' | 'uploads'

/** The results of a load. */
export interface Tally {
  readonly requests: Record<Kind, number>
  /** The failures, a line each. */
  readonly failures: string[]
  /** Acknowledged writes that the service does not return, a line each. */
  readonly lost: string[]
  acknowledged: number
  longestMs: number
  milliseconds: number
}

/** A running load. */
interface Load {
  /** Stops the clients after their current requests. */
  stop(): Promise<Tally>
  /** The acknowledged writes that none of these addresses returns, a line each. */
  lostOn(addresses: readonly string[]): Promise<string[]>
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: Buffer
}

interface Received {
  readonly status: number
  readonly body: Buffer
}

/** Sends requests as the superuser, on one connection at a time. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #auth: string
  readonly #url: URL

  constructor(url: string, password: string) {
    this.#auth = `service:${password}`
    this.#url = new URL(url)
  }

  async send({ method, path, type, body }: Sent): Promise<Received> {
    const { hostname, port } = this.#url
    const headers = {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(body === undefined ? {} : { 'content-length': body.length }),
    }
    const signal = AbortSignal.timeout(REQUEST_MS)
    const req = httpRequest({
      hostname,
      port,
      method,
      path,
      headers,
      auth: this.#auth,
      agent: this.#agent,
      signal,
    })
    const answered = once(req, 'response') as Promise<[IncomingMessage]>
    // The request may fail before the client has sent the whole body.
    answered.catch(() => undefined)
    const long = body !== undefined && body.length > PART_BYTES
    for (let at = 0; long && at < body.length; at += PART_BYTES) {
      req.write(body.subarray(at, at + PART_BYTES))
      await sleep(PART_PAUSE_MS)
    }
    if (long) req.end()
    else req.end(body)
    const [answer] = await answered
    return { status: answer.statusCode ?? 0, body: Buffer.concat((await answer.toArray()) as Buffer[]) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

const PRIMITIVE = 'application/vnd.service.value+json'
const valuePath = (key: string, tag: string): string => `/about/${key}/service/rolling/${tag}`

/** The acknowledged content by path. The outcome of a failed write is unknown. */
type Acknowledged = Map<string, Buffer | 'there' | 'unknown'>

interface Step {
  readonly kind: Kind
  readonly request: Sent
  readonly expected: number
  /** The path that shows the result, if it is not the path of the request. */
  readonly made?: string
}

/** The next request of a client. */
function stepOf(name: string, turn: number): Step {
  const key = `${name}-${String(turn % 50)}`
  switch (turn % 8) {
    case 0:
      return {
        kind: 'uploads',
        request: {
          method: 'PUT',
          path: valuePath(key, 'file'),
          type: 'application/octet-stream',
          body: Buffer.alloc(PARTS * PART_BYTES, `${name} ${String(turn)} `),
        },
        expected: 204,
      }
    case 1: {
      const about = `made-by-${name}-${String(turn)}`
      const body = Buffer.from(JSON.stringify({ about }))
      return {
        kind: 'objects',
        request: { method: 'POST', path: '/objects', type: 'application/json', body },
        expected: 201,
        made: `/about/${about}`,
      }
    }
    case 2:
    case 5: {
      const body = Buffer.from(String(turn))
      return {
        kind: 'writes',
        request: { method: 'PUT', path: valuePath(key, 'turn'), type: PRIMITIVE, body },
        expected: 204,
      }
    }
    default:
      return {
        kind: 'reads',
        request: { method: 'GET', path: valuePath('ever', 'turn') },
        expected: 200,
      }
  }
}

/** Starts clients that run until `stop`. Resolves when the first value exists. */
export async function startLoad(url: string, password: string): Promise<Load> {
  const tally: Tally = {
    requests: { reads: 0, writes: 0, objects: 0, uploads: 0 },
    failures: [],
    lost: [],
    acknowledged: 0,
    longestMs: 0,
    milliseconds: 0,
  }
  const acknowledged: Acknowledged = new Map()
  const start = performance.now()
  let stopping = false
  const first = new Client(url, password)
  const ever = { method: 'PUT', path: valuePath('ever', 'turn'), type: PRIMITIVE, body: Buffer.from('1') }
  const { status } = await first.send(ever)
  first.close()
  if (status !== 204) throw new Error(`the first value could not be written: ${String(status)}`)
  const clients = Array.from({ length: CLIENTS }, async (_, i) => {
    const client = new Client(url, password)
    for (let turn = i; !stopping; turn++) {
      await takeStep(client, stepOf(`client-${String(i)}`, turn), { tally, acknowledged, start })
      await sleep(2 * PAUSE_MS * Math.random())
    }
    client.close()
  })
  return {
    stop: async () => {
      stopping = true
      await Promise.all(clients)
      tally.milliseconds = performance.now() - start
      return tally
    },
    lostOn: async (addresses) => {
      const lost: string[] = []
      for (const address of addresses)
        lost.push(...(await missingOn(new Client(`http://${address}`, password), acknowledged)))
      return lost
    },
  }
}

interface Books {
  readonly tally: Tally
  readonly acknowledged: Acknowledged
  readonly start: number
}

async function takeStep(client: Client, step: Step, { tally, acknowledged, start }: Books): Promise<void> {
  const { kind, request, expected, made } = step
  const before = performance.now()
  tally.requests[kind] += 1
  try {
    const { status } = await client.send(request)
    if (status !== expected) throw new Error(`status ${String(status)}`)
    if (kind !== 'reads') tally.acknowledged += 1
    if (made !== undefined) acknowledged.set(made, 'there')
    else if (request.body !== undefined) acknowledged.set(request.path, request.body)
  } catch (error) {
    if (made === undefined && request.body !== undefined) acknowledged.set(request.path, 'unknown')
    const { code, message } = error as NodeJS.ErrnoException
    const at = ((performance.now() - start) / 1000).toFixed(2)
    tally.failures.push(`${at} s: ${request.method} ${request.path}: ${code ?? message}`)
  }
  tally.longestMs = Math.max(tally.longestMs, performance.now() - before)
}

async function missingOn(client: Client, acknowledged: Acknowledged): Promise<string[]> {
  const lost: string[] = []
  for (const [path, content] of acknowledged) {
    if (content === 'unknown') continue
    const { status, body } = await client.send({ method: 'GET', path })
    const isThere = status === 200 && (content === 'there' || body.equals(content))
    if (!isThere) lost.push(`lost: ${path}: ${String(status)}`)
  }
  client.close()
  return lost
}
