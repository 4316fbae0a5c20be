/** Every example in the contract is true: its requests succeed and get the answers that it shows. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { stockShelf, type Ids } from '../../mock/shelf.ts'
import { answersJson, bodyFormat, type ContractOperation } from '../../src/http/contract/contract.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { PASSWORD, startService, type Options, type Service } from '../support/service.ts'
import { exampleAnswers, exampleRequests, headerNames, type ExampleRequest } from './requests.ts'

const operations = await readOperations()
const EXAMPLE_BASE = 'http://127.0.0.1:8080'

/** What has to be deleted before an operation's examples can succeed. */
const GONE: Readonly<Record<string, readonly string[]>> = {
  createNamespace: ['/namespaces/alice/books/wanted'],
  createTag: ['/tags/alice/books/rating', '/tags/alice/rating'],
  deleteNamespace: [
    '/namespaces/alice/books/wanted',
    ...['cover', 'genres', 'lent', 'rating', 'read', 'recommended', 'title'].map(
      (name) => `/tags/alice/books/${name}`,
    ),
  ],
  deleteUser: ['/tags/alice/comment', '/tags/alice/rating', '/namespaces/alice/books'],
  createUser: ['/users/alice'],
}

/** What an operation deletes, as a request that makes it anew. */
const MADE: Readonly<Record<string, readonly [path: string, json: object]>> = {
  deleteTag: ['/tags/alice/books', { name: 'rating', description: '', indexed: true }],
  deleteNamespace: ['/namespaces/alice', { name: 'books', description: '' }],
  deleteUser: ['/users', { username: 'alice', password: PASSWORD }],
}

/** Operations that remove what others need come last. */
const LAST = ['deleteTag', 'deleteNamespace', 'putUser', 'deleteUser', 'createUser']
const rank = ({ operationId }: ContractOperation): number => LAST.indexOf(operationId)
const reads = ({ method }: ContractOperation): boolean => method === 'get' || method === 'head'

let service: Service
let ids: Ids
beforeAll(async () => {
  service = await startService()
  ids = await stockShelf(service)
})
afterAll(() => service.stop())

/** Takes back what the examples of moves have done. */
const BACK = [
  { tag: 'alice/books/stars', to: 'alice/books/rating' },
  { namespace: 'alice/wanted', to: 'alice/books/wanted' },
]

async function makeWay({ operationId }: ContractOperation): Promise<void> {
  for (const json of BACK) {
    const { status } = await service.request('POST', '/moves', { as: 'service', json })
    if (status !== 204 && status !== 404) throw new Error(`POST /moves ${JSON.stringify(json)}: ${status}`)
  }
  for (const path of GONE[operationId] ?? []) {
    const { status } = await service.request('DELETE', path, { as: 'service' })
    if (status !== 204 && status !== 404) throw new Error(`DELETE ${path}: ${status}`)
  }
}

/** Makes what an operation deletes, if it is not there. */
async function make({ operationId }: ContractOperation): Promise<void> {
  const [path, json] = MADE[operationId] ?? []
  if (path === undefined) return
  const { status } = await service.request('POST', path, { as: 'service', json })
  if (status !== 201 && status !== 412) throw new Error(`POST ${path}: ${status}`)
}

/** The operation with another method on the same path. */
function beside(operation: ContractOperation, method: string): ContractOperation {
  const other = operations.find((one) => one.path === operation.path && one.method === method)
  if (other === undefined) throw new Error(`${operation.path} has no ${method}`)
  return other
}

const here = (text: string): string => [...ids].reduce((all, [id, own]) => all.replaceAll(id, own), text)

/** Sends an example request, with its ids replaced by those that the service gave. */
async function send(operation: ContractOperation, request: ExampleRequest, headers: Options['headers'] = {}) {
  const query = JSON.parse(here(JSON.stringify(request.query))) as ExampleRequest['query']
  const as = operation.path.startsWith('/users') ? 'service' : 'alice'
  const body = bodyOf(request)
  return service.ok(operation.method.toUpperCase(), here(request.path), {
    as,
    query,
    ...(body === undefined ? {} : { body: body.text }),
    headers: { ...(body === undefined ? {} : { 'content-type': body.mediaType }), ...headers },
  })
}

/** The content type that is sent where the contract has a range. */
const ANY = { range: '*/*', mediaType: 'text/html' }

function bodyOf({ body }: ExampleRequest): { mediaType: string; text: string } | undefined {
  if (body === undefined) return undefined
  const mediaType = body.mediaType === ANY.range ? ANY.mediaType : body.mediaType
  return { mediaType, text: here(exampleText(mediaType, body.example)) }
}

