/** Percent tricks, overlong and broken UTF-8, dots and doubled slashes, in every position of every path, by every method. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildFixture } from '../contract/fixture.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import {
  meaningOf,
  OPERATIONS,
  operationAt,
  plainPath,
  TEMPLATES,
  type Meaning,
} from '../support/operations.ts'
import { inParallel, PROXY, stride, Tally } from './tally.ts'
import { basic, Wire } from './connection.ts'

const TRICKS = [
  '%2F', '%2f', '%252F', '%00', '%FF', '%C0%AF', '%ED%A0%80', '%F4%90%80%80', '%C3', '%E2%82', '%80', '%F8%88%80%80%80',
  '.', '..', '...', '/', '//', ';', ';a=b', '%2e', '%2e%2e', '%2E%2E%2F', '%5c', '\\', '+', '%2B', '%20', '%', '%2', '%GG', '%%', '%25',
  '%u0041', '%C3%A9', '%EF%BB%BF', '%E2%80%AE', '%F0%9F%98%80', '%0D%0AX-Injected:%201', '%0A', '%7F', '~', '*', '@', ':', '!', "'",
  '%22', '%3C', '%3F', '%23', '?', '?a', '#', '#a', '&', '=', ',', '$', '(', '[', '{', '|', '^', '`', '<', '"', '\xe9', '\xff', '\xc3\xa9',
  '__proto__', 'constructor', 'a'.repeat(300), '%61',
] // prettier-ignore

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']
const LANES = 8
const USUAL_STRIDE = 23

/** What a raw path may legally be made of; proxies refuse the rest by themselves. */
const LEGAL = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/** Whether a target is ASCII at all: what is not is no HTTP, and so no operation's affair. */
const isText = (target: string): boolean => /^[\x21-\x7e]*$/.test(target)

/** The ways in which a trick can stand in a segment, or around it. */
const WAYS: readonly ((segment: string, trick: string) => string)[] = [
  (_, trick) => trick,
  (segment, trick) => trick + segment,
  (segment, trick) => segment + trick,
  (segment, trick) => `${segment}/${trick}`,
]

let service: Service

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'loopback' })
  await buildFixture(service)
})
afterAll(() => service.stop())

interface Case {
  readonly method: string
  readonly target: string
}

const SAMPLES: Readonly<Record<string, string>> = {
  '{about_value}': 'book-1',
  '{object_id}': '0197a3c0-5a5a-7000-8000-00000000000a',
  '{tag_path}': 'alice/books/rating',
  '{namespace_path}': 'alice/books',
  '{username}': 'bob',
}

function* casesOf(template: string): Generator<Case> {
  const segments = template.split('/').flatMap((segment) => (SAMPLES[segment] ?? segment).split('/'))
  for (let i = 1; i < segments.length; i++) {
    for (const way of WAYS) {
      for (const trick of TRICKS) {
        const target = segments.map((segment, j) => (i === j ? way(segment, trick) : segment)).join('/')
        for (const method of METHODS) yield { method, target }
      }
    }
  }
}

/** The octets that a raw text stands for; undefined where it is not percent-encoded properly. */
function decodedOctets(raw: string): Buffer | undefined {
  if (/%(?![0-9a-f]{2})/i.test(raw)) return undefined
  return Buffer.from(
    raw.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )
}

