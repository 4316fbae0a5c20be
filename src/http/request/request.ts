/** A request as it arrives: the request line and the headers, strictly parsed, and the octets of the body. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../settings/config.ts'
import { badRequest, ServiceError } from '../../model/errors.ts'
import { free } from '../../model/borrowed-bytes.ts'
import { parseQueryString, type RawArguments } from './arguments.ts'

/** Waits until so many octets may be in memory, before any of them are in memory. */
export type Reserve = (octets: number) => Promise<void>

/** A request as all later steps see it. */
export interface Incoming {
  readonly method: string
  /** The path as sent, still percent-encoded; `*` for the whole service (`OPTIONS *`). */
  readonly rawPath: string
  readonly args: RawArguments
  /** The function that a JSONP answer calls. */
  readonly callback: string | undefined
  header(name: string): string | undefined
  /**
   * How many octets the body has by its headers; undefined if the request has none. Reads nothing of it. Throws
   * `NoContentLengthHeader` and `PayloadTooLarge`.
   */
  bodyLength(): number | undefined
  /**
   * The octets of the body as sent, once they may be in memory; undefined if the request has none. Throws what
   * `bodyLength` throws, and `RequestTimeout` for a client that sends nothing for `IDLE_TIMEOUT_MS`.
   */
  readBytes(reserve: Reserve): Promise<Buffer | undefined>
}

/** Throws `TBadRequest` if a header is there twice: others may go by the second one, Node by the first. */
export function checkOnce(req: IncomingMessage, header: string): void {
  const lines = linesOf(req, header)
  if (lines > 1) throw badRequest(`the header ${header} is there ${lines} times: send it once`)
}

/** How many lines a header has in a request. */
export function linesOf({ rawHeaders }: IncomingMessage, header: string): number {
  const name = header.toLowerCase()
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Most names have another length.
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) lines++
  }
  return lines
}

/** A request target in absolute form: its scheme and host. */
export const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Gives a request whose target is in absolute form, as proxies send it, the target in origin form that Express knows; its host
 * takes the place of `Host` (RFC 9112, 3.2.2).
 */
export function toOriginForm(req: IncomingMessage & { originalUrl?: string }): void {
  const target = req.url ?? '/'
  if (target.startsWith('/') || target === '*') return
  req.originalUrl = target
  const host = ABSOLUTE.exec(target)?.[1]
  if (host !== undefined) req.headers.host = host
  const path = target.replace(ABSOLUTE, '')
  req.url = path.startsWith('/') ? path : `/${path}`
}

/** A request, of whose body nothing has been read. */
export function incomingOf(req: IncomingMessage, config: Config): Incoming {
  const target = req.url ?? '/'
  const mark = target.indexOf('?')
  return {
    method: req.method ?? 'GET',
    rawPath: mark < 0 ? target : target.slice(0, mark),
    args: parseQueryString(mark < 0 ? '' : target.slice(mark + 1)),
    callback: undefined,
    header: (name) => {
      const value = req.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    bodyLength: () => bodyLength(req, config),
    readBytes: async (reserve) => {
      const length = bodyLength(req, config)
      if (length === undefined) return undefined
      await reserve(length)
      awaited.get(req)?.writeContinue()
      return wholeOf(req, length, config.idleTimeoutMs)
    },
  }
}

/** The error for a body of any kind that is too long. */
export function bodyTooLong({ maxBodyBytes, maxJsonBytes }: BodyLimits): ServiceError {
  const json = Math.min(maxBodyBytes, maxJsonBytes)
  const hint = `a body may have ${maxBodyBytes} octets, and JSON ${json}; send less at once`
  return new ServiceError('PayloadTooLarge', {}, { hint })
}

/** How long bodies may be. */
export type BodyLimits = Pick<Config, 'maxBodyBytes' | 'maxJsonBytes'>

function bodyLength({ headers }: IncomingMessage, config: Config): number | undefined {
  if (headers['transfer-encoding'] !== undefined) throw new ServiceError('NoContentLengthHeader')
  if (headers['content-length'] === undefined) return undefined
  const length = Number(headers['content-length'])
  if (length > config.maxBodyBytes) throw bodyTooLong(config)
  return length
}

/** Answers to requests whose clients send the body once they are told to. */
const awaited = new WeakMap<IncomingMessage, ServerResponse>()

/** Notes that the client of a request sends the body once it gets 100 (`Expect: 100-continue`). */
export const noteExpectation = (req: IncomingMessage, res: ServerResponse): void => void awaited.set(req, res)

const EMPTY = Buffer.alloc(0)

/**
 * The body of a request, of `length` octets. Listeners, because a loop over the stream costs as much as a short write. What
 * arrives is copied at once: kept until the end, it would take as much again when it is joined.
 */
function wholeOf(req: IncomingMessage, length: number, idleTimeoutMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const cutOff = (): void => {
    reject(new Error('the client is gone'))
  }
  if (req.destroyed) {
    cutOff()
    return promise
  }
  let whole: Buffer = EMPTY
  let end = 0
  const keep = (chunk: Buffer): void => {
    timer.refresh()
    if (chunk.length === length) {
      whole = chunk
      end = length
    } else {
      // The system provides its memory only as it is filled.
      if (end === 0) whole = Buffer.allocUnsafeSlow(length)
      end += chunk.copy(whole, end)
      free(chunk)
    }
  }
  const timer = setTimeout(() => {
    req.off('data', keep)
    whole = EMPTY
    reject(new ServiceError('RequestTimeout'))
  }, idleTimeoutMs)
  const closed = (): void => {
    clearTimeout(timer)
    cutOff()
  }
  req.on('data', keep)
  req.once('end', () => {
    clearTimeout(timer)
    req.off('close', closed)
    resolve(whole.subarray(0, end))
  })
  req.once('error', cutOff)
  req.once('close', closed)
  return promise
}
