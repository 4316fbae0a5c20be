/**
 * What stands between the browser and the service in tests of attacks: on demand it takes away
 * what the service protects itself by. And a server with the attackers' pages.
 */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in a test, on a port that the system chose. */
export interface Running {
  readonly port: number
  stop(): Promise<void>
}

/** A proxy in front of the service. */
export interface Front extends Running {
  /** Resolves once a request whose target contains the text has its answer. */
  answered(text: string): Promise<void>
  /** Resolves once that answer refuses credentials. The browser may then wait for somebody to enter others. */
  refused(text: string): Promise<void>
}

/** The request headers by which the service knows a browser, and the answer headers by which it restrains one. */
export const PROTECTION: readonly string[] = [
  ...['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'origin', 'user-agent'],
  ...['content-security-policy', 'x-content-type-options', 'cross-origin-opener-policy'],
]

/** Starts a proxy that takes headers with the given names out of requests and answers. */
export async function startFront(serviceUrl: string, hidden: readonly string[]): Promise<Front> {
  const [waiting, refusing] = [new Map<string, () => void>(), new Map<string, () => void>()]
  const { hostname, port } = new URL(serviceUrl)
  const server = createServer((req, res) => {
    const { method = '', url: path = '/' } = req
    const headers = without(req.headers, hidden)
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, without(answer.headers, hidden))
      answer.pipe(res)
      res.once('close', () => {
        callAll(waiting, path)
        if (req.headers.authorization !== undefined && answer.statusCode === 401) callAll(refusing, path)
      })
    })
    req.pipe(forwarded)
  })
  const on = (calls: Map<string, () => void>) => (text: string) =>
    new Promise<void>((resolve) => {
      calls.set(text, resolve)
    })
  return { ...(await listen(server)), answered: on(waiting), refused: on(refusing) }
}

/** Calls whatever waits for a part of a text. */
function callAll(waiting: ReadonlyMap<string, () => void>, text: string): void {
  for (const [part, resolve] of waiting) if (text.includes(part)) resolve()
}

const without = (headers: IncomingMessage['headers'], names: readonly string[]): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** A server with pages, which keeps what they bring home. */
export interface Attacker extends Running {
  /** The pages by their paths. */
  readonly pages: Map<string, string>
  /** What its pages sent to `/loot`. */
  readonly loot: string[]
  /** Resolves when something arrives that contains the text. */
  brought(text: string): Promise<void>
}

/** Starts the attackers' server, for any host name. */
export async function startAttacker(): Promise<Attacker> {
  const pages = new Map<string, string>()
  const loot: string[] = []
  const waiting = new Map<string, () => void>()
  const server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', 'http://attacker')
    if (pathname === '/loot') {
      const brought = decodeURIComponent(search)
      loot.push(brought)
      callAll(waiting, brought)
    }
    res.setHeader('Content-Type', 'text/html')
    res.end(pages.get(pathname) ?? '')
  })
  const brought = (text: string): Promise<void> =>
    loot.some((one) => one.includes(text))
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiting.set(text, resolve)
        })
  return { ...(await listen(server)), pages, loot, brought }
}

async function listen(server: Server): Promise<Running> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, stop }
}
