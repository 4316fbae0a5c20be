/** What arrives: the request line and the headers, strictly parsed, and the octets of the body. */
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { badRequest, ServiceError } from '../errors.ts'
import { parseQueryString, type RawArguments } from './arguments.ts'

/** A request as all later steps see it. */
export interface Incoming {
  readonly method: string
  /** The path as sent, still percent-encoded; `*` for the whole service (`OPTIONS *`). */
  readonly rawPath: string
  readonly args: RawArguments
  /** The function that a JSONP answer calls. */
  readonly callback: string | undefined
  header(name: string): string | undefined
  /** The octets of the body as sent; undefined if the request has none. */
  readBytes(): Promise<Buffer | undefined>
}

/** Throws `UriTooLong`, and `TBadRequest` if `Host` is missing. */
export function checkRequestLine(req: IncomingMessage, { maxUrlBytes }: Config): void {
  if (Buffer.byteLength(req.url ?? '/') > maxUrlBytes) throw new ServiceError('UriTooLong')
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw badRequest('the Host header is missing')
  }
}

/** Reads the request line and the headers. */
export function readRequest(req: IncomingMessage, { maxBodyBytes }: Config): Incoming {
  const target = req.url ?? '/'
  // A proxy may send the absolute form, which begins with the scheme and the host.
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const [path = '', ...query] = relative.split('?')
  return {
    method: req.method ?? 'GET',
    rawPath: path.startsWith('/') || path === '*' ? path : `/${path}`,
    args: parseQueryString(query.join('?')),
    callback: undefined,
    header: (name) => {
      const value = req.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    readBytes: () => readBytes(req, maxBodyBytes),
  }
}

async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (req.headers['transfer-encoding'] !== undefined) throw new ServiceError('NoContentLengthHeader')
  const length = req.headers['content-length']
  if (length === undefined) return undefined
  if (Number(length) > maxBytes) throw new ServiceError('PayloadTooLarge')
  return wholeOf(req)
}

/** Everything that a request's body has. Listeners, because a loop over the stream costs as much as a short write. */
function wholeOf(req: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const cutOff = (): void => {
    reject(new Error('the client is gone'))
  }
  if (req.destroyed) cutOff()
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.once('end', () => {
    resolve(Buffer.concat(chunks))
  })
  req.once('error', cutOff)
  req.once('close', cutOff)
  return promise
}
