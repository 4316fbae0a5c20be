/** Signing in: wrong credentials on every path, and the throttle of failed attempts. */
import { describe, expect, test } from '@jest/globals'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { hashPassword } from '../../src/http/credentials/passwords.ts'
import { PASSWORD, type Answer } from '../support/service.ts'
import { METHODS_BY_PATH, PATHS } from '../support/samples.ts'
import { ask, useService, type Setting } from './raw-requests.ts'

const outcome = ({ status, error }: Answer): unknown[] => [status, error]
const OK = [200, undefined]
const WRONG = [401, undefined]
const HELD = [429, 'TooManyRequests']

describe('wrong credentials get 401', () => {
  const setting = useService()
  const unknown = ['/', '/nowhere', '/crossdomain.xml', '/%FF', '/v1/objects']
  const requests = [
    ...[...METHODS_BY_PATH].map(([template, methods]) => [PATHS.get(template) ?? '', methods] as const),
    ...unknown.map((path) => [path, ['GET', 'OPTIONS', 'PATCH']] as const),
  ]

  test.each(requests)('from %s', async (path, methods) => {
    const refused = (method: string): Promise<Answer> =>
      ask(setting().url, method, path, { as: `no-${path.replace(/\W/g, '')}`, password: 'wrong' })
    for (const answer of await Promise.all(methods.map(refused))) {
      expect(outcome(answer)).toEqual(WRONG)
      expect(answer.headers['www-authenticate']).toBe('Basic realm="Gloss"')
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-service-'))).toEqual([])
      expect(answer.body).toHaveLength(0)
      expect(answer.headers['content-length']).toBe('0')
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const headers = [
    'Bearer x',
    'Basic',
    'Basic ',
    'Basic !!!',
    `Basic ${base64('alice')}`,
    'Digest username="alice"',
  ]
  const others = [
    '',
    `Basic ${base64(`alice:${PASSWORD}`)} x`,
    'basic',
    base64(`alice:${PASSWORD}`),
    `Basic ${base64(':')}`,
  ]

  test.each([...headers, ...others, `Basic ${base64('service:')}`, `Basic ${base64('anon:')}`])(
    'in Authorization: %j',
    async (authorization) => {
      const answer = await ask(setting().url, 'GET', '/users/alice', { headers: { authorization } })
      expect(outcome(answer)).toEqual(WRONG)
    },
  )

  test.each(['Basic', 'basic', 'BASIC', 'Basic  '])(
    'but right ones are read with the scheme in any letter case: %s',
    async (scheme) => {
      const authorization = `${scheme} ${base64(`ALICE:${PASSWORD}`)}`
      const answer = await ask(setting().url, 'GET', '/users/alice', { headers: { authorization } })
      expect(outcome(answer)).toEqual(OK)
    },
  )
})

describe('letters beyond ASCII', () => {
  const setting = useService()

  /** Signs in with these octets. */
  const signInWith = async (credentials: Buffer): Promise<unknown[]> => {
    const authorization = `Basic ${credentials.toString('base64')}`
    return outcome(await ask(setting().url, 'GET', '/users/alice', { headers: { authorization } }))
  }

  const change = (password: string): Promise<unknown> =>
    setting().service.ok('PUT', '/users/carol', { as: 'service', json: { password } })

  test.each(['pässwörd', '\ufeffpassword', 'naïvely ÿ', '密码密码密码密码'])(
    'in the password %j are sent in UTF-8',
    async (password) => {
      await change(password)
      expect(await signInWith(Buffer.from(`carol:${password}`))).toEqual(OK)
    },
  )

  test('or in Latin-1, as some clients do, also in the user name', async () => {
    await change('pässwörd')
    expect(await signInWith(Buffer.from('carol:pässwörd', 'latin1'))).toEqual(OK)
    await setting().service.ok('POST', '/users', {
      as: 'service',
      json: { username: 'érik', password: 'naïveté!' },
    })
    expect(await signInWith(Buffer.from('érik:naïveté!', 'latin1'))).toEqual(OK)
    expect(await signInWith(Buffer.from('érik:naïveté!'))).toEqual(OK)
  })

  test.each(['e9', 'ff', '80', 'c3', 'eda080', 'f4908080'])(
    'are not octets that are no UTF-8: %s',
    async (octets) => {
      await change('what a \ufffd')
      expect(await signInWith(Buffer.from('carol:what a \ufffd'))).toEqual(OK)
      const bad = Buffer.concat([Buffer.from('carol:what a '), Buffer.from(octets, 'hex')])
      expect(await signInWith(bad)).toEqual(WRONG)
    },
  )
})

/** Signs in as a user from a client address, which the service takes from its trusted proxy. */
const signIn = ({ url }: Setting, as: string, password: string, address = '198.51.100.1'): Promise<Answer> =>
  ask(url, 'GET', '/users/alice', { as, password, headers: { 'x-forwarded-for': address } })

async function fail(setting: Setting, as: string, times: number, address?: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let i = 0; i < times; i++) answers.push(await signIn(setting, as, `wrong-${i}`, address))
  return answers
}

function expectHeld(answer: Answer): void {
  expect(outcome(answer)).toEqual(HELD)
  const seconds = Number(answer.headers['retry-after'])
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true)
  expect([answer.headers['content-length'], answer.body.length]).toEqual(['0', 0])
  expect(answer.headers['www-authenticate']).toBeUndefined()
}

describe('ten failures for one user from one address', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })

  test('block further attempts, even with the right password unless it was used before', async () => {
    const failures = await fail(setting(), 'bob', 10)
    expect(failures.map(outcome)).toEqual(failures.map(() => WRONG))
    expectHeld(await signIn(setting(), 'bob', 'wrong'))
    expectHeld(await signIn(setting(), 'bob', PASSWORD))
    expectHeld(await signIn(setting(), 'BOB', PASSWORD))
  })

  test('are counted separately for another address', async () => {
    expect(outcome(await signIn(setting(), 'bob', 'wrong', '198.51.100.2'))).toEqual(WRONG)
    expect(outcome(await signIn(setting(), 'bob', PASSWORD, '198.51.100.2'))).toEqual(OK)
  })

  test('do not block other users from that address', async () => {
    expect(outcome(await signIn(setting(), 'carol', PASSWORD))).toEqual(OK)
    expect(outcome(await signIn(setting(), 'carol', 'wrong'))).toEqual(WRONG)
    expect((await ask(setting().url, 'GET', '/users/alice')).status).toBe(200)
  })

  test('do not block credentials that have been right before', async () => {
    expect(outcome(await signIn(setting(), 'alice', PASSWORD, '198.51.100.3'))).toEqual(OK)
    const failures = await fail(setting(), 'alice', 11, '198.51.100.3')
    expect(failures.map(outcome)).toEqual([...Array.from({ length: 10 }, () => WRONG), HELD])
    expect(outcome(await signIn(setting(), 'alice', PASSWORD, '198.51.100.3'))).toEqual(OK)
    expectHeld(await signIn(setting(), 'alice', 'wrong', '198.51.100.3'))
  })

  test('are counted for users who do not exist, too', async () => {
    const failures = await fail(setting(), 'nobody', 11, '198.51.100.4')
    expect(failures.map(outcome)).toEqual([...Array.from({ length: 10 }, () => WRONG), HELD])
  })

  test('are counted in any letter case of the name', async () => {
    for (const name of ['nemo', 'NEMO', 'Nemo', 'nEmo', 'neMo'])
      await fail(setting(), name, 2, '198.51.100.5')
    expectHeld(await signIn(setting(), 'nEMO', 'wrong', '198.51.100.5'))
  })

  test('are counted when they arrive all at once', async () => {
    const guesses = Array.from({ length: 40 }, (_, i) =>
      signIn(setting(), 'carol', `wrong-${i}`, '198.51.100.6'),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(20)
  })

  test('do not delay a change of password, after which only the new one works', async () => {
    const change = (password: string): Promise<Answer> =>
      setting().service.ok('PUT', '/users/alice', { as: 'service', json: { password } })
    await change('another one')
    expect((await signIn(setting(), 'alice', PASSWORD, '198.51.100.7')).status).toBe(401)
    expect((await signIn(setting(), 'alice', 'another one', '198.51.100.7')).status).toBe(200)
  })
})

