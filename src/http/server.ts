/** The HTTP server: its limits and time-outs, and answers to what is not even a request. */
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { ERRORS, type ErrorClass } from '../errors.ts'
import { EXPOSED_HEADERS } from './cross-origin.ts'

const CHECK_MS = 5_000

/** Makes a server that is not listening yet. */
export function createHttpServer(config: Config, listener: RequestListener): Server {
  // The headers are a part of the request.
  const shortest = Math.min(config.headersTimeoutMs, config.requestTimeoutMs)
  const server = createServer({
    maxHeaderSize: config.maxHeaderBytes,
    headersTimeout: shortest,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(shortest, CHECK_MS),
    // Node would refuse a missing Host in its own way; the service does so in the way of all errors.
    requireHostHeader: false,
  })
  // A client that has said all it has to say may close its half of the connection, and still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const latest = new WeakMap<Duplex, ServerResponse>()
  const serve: RequestListener = (req, res) => {
    latest.set(req.socket, res)
    // Node forgets what came in the same packet behind a request to upgrade, which is declined here.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    listener(req, res)
  }
  server.on('request', serve)
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve)
  server.on('connect', (_req, socket) => {
    refuse(socket, 'UnsupportedMethod')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseAfter(latest.get(socket), error, socket)
  })
  return server
}

const CLASSES: Readonly<Record<string, ErrorClass>> = {
  HPE_HEADER_OVERFLOW: 'RequestHeadersTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'RequestHeadersTooLarge',
  HPE_INVALID_CONTENT_LENGTH: 'ContentLengthMismatch',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'ContentLengthMismatch',
  HPE_INVALID_TRANSFER_ENCODING: 'ContentLengthMismatch',
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
}

/** Refuses what came after the latest request of a connection, once that has its answer. */
function refuseAfter(
  latest: ServerResponse | undefined,
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (code === 'ECONNRESET') {
    socket.destroy()
  } else if (latest?.req.complete === true && !latest.writableFinished) {
    latest.once('finish', () => {
      refuse(socket, CLASSES[code] ?? 'TBadRequest')
    })
  } else {
    // The connection ended within a body.
    const cutOff = latest?.req.complete === false && code === 'HPE_INVALID_EOF_STATE'
    refuse(socket, cutOff ? 'ContentLengthMismatch' : (CLASSES[code] ?? 'TBadRequest'))
  }
}

/** Answers in the way of all errors, which Node would not, and closes the connection. */
function refuse(socket: Duplex, errorClass: ErrorClass): void {
  const { status } = ERRORS[errorClass]
  const lines = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    `X-Service-Error-Class: ${errorClass}`,
    `X-Service-Request-Id: ${randomUUID()}`,
    ...(errorClass === 'TBadRequest' ? ['X-Service-Message: the request is not HTTP'] : []),
    ...(errorClass === 'UnsupportedMethod' ? ['Allow: DELETE, GET, HEAD, OPTIONS, POST, PUT'] : []),
    'Access-Control-Allow-Origin: *',
    `Access-Control-Expose-Headers: ${EXPOSED_HEADERS}`,
    'Content-Length: 0',
    'Connection: close',
  ]
  if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  else socket.destroy()
}
