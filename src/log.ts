/**
 * The log: a line of JSON for each request, slow query, event that matters for security, and fault, on standard error
 * (docs/decisions/0068-what-operators-see.md). No line has a password, an `Authorization` header, a URL or a value, but for
 * the text of a slow query.
 */
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'
import type { LogLevel } from './config.ts'
import { oneLine } from './data/search/plan-text.ts'
import type { FinishedSearch } from './data/search/search.ts'
import type { AnsweredRequest } from './http/answered.ts'
import type { SecurityEvent } from './http/security-events.ts'
import { fewOfEach, securityEntry } from './security-log.ts'

/** Where the service reports what happens. */
export interface Log {
  /** Receives faults of the service. */
  readonly report: (message: string, error: unknown) => void
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
  /** Receives what belongs into the security log. */
  readonly note: (event: SecurityEvent) => void
  /** Receives requests that have their answers. */
  readonly answered: (request: AnsweredRequest) => void
}

/** How much may wait for a reader of the log who stands still, in octets; further lines are dropped. */
const MOST_UNWRITTEN = 16 * 1024 * 1024

/**
 * A log of everything from `level` on: `info` has all requests, `warn` those that the service failed, slow queries and what
 * matters for security, `error` faults alone. Searches of `slowQueryMs` milliseconds or longer are slow.
 */
export function createLog(
  { logLevel, slowQueryMs }: { readonly logLevel: LogLevel; readonly slowQueryMs: number },
  // While a line is written, further ones are gathered: at most one write is under way.
  stream: DestinationStream = destination({ fd: 2, sync: false, maxLength: MOST_UNWRITTEN }),
): Log {
  const logger: Logger = pino(
    {
      level: logLevel,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
  const few = fewOfEach((entry) => {
    logger.warn(entry, 'security')
  })
  return {
    report: (message, error) => {
      logger.error({ err: error }, message)
    },
    observe: (search, requestId) => {
      if (search.milliseconds >= slowQueryMs) logger.warn(slowQuery(search, requestId), 'slow query')
    },
    note: (event) => {
      few(securityEntry(event))
    },
    answered: (request) => {
      const failed = request.status !== undefined && request.status >= 500
      logger[failed ? 'warn' : 'info'](requestEntry(request), 'request')
    },
  }
}

/** Three digits after the point are enough for milliseconds. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** The fields of a request's line. */
function requestEntry({ usage, milliseconds, ...request }: AnsweredRequest): object {
  const { waitingMs, databaseMs, rows, retries } = usage
  return {
    ...request,
    durationMs: rounded(milliseconds),
    waitingMs: rounded(waitingMs),
    databaseMs: rounded(databaseMs),
    rows,
    ...(retries.length === 0 ? {} : { retries }),
  }
}

const MAX_QUERY_TEXT = 1000
const MAX_PLAN_LINES = 100

/** The fields of a slow query's line; `matches` is missing if it was refused or given up. */
export function slowQuery(search: FinishedSearch, requestId: string): object {
  const plan = search.plan().split('\n')
  const more = plan.length - MAX_PLAN_LINES
  return {
    requestId,
    username: search.username,
    durationMs: rounded(search.milliseconds),
    matches: search.matches,
    query: oneLine(search.query.text, MAX_QUERY_TEXT),
    plan: [...plan.slice(0, MAX_PLAN_LINES), ...(more > 0 ? [`… and ${String(more)} lines more`] : [])],
  }
}
