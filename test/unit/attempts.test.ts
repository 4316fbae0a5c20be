/** Attempts to sign in: which are one, and which count as failures. */
import { expect, jest, test } from '@jest/globals'
import { Attempts } from '../../src/http/credentials/attempts.ts'
import { SignInThrottle, type Throttle, type Verdict } from '../../src/http/credentials/throttle.ts'

const ATTEMPT = { name: 'alice', network: '192.0.2.1' }

/** Attempts with a throttle that gives each a ticket of its own, and what it was told of them. */
function open(verdict?: Verdict) {
  let tickets = 0
  const settled: [ticket: number, wasRight: boolean][] = []
  const throttle: Throttle = {
    admit: () => Promise.resolve(verdict ?? { ticket: ++tickets }),
    settle: (ticket, wasRight) => settled.push([ticket, wasRight]),
  }
  return { attempts: new Attempts(throttle), settled }
}

test('attempts with the same key at the same time are one, others are not', async () => {
  const { attempts, settled } = open()
  const isRight = jest.fn(() => Promise.resolve(true))
  await Promise.all(['a', 'a', 'b', 'a'].map((key) => attempts.make(key, ATTEMPT, isRight)))
  expect(isRight).toHaveBeenCalledTimes(2)
  expect(settled).toEqual([
    [1, true],
    [2, true],
  ])
  await attempts.make('a', ATTEMPT, isRight)
  expect(isRight).toHaveBeenCalledTimes(3)
})

test('wrong credentials are a failure', async () => {
  const { attempts, settled } = open()
  await attempts.make('a', ATTEMPT, () => Promise.resolve(false))
  expect(settled).toEqual([[1, false]])
})

test('a refusal has the time to wait, and compares nothing', async () => {
  const { attempts, settled } = open({ retryAfterSeconds: 7 })
  const isRight = jest.fn(() => Promise.resolve(true))
  await expect(attempts.make('a', ATTEMPT, isRight)).rejects.toMatchObject({
    errorClass: 'TooManyRequests',
    retryAfterSeconds: 7,
  })
  expect([isRight.mock.calls, settled]).toEqual([[], []])
})

test('what could not be found out is no failure: then the right password is right at once', async () => {
  const attempts = new Attempts(new SignInThrottle())
  const away = (): Promise<boolean> => Promise.reject(new Error('the database is away'))
  for (let i = 0; i < 200; i++)
    await expect(attempts.make('a', ATTEMPT, away)).rejects.toThrow('the database is away')
  await attempts.make('a', ATTEMPT, () => Promise.resolve(true))
})
