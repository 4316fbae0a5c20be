/** The client that the project ships: it runs the scenario of all generated clients and keeps its own promises. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createClient,
  float,
  readValue,
  readValues,
  ServiceError,
  search,
  writeValue,
  type Client,
  type Primitive,
} from '../../packages/client/index.ts'
import { run } from '../../clients/openapi-typescript/scenario.ts'
import { faults, STEPS } from '../../clients/scenario.ts'
import { startBase } from '../consumer/bases.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = createClient(service.url, { username: 'alice', password: PASSWORD })
})
afterAll(() => service.stop())

const slot = { about: 'book:Dune', tag: 'alice/value' }

test('runs the scenario without faults', async () => {
  const lines: string[] = []
  await run(service.url, PASSWORD, 'dora', (line) => lines.push(line))
  expect(lines).toHaveLength(STEPS.length)
  expect(await faults(service.url, PASSWORD, 'dora', lines.join('\n'))).toEqual([])
})

test('the check finds a fault in every step that prints nothing and in every value not stored', async () => {
  expect(await faults(service.url, PASSWORD, 'dora', '')).toHaveLength(STEPS.length)
  const printed = STEPS.map(({ name, prints }) => `${name}\t${prints('eve')}`).join('\n')
  const values = STEPS.filter(({ stored }) => stored !== undefined)
  expect(await faults(service.url, PASSWORD, 'eve', printed)).toHaveLength(values.length)
})

const VALUES: [name: string, value: Primitive, text: string, readAs: string, back: Primitive][] = [
  ['null', null, 'null', 'null', null],
  ['false', false, 'false', 'boolean', false],
  ['9', 9, '9', 'int', 9],
  ['float(9)', float(9), '9.0', 'float', 9],
  ['8.5', 8.5, '8.5', 'float', 8.5],
  ['float(8.5)', float(8.5), '8.5', 'float', 8.5],
  ['float(-0)', float(-0), '-0.0', 'float', -0],
  ['1e21', 1e21, '1e+21', 'float', 1e21],
  ['9n', 9n, '9', 'int', 9],
  ['2 ** 63 - 1', 2n ** 63n - 1n, '9223372036854775807', 'int', 2n ** 63n - 1n],
  ['-(2 ** 63)', -(2n ** 63n), '-9223372036854775808', 'int', -(2n ** 63n)],
  ['2 ** 53 as a float', float(2 ** 53), '9007199254740992.0', 'float', 2 ** 53],
  ["'5'", '5', '"5"', 'string', '5'],
  ['[]', [], '[]', 'list-of-strings', []],
]

describe.each(VALUES)('the value %s', (_name, value, text, readAs, back) => {
  const path = { about_value: slot.about, tag_path: slot.tag }
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    writeValue: () => writeValue(client, slot, value),
    'PUT of the value': () =>
      client.PUT('/about/{about_value}/{tag_path}', { params: { path }, body: value }),
    'PUT /values': () =>
      client.putValues({
        body: { queries: [[`service/about = "${slot.about}"`, { [slot.tag]: { value } }]] },
      }),
    'a copy of what was read': async () => {
      const other = { about: 'book:Emma', tag: 'alice/another' }
      await writeValue(client, other, value)
      await writeValue(client, slot, await readValue(client, other))
    },
    'a copy of an entry with wrapped floats': async () => {
      const exact = createClient(service.url, { username: 'alice', password: PASSWORD, floats: 'wrapped' })
      const other = { about: 'book:Emma', tag: 'alice/another' }
      await writeValue(client, other, value)
      const [found] = await Array.fromAsync(
        search(exact, { query: 'service/about = "book:Emma"', tag: [other.tag] }),
      )
      const entry = found?.values[other.tag]
      await writeValue(client, slot, entry && 'value' in entry ? entry.value : 'none')
    },
  }

  test.each(Object.keys(ways))('is written exactly by %s, and read exactly in both ways', async (way) => {
    await writeValue(client, slot, 'another')
    await ways[way]?.()
    const { body } = await service.ok('GET', '/about/book:Dune/alice/value', { as: 'alice' })
    expect(body.toString()).toBe(text)
    expect(await readValue(client, slot)).toMatchObject({ type: readAs, value: back })
    const query = { query: `has ${slot.tag}`, tag: [slot.tag] }
    const { data } = await client.GET('/values', { params: { query } })
    expect(Object.values(data.results.id)).toEqual([
      { [slot.tag]: { value: back, 'updated-at': expect.any(String) } },
    ])
  })
})

test.each([NaN, Infinity])('refuses to write %p', async (value) => {
  await expect(writeValue(client, slot, value)).rejects.toThrow(RangeError)
  expect(() => float(value)).toThrow(RangeError)
  const body = { queries: [['has alice/value', { 'alice/value': { value } }]] } as never
  await expect(client.PUT('/values', { body })).rejects.toThrow(RangeError)
})

test('reads back opaque values, even empty ones and ones that look like JSON', async () => {
  for (const text of ['', '5.0']) {
    const bytes = new TextEncoder().encode(text)
    const value = { type: 'opaque', contentType: 'application/json', bytes } as const
    await writeValue(client, slot, value)
    expect(await readValue(client, slot)).toMatchObject(value)
    const asked = client.GET('/about/{about_value}/{tag_path}', {
      params: { path: { about_value: slot.about, tag_path: slot.tag } },
    })
    await expect(asked).rejects.toThrow('application/json is an opaque value: use readValue')
  }
})

test('an error has the seconds after which to try again, where the answer says any', () => {
  const errorOf = (headers: Record<string, string>): ServiceError =>
    new ServiceError(new Response(null, { status: 503, headers }))
  expect(errorOf({ 'Retry-After': '7' }).retryAfter).toBe(7)
  expect(errorOf({ 'Retry-After': 'Mon, 23 Nov 2026 04:00:00 GMT' }).retryAfter).toBeUndefined()
  expect(errorOf({}).retryAfter).toBeUndefined()
})

test('throws errors with their status, class, facts and message', async () => {
  const missing = { about: 'book:Dune', tag: 'alice/größe' }
  const failure = await readValue(client, missing).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ServiceError)
  expect(failure).toMatchObject({
    name: 'ServiceError',
    status: 404,
    errorClass: 'TNonexistentTag',
    facts: { path: 'alice/größe' },
    requestId: expect.any(String),
    message: expect.stringContaining('alice/größe'),
  })
  const query = 'alice/größe = größe'
  const unparsed = client.GET('/objects', { params: { query: { query } } })
  await expect(unparsed).rejects.toMatchObject({
    status: 400,
    errorClass: 'TParseError',
    facts: { query },
    message: expect.stringMatching(/^line 1, column 15: /),
  })
  const anonymous = createClient(service.url)
  await expect(writeValue(anonymous, slot, 1)).rejects.toMatchObject({
    status: 401,
    errorClass: 'TPathPermissionDenied',
  })
  const stranger = createClient(service.url, { username: 'alice', password: 'wrong' })
  await expect(readValue(stranger, slot)).rejects.toMatchObject({
    status: 401,
    errorClass: undefined,
    facts: {},
  })
})

test('reads values of more objects than a query takes, in order, and of each as the service has them', async () => {
  const many = Array.from(
    { length: 1200 },
    (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  )
  const queries = many.map((id, i): [string, object] => [
    `service/id = "${id}"`,
    i % 2 === 0
      ? { 'alice/number': { value: 2n ** 53n + BigInt(i) + 1n } }
      : { 'alice/other': { value: 'x' } },
  ])
  await client.PUT('/values', { body: { queries } as never })
  const read = await Array.fromAsync(readValues(client, many, ['alice/number', 'alice/other']))
  expect(read.map(([id]) => id)).toEqual(many)
  expect(read.map(([, values]) => Object.values(values).map((it) => 'value' in it && it.value))).toEqual(
    many.map((_, i) => [i % 2 === 0 ? 2n ** 53n + BigInt(i) + 1n : 'x']),
  )
  await expect(readValues(client, ['" or has alice/number'], ['alice/number']).next()).rejects.toThrow(
    RangeError,
  )
})

test('reads exactly without a Content-Length, too', async () => {
  await writeValue(client, slot, 2n ** 60n)
  const proxy = createServer((req, res) => {
    void fetch(service.url + String(req.url)).then(async (answer) => {
      res.setHeader('Content-Type', 'application/json')
      res.write(await answer.text())
      res.end()
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = createClient(`http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`)
  const query = { query: `has ${slot.tag}`, tag: [slot.tag] }
  const { data } = await through.GET('/values', { params: { query } })
  expect(Object.values(data.results.id)).toMatchObject([{ [slot.tag]: { value: 2n ** 60n } }])
  proxy.close()
})

test('reads the examples of the mock, and its errors', async () => {
  const mock = await startBase('mock')
  try {
    const on = createClient(mock.url, { username: 'alice', password: mock.password })
    const rating = { about: 'book:Dune', tag: 'alice/books/rating' }
    expect(await readValue(on, rating)).toMatchObject({ type: 'int', value: 9 })
    await writeValue(on, rating, 2n ** 60n)
    await writeValue(on, rating, { type: 'opaque', contentType: 'image/png', bytes: new Uint8Array(3) })
    const query = { query: 'has alice/books/rating', tag: ['alice/books/rating', 'alice/books/cover'] }
    const { data } = await on.GET('/values', { params: { query } })
    expect(Object.values(data.results.id).length).toBeGreaterThan(0)
    const denied = on.GET('/objects', { params: { query }, headers: { Prefer: 'code=413' } })
    await expect(denied).rejects.toMatchObject({ status: 413, errorClass: 'TooManyObjects' })
  } finally {
    await mock.stop()
  }
})

test.each(['.', '..'])(
  'says of a user %s that there is none, as no URL holds that name',
  async (username) => {
    const asked = client.GET('/users/{username}', { params: { path: { username } } })
    await expect(asked).rejects.toThrow('no user and no namespace has that name')
  },
)

test.each(['.', '..'])(
  'refuses the about value %s in a path, which a URL cannot hold, and reaches its object by id',
  async (about) => {
    await expect(readValue(client, { about, tag: 'alice/value' })).rejects.toThrow(RangeError)
    const { id } = await client.createObject({ body: { about } })
    await writeValue(client, { id, tag: 'alice/value' }, about)
    expect(await readValue(client, { id, tag: 'alice/value' })).toMatchObject({
      value: about,
    })
  },
)
