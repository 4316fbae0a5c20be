/** The limits of a connection: it answers one request at a time, queues few, and is closed when its client reads nothing. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests may wait behind others, on all connections together: about 40 MB. */
const MAX_WAITING = 10_000

/** How often it is looked whether clients still accept their answers, as a part of the time that they have. */
const LOOKS = 4

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** How many octets of an answer had left when some last did, and when that was, in milliseconds since the start. */
interface Progress {
  sent: number
  at: number
}

/**
 * The connections on which an answer is under way. Those whose client accepts nothing of it for `idleTimeoutMs` are cut
 * off. Node's own timer of a socket does not do: it starts anew with every octet that the client sends.
 */
class Answering {
  readonly #progress = new Map<Socket, Progress>()
  readonly #idleTimeoutMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs
  }

  has(socket: Socket): boolean {
    return this.#progress.has(socket)
  }

  add(socket: Socket): void {
    this.#progress.set(socket, { sent: socket.bytesWritten, at: performance.now() })
    this.#lookLater()
  }

  delete(socket: Socket): void {
    this.#progress.delete(socket)
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#look()
      if (this.#progress.size > 0) this.#lookLater()
    }, this.#idleTimeoutMs / LOOKS).unref()
  }

  #look(): void {
    const now = performance.now()
    for (const [socket, progress] of this.#progress) {
      const sent = socket.bytesWritten
      // If nothing waits to be sent, the service is still at work.
      if (socket.writableLength === 0 || sent !== progress.sent) Object.assign(progress, { sent, at: now })
      else if (now - progress.at >= this.#idleTimeoutMs) socket.destroy()
    }
  }
}

/**
 * A listener that answers the requests of a connection one after the other: answers leave in that order anyway, and a
 * client that reads none of them would otherwise have thousands made. While requests wait, nothing more is read from their
 * connection: what waits is what came in one read, of at most 64 KiB. A client that accepts nothing of an answer for
 * `idleTimeoutMs` is cut off, at the latest a quarter later.
 */
export function oneByOne(listener: RequestListener, idleTimeoutMs: number): RequestListener {
  const queues = new WeakMap<Socket, Exchange[]>()
  const answering = new Answering(idleTimeoutMs)
  let waiting = 0

  const start = ({ req, res }: Exchange, queue: Exchange[]): void => {
    const { socket } = req
    answering.add(socket)
    res.once('close', () => {
      answering.delete(socket)
      // The client is gone: the queued requests need no answer.
      if (socket.destroyed) return
      const next = queue.shift()
      if (queue.length === 0 && socket.isPaused()) socket.resume()
      if (next === undefined) return
      waiting -= 1
      start(next, queue)
    })
    listener(req, res)
  }

  const queueOf = (socket: Socket): Exchange[] => {
    const known = queues.get(socket)
    if (known !== undefined) return known
    const queue: Exchange[] = []
    queues.set(socket, queue)
    socket.on('resume', () => {
      // Node resumes a connection after each request that it has read.
      if (queue.length > 0) socket.pause()
    })
    socket.once('close', () => {
      waiting -= queue.splice(0).length
    })
    return queue
  }

  return (req, res) => {
    const { socket } = req
    const queue = queueOf(socket)
    if (!answering.has(socket)) {
      start({ req, res }, queue)
    } else if (waiting >= MAX_WAITING) {
      socket.destroy()
    } else {
      socket.pause()
      queue.push({ req, res })
      waiting += 1
    }
  }
}
