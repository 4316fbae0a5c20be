/** The log of slow queries: what the service prints of queries that take as long as the operator says. */
import { expect, test } from '@jest/globals'
import type { LogEntry } from '../support/process.ts'
import { PASSWORD, useProcess } from './use-process.ts'
import type { Ask } from './use-service.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const { start: startProcess, ask: send, service, entries: entriesOf } = useProcess({ shared: true })

/** Starts the service with three values of one tag, and gives a way to ask it as the superuser. */
async function start(env: Readonly<Record<string, string>>): Promise<Ask> {
  await startProcess(env)
  const ask: Ask = async (method, path, options) => {
    const answer = await send(method, path, options)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${String(answer.status)}`)
    return answer
  }
  for (const value of ['1', '2', '3']) {
    await ask('PUT', `/about/${value}/service/number`, { primitive: value })
  }
  return ask
}

/** The entries of slow queries, once there are so many. */
const log = (count: number): Promise<LogEntry[]> => entriesOf('slow query', count)

test('an entry has the request, the time, the user, what was found, the query and the plan', async () => {
  const ask = await start({ SLOW_QUERY_MS: '0' })
  const query = 'service/number > 1\r\nand service/about = "2"'
  await ask('GET', '/objects', { query: { query } })
  const [entry] = await log(1)
  expect(entry).toMatchObject({
    level: 'warn',
    requestId: expect.stringMatching(UUID),
    username: 'service',
    durationMs: expect.any(Number),
    matches: 1,
    query: 'service/number > 1 and service/about = "2"',
    plan: [
      'probe',
      expect.stringMatching(/^ {2}from service\/number > 1 \([^)]*<= [\d,]+\) by tag_values_by_value$/),
      expect.stringMatching(/^ {2}join service\/about = "2" \(<= [\d,]+\)$/),
    ],
  })
  expect(service().printed()).not.toContain(PASSWORD)
})

test('every operation that runs a query is logged', async () => {
  const ask = await start({ SLOW_QUERY_MS: '0' })
  const query = 'has service/number'
  await ask('GET', '/objects', { query: { query } })
  await ask('GET', '/values', { query: { query, tag: 'service/number' } })
  await ask('GET', '/recent/objects', { query: { query } })
  await ask('GET', '/recent/users', { query: { query } })
  await ask('PUT', '/values', { json: { queries: [[query, { 'service/number': { value: 4 } }]] } })
  await ask('DELETE', '/values', { query: { query, tag: 'service/number' } })
  const entries = await log(6)
  expect(entries.map(({ matches, query: text }) => [matches, text])).toEqual(
    Array.from({ length: 6 }, () => [3, query]),
  )
  expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(6)
})

test('by default a quick query is not logged', async () => {
  const ask = await start({})
  await ask('GET', '/objects', { query: { query: 'has service/number' } })
  const { process, printed, end } = service()
  process.kill('SIGTERM')
  await end
  expect(printed()).toContain('listens on')
  expect(printed()).not.toContain('slow query')
})
