/** For every operation of the contract except HEADs, a request that succeeds however often it is sent. */
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { THING } from './fixture.ts'
import { PASSWORD, type Service } from './service.ts'

/** A request that succeeds. */
export interface Sample {
  readonly method: string
  readonly path: string
  /** Query arguments, encoded as in a URL. */
  readonly query: string
  readonly as?: string
  readonly body?: string
  readonly type?: string
  readonly status: number
}

interface Draft {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly as?: string
  readonly json?: unknown
  readonly primitive?: string
  /** For a DELETE or a move, the POST that creates its target first: path and fields. */
  readonly made?: readonly [path: string, json: object]
  /** The status, if it is not that of most operations of the method. */
  readonly status?: number
}

const description = 'made by a test'
const as = 'alice'
const onValue = { as, primitive: '5' }
const RATED = { query: 'has alice/books/rating' }
const open = { policy: 'open', exceptions: [] }
const permission = (path: string, action: string, json?: object): Draft => ({
  path: `/permissions/${path}`,
  query: { action },
  as,
  ...(json && { json }),
})

const OPERATIONS: Readonly<Record<string, (name: string) => Draft>> = {
  'POST /about/{about_value}': (name) => ({ path: `/about/${name}`, as }),
  'GET /about/{about_value}': () => ({ path: '/about/book-1' }),
  'GET /about/{about_value}/{tag_path}': () => ({ path: '/about/book-1/alice/books/rating' }),
  'PUT /about/{about_value}/{tag_path}': () => ({ path: '/about/book-1/alice/books/plain', ...onValue }),
  'DELETE /about/{about_value}/{tag_path}': () => ({ path: '/about/book-1/alice/books/plain', as }),
  'POST /namespaces/{namespace_path}': (name) => ({
    path: '/namespaces/alice/empty',
    as,
    json: { name, description },
  }),
  'GET /namespaces/{namespace_path}': () => ({
    path: '/namespaces/alice/books',
    query: { returnTags: 'true' },
  }),
  'PUT /namespaces/{namespace_path}': () => ({ path: '/namespaces/alice/books', as, json: { description } }),
  'DELETE /namespaces/{namespace_path}': (name) => ({
    path: `/namespaces/alice/empty/${name}`,
    as,
    made: ['/namespaces/alice/empty', { name, description }],
  }),
  'POST /tags/{tag_path}': (name) => ({
    path: '/tags/alice/empty',
    as,
    json: { name, description, indexed: true },
  }),
  'GET /tags/{tag_path}': () => ({ path: '/tags/alice/books/rating', query: { returnDescription: 'true' } }),
  'PUT /tags/{tag_path}': () => ({ path: '/tags/alice/books/plain', as, json: { description } }),
  'DELETE /tags/{tag_path}': (name) => ({
    path: `/tags/alice/empty/${name}`,
    as,
    made: ['/tags/alice/empty', { name, description, indexed: false }],
  }),
  'POST /moves': (name) => ({
    path: '/moves',
    as,
    made: ['/tags/alice/empty', { name, description, indexed: true }],
    json: { tag: `alice/empty/${name}`, to: `alice/empty/${name}-moved` },
    status: 204,
  }),
  'POST /objects': (name) => ({ path: '/objects', as, json: { about: `größer als ${name}` } }),
  'GET /objects': () => ({ path: '/objects', query: RATED }),
  'GET /objects/{object_id}': () => ({ path: `/objects/${THING}`, query: { showAbout: 'true' } }),
  'GET /objects/{object_id}/{tag_path}': () => ({ path: `/objects/${THING}/alice/books/rating` }),
  'PUT /objects/{object_id}/{tag_path}': () => ({ path: `/objects/${THING}/alice/books/plain`, ...onValue }),
  'DELETE /objects/{object_id}/{tag_path}': () => ({ path: `/objects/${THING}/alice/books/plain`, as }),
  'GET /permissions/namespaces/{namespace_path}': () => permission('namespaces/alice/books', 'list'),
  'PUT /permissions/namespaces/{namespace_path}': () => permission('namespaces/alice/books', 'list', open),
  'GET /permissions/tags/{tag_path}': () => permission('tags/alice/books/plain', 'update'),
  'PUT /permissions/tags/{tag_path}': () => permission('tags/alice/books/plain', 'update', open),
  'GET /permissions/tag-values/{tag_path}': () => permission('tag-values/alice/books/plain', 'read'),
  'PUT /permissions/tag-values/{tag_path}': () => permission('tag-values/alice/books/plain', 'read', open),
  'POST /users': (name) => ({ path: '/users', as: 'service', json: { username: name, password: PASSWORD } }),
  'GET /users/{username}': () => ({ path: '/users/alice' }),
  'PUT /users/{username}': () => ({ path: '/users/bob', as: 'bob', json: { name: 'Bob' } }),
  'DELETE /users/{username}': (name) => ({
    path: `/users/${name}`,
    as: 'service',
    made: ['/users', { username: name, password: PASSWORD }],
  }),
  'GET /search': () => ({
    path: '/search',
    query: { ...RATED, sort: '-alice/books/rating', tag: 'alice/books/rating', count: 'exact' },
  }),
  'GET /values': () => ({ path: '/values', query: { ...RATED, tag: 'alice/books/rating' } }),
  'PUT /values': () => ({
    path: '/values',
    as,
    json: { queries: [[RATED.query, { 'alice/books/plain': { value: ['ä', '"', '\u2028'] } }]] },
  }),
  'DELETE /values': () => ({ path: '/values', as, query: { ...RATED, tag: 'alice/books/plain' } }),
  'GET /search/facets': () => ({ path: '/search/facets', query: { ...RATED, tag: 'alice/books/rating' } }),
  'GET /search/suggest': () => ({ path: '/search/suggest', query: { tag: 'alice/books/rating' } }),
  'POST /search/check': () => ({ path: '/search/check', json: RATED, status: 200 }),
  'GET /recent/objects/{object_id}': () => ({ path: `/recent/objects/${THING}` }),
  'GET /recent/about/{about_value}': () => ({ path: '/recent/about/book-1' }),
  'GET /recent/users/{username}': () => ({ path: '/recent/users/alice' }),
  'GET /recent/objects': () => ({ path: '/recent/objects', query: RATED }),
  'GET /openapi.json': () => ({ path: '/openapi.json' }),
  'GET /openapi.yaml': () => ({ path: '/openapi.yaml' }),
  'GET /openapi-3.0.json': () => ({ path: '/openapi-3.0.json' }),
  'GET /crossdomain.xml': () => ({ path: '/crossdomain.xml' }),
  'GET /docs': () => ({ path: '/docs' }),
  'GET /docs/{file}': () => ({ path: '/docs/try' }),
  'GET /recent/users': () => ({ path: '/recent/users', query: { query: 'has service/users/username' } }),
}

