/** Every class of errors says what to do and where it is explained, whatever its facts are. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/settings/config.ts'
import type { Store } from '../../src/data/store/store.ts'
import { ERRORS, FACTS, ServiceError, type ErrorClass } from '../../src/model/errors.ts'
import { send } from '../support/service.ts'
import { errorLink } from '../support/contract-judge.ts'
import { exchangeOne, rawRequest, useService } from './raw-requests.ts'

const BASE_URL = 'https://gloss.example/base'

/** Facts as bad as a request can make them: long, not ASCII, with a line end. Others are words of the contract. */
const FACT = `ä"%\r\nX-Evil: 1${'\u{1f600}'.repeat(2_000)}`
const WORDS = { action: 'write', argument: 'query', category: 'tag-values', message: 'wrong: mend it' }
const facts = { ...Object.fromEntries(FACTS.map((fact) => [fact, FACT])), ...WORDS }

/** An error of a class, whatever facts it requires. */
const errorOf = (errorClass: ErrorClass): ServiceError => new ServiceError(errorClass, facts)

/** The service on a store that fails with one error after the other. */
let server: Server
let failure: ServiceError
let url: string
beforeAll(async () => {
  const store = { read: () => Promise.reject(failure) } as unknown as Store
  const ignore = (): void => undefined
  const log = { report: ignore, observe: ignore, note: ignore, answered: ignore }
  server = createServer(await createApp(readConfig({ BASE_URL }), store, log))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    }),
)

const classes = (Object.keys(ERRORS) as ErrorClass[]).filter((name) => name !== 'WrongCredentials')

describe.each(classes)('%s', (errorClass) => {
  test.each(['GET', 'HEAD'])('of %s has a sentence and a link to help', async (method) => {
    failure = errorOf(errorClass)
    const { status, headers, error, body } = await send(url, method, '/namespaces/alice', {})
    expect([status, error, body.length]).toEqual([ERRORS[errorClass].status, errorClass, 0])
    expect(headers['x-service-message']).toMatch(/^[\x21-\x7e][\x20-\x7e]{4,}: [\x20-\x7e]{3,}[^.]$/)
    expect(headers['x-service-message']).not.toMatch(/undefined|[{}]/)
    expect(headers.link).toBe(errorLink(BASE_URL, errorClass))
    expect(headers['x-evil']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
  })

  test('has a row in the reference, to which the link leads', async () => {
    const page = (await send(url, 'GET', '/docs', {})).body.toString()
    const [, row = ''] = new RegExp(`<tr id="error-${errorClass}">([^]*?)</tr>`).exec(page) ?? []
    const [name, status, says] = [...row.matchAll(/<td>([^]*?)<\/td>/g)].map(([, cell]) => cell)
    expect([name, status]).toEqual([`<code>${errorClass}</code>`, String(ERRORS[errorClass].status)])
    expect(says).toMatch(/\S/)
  })
})

test('wrong credentials alone have neither', async () => {
  failure = errorOf('WrongCredentials')
  const { status, headers } = await send(url, 'GET', '/namespaces/alice', {})
  expect(status).toBe(401)
  expect(Object.keys(headers).filter((name) => /^x-service|^link$/.test(name))).toEqual([])
})

test('an error through JSONP is not wrapped, and says the same', async () => {
  failure = errorOf('TNoSuchUser')
  const plain = await send(url, 'GET', '/namespaces/alice', {})
  const jsonp = await send(url, 'GET', '/namespaces/alice?callback=f', {})
  for (const name of ['x-service-message', 'link', 'content-length', 'x-service-name']) {
    expect(jsonp.headers[name]).toBe(plain.headers[name])
  }
})

describe('the link', () => {
  const configured = useService({ BASE_URL })
  const plain = useService()
  const NOT_HTTP = 'nonsense\r\n\r\n'
  const LONG = rawRequest('GET /users/alice', [`X-Long: ${'x'.repeat(90_000)}`])

  test.each([NOT_HTTP, LONG])(
    'is absolute before anything is known of a request, with a base URL',
    async (sent) => {
      const { headers, error = '' } = await exchangeOne(configured().url, sent)
      expect(headers['link']).toBe(errorLink(BASE_URL, error))
      expect(headers['x-service-message']).toMatch(/: /)
    },
  )

  test.each([NOT_HTTP, LONG])('is relative to the service otherwise', async (sent) => {
    const { headers, error = '' } = await exchangeOne(plain().url, sent)
    expect(headers['link']).toBe(errorLink('', error))
    expect(headers['cache-control']).toBe('no-store')
  })

  test('begins with the host that the client names', async () => {
    const { headers } = await exchangeOne(plain().url, rawRequest('GET /nowhere', []))
    const [, host = ''] = /^Host: (.*)\r$/m.exec(rawRequest('GET /nowhere', [])) ?? []
    expect(headers['link']).toBe(errorLink(`http://${host}`, 'NoSuchResource'))
  })
})
