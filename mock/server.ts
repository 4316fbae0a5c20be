/** The server of the mock: the server of the service with additions. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Config } from '../src/settings/config.ts'
import { serviceErrorOf, unsupportedMethod } from '../src/model/errors.ts'
import { sendOptions, setCorsHeaders } from '../src/http/cross-origin.ts'
import { ERROR_CLASS } from '../src/http/message/headers.ts'
import { createHttpServer } from '../src/http/server/server.ts'
import { sendError } from '../src/http/send-error.ts'

/** The parts of a mock. */
export interface Mock {
  readonly application: RequestListener
  /** The origin of a response, for the log. */
  readonly whose: (res: ServerResponse) => string
  /** Restores the initial data; undefined if the mock keeps no data. */
  readonly reset?: () => Promise<void>
}

/** Creates a server that does not listen yet. `print` receives a line for each request. */
export function createMockServer(
  config: Config,
  { application, whose, reset }: Mock,
  print: (line: string) => void,
): Server {
  return createHttpServer(config, (req, res) => {
    res.once('close', () => {
      print(lineOf(res, whose(res)))
    })
    if (reset !== undefined && pathOf(req) === RESET) void answerReset(req, res, { config, reset })
    else application(req, res)
  })
}

const RESET = '/__reset'
const RESET_METHODS = ['OPTIONS', 'POST']

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

async function answerReset(
  req: IncomingMessage,
  res: ServerResponse,
  { config, reset }: { readonly config: Config; readonly reset: () => Promise<void> },
): Promise<void> {
  setCorsHeaders(res, config)
  try {
    if (req.method === 'OPTIONS') {
      sendOptions(res, RESET_METHODS)
      return
    }
    if (req.method !== 'POST') throw unsupportedMethod(RESET_METHODS)
    await reset()
    res.writeHead(204).end()
  } catch (error) {
    sendError(res, serviceErrorOf(error), { requestId: randomUUID(), realm: config.serviceName })
  }
}

/** Time, method, path without arguments, status, error class, and origin of the answer. */
function lineOf(res: ServerResponse, whose: string): string {
  const { method = '' } = res.req
  const errorClass = res.getHeader(ERROR_CLASS)
  const status = res.headersSent ? res.statusCode : 'unanswered'
  const parts = [new Date().toISOString(), method, pathOf(res.req), status, errorClass, `(${whose})`]
  return parts.filter((part) => part !== undefined).join(' ')
}
