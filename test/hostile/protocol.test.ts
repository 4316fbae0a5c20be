/** Abuse of HTTP itself: the service answers with its own error or closes, and serves the next request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { errorFaults } from '../support/contract-judge.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import {
  framings,
  headers,
  isPlainlyFramed,
  RAW_TARGET,
  requestLines,
  WHOLE,
  type Abuse,
} from './protocol-corpus.ts'
import { inParallel, PROXY, stride, Tally } from './tally.ts'
import { basic, encodeRequest, LostConnection, Connection, type RawRequest } from './connection.ts'

const LANES = 8
const USUAL_STRIDE = 2
const behindProxy = PROXY !== undefined
/** Behind a proxy, silence may be right, and is waited for. */
const ATTEMPT_MS = behindProxy ? 3_000 : 120_000

let service: Service

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'loopback' })
  await service.ok('GET', '/users/bob', { as: 'alice' })
})
afterAll(() => service.stop())

const uuid = (i: number): string => `0197a3c0-0000-7000-8000-${String(i).padStart(12, '0')}`

/** A read whose answer shows which request it answers. */
const probe = (i: number): RawRequest => ({ method: 'GET', target: `/objects/${uuid(i)}/service/id` })

const isAnswerTo = (i: number, answer: Answer): boolean => answer.body.toString() === JSON.stringify(uuid(i))

