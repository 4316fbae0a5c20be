/** The entries of the log, also for queries that are made to spoil it. */
import { EventEmitter, once } from 'node:events'
import { expect, test } from '@jest/globals'
import type { Username } from '../../src/model/paths.ts'
import type { LogLevel } from '../../src/settings/config.ts'
import type { AnsweredRequest } from '../../src/http/request/request-record.ts'
import { createLog, slowQuery, type Log } from '../../src/observing/log.ts'
import { LogOutput } from '../../src/observing/log-output.ts'
import type { FinishedSearch } from '../../src/data/search/search.ts'
import { parseQuery } from '../../src/query/parse.ts'

interface Entry {
  readonly query: string
  readonly plan: readonly string[]
  readonly matches?: number
}

const entryOf = (text: string, more: Partial<FinishedSearch> = {}): Entry =>
  slowQuery(
    {
      username: 'alice' as Username,
      query: parseQuery(text),
      milliseconds: 1234.5678,
      matches: 12,
      plan: () => 'merge\n  fetch',
      ...more,
    },
    'R',
  ) as Entry

test('its fields', () => {
  expect(entryOf('has u/a')).toEqual({
    requestId: 'R',
    username: 'alice',
    durationMs: 1234.568,
    matches: 12,
    query: 'has u/a',
    plan: ['merge', '  fetch'],
  })
})

test('a query that was not answered', () => {
  expect(entryOf('has u/a', { matches: undefined }).matches).toBeUndefined()
})

test('white space in a query begins no line, and a control character does nothing', () => {
  const { query } = entryOf('has\nu/a or\r\n\tu/b = "x\nplan:\u001b[2J\u0007"')
  expect(query).toBe('has u/a or u/b = "x plan:\ufffd[2J\ufffd"')
})

test('a long query is cut after 1,000 characters, and none of them to a half', () => {
  const { query } = entryOf(`u/a = "${'😀'.repeat(1_000)}"`)
  expect(query).toHaveLength(1_000 + '…'.length)
  expect(query).toMatch(/^u\/a = "(?:😀)+\ufffd…$/u)
})

test('a long plan is cut after 100 lines', () => {
  const plan = Array.from({ length: 150 }, (_, i) => `step ${String(i)}`).join('\n')
  const lines = entryOf('has u/a', { plan: () => plan }).plan
  expect(lines).toHaveLength(100 + 1)
  expect(lines.slice(-2)).toEqual(['step 99', '… and 50 lines more'])
})

/** Keeps lines here, and notes how many there were each time that what was gathered had to leave. */
class Kept extends LogOutput {
  text = ''
  readonly flushed: number[] = []
  readonly flushes = new EventEmitter()

  override write(line: string): void {
    this.text += line
  }

  override flush(): void {
    this.flushed.push(this.entries().length)
    this.flushes.emit('flushed')
  }

  entries(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}

/** A log of `level` that is kept here, and what it has. */
function kept(logLevel: LogLevel): { log: Log; output: Kept; entries: () => Record<string, unknown>[] } {
  const output = new Kept({ write: () => Promise.resolve(0), writeNow: () => undefined, gap: () => '' })
  const log = createLog({ logLevel, slowQueryMs: 1000 }, output)
  return { log, output, entries: () => output.entries() }
}

const answered = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  requestId: 'R',
  traceparent: undefined,
  method: 'GET',
  operationId: 'getObjects',
  username: 'alice',
  status: 200,
  errorClass: undefined,
  milliseconds: 12.34567,
  matches: 3,
  usage: { waitingMs: 1.00001, databaseMs: 2.5, rows: 7, retries: [] },
  ...more,
})

test('a request is one line of JSON', () => {
  const { log, entries } = kept('info')
  log.answered(answered())
  expect(entries()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pid: process.pid,
      msg: 'request',
      requestId: 'R',
      method: 'GET',
      operationId: 'getObjects',
      username: 'alice',
      status: 200,
      durationMs: 12.346,
      waitingMs: 1,
      databaseMs: 2.5,
      matches: 3,
      rows: 7,
    },
  ])
})

test('lines of requests that went well leave together, all others at once', async () => {
  const {
    log,
    output: { flushes, flushed },
  } = kept('info')
  const together = once(flushes, 'flushed')
  for (let i = 0; i < 3; i++) log.answered(answered())
  expect(flushed).toEqual([])
  await together
  expect(flushed).toEqual([3])
  log.answered(answered({ status: 503, errorClass: 'ServiceUnavailable' }))
  log.note({ event: 'user deleted', username: 'bob', by: 'service' })
  log.report('a fault', new Error('broken'))
  expect(flushed).toEqual([3, 4, 5, 6])
})

test('what a level leaves out', () => {
  const all = (log: Log): void => {
    log.answered(answered())
    log.answered(answered({ status: 503, errorClass: 'ServiceUnavailable' }))
    log.note({ event: 'user deleted', username: 'bob', by: 'service' })
    log.report('a fault', new Error('broken'))
  }
  const levels = (logLevel: LogLevel): unknown[] => {
    const { log, entries } = kept(logLevel)
    all(log)
    return entries().map(({ level }) => level)
  }
  expect(levels('info')).toEqual(['info', 'warn', 'warn', 'error'])
  expect(levels('warn')).toEqual(['warn', 'warn', 'error'])
  expect(levels('error')).toEqual(['error'])
})

test('a request that was refused before it had begun has no duration', () => {
  const { log, entries } = kept('info')
  log.answered(answered({ milliseconds: undefined }))
  expect(entries()[0]).not.toHaveProperty('durationMs')
})

test('a fault shows its cause and its code, and no statement of the driver, which holds values', () => {
  const { log, entries } = kept('error')
  const cause = Object.assign(new Error('lost'), { code: 'ECONNRESET', sql: "INSERT 'secret'" })
  log.report('saving', new Error('not saved', { cause }))
  const [{ err } = {}] = entries()
  expect(err).toMatchObject({
    message: 'not saved',
    cause: { type: 'Error', message: 'lost', code: 'ECONNRESET' },
  })
  expect(JSON.stringify(entries())).not.toContain('secret')
})

test('a message without an error is a fault, too', () => {
  const { log, entries } = kept('error')
  log.report('a worker fell')
  expect(entries()).toEqual([expect.objectContaining({ level: 'error', msg: 'a worker fell' })])
  expect(entries()[0]).not.toHaveProperty('err')
})

test('a fault has its stack and stays one line', () => {
  const { log, entries } = kept('error')
  log.report('saving', new Error('two\nlines\u001b[2J'))
  const [{ msg, err } = {}] = entries()
  expect(msg).toBe('saving')
  expect(err).toMatchObject({ type: 'Error', message: 'two\nlines\u001b[2J', stack: expect.any(String) })
})

test('what a database refuses is a warning without a stack, and so is what caused it', () => {
  const { log, entries } = kept('warn')
  const cause = new Error('told to the server')
  const refusal = Object.assign(new Error('read-only', { cause }), { code: 'ER_READ_ONLY_MODE' })
  log.report('ServiceUnavailable, request R', refusal, true)
  expect(entries()).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'ServiceUnavailable, request R',
      err: {
        type: 'Error',
        message: 'read-only',
        code: 'ER_READ_ONLY_MODE',
        cause: { type: 'Error', message: 'told to the server' },
      },
    }),
  ])
})
