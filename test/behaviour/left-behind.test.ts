/** Answers that are sent in part, or not at all, leave no open file, no room taken, and nothing that waits for their end. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { getEventListeners } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { newObjectId } from '../../src/data/database/ids/ids.ts'
import type { Store } from '../../src/data/store/store.ts'
import { MemoryBudget, Reservation } from '../../src/http/answer/memory-budget.ts'
import { startService, type Service } from '../support/service.ts'

const OBJECTS = 6000
const TEXT = 'x'.repeat(1000)
const OCTETS = 2 * 1024 * 1024

let service: Service
/** The ends of the answers that have begun. */
const ends: Promise<void>[] = []
const noteResponse = (message: unknown): void => {
  ends.push(endOf((message as { response: ServerResponse }).response))
}

/** Resolves when an answer, or a request of a client, is over, however it ends. */
const endOf = (one: ServerResponse | ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    one.on('error', () => undefined)
    one.once('close', () => {
      resolve()
    })
  })

/** Room that was entered and not left. */
const inside = new Set<symbol>()

/** What says to long work that nobody waits for it any more. */
const signals: AbortSignal[] = []

beforeAll(async () => {
  service = await startService()
  const all = ['has alice/large', { 'alice/large': { value: TEXT } }]
  const one = (): unknown => [`service/id = "${newObjectId()}"`, { 'alice/large': { value: 1 } }]
  await service.ok('PUT', '/values', {
    as: 'alice',
    json: { queries: [...Array.from({ length: OBJECTS }, one), all] },
  })
  const headers = { 'content-type': 'text/plain' }
  await service.ok('PUT', '/about/x/alice/opaque', { as: 'alice', body: 'x'.repeat(OCTETS), headers })
  await service.ok('PUT', '/about/x/alice/text', {
    as: 'alice',
    primitive: JSON.stringify('x'.repeat(OCTETS / 2)),
  })
  subscribe('http.server.request.start', noteResponse)
  countRoom()
  noteSignals()
})
afterAll(async () => {
  jest.restoreAllMocks()
  unsubscribe('http.server.request.start', noteResponse)
  await service.stop()
})

function countRoom(): void {
  const take: MemoryBudget['take'] = Reflect.get(MemoryBudget.prototype, 'take')
  const wait: MemoryBudget['wait'] = Reflect.get(MemoryBudget.prototype, 'wait')
  const counted = (leave: () => void): (() => void) => {
    const stay = Symbol('stay')
    inside.add(stay)
    return () => {
      inside.delete(stay)
      leave()
    }
  }
  jest.spyOn(MemoryBudget.prototype, 'take').mockImplementation(function (this: MemoryBudget, ...args) {
    const leave = Reflect.apply(take, this, args)
    return leave && counted(leave)
  })
  jest.spyOn(MemoryBudget.prototype, 'wait').mockImplementation(async function (this: MemoryBudget, ...args) {
    return counted(await Reflect.apply(wait, this, args))
  })
}

function noteSignals(): void {
  const scan: Store['scan'] = Reflect.get(service.store, 'scan')
  jest.spyOn(service.store, 'scan').mockImplementation((caller, signal, work) => {
    signals.push(signal)
    return scan(caller, signal, work)
  })
}

const SPOOL = /\/gloss-[\da-f]{8}-[\da-f-]{27} \(deleted\)$/

/** The files of spools that this process has open: they have no name any more. */
const openSpools = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return SPOOL.test(target) ? [target] : []
    } catch {
      // The descriptor with which the folder was read.
      return []
    }
  })

/** Asks, and does something with the answer that arrives; one that breaks off is no error. */
async function ask(
  [method, target, headers]: readonly [string, string, Record<string, string>],
  use: (answer: IncomingMessage) => void,
): Promise<number | undefined> {
  let status: number | undefined
  const { hostname, port } = new URL(service.url)
  const client = request({ hostname, port, method, path: target, headers, agent: false })
  const closed = endOf(client)
  client.on('response', (answer) => {
    answer.on('error', () => undefined)
    status = answer.statusCode
    use(answer)
  })
  client.end()
  await closed
  return status
}

/** Waits until all answers have closed and all that is done at once after that has been done. */
async function untilClosed(isAtRest: () => boolean): Promise<void> {
  await Promise.all(ends.splice(0))
  // Files are closed by the threads that look up this folder, one after the other.
  for (let turns = 0; turns < 500 && !isAtRest(); turns++) await stat(tmpdir())
}

