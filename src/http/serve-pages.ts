/**
 * What people open in a browser: the root of the service, and the console. Neither is an operation of the contract. The
 * root says to other clients where things are.
 */
import type { ServerResponse } from 'node:http'
import type { Console } from '../documents/on-demand.ts'
import { asksForPages } from './message/accept.ts'
import type { Middleware } from './middleware.ts'
import type { Incoming } from './request/request.ts'
import { send } from './answer/send.ts'
import { setCacheControl, setNoSniffing } from './answer/success-headers.ts'

const CONSOLE = '/console'

/** The middleware that answers requests for the root and for the console, if there is such a page. */
export const servePages =
  (console: Console): Middleware =>
  async (_req, res, next) => {
    const { incoming, baseUrl } = res.locals
    if (!isForPeople(incoming) || !(await sendPage(res, incoming, baseUrl, console))) next()
  }

/** Whether a request is for a page of the console, or for the root. */
function isForPeople(incoming: Incoming): boolean {
  const { method, rawPath, callback } = incoming
  if ((method !== 'GET' && method !== 'HEAD') || callback !== undefined) return false
  return rawPath === '/' || isInConsole(incoming)
}

/**
 * Whether a path is the console's. The service does not check credentials there, as all callers get the same files: with an
 * outdated password that a browser remembers, a 401 would make the browser ask for another one in a window of its own.
 */
export const isInConsole = ({ rawPath }: Incoming): boolean =>
  rawPath === CONSOLE || rawPath.startsWith(`${CONSOLE}/`)

/**
 * Sends a file of the console, or leads to its page; without a console the root leads to the reference. To a client that
 * does not ask for pages the root says where they are. Returns whether it did.
 */
async function sendPage(
  res: ServerResponse,
  incoming: Incoming,
  baseUrl: string,
  console: Console,
): Promise<boolean> {
  const { rawPath } = incoming
  const document = await console(rawPath.slice(`${CONSOLE}/`.length))
  if (rawPath === '/' && !asksForPages(incoming.header('accept'))) {
    sendWhereabouts(res, incoming, baseUrl, document !== undefined)
    return true
  }
  if (rawPath === '/' || (rawPath === CONSOLE && document !== undefined)) {
    const location = document === undefined ? `${baseUrl}/docs` : `${baseUrl}${CONSOLE}/`
    await send(res, { status: 303, location }, incoming)
    return true
  }
  if (document !== undefined) await send(res, { status: 200, document }, incoming)
  return document !== undefined
}

function sendWhereabouts(
  res: ServerResponse,
  { method }: Incoming,
  baseUrl: string,
  hasConsole: boolean,
): void {
  const lines = [`contract: ${baseUrl}/openapi.json`, `documentation: ${baseUrl}/docs`]
  if (hasConsole) lines.push(`console: ${baseUrl}${CONSOLE}/`)
  const text = lines.map((line) => `${line}\n`).join('')
  res.statusCode = 200
  setCacheControl(res)
  setNoSniffing(res)
  res.setHeader('Content-Type', 'text/plain; charset=utf-8')
  // A HEAD by `verb` promises no octets.
  if (method === res.req.method) res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(method === 'HEAD' ? undefined : text)
}
