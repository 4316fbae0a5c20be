/** The admin server: it answers load balancers and operators, on an address of its own. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** Not imported: an import would also load an HTTP client, of 7 MB. */
const { createServer } = process.getBuiltinModule('node:http')

/** An answer of the admin server. */
export interface AdminAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Handlers of GET and HEAD, by path. */
export type AdminRoutes = Readonly<Record<string, () => AdminAnswer | Promise<AdminAnswer>>>

/** Probes are short, and few clients send them. Time-outs in milliseconds. */
const LIMITS = { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 75_000 }
const MAX_CONNECTIONS = 200

/**
 * Creates a server that does not listen yet. `report` receives the errors of routes. The server answers requests whose Host
 * is an address, `localhost`, the machine's name or one of `names`.
 */
export function createAdminServer(
  routes: AdminRoutes,
  report: (message: string, error: unknown) => void,
  names: readonly string[] = [],
): Server {
  const own = new Set(['localhost', hostname(), ...names].map((name) => name.toLowerCase()))
  const server = createServer(LIMITS, (req, res) => {
    const answer = isAskedAs(own, req.headers.host)
      ? answerOf(routes, req, res)
      : Promise.resolve(MISDIRECTED)
    void answer
      .catch((error: unknown) => {
        report(`the admin server, ${req.url ?? ''}`, error)
        return plain(500, 'a fault of the service, which is in its log')
      })
      .then((answer) => {
        send(res, answer)
      })
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}

/** An answer with one line of text. */
export const plain = (status: number, line: string): AdminAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  text: `${line}\n`,
})

const MISDIRECTED = plain(421, 'ask for an IP address or localhost, or name this host in ADMIN_NAMES')

/**
 * Whether the Host of a request may be this one. Otherwise a page whose own name leads here could read the answers, in a
 * browser on the same network. A request without Host comes from no browser.
 */
function isAskedAs(own: ReadonlySet<string>, host: string | undefined): boolean {
  if (host === undefined) return true
  const name = host
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  return isIP(name) !== 0 || own.has(name)
}

async function answerOf(
  routes: AdminRoutes,
  { method, url = '' }: IncomingMessage,
  res: ServerResponse,
): Promise<AdminAnswer> {
  const [path = ''] = url.split('?')
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (route === undefined) return plain(404, `there is nothing here but ${Object.keys(routes).join(', ')}`)
  if (method === 'GET' || method === 'HEAD') return route()
  res.setHeader('Allow', 'GET, HEAD')
  return plain(405, 'only GET and HEAD are allowed')
}

function send(res: ServerResponse, { status, contentType, text }: AdminAnswer): void {
  res.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  })
  // Node leaves out the body of an answer to HEAD.
  res.end(text)
}