describe('credentials that were right until another process changed the password', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })
  const requests = [
    ...[...METHODS_BY_PATH].flatMap(([template, methods]) =>
      methods.map((method) => [method, PATHS.get(template) ?? ''] as const),
    ),
    ...['/nowhere', '/%FF', '/v1/objects', '/users/alice?verb=PUT', '/crossdomain.xml', '/docs'].map(
      (path) => ['GET', path] as const,
    ),
    ...['PUT', 'GET', 'PATCH', 'OPTIONS'].map((method) => [method, '/about/x/alice/public/nothing'] as const),
  ]

  test(`get 401, whatever ${requests.length} requests would get otherwise`, async () => {
    const { store } = setting().service
    const [known, changed] = await Promise.all([hashPassword(PASSWORD), hashPassword('another one')])
    const setHash = (name: string, passwordHash: string): Promise<unknown> =>
      store.write(SERVICE, (tx) =>
        tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE username = ${name}`),
      )
    for (const [i, [method, path]] of requests.entries()) {
      // Neither a name nor an address fails so often that it is throttled.
      const [name, address] = [i % 2 === 0 ? 'alice' : 'bob', `203.0.113.${String(i)}`]
      await setHash(name, known)
      expect(outcome(await signIn(setting(), name, PASSWORD, address))).toEqual(OK)
      await setHash(name, changed)
      const parts = { as: name, headers: { 'x-forwarded-for': address } }
      const answer = await ask(setting().url, method, path, parts)
      expect([method, path, ...outcome(answer)]).toEqual([method, path, ...WRONG])
    }
  }, 300_000)
})

describe('without a trusted proxy, the address of a client', () => {
  const setting = useService()

  test('is not what X-Forwarded-For says', async () => {
    for (let i = 0; i < 10; i++) await signIn(setting(), 'bob', 'wrong', `198.51.100.${i}`)
    expectHeld(await signIn(setting(), 'bob', 'wrong', '198.51.100.99'))
  })
})

describe('a hundred failures from one address', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })
  const ADDRESS = '2001:db8::1'

  test('block attempts for every user, but not credentials that have been right before', async () => {
    const { url } = setting()
    expect(outcome(await signIn(setting(), 'alice', PASSWORD, ADDRESS))).toEqual(OK)
    const answers: Answer[] = []
    for (let i = 0; i < 25; i++) {
      const four = [0, 1, 2, 3].map((n) => signIn(setting(), `guess-${i}-${n}`, 'wrong', ADDRESS))
      answers.push(...(await Promise.all(four)))
    }
    expect(answers.map(outcome)).toEqual(answers.map(() => WRONG))
    const more = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signIn(setting(), `more-${i}`, 'wrong', ADDRESS)),
    )
    const held = more.filter(({ status }) => status === 429)
    held.forEach(expectHeld)
    expect(held.length).toBeGreaterThan(5)
    expectHeld(await signIn(setting(), 'guess-0-0', 'wrong', ADDRESS))
    expect(outcome(await signIn(setting(), 'alice', PASSWORD, ADDRESS))).toEqual(OK)
    // The other addresses of a customer are no other client.
    expectHeld(await signIn(setting(), 'guess-0-0', 'wrong', '2001:db8::ffff:ffff:ffff:ffff'))
    expect(outcome(await signIn(setting(), 'nobody', 'wrong', '2001:db8:0:1::1'))).toEqual(WRONG)
    expect((await ask(url, 'GET', '/users/alice', { headers: { 'x-forwarded-for': ADDRESS } })).status).toBe(
      200,
    )
  })
})
