/** What a connection may hold: one answer at a time, few requests that wait, and nothing once its client stands still. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests may wait behind others, on all connections together: about 40 MB. */
const MAX_WAITING = 10_000

/** A connection: whether an answer is under way, and the requests that wait for its end. */
interface Line {
  busy: boolean
  readonly queue: Exchange[]
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/**
 * A listener that answers the requests of a connection one after the other: answers leave in that order anyway, and a
 * client that reads none of them would otherwise have thousands made. While requests wait, nothing more is read from their
 * connection. A client that accepts nothing of an answer for `idleTimeoutMs` is cut off.
 */
export function oneByOne(listener: RequestListener, idleTimeoutMs: number): RequestListener {
  const lines = new WeakMap<Socket, Line>()
  let waiting = 0

  const start = ({ req, res }: Exchange, line: Line): void => {
    const { socket } = req
    line.busy = true
    res.setTimeout(idleTimeoutMs, () => {
      // Otherwise the service is still at work.
      if (socket.writableLength > 0) socket.destroy()
      else socket.setTimeout(idleTimeoutMs)
    })
    res.once('close', () => {
      // Then nobody waits for the rest.
      if (socket.destroyed) return
      line.busy = false
      const next = line.queue.shift()
      if (line.queue.length === 0) socket.resume()
      if (next === undefined) return
      waiting -= 1
      start(next, line)
    })
    listener(req, res)
  }

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { busy: false, queue: [] }
    lines.set(socket, line)
    socket.once('close', () => {
      waiting -= line.queue.splice(0).length
    })
    return line
  }

  return (req, res) => {
    const { socket } = req
    const line = lineOf(socket)
    if (!line.busy) {
      start({ req, res }, line)
    } else if (waiting >= MAX_WAITING) {
      socket.destroy()
    } else {
      socket.pause()
      line.queue.push({ req, res })
      waiting += 1
    }
  }
}
