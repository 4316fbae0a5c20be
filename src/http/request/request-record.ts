/** The record of a request: what is known of it once it has its answer, for the log and the metrics. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { noUsage, type Usage } from '../../scheduling/usage.ts'
import type { ErrorClass, ServiceError } from '../../model/errors.ts'

/** A request that has its answer, or whose client left before. */
export interface AnsweredRequest {
  readonly requestId: string
  /** As the client sent it, if it is one (W3C Trace Context). */
  readonly traceparent: string | undefined
  /** None if that could not be read. */
  readonly method: string | undefined
  /** The operation of the contract; none if the request was answered before, or matches none. */
  readonly operationId: string | undefined
  /** The user that it ran as; absent if the credentials were wrong or not checked. */
  readonly username: string | undefined
  /** None if the client left before it had the whole answer. */
  readonly status: number | undefined
  readonly errorClass: ErrorClass | undefined
  /** From the turn of the request on its connection to the end of the answer; none if it was refused before. */
  readonly milliseconds: number | undefined
  /** How many objects its queries matched; undefined if it had none. */
  readonly matches: number | undefined
  readonly usage: Usage
}

/** A request under way: what becomes known of it is written here. */
export interface RequestRecord {
  readonly requestId: string
  readonly usage: Usage
  operationId?: string
  username?: string
  errorClass?: ErrorClass
  /** The status of an answer that was not sent as one to this request. */
  status?: number
  matches?: number
}

/** Begins the record of a request, and calls `answered` once the request has its answer, or its client has left. */
export function beginRecord(
  req: IncomingMessage,
  res: ServerResponse,
  answered: (request: AnsweredRequest) => void,
): RequestRecord {
  const record: RequestRecord = { requestId: randomUUID(), usage: noUsage() }
  const start = performance.now()
  records.set(res, record)
  res.once('close', () => {
    const { requestId, usage, operationId, username, errorClass, matches, status } = record
    answered({
      requestId,
      traceparent: traceparentOf(req),
      method: req.method,
      operationId,
      username,
      status: res.writableFinished ? res.statusCode : status,
      errorClass,
      milliseconds: performance.now() - start,
      matches,
      usage,
    })
  })
  return record
}

/** For the server, which refuses some requests before their middlewares are done. */
const records = new WeakMap<ServerResponse, RequestRecord>()

/** Notes that a request was refused before all of it had come. Returns whether it was under way. */
export function refusedMidway(
  res: ServerResponse | undefined,
  { status, errorClass }: ServiceError,
): boolean {
  const record = res === undefined ? undefined : records.get(res)
  if (record === undefined) return false
  Object.assign(record, { status, errorClass })
  return true
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined
}

/** The refusal of something that is not a complete request. */
export const refusedRequest = (requestId: string, { status, errorClass }: ServiceError): AnsweredRequest => ({
  ...NOTHING_KNOWN,
  requestId,
  status,
  errorClass,
  usage: noUsage(),
})

const NOTHING_KNOWN = {
  traceparent: undefined,
  method: undefined,
  operationId: undefined,
  username: undefined,
  milliseconds: undefined,
  matches: undefined,
}