const readAll = (answer: IncomingMessage): void => void answer.resume()
const breakOff = (answer: IncomingMessage): void => void answer.once('data', () => answer.destroy())

const VALUES = '/values?query=has+alice/large&tag=alice/large'
const IDS = '/objects?query=has+alice/large'
const OPAQUE = '/about/x/alice/opaque'
const PRIMITIVE = '/about/x/alice/text'
const DOCUMENT = '/openapi.json'
const JSON_ANSWERS = [VALUES, IDS, PRIMITIVE, DOCUMENT]
const ALL_ANSWERS = [...JSON_ANSWERS, OPAQUE]

const withArgument = (target: string, argument: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${argument}`

type Row = readonly [
  way: string,
  target: string,
  status: number,
  asked: { method?: string; argument?: string; headers?: Record<string, string>; use?: typeof readAll },
]
const rows: Row[] = [
  ...ALL_ANSWERS.flatMap((target): Row[] => [
    ['read to its end', target, 200, {}],
    ['broken off', target, 200, { use: breakOff }],
    ['HEAD', target, 200, { method: 'HEAD' }],
    ['HEAD by verb', target, 200, { argument: 'verb=HEAD' }],
    [
      'not acceptable',
      target,
      [VALUES, IDS, DOCUMENT].includes(target) ? 400 : 406,
      { headers: { accept: 'image/none' } },
    ],
  ]),
  ...JSON_ANSWERS.flatMap((target): Row[] => [
    ['JSONP', target, 200, { argument: 'callback=f' }],
    ['JSONP broken off', target, 200, { argument: 'callback=f', use: breakOff }],
    ['HEAD by JSONP', target, 200, { argument: 'callback=f&verb=HEAD' }],
  ]),
  ['JSONP that is refused', OPAQUE, 400, { argument: 'callback=f' }],
  ...[OPAQUE, PRIMITIVE, DOCUMENT].map((target): Row => [
    'not modified',
    target,
    304,
    { headers: { 'if-none-match': '*' } },
  ]),
]

async function expectNothingLeft(): Promise<void> {
  const left = (): unknown => ({
    files: openSpools(),
    room: inside.size,
    listeners: signals.flatMap((signal) => getEventListeners(signal, 'abort')).length,
  })
  const nothing = { files: [], room: 0, listeners: 0 }
  await untilClosed(() => JSON.stringify(left()) === JSON.stringify(nothing))
  const found = left()
  // What one answer has left is no fault of the next.
  inside.clear()
  signals.length = 0
  expect(found).toEqual(nothing)
}

test.each(rows)(
  '%s: %s',
  async (_way, target, status, { method = 'GET', argument, headers = {}, use = readAll }) => {
    const whole = argument === undefined ? target : withArgument(target, argument)
    expect(await ask([method, whole, headers], use)).toBe(status)
    await expectNothingLeft()
  },
)

/** Asks for an answer, and leaves when it is made and nothing of it is sent. Returns the files that were open then. */
async function leaveOnceMade(target: string, leave: (client: ClientRequest) => unknown): Promise<string[]> {
  const { hostname, port } = new URL(service.url)
  const client = request({ hostname, port, path: target, agent: false })
  let files: string[] = []
  const replyFrom: Reservation['replyFrom'] = Reflect.get(Reservation.prototype, 'replyFrom')
  const spy = jest.spyOn(Reservation.prototype, 'replyFrom')
  spy.mockImplementationOnce(async function (this: Reservation, make) {
    const reply = await Reflect.apply(replyFrom, this, [make])
    files = openSpools()
    await leave(client)
    return reply
  })
  const closed = endOf(client)
  client.end()
  await closed
  spy.mockRestore()
  return files
}

describe.each(ALL_ANSWERS)('before anything is sent of %s', (target) => {
  const files = target === VALUES ? 1 : 0

  test('the client resets the connection', async () => {
    const reset = (client: ClientRequest): unknown => {
      client.socket?.resetAndDestroy()
      return Promise.all(ends)
    }
    expect(await leaveOnceMade(target, reset)).toHaveLength(files)
    await expectNothingLeft()
  })

  test('the client ends the connection', async () => {
    expect(await leaveOnceMade(target, (client) => client.destroy())).toHaveLength(files)
    await expectNothingLeft()
  })
})
