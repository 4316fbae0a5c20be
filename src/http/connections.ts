/** What a connection may hold: one answer at a time, few requests that wait, and nothing once its client stands still. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests may wait behind others, on all connections together: about 40 MB. */
const MAX_WAITING = 10_000

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
  const lines = new WeakMap<Socket, Exchange[]>()
  let waiting = 0

  const start = ({ req, res }: Exchange, line: Exchange[]): void => {
    const { socket } = req
    res.setTimeout(idleTimeoutMs, () => {
      // Otherwise the service is still at work.
      if (socket.writableLength > 0) socket.destroy()
      else socket.setTimeout(idleTimeoutMs)
    })
    res.once('close', () => {
      // Then nobody waits for the rest.
      if (socket.destroyed) return
      const next = line.shift()
      if (line.length === 0) socket.resume()
      if (next === undefined) {
        lines.delete(socket)
        return
      }
      waiting -= 1
      start(next, line)
    })
    listener(req, res)
  }

  return (req, res) => {
    const { socket } = req
    const line = lines.get(socket)
    if (line === undefined) {
      const first: Exchange[] = []
      lines.set(socket, first)
      start({ req, res }, first)
    } else if (waiting >= MAX_WAITING) {
      socket.destroy()
    } else {
      if (line.length === 0) {
        socket.pause()
        socket.once('close', () => {
          waiting -= line.splice(0).length
        })
      }
      line.push({ req, res })
      waiting += 1
    }
  }
}
