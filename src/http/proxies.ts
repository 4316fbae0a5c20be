/** How requests come here: what a connection says and, where they are trusted, the proxies in front of it. */
import type { IncomingMessage } from 'node:http'
import express from 'express'
import { hostOf } from './request.ts'

/** Where a request comes from, and which address it was sent to. */
export interface Way {
  /** The scheme of the request's URL. */
  readonly protocol: string
  /** The host of the request's URL, with its port. */
  readonly host: string | undefined
  /** The client's network address; none once its connection is closed. */
  readonly ip: string | undefined
}

/**
 * Returns a function that finds the way of a request. `trusted` lists the proxies whose `X-Forwarded-*` headers count:
 * addresses, networks, or names that Express has for networks.
 */
export function wayFinder(trusted: readonly string[]): (req: IncomingMessage) => Way {
  if (trusted.length === 0) return (req) => new Connected(req)
  const app = express()
  app.set('trust proxy', trusted)
  // Express tells it of any object that has these two. To pass each request through Express would cost far more.
  return (req) => {
    const host = hostOf(req)
    const headers = host === req.headers.host ? req.headers : { ...req.headers, host }
    return Object.assign(Object.create(app.request) as typeof app.request, { headers, socket: req.socket })
  }
}

/** Without proxies, what the connection says. Nothing is found out before it is asked for. */
class Connected implements Way {
  readonly #req: IncomingMessage

  constructor(req: IncomingMessage) {
    this.#req = req
  }

  get protocol(): string {
    return 'encrypted' in this.#req.socket ? 'https' : 'http'
  }

  get host(): string | undefined {
    return hostOf(this.#req)
  }

  get ip(): string | undefined {
    return this.#req.socket.remoteAddress
  }
}