/** The text that a raw path parameter stands for; undefined where it is no UTF-8. */
function decoded(raw: string): string | undefined {
  const octets = decodedOctets(raw)
  const text = octets?.toString('utf8')
  return octets !== undefined && text !== undefined && Buffer.from(text).equals(octets) ? text : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What must come for a path, whatever is stored: an error's class, or nothing that can be told beforehand. */
function expectedError(
  { method, target }: Case,
  meaning: Meaning | undefined,
  rawPath: string,
): string | undefined {
  if (!isText(target)) return 'TBadRequest'
  if (meaning === undefined) return 'NoSuchResource'
  if (method === 'OPTIONS') return undefined
  if (operationAt(method, rawPath) === undefined) return 'UnsupportedMethod'
  for (const [name, raw] of meaning.raw) {
    const text = decoded(raw)
    if (text === undefined) return 'InvalidUTF8Argument'
    if (name === 'object_id' && !UUID.test(text)) return 'NoSuchResource'
  }
  return undefined
}

/**
 * A proxy's own refusal: of what is no URL by RFC 3986, and nginx's of NUL and of dots that lead out of the root. HAProxy
 * sends it in its own form, which nothing can change.
 */
const isProxys = (answer: Answer, target: string): boolean =>
  PROXY !== undefined &&
  answer.status === 400 &&
  (answer.error ?? 'TBadRequest') === 'TBadRequest' &&
  (!LEGAL.test(target) || (PROXY === 'nginx' && /%00|\.\.|%2e/i.test(target)))

/** nginx answers TRACE itself, before it looks for a path. */
const isRefusedTrace = (method: string, { status, error }: Answer): boolean =>
  PROXY === 'nginx' && method === 'TRACE' && status === 405 && error === 'UnsupportedMethod'

const JSON_BODY = '{}'

function headersFor(operationId: string | undefined, value: boolean): Record<string, string> {
  const as = operationId?.includes('User') === true ? 'service' : 'alice'
  const type = value ? 'application/vnd.service.value+json' : 'application/json'
  return { Authorization: basic(as), 'Content-Type': type }
}

async function run({ method, target }: Case, wire: Wire, tally: Tally): Promise<void> {
  const rawPath = target.split('?')[0] ?? ''
  const meaning = meaningOf(rawPath)
  const operation = operationAt(method, rawPath)
  const takesBody = method === 'PUT' || (method === 'POST' && operation?.requestBody !== undefined)
  const value =
    takesBody &&
    operation?.path.startsWith('/permissions') === false &&
    /^\/(about|objects)/.test(operation.path)
  const body = takesBody ? Buffer.from(value ? JSON.stringify(target) : JSON_BODY) : undefined
  const headers = headersFor(operation?.operationId, value)
  const answer = await wire.request({ method, target, headers, body })
  if (isProxys(answer, target) || isRefusedTrace(method, answer)) return
  tally.judge(method, isText(target) ? target : '*', answer, `${method} ${target}`)
  if ('x-injected' in answer.headers) throw new Error('a header was injected')
  const expected = expectedError({ method, target }, meaning, rawPath)
  if (method === 'HEAD' || expected === undefined ? false : answer.error !== expected) {
    throw new Error(`${String(answer.status)} ${answer.error ?? ''}, not ${expected ?? ''}`)
  }
  if (
    expected === undefined &&
    answer.error === 'InvalidUTF8Argument' &&
    !/%(?![0-9a-f]{2})|[^\x20-\x7e]/i.test(target)
  ) {
    throw new Error('what is UTF-8 was refused')
  }
  if (answer.status < 300 && method !== 'OPTIONS')
    await readBack(operation?.operationId, target, meaning, answer, wire)
}

/** An about value in a path is what was sent, to the last character, and so is the value that was put there. */
async function readBack(
  operationId: string | undefined,
  target: string,
  meaning: Meaning | undefined,
  answer: Answer,
  wire: Wire,
): Promise<void> {
  const headers = { Authorization: basic('alice') }
  if (operationId === 'createObjectByAbout') {
    const { id } = answer.json() as { id: string }
    const read = await wire.request({ method: 'GET', target: `/objects/${id}?showAbout=1`, headers })
    const about = decoded(meaning?.raw.get('about_value') ?? '')
    if ((read.json() as { about: string }).about !== about)
      throw new Error(`is about ${read.body.toString()}`)
  }
  if (operationId === 'putValue' || operationId === 'putValueByAbout') {
    const read = await wire.request({ method: 'GET', target, headers })
    if (read.json() !== target) throw new Error(`the value is ${read.body.toString()}`)
  }
}

test('percent tricks in every position of every path, by every method', async () => {
  const tally = new Tally('percent tricks')
  await service.ok('GET', '/users/bob', { as: 'alice' })
  await service.ok('GET', '/users/bob', { as: 'service' })
  const all = TEMPLATES.flatMap((template) => [...casesOf(template)])
  const cases = all.filter((_, i) => i % stride(USUAL_STRIDE) === 0)
  await inParallel(
    cases,
    LANES,
    () => new Wire(service.url),
    (one, wire) => tally.run(`${one.method} ${one.target}`, () => run(one, wire, tally)),
  )
  tally.finish(5_000)
})

test('each template, trick and method has its cases', () => {
  expect(TEMPLATES.length).toBeGreaterThan(15)
  expect(OPERATIONS.every(({ path }) => TEMPLATES.includes(path))).toBe(true)
  expect(TEMPLATES.every((template) => meaningOf(plainPath(template))?.template === template)).toBe(true)
})
