/** The HTTP server: its limits and time-outs, and its answers to what is not even a request. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../../settings/config.ts'
import { badRequest, ServiceError, unsupportedMethod } from '../../model/errors.ts'
import { refusedMidway, refusedRequest, type AnsweredRequest } from '../request/request-record.ts'
import { oneByOne } from './connections.ts'
import { OPEN_TO_ALL } from '../cross-origin.ts'
import { Draining, type DrainTimes } from './draining.ts'
import { ALL_METHODS } from '../message/methods.ts'
import { noteExpectation, toOriginForm } from '../request/request.ts'
import { errorHeaders } from '../send-error.ts'

/** Not imported: that would read every member of the module, and one of them loads a client, of 7 MB. */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

const CHECK_MS = 5_000

/** A server that can end without cutting anybody off. */
export interface DrainableServer extends Server {
  /** Ends the server; resolves when all its connections are closed. */
  drain(times: DrainTimes): Promise<void>
}

/** Creates a server that is not listening yet. `refused` receives what is answered without being a request. */
export function createHttpServer(
  config: Config,
  listener: RequestListener,
  refused: (request: AnsweredRequest) => void = () => undefined,
): DrainableServer {
  // The headers are part of the request, so they cannot be allowed more time than the request.
  const shortest = Math.min(config.headersTimeoutMs, config.requestTimeoutMs)
  const server = createServer({
    maxHeaderSize: config.maxHeaderBytes,
    headersTimeout: shortest,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(shortest, CHECK_MS),
    // Node would refuse a missing Host in its own way; `readRequest` answers it like every other error.
    requireHostHeader: false,
  })
  // A client that has nothing more to send may close its half of the connection and still get its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.maxConnections = config.maxConnections
  const draining = new Draining(server)
  const answer = oneByOne(listener, config.idleTimeoutMs)
  const serve: RequestListener = (req, res) => {
    toOriginForm(req)
    // The service declines upgrades. Node drops the rest of the packet behind an upgrade request.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    if (draining.admits(req, res)) answer(req, res)
    else req.resume()
  }
  server.on('request', serve)
  // Else Node would send 100 before anything is checked.
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    noteExpectation(req, res)
    serve(req, res)
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve)
  server.on('connect', (_req, socket) => {
    refused(refuse(socket, unsupportedMethod(ALL_METHODS), config))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseAfter(draining.latest(socket), error, { socket, config, refused })
  })
  server.on('connection', (socket) => {
    // After a refusal Node does not watch the connection any more, and the client could keep it open.
    socket.once('finish', () => {
      socket.setTimeout(config.idleTimeoutMs, () => socket.destroy())
    })
  })
  return Object.assign(server, { drain: (times: DrainTimes) => draining.end(times) })
}

/** The error classes for what Node rejects in a request, by Node's codes. */
const CLASSES = new Map<string, 'RequestHeadersTooLarge' | 'ContentLengthMismatch' | 'RequestTimeout'>([
  ['HPE_HEADER_OVERFLOW', 'RequestHeadersTooLarge'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'RequestHeadersTooLarge'],
  ['HPE_INVALID_CONTENT_LENGTH', 'ContentLengthMismatch'],
  ['HPE_UNEXPECTED_CONTENT_LENGTH', 'ContentLengthMismatch'],
  ['HPE_INVALID_TRANSFER_ENCODING', 'ContentLengthMismatch'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'RequestTimeout'],
])

const NOT_HTTP =
  'the request is not HTTP/1.1: percent-encode blanks in its URL, and do not send https to an http port'

function errorOf(code: string, midway: boolean): ServiceError {
  // The connection ended in the middle of a body.
  const errorClass = midway && code === 'HPE_INVALID_EOF_STATE' ? 'ContentLengthMismatch' : CLASSES.get(code)
  return errorClass === undefined ? badRequest(NOT_HTTP) : new ServiceError(errorClass)
}

interface Refusing {
  readonly socket: Duplex
  readonly config: Config
  readonly refused: (request: AnsweredRequest) => void
}

/** Refuses what follows the latest request on a connection, once that request has its answer. */
function refuseAfter(
  latest: ServerResponse | undefined,
  { code = '' }: NodeJS.ErrnoException,
  { socket, config, refused }: Refusing,
): void {
  if (code === 'ECONNRESET') {
    socket.destroy()
  } else if (latest?.req.complete === true && !latest.writableFinished) {
    latest.once('finish', () => {
      refused(refuse(socket, errorOf(code, false), config))
    })
  } else {
    const midway = latest?.req.complete === false
    const error = errorOf(code, midway)
    const underWay = midway && refusedMidway(latest, error)
    const answered = refuse(socket, error, config)
    if (!underWay) refused(answered)
  }
}

/** Answers like every other error, which Node would not do, and closes the connection. */
function refuse(socket: Duplex, error: ServiceError, { baseUrl }: Config): AnsweredRequest {
  const requestId = randomUUID()
  const headers = [
    ...errorHeaders(error, { requestId, realm: '', baseUrl }),
    ...OPEN_TO_ALL,
    ['Content-Length', '0'],
    ['Connection', 'close'],
  ]
  const lines = [
    `HTTP/1.1 ${String(error.status)} ${STATUS_CODES[error.status] ?? ''}`,
    ...headers.map((header) => header.join(': ')),
  ]
  if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  else socket.destroy()
  return refusedRequest(requestId, error)
}
