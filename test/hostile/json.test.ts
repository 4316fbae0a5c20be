/** Edge cases of JSON in every JSON body and as primitive values, compared with an independent parser. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ContractOperation } from '../../src/http/contract/contract.ts'
import { buildFixture, THING } from '../support/fixture.ts'
import { PASSWORD, startService, type Answer, type Service } from '../support/service.ts'
import { encodingsOf, mutated, random, TEXTS } from './json-corpus.ts'
import { NoJson, parseStrictly, plain, primitiveIn, type Json } from './json-oracle.ts'
import { jsonSchemaOf, OPERATIONS, takesValue } from '../support/operations.ts'
import { planFor, rawRequest, replaced, type Plan } from './plan.ts'
import { readBack } from './read-back.ts'
import { inParallel, isChosen, stride, Tally } from './tally.ts'
import { basic, Connection } from './connection.ts'

const LANES = 8
const USUAL_STRIDE = 13
const MUTANTS = 1_500

let service: Service

beforeAll(async () => {
  // A password of one character is as good a JSON string as any.
  service = await startService({ TRUST_PROXY: 'loopback', MIN_PASSWORD_LENGTH: '1' })
  await buildFixture(service)
})
afterAll(() => service.stop())

const ajv = new Ajv2020({ strict: false })
ajvFormats.default(ajv)

/** The JSON value of the octets; undefined if they are not JSON. */
function meaningOf(octets: Buffer): Json | undefined {
  try {
    return parseStrictly(octets)
  } catch (error) {
    if (error instanceof NoJson) return undefined
    throw error
  }
}