const exampleText = (mediaType: string, example: unknown): string =>
  /\bjson$/.test(mediaType) ? JSON.stringify(example) : String(example)

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** A body in the form of the contract's example; times and unknown ids are masked in both. */
function shown(text: string): unknown {
  const known = [...ids].reduce((all, [id, own]) => all.replaceAll(own, id), text)
  return JSON.parse(
    known
      .replaceAll(service.url, EXAMPLE_BASE)
      .replace(UUID, (id) => (ids.has(id) ? id : 'an id'))
      .replace(TIME, 'a time'),
  )
}

/** Requests that the contract does not show although it shows their answers: of an object without tags, and of paths. */
const MORE: Readonly<Record<string, ExampleRequest>> = {
  getObject: {
    path: '/objects/00000000-0000-4000-8000-000000000000',
    query: { showAbout: 'true' },
    body: undefined,
  },
  getSuggestions: { path: '/search/suggest', query: { text: 'lent' }, body: undefined },
}

/** Recent values include everything done so far, and the contract is long; their examples show a part. */
function withMore(example: unknown): unknown {
  if (Array.isArray(example)) return expect.arrayContaining(example)
  const { openapi, info, servers } = example as { openapi?: string; info: object; servers: unknown }
  if (openapi === undefined) return example
  return expect.objectContaining({ openapi, info: expect.objectContaining({ ...info }) as object, servers })
}

const each = (some: (operation: ContractOperation) => boolean) =>
  operations.filter(some).map((operation) => [operation.operationId, operation] as const)

function testExamples(operationId: string, operation: ContractOperation): void {
  test('gets the answers that its examples show', async () => {
    await makeWay(operation)
    const wanted = exampleAnswers(operation)
    const answers: unknown[] = []
    const more = MORE[operationId]
    for (const request of [...exampleRequests(operation), ...(more === undefined ? [] : [more])]) {
      const answer = await send(operation, request)
      expect([request, answer.status]).toEqual([request, wanted.status])
      if (answersJson(operation)) answers.push(shown(answer.body.toString()))
    }
    if (!answersJson(operation)) return
    for (const { example } of wanted.bodies) {
      expect(answers).toContainEqual(withMore(shown(JSON.stringify(example))))
    }
  })

  const [first] = exampleRequests(operation)
  for (const name of headerNames(operation)) {
    test(`succeeds with its header ${name}`, async () => {
      if (first === undefined) throw new Error('there is no example')
      await makeWay(operation)
      const { status } = await send(operation, first, { [name]: await headerOf(name, operation, first) })
      const unmodified = name === 'If-None-Match' && reads(operation)
      expect(status).toBe(unmodified ? 304 : exampleAnswers(operation).status)
    })
  }
}

describe.each(each(reads))('%s', testExamples)

test.each(['getValue', 'getValueByAbout'])(
  'every value that %s shows can be written and then read',
  async (operationId) => {
    const read = operations.find((operation) => operation.operationId === operationId)
    const [request] = read === undefined ? [] : exampleRequests(read)
    if (read === undefined || request === undefined) throw new Error(`there is no example of ${operationId}`)
    const values = exampleAnswers(read).bodies
    expect(values.map(({ mediaType }) => mediaType)).toContain(PRIMITIVE_MEDIA_TYPE)
    for (const body of values) {
      await send(beside(read, 'put'), { ...request, body })
      const answer = await send(read, request)
      const sent = bodyOf({ ...request, body })
      expect([answer.headers['content-type'], answer.body.toString()]).toEqual([sent?.mediaType, sent?.text])
    }
  },
)

describe.each(each((operation) => !reads(operation)).toSorted(([, a], [, b]) => rank(a) - rank(b)))(
  '%s',
  testExamples,
)

/**
 * A true value for a header whose example cannot be one: the checksum of the body, the entity tag of what is there, or `*`
 * if there is no value yet.
 */
async function headerOf(
  name: string,
  operation: ContractOperation,
  request: ExampleRequest,
): Promise<string> {
  if (name === 'Content-MD5') {
    return createHash('md5')
      .update(bodyOf(request)?.text ?? '')
      .digest('base64')
  }
  const plain = { ...request, body: undefined }
  if (name === 'If-None-Match' && !reads(operation)) {
    await send(beside(operation, 'delete'), plain)
    return '*'
  }
  if (!reads(operation)) {
    await make(operation)
    const [put] = exampleRequests(beside(operation, 'put'))
    await send(beside(operation, 'put'), { ...request, body: put?.body })
  }
  return (await send(beside(operation, 'get'), plain)).headers.etag ?? ''
}

test('every operation with a body has examples of it', () => {
  const withBody = operations.filter((operation) => bodyFormat(operation) !== 'none')
  expect(withBody.length).toBeGreaterThan(10)
  for (const operation of withBody) {
    expect(exampleRequests(operation).every(({ body }) => body !== undefined)).toBe(true)
  }
})
