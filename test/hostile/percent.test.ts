/** Percent-encoding tricks, broken UTF-8, dots and doubled slashes at every position of every path, by every method. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ContractOperation } from '../../src/http/contract/contract.ts'
import { buildFixture } from '../support/fixture.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import { meaningOf, OPERATIONS, operationAt, TEMPLATES, type Meaning } from '../support/operations.ts'
import { inParallel, isChosen, PROXY, stride, Tally } from './tally.ts'
import { basic, Connection, type RawRequest } from './connection.ts'

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

/** The characters of a valid raw path; proxies refuse others themselves. */
const LEGAL = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/** Whether a target is printable ASCII; any other is not valid HTTP and reaches no operation. */
const isText = (target: string): boolean => /^[\x21-\x7e]*$/.test(target)

/** The ways to put a trick into a segment or beside it. */
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

const rawPathOf = (target: string): string => target.split('?')[0] ?? ''

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

const CASES = TEMPLATES.flatMap((template) => [...casesOf(template)])

/** The octets that a raw text decodes to; undefined if its percent-encoding is malformed. */
function decodedOctets(raw: string): Buffer | undefined {
  if (/%(?![0-9a-f]{2})/i.test(raw)) return undefined
  return Buffer.from(
    raw.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )
}

/** The text that a raw path parameter decodes to; undefined if it is not UTF-8. */
function decoded(raw: string): string | undefined {
  const octets = decodedOctets(raw)
  const text = octets?.toString('utf8')
  return octets !== undefined && text !== undefined && Buffer.from(text).equals(octets) ? text : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The error class that a target gets whatever is stored; undefined if that depends on what is stored. */
function expectedError(
  { method, target }: Case,
  meaning: Meaning | undefined,
  rawPath: string,
): string | undefined {
  if (!isText(target)) return 'TBadRequest'
  // What the service says of itself, beside the contract.
  if (rawPath === '/' && method === 'GET') return undefined
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
 * Whether a proxy itself refused the request: for a target that is not a URL (RFC 3986) or, with nginx, for a NUL or for
 * dots that lead out of the root. The form of HAProxy's refusal cannot be configured.
 */
const isProxys = (answer: Answer, target: string): boolean =>
  PROXY !== undefined &&
  answer.status === 400 &&
  (answer.error ?? 'TBadRequest') === 'TBadRequest' &&
  (!LEGAL.test(target) || (PROXY === 'nginx' && /%00|\.\.|%2e/i.test(target)))

/** Whether nginx refused TRACE itself, which it does for every path. */
const isRefusedTrace = (method: string, { status, error }: Answer): boolean =>
  PROXY === 'nginx' && method === 'TRACE' && status === 405 && error === 'UnsupportedMethod'

/** The request of a case, with a body where the method needs one: the target itself where a value is put. */
function requestFor({ method, target }: Case, operation: ContractOperation | undefined): RawRequest {
  const as = operation?.operationId.includes('User') === true ? 'service' : 'alice'
  const hasBody = method === 'PUT' || (method === 'POST' && operation?.requestBody !== undefined)
  const isValue = hasBody && operation !== undefined && /^\/(about|objects)/.test(operation.path)
  const type = isValue ? 'application/vnd.service.value+json' : 'application/json'
  return {
    method,
    target,
    headers: { Authorization: basic(as), 'Content-Type': type },
    body: hasBody ? Buffer.from(isValue ? JSON.stringify(target) : '{}') : undefined,
  }
}

/** Whether everything in a target is ASCII, and every `%` begins an escape. */
const isWellFormed = (target: string): boolean => /^(?:[\x20-\x24\x26-\x7e]|%[0-9a-f]{2})*$/i.test(target)

/** Throws unless an answer has the error that its target demands; HEAD is left to the tests that compare it with GET. */
function checkError(sent: Case, meaning: Meaning | undefined, rawPath: string, answer: Answer): void {
  const expected = expectedError(sent, meaning, rawPath)
  if (expected !== undefined) {
    if (sent.method === 'HEAD' || answer.error === expected) return
    throw new Error(`${String(answer.status)} ${answer.error ?? ''}, not ${expected}`)
  }
  if (answer.error === 'InvalidUTF8Argument' && isWellFormed(sent.target)) {
    throw new Error('valid UTF-8 was refused')
  }
}

async function run(sent: Case, connection: Connection, tally: Tally): Promise<void> {
  const { method, target } = sent
  const rawPath = rawPathOf(target)
  const meaning = meaningOf(rawPath)
  const operation = operationAt(method, rawPath)
  const answer = await connection.request(requestFor(sent, operation))
  if (isProxys(answer, target) || isRefusedTrace(method, answer)) return
  tally.judge(method, isText(target) ? target : '*', answer, `${method} ${target}`)
  if ('x-injected' in answer.headers) throw new Error('a header was injected')
  checkError(sent, meaning, rawPath, answer)
  if (answer.status >= 300 || method === 'OPTIONS') return
  await readBack(operation?.operationId, target, meaning, answer, connection)
}

/** Checks that a created object has exactly the about value of its path, and that a value reads back exactly. */
async function readBack(
  operationId: string | undefined,
  target: string,
  meaning: Meaning | undefined,
  answer: Answer,
  connection: Connection,
): Promise<void> {
  const headers = { Authorization: basic('alice') }
  if (operationId === 'createObjectByAbout') {
    const { id } = answer.json() as { id: string }
    const read = await connection.request({ method: 'GET', target: `/objects/${id}?showAbout=1`, headers })
    const about = decoded(meaning?.raw.get('about_value') ?? '')
    if ((read.json() as { about: string }).about !== about)
      throw new Error(`the about value is in ${read.body.toString()}`)
  }
  if (operationId === 'putValue' || operationId === 'putValueByAbout') {
    const read = await connection.request({ method: 'GET', target, headers })
    if (read.json() !== target) throw new Error(`the value is ${read.body.toString()}`)
  }
}

test('percent tricks at every position get the right error or the right object', async () => {
  const tally = new Tally('percent tricks')
  await service.ok('GET', '/users/bob', { as: 'alice' })
  await service.ok('GET', '/users/bob', { as: 'service' })
  const cases = CASES.filter((_, i) => i % stride(USUAL_STRIDE) === 0).filter((_, i) => isChosen(i))
  const runAll = (some: readonly Case[], lanes: number): Promise<void> =>
    inParallel(
      some,
      lanes,
      () => new Connection(service.url),
      (one, connection) => tally.run(`${one.method} ${one.target}`, () => run(one, connection, tally)),
    )
  // What was put is read again: nothing else may write or delete at its place in between.
  const isPut = ({ method }: Case): boolean => method === 'PUT'
  await runAll(cases.filter(isPut), 1)
  await runAll(
    cases.filter((one) => !isPut(one)),
    LANES,
  )
  tally.finish(5_000)
})

test('the cases reach every operation, and paths that have none', () => {
  const reached = new Set(CASES.map(({ method, target }) => operationAt(method, rawPathOf(target))))
  expect(OPERATIONS.filter((operation) => !reached.has(operation))).toEqual([])
  expect(reached).toContain(undefined)
})
