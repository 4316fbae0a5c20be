/** Runs status tables: for each operation, rows of a request and the answer that it must get. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readContract } from '../../src/http/contract/contract.ts'
import { isOfTenth } from '../support/engines.ts'
import { errorLink } from '../support/contract-judge.ts'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'
import { sendBare } from './bare.ts'
import { buildFixture, type Fixture } from '../support/fixture.ts'

/** A request that must be sent before a row's own. */
export type Request = readonly [method: string, path: string, options?: Options]

/** One row of a status table. */
export interface Row extends Options {
  /** The condition that the row tests; the title of its test. */
  readonly when: string
  readonly path: string
  /** Requests that are sent first and must succeed. */
  readonly given?: readonly Request[]
  /** Sent with neither a body nor a header about its length. */
  readonly bare?: true
  /** The status, and for errors the class; a status alone is a success, or a 401 for wrong credentials. */
  readonly gives: number | readonly [status: number, errorClass: string]
  /** `X-Service-*` headers by the part of their names after `X-Service-`: text, or an asymmetric matcher. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** The JSON of the answer, or a function of the fixture that computes it. */
  readonly answers?: unknown
  /** Other headers of the answer, in lower case; undefined for one that must be absent. */
  readonly answersWith?: Readonly<Record<string, unknown>>
  /** The path at which what was created is found; objects are found at `/objects/{id}`. */
  readonly creates?: string
}

/** Rows by operation, as `METHOD /path/{template}` of the contract. */
export type Table = Readonly<Record<string, readonly Row[]>>

/** The service that rows are sent to, and the fixture in it. */
interface Setting {
  readonly service: Service
  readonly fixture: Fixture
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']

/**
 * Runs every row of a table, in order, on one service with the fixture of `buildFixture`. The table must have rows for
 * every operation with one of these tags of the contract; the rows for methods that a path lacks (405) are added.
 */
export function runTable(tags: readonly string[], table: Table): void {
  describe(tags.join(' and '), () => {
    const setting = startSetting()

    test('every operation has rows', () => {
      expect(Object.keys(table).sort()).toEqual(operationsOf(tags))
    })

    for (const [operation, rows] of Object.entries(table)) {
      describe(operation, () => {
        runRows(setting, operation.split(' ')[0] ?? '', rows)
      })
    }
    for (const [template, methods] of methodsByPath(table)) {
      const path = table[`${methods[0] ?? ''} ${template}`]?.[0]?.path ?? ''
      const others = METHODS.filter((method) => !methods.includes(method))
      test.each(others)(`405,UnsupportedMethod: %s ${template}`, async (method) => {
        const answer = await setting().service.request(method, path, { as: 'alice' })
        expect([answer.status, answer.error]).toEqual([405, 'UnsupportedMethod'])
        const allowed = answer.headers.allow?.split(', ').filter((name) => name !== 'OPTIONS')
        expect(allowed?.sort()).toEqual([...methods].sort())
      })
    }
  })
}

/** Runs rows of various operations: the `path` of each begins with its method. */
export function runRequests(name: string, rows: readonly Row[], env: Record<string, string> = {}): void {
  describe(name, () => {
    const setting = startSetting(env)
    for (const method of new Set(rows.map(methodOf))) {
      const ofMethod = rows.filter((row) => methodOf(row) === method)
      runRows(
        setting,
        method,
        ofMethod.map((row) => ({ ...row, path: row.path.slice(method.length + 1) })),
      )
    }
  })
}

const methodOf = ({ path }: Row): string => path.split(' ')[0] ?? ''

/** The rows of a GET, for HEAD. */
export const forHead = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row, answers: undefined }))

function startSetting(env?: Record<string, string>): () => Setting {
  let setting: Setting | undefined
  beforeAll(async () => {
    const service = await startService(env)
    setting = { service, fixture: await buildFixture(service) }
  })
  afterAll(() => setting?.service.stop())
  return () => {
    if (setting === undefined) throw new Error('the service did not start')
    return setting
  }
}

/** What a request is refused for before a store is asked. */
const EARLY = [
  'InvalidPayloadField',
  'InvalidUTF8Argument',
  'MalformedPayload',
  'MissingArgument',
  'MissingPayload',
  'MultipleArgumentValues',
  'NoContentLengthHeader',
  'NoContentTypeHeader',
  'PayloadFieldMissing',
  'TParseError',
  'UnexpectedContentLengthHeader',
  'UnknownAcceptType',
  'UnknownContentEncoding',
  'UnknownContentType',
  'UnknownPayloadField',
  'UnsupportedJSONType',
]

/** SQLite runs all rows; of those that end before a store is asked, a server runs a tenth, by `TEST_SEED`. */
function isRun(method: string, { gives, path, when }: Row): boolean {
  const { database } = globalThis as { database?: string }
  const isEarly = typeof gives !== 'number' && EARLY.includes(gives[1])
  const name = `${method} ${path} ${when}`
  return database !== 'mysql' || !isEarly || isOfTenth(name, process.env['TEST_SEED'] ?? '')
}

function runRows(setting: () => Setting, method: string, all: readonly Row[]): void {
  const rows = all.filter((row) => isRun(method, row))
  if (rows.length === 0) return
  test.each(rows.map((row) => [String(row.gives), row.when, row] as const))(
    '%s: %s',
    async (_gives, _when, row) => {
      const { service, fixture } = setting()
      for (const [earlier, path, options] of row.given ?? []) await service.ok(earlier, path, options)
      const answer = await ask(service, method, row)
      checkStatus(answer, row)
      if (answer.status >= 400) checkError(answer, row)
      else checkSuccess(answer, row, fixture)
      if (method === 'HEAD') await checkLikeGet(service, row, answer)
    },
  )
}

