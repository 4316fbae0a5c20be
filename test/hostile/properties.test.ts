/** Any path, about value, primitive or opaque value that is written reads back exactly, in every way. */
import fc from 'fast-check'
import { afterAll, beforeAll, test } from '@jest/globals'
import { THING } from '../support/fixture.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import { parseStrictly, primitiveIn, type Json } from './json-oracle.ts'
import { SHARE, Tally } from './tally.ts'
import { basic, octets, Connection } from './connection.ts'

const PRIMITIVE = 'application/vnd.service.value+json'
const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 200 * SHARE)
/** Where it is a tenth of the runs, `TEST_SEED` says which. */
const SEED = SHARE === 1 ? 20_260_101 : Number(process.env['TEST_SEED'] ?? 0)

let service: Service
const tally = new Tally('properties')

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'loopback' })
})
afterAll(() => service.stop())

/** A client that checks every answer against the contract. */
class Client {
  readonly #connection: Connection

  constructor() {
    this.#connection = new Connection(service.url)
  }

  async ask(
    method: string,
    target: string,
    more: { type?: string; body?: Buffer | string } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = { Authorization: basic('alice') }
    if (more.type !== undefined) headers['Content-Type'] = more.type
    const body = more.body === undefined ? undefined : Buffer.from(more.body)
    const answer = await this.#connection.request({ method, target, headers, body })
    tally.judge(method, target, answer)
    if (answer.status < 300) return answer
    throw new Error(`${method} ${target}: ${String(answer.status)} ${answer.error ?? ''}`)
  }
}