/** The names of the operations, as `METHOD /path/{template}` of the contract. */
export const OPERATION_NAMES = Object.keys(OPERATIONS)

/** The operations that return documents other than JSON, with their content types. */
export const PAGES: Readonly<Record<string, string>> = {
  'GET /openapi.yaml': 'application/yaml',
  'GET /crossdomain.xml': 'text/x-cross-domain-policy',
  'GET /docs': 'text/html; charset=utf-8',
  'GET /docs/{file}': 'text/html; charset=utf-8',
}

const STATUSES: Readonly<Record<string, number>> = { GET: 200, POST: 201, PUT: 204, DELETE: 204 }
let samples = 0

/** A request for an operation; what it needs is created first. */
export async function sampleOf(service: Service, operation: string): Promise<Sample> {
  samples += 1
  const draft = OPERATIONS[operation]?.(`sample-${samples}`)
  if (draft === undefined) throw new Error(`there is no sample of ${operation}`)
  const { path, as: who, json, primitive, made, query = {}, status } = draft
  const method = operation.split(' ')[0] ?? ''
  if (made !== undefined && who !== undefined) await service.ok('POST', made[0], { as: who, json: made[1] })
  const body = json === undefined ? primitive : JSON.stringify(json)
  return {
    method,
    path,
    query: String(new URLSearchParams(query)),
    status: status ?? STATUSES[method] ?? 0,
    ...(who !== undefined && { as: who }),
    ...(body !== undefined && { body, type: json === undefined ? PRIMITIVE_MEDIA_TYPE : 'application/json' }),
  }
}

/** The target of a sample, with further query arguments. */
export const targetOf = ({ path, query }: Sample, also = ''): string => {
  const all = [query, also].filter((part) => part !== '').join('&')
  return all === '' ? path : `${path}?${all}`
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>
const { paths } = readContract() as { paths: Paths }

/** The paths of the contract with their methods. */
export const METHODS_BY_PATH: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(paths).map(([path, item]) => [
    path,
    Object.keys(item)
      .filter((key) => ['get', 'head', 'put', 'post', 'delete'].includes(key))
      .map((key) => key.toUpperCase()),
  ]),
)

/** All operations of the contract. */
export const CONTRACT_OPERATIONS = [...METHODS_BY_PATH].flatMap(([path, methods]) =>
  methods.map((method) => `${method} ${path}`),
)

/** For each path template of the contract, a path that matches it. */
export const PATHS: ReadonlyMap<string, string> = new Map(
  [...METHODS_BY_PATH.keys()].map((template) => {
    const operation = OPERATION_NAMES.find((name) => name.endsWith(` ${template}`)) ?? ''
    return [template, OPERATIONS[operation]?.('any').path ?? '']
  }),
)