const ask = (service: Service, method: string, row: Row): Promise<Answer> =>
  row.bare === true ? sendBare(service.url, method, row.path, row.as) : service.request(method, row.path, row)

function checkStatus(answer: Answer, { gives, facts = {} }: Row): void {
  const [status, errorClass] = typeof gives === 'number' ? [gives] : gives
  const found = Object.keys(facts).map((fact) => [fact, answer.headers[`x-service-${fact.toLowerCase()}`]])
  expect({
    status: answer.status,
    errorClass: answer.error,
    facts: Object.fromEntries(found) as unknown,
  }).toEqual({ status, errorClass, facts })
}

/** The fact headers of each error class besides its message; classes that are not listed have none. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  PayloadFieldMissing: ['fieldname'],
  InvalidPayloadField: ['fieldname'],
  UnknownPayloadField: ['fieldname'],
  MissingArgument: ['argument'],
  MultipleArgumentValues: ['argument'],
  TBadArgument: ['argument'],
  InvalidUTF8Argument: ['argument'],
  TNonexistentNamespace: ['path'],
  TNonexistentTag: ['path'],
  TNoInstanceOnObject: ['path'],
  TNamespaceAlreadyExists: ['path'],
  TTagAlreadyExists: ['path'],
  TNamespaceNotEmpty: ['path'],
  TInvalidPath: ['path'],
  TNoSuchUser: ['name'],
  TUserAlreadyExists: ['name'],
  TInvalidUsername: ['name'],
  TUsernameTooLong: ['name'],
  TPathPermissionDenied: ['action', 'category', 'path'],
  TParseError: ['query'],
  TooManyObjects: ['query'],
  QueryTooCostly: ['query'],
}

/** One sentence, without an end and without a value that nobody filled in. */
const SENTENCE =
  /^(?!.*(?:undefined|\[object|\{(?:action|argument|category|fieldname|message|name|path|query)\}))[\x20-\x7e]{10,1027}$/

const seenRequestIds = new Set<string>()

/**
 * Every error has an empty body, is kept by no cache, and has its class, a request id, a sentence with a link to what explains it, and the facts of its
 * class (contract: Errors).
 */
function checkError({ status, headers, error, body }: Answer, row: Row): void {
  const named = ['error-class', 'request-id', 'message', ...(FACTS[error ?? ''] ?? [])]
  const expected = error === undefined ? [] : named.map((name) => `x-service-${name}`)
  expect(
    Object.keys(headers)
      .filter((name) => name.startsWith('x-service-'))
      .sort(),
  ).toEqual(expected.sort())
  expect([headers['content-length'], body.length]).toEqual(['0', 0])
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="Gloss"' : undefined)
  for (const [name, value] of Object.entries(row.answersWith ?? {})) expect(headers[name]).toEqual(value)
  const requestId = headers['x-service-request-id']
  if (error === undefined) return
  expect(requestId).toMatch(/^[\w-]{16,}$/)
  expect(headers['x-service-message']).toMatch(SENTENCE)
  const [, base = ''] = /^<(http:\/\/127\.0\.0\.1:\d+)\//.exec(String(headers.link)) ?? []
  expect(headers.link).toBe(errorLink(base, error))
  expect(seenRequestIds).not.toContain(requestId)
  seenRequestIds.add(String(requestId))
}

/** Every success says `Cache-Control: no-cache`, and what it creates or returns is what the row expects. */
function checkSuccess(answer: Answer, row: Row, fixture: Fixture): void {
  const { headers } = answer
  expect(headers['cache-control']).toBe('no-cache')
  for (const [name, value] of Object.entries(row.answersWith ?? {})) expect(headers[name]).toEqual(value)
  if (answer.status === 204) expect(answer.body).toHaveLength(0)
  if (answer.status === 201) checkCreated(answer, row, fixture)
  if (row.answers === undefined) return
  expect(headers['content-type']).toBe('application/json')
  const { answers } = row
  const expected =
    typeof answers === 'function' ? (answers as (fixture: Fixture) => unknown)(fixture) : answers
  expect(answer.json()).toEqual(expected)
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function checkCreated(answer: Answer, { creates }: Row, { url }: Fixture): void {
  const { URI, id } = answer.json() as { URI: string; id: string }
  expect(id).toMatch(UUID)
  expect(URI).toBe(url + (creates ?? `/objects/${id}`))
  expect(answer.headers.location).toBe(URI)
}

const REPRESENTATION = [
  'content-type',
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'vary',
  'x-service-type',
]

/** HEAD has the status and headers of GET, and no body. */
async function checkLikeGet(service: Service, row: Row, head: Answer): Promise<void> {
  const get = await ask(service, 'GET', row)
  const shown = ({ status, error, headers }: Answer): unknown => [
    status,
    error,
    REPRESENTATION.map((name) => headers[name]),
  ]
  expect(shown(head)).toEqual(shown(get))
  if (get.status === 200) expect(head.headers['content-length']).toBe(String(get.body.length))
}

interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>
}

/** The operations with one of these tags of the contract. */
function operationsOf(tags: readonly string[]): string[] {
  const { paths } = readContract() as ContractDocument
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => operation.tags?.some((tag) => tags.includes(tag)))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    .sort()
}

/** The methods of each path of a table, whatever their tags: a path may have operations of several tags. */
function methodsByPath(table: Table): Map<string, string[]> {
  const { paths } = readContract() as ContractDocument
  const templates = new Set(Object.keys(table).map((operation) => operation.slice(operation.indexOf('/'))))
  return new Map(
    [...templates].map((template) => [
      template,
      Object.entries(paths[template] ?? {})
        .filter(([, operation]) => operation.tags !== undefined)
        .map(([method]) => method.toUpperCase()),
    ]),
  )
}
