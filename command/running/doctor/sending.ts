/** Sends the requests of the doctor. */
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { KIB } from './finding.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The request sends its body in chunks, without Content-Length. */
  readonly body?: string
}

/** Sends a request, and resolves to its answer. */
export type Send = (path: string, sent?: Sent) => Promise<Answer>

const LIMIT_MS = 20_000

/** Sends requests to the service at a URL, with their paths unchanged; `fetch` would normalise them. */
export const sender =
  (base: URL): Send =>
  (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const send = base.protocol === 'https:' ? tlsRequest : plainRequest
      const request = send(
        {
          // `URL.hostname` keeps the brackets of an IPv6 address.
          host: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          path: `${base.pathname.replace(/(?<!\/)\/+$/, '')}${path}`,
          method,
          headers: { ...(body === undefined ? {} : { 'transfer-encoding': 'chunked' }), ...headers },
          signal: AbortSignal.timeout(LIMIT_MS),
          maxHeaderSize: 128 * KIB,
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
          response.on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
            })
          })
        },
      )
      request.on('error', reject).end(body)
    })
