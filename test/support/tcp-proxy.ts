/** A TCP proxy in front of a MySQL-protocol server, which disturbs the connections through it on demand. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * `cut` closes a connection, `reset` breaks it, `freeze` forwards no data and keeps it open, `slow` forwards small
 * pieces.
 */
export const HARMS = ['cut', 'reset', 'freeze', 'slow'] as const
export type Harm = (typeof HARMS)[number]

/** The moment: instead of a statement; after the statement and instead of its answer; or in the middle of the answer. */
export const POINTS = ['statement', 'answer', 'midst'] as const
export type Point = (typeof POINTS)[number]

/** A single disturbance of the connection that sends the statement. */
export interface Trap {
  readonly harm: Harm
  readonly point: Point
  /** The number of statements, on all connections, that pass first. */
  after: number
  /** Only statements with this text count. */
  readonly text?: string
}

/** The first octet of commands that are statements: execute, prepare, and execute a prepared one. */
const STATEMENTS = [0x03, 0x16, 0x17]
/** The delay of a piece in milliseconds, and the most pieces into which the proxy divides a chunk. */
const DROP_MS = 2
const DROPS = 3

/** One connection through the proxy. */
class Pair {
  readonly client: Socket
  readonly server: Socket
  /** The disturbance of the next answer. */
  trap: Trap | undefined
  #frozen = false
  /** The data that had arrived when the connection froze. */
  readonly #kept: [to: Socket, data: Buffer][] = []
  #drops: Promise<void> | undefined

  constructor(client: Socket, server: Socket) {
    this.client = client
    this.server = server
  }

  freeze(): void {
    this.#frozen = true
    this.client.pause()
    this.server.pause()
  }

  /**
   * Forwards the data that the proxy and the system have kept meanwhile, and stops slow forwarding after the last piece.
   */
  thaw(): void {
    this.#frozen = false
    for (const [to, data] of this.#kept.splice(0)) this.pass(to, data)
    const last = this.#drops
    void last?.then(() => {
      if (this.#drops === last) this.#drops = undefined
    })
    this.client.resume()
    this.server.resume()
  }

  end(): void {
    this.client.destroy()
    this.server.destroy()
  }

  suffer(harm: Harm): void {
    if (harm === 'freeze') this.freeze()
    else if (harm === 'slow') this.#drops ??= Promise.resolve()
    else {
      if (harm === 'reset') this.client.resetAndDestroy()
      this.end()
    }
  }

  pass(to: Socket, data: Buffer): void {
    if (this.#frozen) {
      this.#kept.push([to, data])
      return
    }
    if (this.#drops === undefined) {
      to.write(data)
      return
    }
    const length = Math.ceil(data.length / DROPS)
    for (let at = 0; at < data.length; at += length) {
      const drop = data.subarray(at, at + length)
      this.#drops = this.#drops.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, DROP_MS))
        to.write(drop)
      })
    }
  }
}

export class TcpProxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #closed: Promise<unknown>
  #trap: Trap | undefined
  #frozen = false

  private constructor(server: Server, databaseUrl: string) {
    this.#closed = once(server, 'close')
    const url = new URL(databaseUrl)
    const [port, host] = [Number(url.port), url.hostname]
    url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
    this.url = url.href
    this.#server = server
    server.on('connection', (client: Socket) => {
      this.#join(new Pair(client, connect({ port, host })))
    })
  }

  /** Listens on a port, by default one that the system chooses. */
  static async start(databaseUrl: string, port = 0): Promise<TcpProxy> {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, databaseUrl)
  }

  /** Sets a trap, and replaces the earlier one. */
  set(trap: Trap): void {
    this.#trap = trap
  }

  /** Whether the trap still waits for its statement. */
  get isSet(): boolean {
    return this.#trap !== undefined
  }

  /** Removes the trap; returns whether it still waited. */
  takeBack(): boolean {
    const { isSet } = this
    this.#trap = undefined
    return isSet
  }

  /** Disturbs all connections immediately. */
  harmAll(harm: Harm): void {
    for (const pair of this.#pairs) pair.suffer(harm)
  }

  /** Freezes all connections, also new ones, until `thaw`, which also ends slow forwarding. */
  freeze(): void {
    this.#frozen = true
    this.harmAll('freeze')
  }

  thaw(): void {
    this.#frozen = false
    for (const pair of this.#pairs) pair.thaw()
  }

  /** Accepts no further connections. Existing connections continue. */
  refuse(): void {
    this.#server.close()
  }

  async stop(): Promise<void> {
    for (const pair of this.#pairs) pair.end()
    this.#server.close()
    await this.#closed
  }

  #join(pair: Pair): void {
    const { client, server } = pair
    this.#pairs.add(pair)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pair.end()
        this.#pairs.delete(pair)
      })
    }
    client.on('data', (data: Buffer) => {
      this.#sent(pair, data)
    })
    server.on('data', (data: Buffer) => {
      answered(pair, data)
    })
    if (this.#frozen) pair.freeze()
  }

  #sent(pair: Pair, data: Buffer): void {
    const trap = this.#trap
    // A command begins a sequence of packets; packets of a sign-in continue the server's sequence.
    const isStatement = data[3] === 0 && STATEMENTS.includes(data[4] ?? 0)
    const counts = trap !== undefined && isStatement && data.includes(trap.text ?? '')
    if (counts && trap.after-- === 0) {
      this.#trap = undefined
      if (trap.point === 'statement') pair.suffer(trap.harm)
      else pair.trap = trap
    }
    pair.pass(pair.server, data)
  }
}

function answered(pair: Pair, data: Buffer): void {
  const { trap } = pair
  pair.trap = undefined
  const passed = trap?.point === 'midst' ? Math.ceil(data.length / 2) : 0
  if (passed > 0) pair.pass(pair.client, data.subarray(0, passed))
  if (trap !== undefined) pair.suffer(trap.harm)
  pair.pass(pair.client, data.subarray(passed))
}