const LEGAL_URL = /^https?:\/\/(?:[\w.~!$&'()*+,;=:@/?[\]-]|%[0-9a-f]{2})+$/i

/** What is wrong with an answer to something that may not be a request at all. */
function faultsOf(answer: Answer, tally: Tally, abuse: Abuse): void {
  const { what } = abuse
  const { status, error } = answer
  // A proxy refused it.
  if (behindProxy && error === undefined && status >= 400) return
  // Behind a proxy, the proxy decides where a body ends.
  if (
    !behindProxy &&
    error === 'NoSuchResource' &&
    abuse.octets.startsWith(`PUT ${RAW_TARGET}`) &&
    !isPlainlyFramed(abuse)
  ) {
    throw new Error('the hidden request was answered')
  }
  const { location } = answer.headers
  if (location !== undefined && !LEGAL_URL.test(location)) throw new Error(`Location: ${location}`)
  if (status >= 500) throw new Error(`answered with ${String(status)}`)
  const faults = status < 400 ? [] : errorFaults(answer)
  if (faults.length > 0) tally.disagree(`${what}: ${faults.join('; ')}`)
}

/** Sends it over a new connection; afterwards the connection is closed or serves the next request. */
async function attempt(abuse: Abuse, i: number, tally: Tally): Promise<void> {
  const { octets } = abuse
  const connection = new Connection(service.url, ATTEMPT_MS)
  connection.write(Buffer.from(octets, 'latin1'))
  let answers = 0
  let method = octets.startsWith('HEAD ') ? 'HEAD' : 'GET'
  try {
    // The service may be waiting for more; then what follows is taken for the rest, and is not answered either.
    connection.write(encodeRequest(probe(i)))
    for (let left = 60; left > 0; left--) {
      const answer = await connection.read(method)
      method = 'GET'
      answers++
      if (isAnswerTo(i, answer)) return
      faultsOf(answer, tally, abuse)
      if (/close/i.test(answer.headers['connection'] ?? '')) return
    }
    throw new Error('no end of answers')
  } catch (error) {
    // Closing is an answer, too. A proxy may take what follows an unfinished body for its end.
    const silent = error instanceof LostConnection && error.message.startsWith('no answer')
    if (!(error instanceof LostConnection) || (silent && !(behindProxy && answers > 0))) throw error
  } finally {
    connection.close()
  }
}

async function plainRequestWorks(
  tally: Tally,
  connection: Connection,
  i: number,
  after: string,
): Promise<void> {
  const answer = await connection.request(probe(i))
  if (answer.status !== 200 || !isAnswerTo(i, answer))
    tally.disagree(`after ${after}: ${String(answer.status)}`)
}

test('what is not quite HTTP gets an error or is closed, and the next request is served', async () => {
  const tally = new Tally('protocol abuse')
  const all = [...requestLines(), ...headers(), ...framings()].filter(
    (_, i) => i % stride(USUAL_STRIDE) === 0,
  )
  await inParallel(
    [...all.entries()],
    LANES,
    () => new Connection(service.url),
    ([i, abuse], connection) =>
      tally.run(abuse.what, async () => {
        await attempt(abuse, i, tally)
        await plainRequestWorks(tally, connection, i, abuse.what)
      }),
  )
  tally.finish(1_500)
})

test('requests that are cut off at any octet or sent octet by octet do no harm', async () => {
  const tally = new Tally('cut and slow requests')
  const connection = new Connection(service.url)
  const whole = Buffer.from(WHOLE, 'latin1')
  for (let length = 0; length <= whole.length; length += 2) {
    await tally.run(`cut after ${length} octets`, async () => {
      const cut = new Connection(service.url)
      cut.write(whole.subarray(0, length))
      cut.close()
      await plainRequestWorks(tally, connection, length, 'a cut')
    })
  }
  await inParallel(
    Array.from({ length: 10 }, (_, i) => i),
    10,
    () => new Connection(service.url),
    (i, slow) =>
      tally.run(`octet by octet, ${i}`, async () => {
        for (const octet of whole) {
          slow.write(Buffer.from([octet]))
          await new Promise(setImmediate)
        }
        expect((await slow.read('PUT')).status).toBe(204)
      }),
  )
  const read = await connection.request({
    method: 'GET',
    target: RAW_TARGET,
    headers: { Authorization: basic('alice') },
  })
  expect(read.json()).toBe('raw octets')
  tally.finish(100)
})

type Sort = (i: number) => [RawRequest, (answer: Answer) => boolean]

const plainProbe: Sort = (i) => [probe(i), (answer) => isAnswerTo(i, answer)]

/** Requests of all sorts, each with a test that recognises its answer. */
const SORTS: readonly Sort[] = [
  plainProbe,
  (i) => [
    { method: 'HEAD', target: `/objects/${uuid(i)}` },
    (answer) => answer.body.length === 0 && answer.status === 200,
  ],
  (i) => [{ method: 'GET', target: `/nothing/${i}` }, (answer) => answer.error === 'NoSuchResource'],
  (i) => [
    { method: 'GET', target: `/users/nobody${i}` },
    (answer) => answer.headers['x-service-name'] === `nobody${i}`,
  ],
  (i) => [
    {
      method: 'PUT',
      target: `/objects/${uuid(i)}/alice/raw/piped`,
      headers: { Authorization: basic('alice'), 'Content-Type': 'text/plain' },
      body: Buffer.from(`GET /smuggled HTTP/1.1\r\n\r\n${i}`),
    },
    (answer) => answer.status === 204,
  ],
  (i) => [
    { method: 'POST', target: `/about/piped${i}`, headers: { Authorization: basic('alice') } },
    (answer) => answer.status === 201,
  ],
  (i) => [
    { method: 'GET', target: `/tags/alice/none/t${i}` },
    (answer) => answer.headers['x-service-path'] === `alice/none/t${i}`,
  ],
]

test('pipelined requests are answered in order', async () => {
  const tally = new Tally('pipelined requests')
  await inParallel(
    Array.from({ length: 20 }, (_, i) => i),
    4,
    () => undefined,
    async (round) => {
      const sent = Array.from({ length: 50 }, (_, i) => {
        const [sort] = SORTS.slice((i * (round + 1)) % SORTS.length)
        return sort?.(round * 100 + i) ?? plainProbe(i)
      })
      const connection = new Connection(service.url)
      connection.write(Buffer.concat(sent.map(([request]) => encodeRequest(request))))
      for (const [request, isIts] of sent) {
        await tally.run(`${request.method} ${request.target}`, async () => {
          const answer = await connection.read(request.method)
          tally.judge(request.method, request.target, answer)
          if (!isIts(answer))
            throw new Error(`another's answer: ${String(answer.status)} ${answer.body.toString()}`)
        })
      }
      connection.close()
    },
  )
  tally.finish(1_000)
})