function agree(what: string, actual: unknown, expected: unknown): void {
  if (Object.is(actual, expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

/** Checks a property over a new connection; a failure is reported with its smallest example. */
async function hold<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  property: (value: T, client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client()
  const run = fc.asyncProperty(arbitrary, async (value) => {
    tally.count()
    await property(value, client)
  })
  const details = await fc.check(run, { numRuns: RUNS, seed: SEED })
  if (details.failed)
    tally.disagree(`${name}: ${String(details.errorInstance)} for ${fc.stringify(details.counterexample)}`)
}

const NAME_CHARACTER = /^[\p{L}\p{M}\p{N}_:.-]$/u
const character = fc.oneof(
  fc.constantFrom(...Array.from('abcXYZ019_:.-')),
  fc.constantFrom(...Array.from('\u00e9\u0301\u00df\u0130\u01c5\u4e00\u0e33\u0660\u00b2\u2167\u{1f150}')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const name = fc
  .array(
    character.filter((one) => NAME_CHARACTER.test(one)),
    { minLength: 1, maxLength: 25 },
  )
  .map((characters) => characters.join(''))

/** A path in alice's namespace. */
const path = fc
  .array(fc.oneof(name, fc.constantFrom('.', '..', '...', '__proto__', 'constructor', '-', ':')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((names) => ['alice', ...names].join('/'))
  .filter((one) => [...one].length <= 233)

const choices = fc.infiniteStream(fc.nat(3))

/** Percent-encoded UTF-8; `pick` chooses how each slash, letter and hexadecimal digit is written. */
function encodedIn(text: string, pick: () => number, slash: 'literal' | 'encoded' | 'mixed'): string {
  const encode = (one: string): string => {
    if (one === '/')
      return slash === 'literal' || (slash === 'mixed' && pick() > 1) ? '/' : pick() > 1 ? '%2F' : '%2f'
    const plain = encodeURIComponent(one)
    const hex = (): string =>
      [...Buffer.from(one)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
    return pick() === 0 ? hex() : plain
  }
  return [...text].map(encode).join('')
}

const picker =
  (stream: Iterator<number>): (() => number) =>
  () =>
    Number(stream.next().value)

const anyPath = (): Promise<void> =>
  hold('paths', fc.tuple(path, choices), async ([tag, stream], client) => {
    const pick = picker(stream[Symbol.iterator]())
    const put = encodedIn(tag, pick, 'mixed')
    await client.ask('PUT', `/objects/${THING}/${put}`, { type: PRIMITIVE, body: JSON.stringify(tag) })
    for (const slash of ['literal', 'encoded', 'mixed'] as const) {
      const form = encodedIn(tag, pick, slash)
      agree('value', (await client.ask('GET', `/objects/${THING}/${form}`)).json(), tag)
    }
    const { id } = (await client.ask('GET', `/tags/${encodedIn(tag, pick, 'mixed')}`)).json() as {
      id: string
    }
    agree('service/tags/path', (await client.ask('GET', `/objects/${id}/service/tags/path`)).json(), tag)
    const query = encodeURIComponent(`service/id = "${THING}"`)
    const values = await client.ask('GET', `/values?query=${query}&tag=${encodeURIComponent(tag)}`)
    const found = values.json() as { results: { id: Record<string, Record<string, { value: unknown }>> } }
    agree('/values', found.results.id[THING]?.[tag]?.value, tag)
  })

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      '/',
      '%',
      '%2F',
      '+',
      ' ',
      '"',
      '\\',
      '.',
      '..',
      ';',
      '?',
      '#',
      '&',
      '\n',
      '\u{1f600}',
      'a',
    ),
  }),
)
const about = text.filter((one) => one !== '' && !one.includes('\0'))

const inQuery = (one: string): string => `"${one.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const anyAbout = (): Promise<void> =>
  hold('about values', fc.tuple(about, choices), async ([value, stream], client) => {
    const form = encodedIn(value, picker(stream[Symbol.iterator]()), 'encoded')
    const { id } = (await client.ask('POST', `/about/${form}`)).json() as { id: string }
    const object = (await client.ask('GET', `/objects/${id}?showAbout=true`)).json() as { about: string }
    agree('about', object.about, value)
    agree('service/about', (await client.ask('GET', `/about/${form}/service/about`)).json(), value)
    const query = encodeURIComponent(`service/about = ${inQuery(value)}`)
    const { ids } = (await client.ask('GET', `/objects?query=${query}`)).json() as { ids: string[] }
    agree('found', JSON.stringify(ids), JSON.stringify([id]))
    const again = { type: 'application/json', body: JSON.stringify({ about: value }) }
    agree('id', ((await client.ask('POST', '/objects', again)).json() as { id: string }).id, id)
  })

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => {
    const literal = Object.is(one, -0) ? '-0' : String(one)
    return /[.e]/.test(literal) ? literal : `${literal}.0`
  }),
  fc
    .tuple(fc.integer(), fc.nat(300))
    .map(([digits, exponent]) => `${String(digits)}.5E${String(exponent - 300)}`),
)
const primitive = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '-0', '-0.0', '""', '[]', '[""]'),
  number,
  text.map((one) => JSON.stringify(one)),
  fc.array(text, { maxLength: 6 }).map((one) => JSON.stringify(one)),
)

function agreePrimitive(what: string, actual: Json | undefined, json: string): void {
  const expected = primitiveIn(parseStrictly(Buffer.from(json)))
  agree(
    what,
    JSON.stringify(actual === undefined ? undefined : primitiveIn(actual)),
    JSON.stringify(expected),
  )
}

const member = (json: Json | undefined, ...keys: string[]): Json | undefined =>
  keys.reduce<Json | undefined>((at, key) => (at instanceof Map ? at.get(key) : undefined), json)

const anyPrimitive = (): Promise<void> =>
  hold(
    'primitive values',
    fc.tuple(primitive, fc.constantFrom('object', 'about', 'bulk')),
    async ([json, way], client) => {
      const tag = 'alice/any/primitive'
      const { id } = (await client.ask('POST', '/about/any')).json() as { id: string }
      if (way === 'bulk') {
        const body = `{"queries":[["service/about = \\"any\\"",{"${tag}":{"value":${json}}}]]}`
        await client.ask('PUT', '/values', { type: 'application/json', body })
      } else {
        const target = way === 'object' ? `/objects/${id}` : '/about/any'
        await client.ask('PUT', `${target}/${tag}`, { type: PRIMITIVE, body: json })
      }
      for (const target of [`/objects/${id}/${tag}`, `/about/any/${tag}`]) {
        const read = await client.ask('GET', target)
        agreePrimitive(target, parseStrictly(read.body), json)
        agree(
          'X-Service-Type',
          read.headers['x-service-type'],
          primitiveIn(parseStrictly(Buffer.from(json)))?.type,
        )
      }
      const query = encodeURIComponent('service/about = "any"')
      const values = parseStrictly((await client.ask('GET', `/values?query=${query}&tag=${tag}`)).body)
      agreePrimitive('/values', member(values, 'results', 'id', id, tag, 'value'), json)
      const recent = parseStrictly((await client.ask('GET', '/recent/about/any?limit=1')).body) as Json[]
      agreePrimitive('/recent', member(recent[0], 'value'), json)
    },
  )

/** Any valid header value except the media type of primitive values. */
const contentType = fc
  .oneof(
    fc.constantFrom(
      'Text/PLAIN',
      'text/plain;charset=UTF-8',
      'text/plain ; Charset="utf-8"',
      'application/json',
      'x',
      'text/html;  q=1',
      'application/vnd.service.value+jsonp',
      'image/png;a=b;charset=x',
      '*/*',
      'TEXT/html; CHARSET=latin1',
      'multipart/mixed; boundary="a;b"',
    ),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('a', '/', ';', ' ', '\t', '=', '"', '\u00e9', '\u4e00', ','),
      minLength: 1,
    }),
  )
  .map((one) => octets(one.trim()))
  .filter(
    (one) =>
      /^[\t\x20-\x7e\x80-\xff]+$/.test(one) &&
      !/^application\/vnd\.service\.value\+json[ \t]*(;|$)/i.test(one),
  )

const anyOpaque = (): Promise<void> =>
  hold(
    'opaque values',
    fc.tuple(fc.uint8Array({ maxLength: 3000 }), contentType),
    async ([content, type], client) => {
      const target = `/objects/${THING}/alice/any/opaque`
      const body = Buffer.from(content)
      await client.ask('PUT', target, { type, body })
      const read = await client.ask('GET', target)
      agree('content', read.body.toString('hex'), body.toString('hex'))
      agree('Content-Type', read.headers['content-type'], type)
      const head = await client.ask('HEAD', target)
      agree('Content-Length', head.headers['content-length'], String(body.length))
      agree('Content-Type of HEAD', head.headers['content-type'], type)
    },
  )

test('whatever is written reads back exactly', async () => {
  await Promise.all([anyPath(), anyAbout(), anyPrimitive(), anyOpaque()])
  tally.finish(RUNS * 4)
})
