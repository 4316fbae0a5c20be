/** The client that the project ships: it runs the scenario of all generated clients and keeps its own promises. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  createClient,
  readValue,
  ServiceError,
  writeOpaque,
  writePrimitive,
  type Client,
  type Primitive,
} from '../../clients/openapi-typescript/gloss.ts'
import { run } from '../../clients/openapi-typescript/scenario.ts'
import { faults, STEPS } from '../../clients/scenario.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = createClient(service.url, 'alice', PASSWORD)
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

const VALUES: [value: Primitive, type: 'float' | undefined, text: string, readAs: string, back: Primitive][] =
  [
    [null, undefined, 'null', 'null', null],
    [false, undefined, 'false', 'boolean', false],
    [9, undefined, '9', 'int', 9],
    [9, 'float', '9.0', 'float', 9],
    [8.5, undefined, '8.5', 'float', 8.5],
    [-0, 'float', '0.0', 'float', 0],
    [1e21, undefined, '1e+21', 'float', 1e21],
    [9n, undefined, '9', 'int', 9],
    [2n ** 63n - 1n, undefined, '9223372036854775807', 'int', 2n ** 63n - 1n],
    [-(2n ** 63n), undefined, '-9223372036854775808', 'int', -(2n ** 63n)],
    ['5', undefined, '"5"', 'string', '5'],
    [[], undefined, '[]', 'list-of-strings', []],
  ]

test.each(VALUES)('writes %p with the type %p as %s', async (value, type, text, readAs, back) => {
  await writePrimitive(client, slot, value, type)
  const { body } = await service.ok('GET', '/about/book:Dune/alice/value', { as: 'alice' })
  expect(body.toString()).toBe(text)
  expect(await readValue(client, slot)).toEqual({ type: readAs, value: back })
})

test.each([NaN, Infinity])('refuses to write %p', async (value) => {
  await expect(writePrimitive(client, slot, value)).rejects.toThrow(RangeError)
})

test('reads back opaque values, even empty ones and ones that look like JSON', async () => {
  for (const text of ['', '5.0']) {
    const bytes = new TextEncoder().encode(text)
    await writeOpaque(client, slot, 'application/json', bytes)
    expect(await readValue(client, slot)).toEqual({ type: 'opaque', contentType: 'application/json', bytes })
  }
})

test('throws errors with their status, class and facts', async () => {
  const failure = await readValue(client, { about: 'book:Dune', tag: 'alice/größe' }).catch((e: unknown) => e)
  expect(failure).toBeInstanceOf(ServiceError)
  expect(failure).toMatchObject({
    status: 404,
    errorClass: 'TNonexistentTag',
    facts: { path: 'alice/größe' },
    message: expect.stringMatching(/^404 TNonexistentTag: the tag alice\/größe does not exist: /) as unknown,
  })
  const anonymous = createClient(service.url)
  await expect(writePrimitive(anonymous, slot, 1)).rejects.toMatchObject({
    status: 401,
    errorClass: 'TPathPermissionDenied',
  })
  const stranger = createClient(service.url, 'alice', 'wrong')
  await expect(readValue(stranger, slot)).rejects.toMatchObject({
    status: 401,
    errorClass: undefined,
    facts: {},
  })
})

test.each(['.', '..'])(
  'refuses the about value %s in a path, which a URL cannot hold, and reaches its object by id',
  async (about) => {
    await expect(readValue(client, { about, tag: 'alice/value' })).rejects.toThrow(RangeError)
    const { data } = await client.POST('/objects', { body: { about } })
    await writePrimitive(client, { id: data?.id ?? '', tag: 'alice/value' }, about)
    expect(await readValue(client, { id: data?.id ?? '', tag: 'alice/value' })).toMatchObject({
      value: about,
    })
  },
)
