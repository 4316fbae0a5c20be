/** Signing in while accounts change: what is compared again, and what is renewed. */
import { argon2Sync, randomBytes } from 'node:crypto'
import { expect, jest, test } from '@jest/globals'
import type { Caller } from '../../src/data/store/views.ts'
import type { Account } from '../../src/data/entities/accounts.ts'
import { createAuthenticator, type Authenticate } from '../../src/http/credentials/authenticate.ts'
import type { SecurityEvent } from '../../src/http/credentials/security-events.ts'
import { VerifiedCredentials } from '../../src/http/credentials/credentials.ts'
import { SignInThrottle } from '../../src/http/credentials/throttle.ts'
import { hashPassword, isOutdated } from '../../src/http/credentials/passwords.ts'
import type { Username } from '../../src/model/paths.ts'
import { basic } from '../wire/raw-requests.ts'

const accountOf = (passwordHash: string, role: Caller['role'] = 'user'): Account => {
  const caller = { userId: 100, username: 'alice' as Username, role }
  return { caller, passwordHash }
}
const ANONYMOUS: Caller = { userId: 2, username: 'anon' as Username, role: 'anonymous' }

/** An authenticator over accounts that come in this order; the last one stays. */
function signingIn(...accounts: (Account | undefined)[]): {
  authenticate: Authenticate
  events: SecurityEvent[]
  throttle: SignInThrottle
  renewals: string[]
  change: (account: Account | undefined) => void
} {
  const events: SecurityEvent[] = []
  const renewals: string[] = []
  const throttle = new SignInThrottle()
  const authenticate = createAuthenticator({
    verified: new VerifiedCredentials(),
    findAccount: () => Promise.resolve(accounts.length > 1 ? accounts.shift() : accounts[0]),
    renewHash: (_, passwordHash) => {
      renewals.push(passwordHash)
      const renewed = accountOf(passwordHash)
      accounts.splice(0, accounts.length, renewed)
      return Promise.resolve(renewed)
    },
    throttle,
    anonymous: ANONYMOUS,
    note: (event) => events.push(event),
    report: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
  const change = (account: Account | undefined): void => void accounts.splice(0, accounts.length, account)
  return { authenticate, events, throttle, renewals, change }
}

const right = basic('alice', 'new one')
const from = '192.0.2.1'
const [old, current] = await Promise.all([hashPassword('old one'), hashPassword('new one')])

test('a password that became right during its comparison is right, and no failure', async () => {
  const { authenticate, throttle, events } = signingIn(accountOf(old), accountOf(current))
  const settle = jest.spyOn(throttle, 'settle')
  expect(await authenticate(right, from)).toMatchObject({ userId: 100 })
  expect(settle.mock.calls).toEqual([[1, true]])
  expect(events).toEqual([])
})

test('a user who appears during the comparison may sign in', async () => {
  const { authenticate } = signingIn(undefined, accountOf(current))
  expect(await authenticate(right, from)).toMatchObject({ username: 'alice' })
})

test('credentials that were right count for each account as it is now', async () => {
  const { authenticate, change, events } = signingIn(accountOf(current))
  expect(await authenticate(right, from)).toMatchObject({ role: 'user' })
  change(accountOf(current, 'superuser'))
  expect(await authenticate(right, from)).toMatchObject({ role: 'superuser' })
  change(accountOf(old))
  await expect(authenticate(right, from)).rejects.toMatchObject({ errorClass: 'WrongCredentials' })
  expect(events).toEqual([{ event: 'sign-in failed', username: 'alice', address: '192.0.2.1' }])
  await expect(authenticate(right, from)).rejects.toMatchObject({ errorClass: 'WrongCredentials' })
  change(undefined)
  await expect(authenticate(right, from)).rejects.toMatchObject({ errorClass: 'WrongCredentials' })
})

test('a hash with other parameters is renewed after it was right, once', async () => {
  const salt = randomBytes(16)
  const cost = { parallelism: 1, tagLength: 32, memory: 64, passes: 1 }
  const tag = argon2Sync('argon2id', { message: Buffer.from('new one'), nonce: salt, ...cost })
  const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
  const weak = `$argon2id$v=19$m=64,t=1,p=1$${text(salt)}$${text(tag)}`
  expect([isOutdated(weak), isOutdated(current)]).toEqual([true, false])
  const { authenticate, renewals } = signingIn(accountOf(weak))
  await authenticate(right, from)
  while (renewals.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(isOutdated(renewals[0] ?? '')).toBe(false)
  for (let i = 0; i < 3; i++) await authenticate(right, from)
  expect(renewals).toHaveLength(1)
})
