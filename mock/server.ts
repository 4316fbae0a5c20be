/** The server of the mock: the service's, with what only a mock has. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Config } from '../src/config.ts'
import { ERROR_CLASS } from '../src/http/headers.ts'
import { createHttpServer } from '../src/http/server.ts'

/** What a mock consists of. */
export interface Mock {
  readonly application: RequestListener
  /** Whose answer a response is, for the log. */
  readonly whose: (res: ServerResponse) => string
}

/** Creates a server that is not listening yet. `print` receives a line for each request. */
export function createMockServer(
  config: Config,
  { application, whose }: Mock,
  print: (line: string) => void,
): Server {
  return createHttpServer(config, (req, res) => {
    res.once('close', () => {
      print(lineOf(res, whose(res)))
    })
    // A page must not send it anywhere else.
    if (req.method === 'OPTIONS' && req.headers.origin !== undefined) {
      res.setHeader('Access-Control-Allow-Headers', 'Prefer')
    }
    application(req, res)
  })
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

/** Time, method, path without arguments, status, class of an error, and whose answer it is. */
function lineOf(res: ServerResponse, whose: string): string {
  const { method = '' } = res.req
  const errorClass = res.getHeader(ERROR_CLASS)
  const status = res.headersSent ? res.statusCode : 'unanswered'
  const parts = [new Date().toISOString(), method, pathOf(res.req), status, errorClass, `(${whose})`]
  return parts.filter((part) => part !== undefined).join(' ')
}
