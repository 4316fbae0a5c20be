/** Metrics of a process, with a store that is made to stand still. */
import { expect, jest, test } from '@jest/globals'
import type { AnsweredRequest } from '../../src/http/request/request-record.ts'
import { Metrics } from '../../src/observing/metrics.ts'

const log = { report: jest.fn(), observe: jest.fn(), note: jest.fn(), answered: jest.fn() }
let dropped = 0
const metrics = new Metrics()
const measured = metrics.measure(log, {
  store: {
    loads: () => ({ read: { taken: 3, waiting: 1 } }),
    pools: () => ({ readers: { taken: 2, waiting: 4, size: 8 } }),
  } as never,
  remembered: () => 5,
  dropped: () => dropped,
})

const request = (more: Partial<AnsweredRequest>): AnsweredRequest => ({
  requestId: 'R',
  traceparent: undefined,
  method: 'GET',
  operationId: 'findObjects',
  username: 'alice',
  status: 200,
  errorClass: undefined,
  milliseconds: 20,
  matches: undefined,
  usage: { waitingMs: 0, databaseMs: 0, rows: 0, retries: [] },
  ...more,
})

async function valueOf(name: string): Promise<string | undefined> {
  const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

test('places that are taken and waited for, and remembered accounts', async () => {
  expect(await valueOf('gloss_places{kind="read",state="taken"}')).toBe('3')
  expect(await valueOf('gloss_places{kind="read",state="waiting"}')).toBe('1')
  expect(await valueOf('gloss_remembered_accounts')).toBe('5')
})

test('connections of a pool that are used and waited for, and how many there may be', async () => {
  expect(await valueOf('gloss_database_pool_used{pool="readers"}')).toBe('2')
  expect(await valueOf('gloss_database_pool_waiting{pool="readers"}')).toBe('4')
  expect(await valueOf('gloss_database_pool_size{pool="readers"}')).toBe('8')
})

test('times, rows and retries add up, and go on to the log', async () => {
  const usage = { waitingMs: 250, databaseMs: 500, rows: 4, retries: ['conflict', 'lost', 'conflict'] }
  measured.answered(request({ usage }))
  measured.answered(request({ usage }))
  expect(await valueOf('gloss_request_waiting_seconds_total{operation="findObjects"}')).toBe('0.5')
  expect(await valueOf('gloss_request_database_seconds_total{operation="findObjects"}')).toBe('1')
  expect(await valueOf('gloss_request_rows_total{operation="findObjects"}')).toBe('8')
  expect(await valueOf('gloss_retries_total{cause="conflict"}')).toBe('4')
  expect(await valueOf('gloss_retries_total{cause="lost"}')).toBe('2')
  expect(log.answered).toHaveBeenCalledTimes(2)
})

test('a client that left, and a request that was refused before it had begun', async () => {
  measured.answered(request({ operationId: 'createObject', status: undefined }))
  measured.answered(request({ operationId: undefined, status: 431, milliseconds: undefined }))
  expect(await valueOf('gloss_requests_total{operation="createObject",status="gone"}')).toBe('1')
  expect(await valueOf('gloss_requests_total{operation="none",status="431"}')).toBe('1')
  expect(await valueOf('gloss_request_duration_seconds_count{operation="createObject"}')).toBe('1')
  expect(await valueOf('gloss_request_duration_seconds_count{operation="none"}')).toBeUndefined()
})

test('security events, also those that the log leaves out', async () => {
  const event = { event: 'user deleted', username: 'bob', by: 'service' } as const
  for (let i = 0; i < 3; i++) measured.note(event)
  expect(await valueOf('gloss_security_events_total{event="user deleted"}')).toBe('3')
  expect(log.note).toHaveBeenCalledTimes(3)
})

test('lines that the log has dropped', async () => {
  expect(await valueOf('gloss_log_lines_dropped_total')).toBe('0')
  dropped = 7
  expect(await valueOf('gloss_log_lines_dropped_total')).toBe('7')
  expect(await valueOf('gloss_log_lines_dropped_total')).toBe('7')
})
