/** How long an import waits before it sends again: as long as the service says, and else ever longer. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { Sender } from '../../common/importing/sending.ts'
import type { Ready } from '../../common/importing/converting.ts'
import { ServiceError } from '../../packages/client/service-error.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const answered = (status: number, retryAfter?: string): ServiceError =>
  new ServiceError(
    new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }),
  )

/** The seconds that a sender waits, as it says and as the clock does, if its batches are answered like this. */
async function waits(errors: readonly Error[], hasAnswered = true): Promise<[number, string][]> {
  const left = [...errors]
  const said: [number, string][] = []
  const waited: number[] = []
  let since = Date.now()
  const sender = new Sender({
    put: () => {
      waited.push((Date.now() - since) / 1000)
      since = Date.now()
      const error = left.shift()
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
    isAway: (error) => !(error instanceof ServiceError),
    reasonOf: () => 'refused',
    signal: new AbortController().signal,
    waiting: (seconds, why) => said.push([seconds, why]),
  })
  if (hasAnswered) await sender.attempt(() => Promise.resolve())
  const sent = sender.send([{ element: '{}', row: {} } as Ready])
  const ended = sent.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([ended, jest.advanceTimersByTimeAsync(1000).then(() => false)])));
  await sent
  expect(waited.slice(1)).toEqual(said.map(([seconds]) => seconds))
  return said
}

const PASSING = [408, 429, 502, 503, 504]

test.each(PASSING)('after a %i, as long as Retry-After says, whatever is usual', async (status) => {
  for (const seconds of [0, 1, 2, 3, 7, 31, 120]) {
    expect(await waits([answered(status, String(seconds))])).toEqual([[seconds, `status ${String(status)}`]])
  }
})

test.each(PASSING)(
  'after a %i that does not say how long, twice as long each time, up to 30 s',
  async (status) => {
    const found = await waits(Array.from({ length: 8 }, () => answered(status)))
    expect(found.map(([seconds]) => seconds)).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  },
)

test('what is said once holds once', async () => {
  const found = await waits([answered(503), answered(429, '9'), answered(503, 'soon'), answered(503)])
  expect(found.map(([seconds]) => seconds)).toEqual([1, 9, 4, 8])
})

test('a service that goes away is waited for, and one that never answered is not', async () => {
  const away = new Error('nobody there')
  expect(await waits([away, away])).toEqual([
    [1, 'nobody answers'],
    [2, 'nobody answers'],
  ])
  await expect(waits([away], false)).rejects.toBe(away)
})

test('it is given up after ten minutes, and not before', async () => {
  const refusals = (count: number) => Array.from({ length: count }, () => answered(503, '120'))
  expect(await waits(refusals(5))).toHaveLength(5)
  await expect(waits(refusals(6))).rejects.toMatchObject({ status: 503 })
})