function must(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

const outcomeOf = ({ status, error = '' }: Answer): string => `${String(status)} ${error}`.trim()

/** Puts octets as a primitive value, which must read back unchanged or get the right error. */
async function runPrimitive(
  octets: Buffer,
  path: string,
  connection: Connection,
  tally: Tally,
): Promise<void> {
  const headers = { Authorization: basic('alice'), 'Content-Type': 'application/vnd.service.value+json' }
  const answer = await connection.request({ method: 'PUT', target: path, headers, body: octets })
  tally.judge('PUT', path, answer)
  const json = meaningOf(octets)
  const primitive = json === undefined ? undefined : primitiveIn(json)
  if (octets.length === 0) {
    must(answer.error === 'MissingPayload', outcomeOf(answer))
    return
  }
  if (primitive === undefined) {
    const expected = json === undefined ? 'MalformedPayload' : 'UnsupportedJSONType'
    must(answer.error === expected, `${outcomeOf(answer)}, not ${expected}`)
    return
  }
  must(answer.status === 204, `${outcomeOf(answer)} for a primitive`)
  const read = await connection.request({
    method: 'GET',
    target: path,
    headers: { Authorization: basic('alice') },
  })
  tally.judge('GET', path, read)
  const back = primitiveIn(parseStrictly(read.body))
  const same = back?.type === primitive.type && back.same === primitive.same
  must(same, `came back as ${read.body.toString().slice(0, 100)}`)
  const { 'x-service-type': type } = read.headers
  must(type === primitive.type, `is called ${String(type)}`)
}

const textsOf = (step: number): Buffer[] => {
  const texts = TEXTS.map((text) => Buffer.from(text))
  const below = random(20_260_101)
  const mutants = Array.from({ length: Math.ceil((MUTANTS * USUAL_STRIDE) / step) }, () =>
    mutated(texts[below(texts.length)] ?? Buffer.alloc(0), below),
  )
  return [...texts, ...encodingsOf('"text"'), ...encodingsOf('["a","\u00e9"]'), ...mutants]
}

test('primitive values of any JSON read back or get the right error', async () => {
  const tally = new Tally('JSON primitives')
  const jobs = textsOf(stride(USUAL_STRIDE))
    .map((octets, i) => ({ octets, i }))
    .filter(({ i }) => isChosen(i))
  await inParallel(
    jobs,
    LANES,
    () => new Connection(service.url),
    ({ octets, i }, connection) => {
      const path =
        i % 2 === 0
          ? `/objects/${THING}/alice/json/t${String(i)}`
          : `/about/json${String(i)}/alice/json/value`
      const what = `PUT ${path} ${octets.toString('latin1').slice(0, 100)}`
      return tally.run(what, () => runPrimitive(octets, path, connection, tally))
    },
  )
  tally.finish(1_500)
})

const jsonOperations = OPERATIONS.filter((operation) => jsonSchemaOf(operation) !== undefined)

/** Errors for JSON that the operation's schema does not admit. */
const SHAPES = [
  'MalformedPayload',
  'PayloadFieldMissing',
  'InvalidPayloadField',
  'UnknownPayloadField',
  'UnsupportedJSONType',
  'TInvalidPolicy',
]
/** Errors for reasons that a schema cannot express. */
const REASONS = [
  'TInvalidPath',
  'TBadArgument',
  'TNoSuchUser',
  'TInvalidUsername',
  'TUsernameTooLong',
  'TUserAlreadyExists',
  'TNamespaceAlreadyExists',
  'TTagAlreadyExists',
  'TParseError',
  'TNonexistentTag',
  'TPathPermissionDenied',
  'TBadRequest',
  'UnsupportedJSONType',
  'MalformedPayload',
]

const HOLE = '\u0001HOLE'

/** A body with the octets in place of one of its leaves, or of the whole. */
function bodyWith(octets: Buffer, plan: Plan, place: number): Buffer {
  const holes = leavesOf(plan.json)
  const way = holes[place % (holes.length + 1)]
  if (way === undefined) return octets
  const [before = '', after = ''] = JSON.stringify(replaced(plan.json, way, HOLE)).split(JSON.stringify(HOLE))
  return Buffer.concat([Buffer.from(before), octets, Buffer.from(after)])
}

function leavesOf(json: unknown): number[][] {
  if (typeof json !== 'object' || json === null) return [[]]
  return Object.values(json).flatMap((child, i) => leavesOf(child).map((way) => [i, ...way]))
}

async function runBody(plan: Plan, octets: Buffer, connection: Connection, tally: Tally): Promise<void> {
  const request = { ...rawRequest(plan), body: octets }
  const answer = await connection.request(request)
  tally.judge(request.method, request.target, answer)
  const { operation } = plan
  if (octets.length === 0) {
    const missing = operation.requestBody?.required === true
    must(missing ? answer.error === 'MissingPayload' : answer.status < 300, outcomeOf(answer))
    return
  }
  const json = meaningOf(octets)
  if (json === undefined) {
    must(answer.error === 'MalformedPayload', `${outcomeOf(answer)} for a body that is not JSON`)
    return
  }
  const body = plain(json)
  if (!ajv.validate(jsonSchemaOf(operation) ?? false, body)) {
    must(SHAPES.includes(answer.error ?? ''), `${outcomeOf(answer)} for a body of another shape`)
    return
  }
  if (answer.status >= 300) {
    must(REASONS.includes(answer.error ?? ''), outcomeOf(answer))
    return
  }
  plan.json = body
  if (operation.operationId === 'putValues') await checkElements(json as ElementsJson, connection)
  else
    await readBack(connection, plan, answer, {
      'X-Forwarded-For': `10.9.${String(octets.length & 255)}.${String(octets[0])}`,
    })
}

type ElementsJson = Map<'queries', [string, Map<string, Map<'value', Json>>][]>

/** Checks that the values set by elements with an id are stored, with their exact value and type. */
async function checkElements(json: ElementsJson, connection: Connection): Promise<void> {
  const elements = json.get('queries') ?? []
  // Of values written twice, the last one is kept.
  const written = new Map(elements.flatMap(([query, values]) => (query.includes(THING) ? [...values] : [])))
  for (const [path, entry] of written) {
    const target = `/objects/${THING}/${path.split('/').map(encodeURIComponent).join('/')}`
    const read = await connection.request({
      method: 'GET',
      target,
      headers: { Authorization: basic('alice') },
    })
    const expected = primitiveIn(entry.get('value') ?? null)
    expect([target, primitiveIn(parseStrictly(read.body))]).toEqual([target, expected])
  }
}

test('any JSON in every JSON body, whole or in any place, is stored or gets the right error', async () => {
  const tally = new Tally('JSON bodies')
  const step = stride(USUAL_STRIDE)
  const all = textsOf(step)
  await inParallel(
    [...jsonOperations.entries()],
    LANES,
    () => new Connection(service.url),
    async ([o, operation], connection) => {
      const scratch = `j${String(o)}`
      await prepare(operation, scratch)
      const hashes = operation.path.startsWith('/users') ? 2 : 1
      let number = o
      for (let i = o % step; i < all.length; i += step * hashes) {
        if (!isChosen(number++)) continue
        const octets = all[i] ?? Buffer.alloc(0)
        const plan = planFor(operation, { slot: scratch, unique: `${scratch}.${String(i)}`, user: scratch })
        if (operation.operationId === 'putUser') delete (plan.json as Record<string, unknown>)['password']
        for (let place = 0; place <= leavesOf(plan.json).length; place++) {
          const body = bodyWith(octets, plan, place)
          const what = `${operation.operationId} ${body.toString('latin1').slice(0, 200)}`
          const fresh = planFor(operation, {
            slot: scratch,
            unique: `${scratch}.${String(i)}.${String(place)}`,
            user: scratch,
          })
          await tally.run(what, () => runBody(fresh, body, connection, tally))
        }
      }
    },
  )
  tally.finish(2_500)
})

/** Creates what an operation changes. */
async function prepare(operation: ContractOperation, scratch: string): Promise<void> {
  if (operation.operationId === 'putUser') {
    await service.ok('POST', '/users', { as: 'service', json: { username: scratch, password: PASSWORD } })
  } else if (operation.method === 'put') {
    await service.ok('PUT', `/objects/${THING}/alice/${scratch}/value`, { as: 'alice', primitive: '1' })
  }
}

test('the contract has 13 operations with JSON bodies and 2 with values', () => {
  expect(jsonOperations).toHaveLength(13)
  expect(OPERATIONS.filter((operation) => takesValue(operation))).toHaveLength(2)
})
