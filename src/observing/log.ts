/**
 * The log: a line of JSON for each request, slow query, security event and fault, on standard error
 * or in a file (docs/decisions/0142-operators.md). No line has a password, an `Authorization` header, a URL or a value, except the text
 * of a slow query.
 */
import { pino, stdTimeFunctions, type Logger } from 'pino'
import type { Config } from '../settings/config.ts'
import { oneLine } from '../data/search/plan-text.ts'
import type { FinishedSearch } from '../data/search/search.ts'
import type { AnsweredRequest } from '../http/request/request-record.ts'
import type { SecurityEvent } from '../http/credentials/security-events.ts'
import { LogFile, standardError } from './log-file.ts'
import { LogOutput } from './log-output.ts'
import { fewOfEach, securityEntry } from './security-log.ts'

/** Receives the events of the service. */
export interface Log {
  /** Receives faults of the service; and, as `expected`, failures that something outside the service caused. */
  readonly report: (message: string, error?: unknown, expected?: boolean) => void
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
  /** Receives security events. */
  readonly note: (event: SecurityEvent) => void
  /** Receives finished requests. */
  readonly answered: (request: AnsweredRequest) => void
}

/** The log of a process. */
export interface ProcessLog extends Log {
  /** How many lines were dropped because they could not be written. */
  readonly dropped: () => number
  /** Writes the remaining lines. Resolves within a second to whether all writing has ended. */
  readonly finish: () => Promise<boolean>
}

/** The log of this process. */
export interface OwnLog extends ProcessLog {
  /** Opens the log's file again, if it has one. Throws if that is not possible; the log then goes on in the former file. */
  readonly reopen: () => void
}

/** The settings that the log uses. */
type LogConfig = Pick<Config, 'logLevel' | 'slowQueryMs'>

/** How long the line of a successful request waits for others, in milliseconds. All other lines are written at once. */
const GATHERING_MS = 100

/** How long the process waits at its end for a reader that does not read, in milliseconds. */
const FINISH_MS = 1000

/**
 * Opens the log of this process: on standard error, or in the file of the settings. Its first line has the fields `first`,
 * whatever the level. Throws if the file cannot be opened.
 */
export function openLog(config: LogConfig & Pick<Config, 'logFile'>, first?: object): OwnLog {
  const place = config.logFile === undefined ? standardError : new LogFile(config.logFile)
  const output = new LogOutput({
    write: (octets) => place.write(octets),
    writeNow: (octets) => {
      place.writeNow(octets)
    },
    gap: gapLine,
  })
  if (first !== undefined) {
    output.write(
      `${JSON.stringify({ level: 'info', time: new Date().toISOString(), pid, ...first, msg: 'start' })}\n`,
    )
    output.flush()
  }
  process.once('exit', () => {
    output.finishNow()
  })
  const reopen = (): void => {
    try {
      place.reopen()
    } catch (error) {
      // The former file may be one that operators no longer look at.
      standardError.write(Buffer.from(`${(error as Error).message}\n`)).catch(() => undefined)
      throw error
    }
  }
  return { ...createLog(config, output), reopen }
}

/**
 * A log of everything from `level` on: `info` has all requests; `warn` has requests that the service failed, slow queries
 * and security events; `error` has faults alone. Searches of `slowQueryMs` milliseconds or longer are slow.
 */
export function createLog({ logLevel, slowQueryMs }: LogConfig, output: LogOutput): ProcessLog {
  const logger: Logger = pino(
    {
      level: logLevel,
      base: { pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Not pino's own, which writes all properties of an error.
      serializers: { err: (entry: object) => entry },
    },
    output,
  )
  const atOnce = (level: 'warn' | 'error', entry: object, message: string): void => {
    logger[level](entry, message)
    if (logger.isLevelEnabled(level)) output.flush()
  }
  const few = fewOfEach((entry) => {
    atOnce('warn', entry, 'security')
  })
  const flushLater = flushingLater(output)
  return {
    report: (message, error, expected = false) => {
      const entry = error === undefined ? {} : { err: faultEntry(error, !expected) }
      atOnce(expected ? 'warn' : 'error', entry, message)
    },
    observe: (search, requestId) => {
      if (search.milliseconds >= slowQueryMs) atOnce('warn', slowQuery(search, requestId), 'slow query')
    },
    note: (event) => {
      few(securityEntry(event))
    },
    answered: (request) => {
      if (request.status !== undefined && request.status >= 500) {
        atOnce('warn', requestEntry(request), 'request')
      } else if (logger.isLevelEnabled('info')) {
        output.write(requestLine(request))
        flushLater()
      }
    },
    dropped: () => output.dropped,
    finish: () => output.finish(FINISH_MS),
  }
}

/** The fields of an error. Its other properties are left out: the statements of driver errors hold values. */
function faultEntry(error: unknown, withStack: boolean): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(withStack ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: faultEntry(cause, withStack) }),
  }
}

/** Three decimals are enough for milliseconds. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Returns a function that writes the collected lines `GATHERING_MS` after the first of them. */
function flushingLater(output: LogOutput): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      output.flush()
    }, GATHERING_MS).unref()
  }
}

const { pid } = process

/** The line of a successful request in pino's format; pino itself takes three times as long. */
const requestLine = (request: AnsweredRequest): string =>
  `${JSON.stringify(requestEntry(request, { level: 'info', time: new Date().toISOString(), pid }, 'request'))}\n`

/** The line that reports dropped lines. */
export const gapLine = (lines: number): string =>
  `${JSON.stringify({ level: 'error', time: new Date().toISOString(), pid, lines, msg: 'lines of the log were dropped' })}\n`

/** The fields that pino adds to each entry. */
interface Heading {
  readonly level: string
  readonly time: string
  readonly pid: number
}

/** The fields of a request's line. One object literal: spreading other objects into it would take as long as the rest. */
const requestEntry = (request: AnsweredRequest, heading?: Heading, msg?: string): object => ({
  level: heading?.level,
  time: heading?.time,
  pid: heading?.pid,
  requestId: request.requestId,
  traceparent: request.traceparent,
  method: request.method,
  operationId: request.operationId,
  username: request.username,
  status: request.status,
  errorClass: request.errorClass,
  matches: request.matches,
  durationMs: request.milliseconds === undefined ? undefined : rounded(request.milliseconds),
  waitingMs: rounded(request.usage.waitingMs),
  databaseMs: rounded(request.usage.databaseMs),
  rows: request.usage.rows,
  retries: request.usage.retries.length === 0 ? undefined : request.usage.retries,
  msg,
})

const MAX_QUERY_TEXT = 1000
const MAX_PLAN_LINES = 100

/** The fields of a slow query's line; `matches` is missing if the query was refused or given up. */
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
