/** The journal of a mock: its latest requests, so that tests can check what an application sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUtf8 } from 'node:buffer'
import { findCredentials } from '../src/http/credentials/credentials.ts'
import { ERROR_CLASS } from '../src/http/message/headers.ts'
import type { RequestRecord } from '../src/http/request/request-record.ts'
import type { JournalEntry } from './types.ts'

const MOST_ENTRIES = 1000
const MOST_BODY_BYTES = 64 * 1024

export class Journal {
  #entries: JournalEntry[] = []

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  clear(): void {
    this.#entries = []
  }

  /** Adds a request, and completes its entry when it has its answer. */
  add(req: IncomingMessage, res: ServerResponse): void {
    const start = performance.now()
    const { headers, url = '', method = '' } = req
    const { authorization, ...others } = headers
    const [path = '', ...search] = url.split('?')
    const args = new URLSearchParams(search.join('?'))
    const body = bodyOf(req)
    const user = authorization === undefined ? undefined : findCredentials(authorization)?.username
    const entry = {
      time: new Date().toISOString(),
      method,
      path,
      query: Object.fromEntries([...new Set(args.keys())].map((name) => [name, args.getAll(name)])),
      headers: others,
      ...(user !== undefined && { user }),
      bodyBytes: 0,
    }
    this.#entries.push(entry)
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift()
    res.once('close', () => {
      const { record } = (res as { locals?: { record?: RequestRecord } }).locals ?? {}
      const errorClass = res.getHeader(ERROR_CLASS)
      Object.assign(entry, {
        ...body(),
        operationId: record?.operationId,
        status: res.headersSent ? res.statusCode : undefined,
        errorClass,
        ms: Math.round(performance.now() - start),
      })
    })
  }
}

/** Keeps a copy of a body while the service reads it. */
function bodyOf(req: IncomingMessage): () => Pick<JournalEntry, 'body' | 'bodyBytes'> {
  const chunks: Buffer[] = []
  let bodyBytes = 0
  const push = req.push.bind(req)
  req.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null) {
      bodyBytes += chunk.length
      // The service hands the memory of some chunks over to a thread.
      if (bodyBytes <= MOST_BODY_BYTES) chunks.push(Buffer.from(chunk))
    }
    return push(chunk, encoding)
  }
  return () => {
    const octets = Buffer.concat(chunks)
    const whole = bodyBytes > 0 && octets.length === bodyBytes && isUtf8(octets)
    return { bodyBytes, ...(whole && { body: octets.toString() }) }
  }
}
