/** How a server ends without cutting anybody off: each answer says that it is the last one on its connection. */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as yieldNow, setTimeout as sleep } from 'node:timers/promises'

/** How long a connection is silent before it counts as idle, and is read after its end, in milliseconds. */
const SILENCE_MS = 1000
/** How often idle connections are looked for, in milliseconds. */
const LOOK_MS = 100
/** A turn of the event loop in which hardly anybody can have connected, in milliseconds. */
const CALM_TURN_MS = 0.2
const MOST_TURNS = 200

/** How long a drain may take, in milliseconds. */
export interface DrainTimes {
  /** How long new connections are still accepted. */
  readonly waitMs: number
  /** How long the work in hand may take after that. */
  readonly workMs: number
}

/** An open connection. */
interface Held {
  readonly socket: Socket
  /** The answer to the latest request. */
  answer: ServerResponse | undefined
  /** Whether that is the last answer because the server drains. */
  last: boolean
  /** Since when nothing has come, in milliseconds since the start, and how many octets had come by then. */
  quiet: { readonly since: number; readonly read: number }
}

/** The connections of a server, and the answers on them. */
export class Draining {
  readonly #server: HttpServer
  readonly #held = new Map<Duplex, Held>()
  #begun = false

  /** Create it before the server listens. */
  constructor(server: HttpServer) {
    this.#server = server
    server.on('connection', (socket) => {
      const held: Held = { socket, answer: undefined, last: false, quiet: quietFromNow(socket) }
      this.#held.set(socket, held)
      if (this.#begun) endGentlyLater(socket)
      socket.once('close', () => this.#held.delete(socket))
    })
  }

  /** The answer to the latest request on a connection. */
  latest(socket: Duplex): ServerResponse | undefined {
    return this.#held.get(socket)?.answer
  }

  /** Notes a request. Returns whether it counts: what follows the last answer of a connection is not acted on. */
  admits({ socket }: IncomingMessage, res: ServerResponse): boolean {
    const held = this.#held.get(socket)
    if (held === undefined) return true
    if (held.last) {
      if (held.answer?.headersSent === true) return false
      // This request came right behind the other one, so the last answer is the one to this request.
      if (held.answer !== undefined) held.answer.shouldKeepAlive = true
      held.last = false
    }
    held.answer = res
    if (this.#begun) makeLast(held)
    return true
  }

  /**
   * Ends the server. From now on each answer closes its connection. After `waitMs` the server accepts no more
   * connections, and closes those that are idle. After `workMs` more it destroys the connections that are left.
   */
  async end({ waitMs, workMs }: DrainTimes): Promise<void> {
    this.#begin()
    await sleep(waitMs)
    await calmTurn()
    // Not `close` of HTTP, which would cut off idle connections at once, and no longer look at time-outs.
    const closed = new Promise<unknown>((resolve) => Server.prototype.close.call(this.#server, resolve))
    const looking = setInterval(() => {
      this.#endIdle()
    }, LOOK_MS)
    const cuttingOff = setTimeout(() => {
      for (const socket of this.#held.keys()) socket.destroy()
    }, workMs)
    await closed
    clearInterval(looking)
    clearTimeout(cuttingOff)
  }

  #begin(): void {
    this.#begun = true
    for (const held of this.#held.values()) {
      const { socket } = held
      endGentlyLater(socket)
      makeLast(held)
      held.quiet = quietFromNow(socket)
      // It has said already that the connection goes on.
      if (isUnderWay(held) && !held.last) {
        held.answer?.once('close', () => {
          held.quiet = quietFromNow(socket)
        })
      }
    }
  }

  #endIdle(): void {
    const now = performance.now()
    for (const held of this.#held.values()) {
      const { socket, quiet } = held
      const { since, read } = quiet
      // If octets have come, a request is on its way.
      const isIdle = !isUnderWay(held) && socket.bytesRead === read && now - since >= SILENCE_MS
      if (isIdle && !socket.writableEnded) endGently(socket)
    }
  }
}

const quietFromNow = (socket: Socket): Held['quiet'] => ({
  since: performance.now(),
  read: socket.bytesRead,
})

const isUnderWay = ({ answer }: Held): boolean => answer?.writableFinished === false && !answer.destroyed

/** Makes the latest answer say that it is the last one, if it has said nothing yet. */
function makeLast(held: Held): void {
  const { answer } = held
  if (answer?.shouldKeepAlive !== true || answer.headersSent) return
  answer.shouldKeepAlive = false
  held.last = true
}

/** Node closes a connection after its last answer: from now on, like `endGently`. */
function endGentlyLater(socket: Socket): void {
  socket.destroySoon = () => {
    endGently(socket)
  }
}

/**
 * Ends a connection, and reads on for a while. The system resets one that is closed with octets unread, and then the
 * client may lose an answer that has arrived.
 */
function endGently(socket: Socket): void {
  const linger = (): void => {
    setTimeout(() => socket.destroy(), SILENCE_MS).unref()
  }
  if (socket.writableFinished) linger()
  else socket.once('finish', linger)
  socket.end()
  socket.resume()
}

/**
 * Waits for a short turn of the event loop. Connections that the system has accepted, but not yet passed on, are reset
 * when a server closes: after a short turn there is hardly one.
 */
async function calmTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const before = performance.now()
    await yieldNow()
    if (performance.now() - before < CALM_TURN_MS) return
  }
}
