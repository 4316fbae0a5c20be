/** The server of the mock: the server of the service, with faults, a journal and controls. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../src/settings/config.ts'
import { ServiceError, serviceErrorOf } from '../src/model/errors.ts'
import { setCorsHeaders } from '../src/http/cross-origin.ts'
import { parseQueryString, singleValue } from '../src/http/request/arguments.ts'
import { ERROR_CLASS } from '../src/http/message/headers.ts'
import { createHttpServer } from '../src/http/server/server.ts'
import { sendError } from '../src/http/send-error.ts'
import { checkName, control } from './controls.ts'
import { cutBody } from './faults.ts'
import { readPreference, type Preference } from './preferences.ts'
import type { MockedStore, Stores } from './stores.ts'

/** Answers a request that prefers this. */
export type Application = (req: IncomingMessage, res: ServerResponse, preference: Preference) => Promise<void>

/** The parts of a mock. */
export interface MockParts {
  readonly config: Config
  readonly stores: Stores
  readonly application: Application
  /** The origin of a response, for the log. */
  readonly whose: (res: ServerResponse) => string
  /** Receives a line for each request. */
  readonly print: (line: string) => void
}

/** Creates a server that does not listen yet. */
export function createMockServer(mock: MockParts): Server {
  const { config, whose, print } = mock
  return createHttpServer(config, (req, res) => {
    res.once('close', () => {
      print(lineOf(res, whose(res)))
    })
    allowStoreHeader(res)
    serve(req, res, mock).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) print(`The mock failed: ${firstLine(error)}`)
      setCorsHeaders(res, config)
      sendError(res, serviceErrorOf(error), { requestId: randomUUID(), realm: config.serviceName })
    })
  })
}

const STORE = 'X-Mock-Store'

/** Reaches the journal at once: the body comes with the next event. */
async function serve(req: IncomingMessage, res: ServerResponse, mock: MockParts): Promise<void> {
  const { config, stores } = mock
  const store = stores.named(storeNameOf(req))
  const controlled = control(req, res, { config, store, stores })
  if (controlled !== undefined) return controlled
  if (req.method === 'OPTIONS') await mock.application(req, res, {})
  else await serveFaulty(req, res, { ...mock, store })
}

/** Answers a request with the faults that it prefers, or else with those of its store. */
async function serveFaulty(
  req: IncomingMessage,
  res: ServerResponse,
  { stores, store, application }: MockParts & { readonly store: MockedStore },
): Promise<void> {
  store.journal.add(req, res)
  const preference = { ...store.faults.next(), ...readPreference(req) }
  const { delay = '0', cut } = preference
  if (delay !== '0') await wait(res, Number(delay))
  if (cut === 'headers') res.destroy()
  // A client that has left gets no answer, and its request does nothing.
  if (res.destroyed) return
  if (cut === 'body') cutBody(res)
  await stores.within(store, () => application(req, res, preference))
}

/** Waits, but no longer than the client does. */
async function wait(res: ServerResponse, ms: number): Promise<void> {
  const gone = new AbortController()
  res.once('close', () => {
    gone.abort()
  })
  await setTimeout(ms, undefined, { signal: gone.signal }).catch(() => undefined)
}

/** The name of the store in the header, or in the argument for clients that cannot send the header. */
function storeNameOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const header = headers[STORE.toLowerCase()]
  const args = parseQueryString(url.split('?').slice(1).join('?'))
  const name = typeof header === 'string' ? header : singleValue(args, '__store')
  return name === undefined ? undefined : checkName('store', name)
}

/** Has pre-flights allow the header. */
function allowStoreHeader(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse
  const allowing = (...args: unknown[]): ServerResponse => {
    const allowed = res.getHeader('Access-Control-Allow-Headers')
    if (typeof allowed === 'string') res.setHeader('Access-Control-Allow-Headers', `${allowed}, ${STORE}`)
    return writeHead(...args)
  }
  Object.assign(res, { writeHead: allowing })
}

/** Time, method, path without arguments, status, error class, and origin of the answer. */
function lineOf(res: ServerResponse, whose: string): string {
  const { method = '', url = '' } = res.req
  const errorClass = res.getHeader(ERROR_CLASS)
  const status = res.headersSent ? res.statusCode : 'unanswered'
  const parts = [new Date().toISOString(), method, url.split('?')[0], status, errorClass, `(${whose})`]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** The first line of the message of an error. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
