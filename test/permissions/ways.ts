/** Every way to act that needs a permission: its request, and how to see whether it was allowed. */
import type { Answer, Options } from '../support/service.ts'
import type { Category } from './oracle.ts'

/** What a way acts on. */
export interface Target {
  /** The path of the namespace or tag. */
  readonly path: string
  /** An object with a value of the tag, and its about value. */
  readonly object: string
  readonly about: string
  /** An unused name. */
  readonly fresh: string
}

export interface Way {
  readonly category: Category
  readonly action: string
  /** Its name in the matrix, with `N` and `T` for the namespace and the tag. */
  readonly name: string
  request(target: Target): readonly [method: string, path: string, options?: Options]
  /** What alice sends first, so that the request finds what it needs besides the target. */
  given?(target: Target): readonly [method: string, path: string, options: Options]
  /** The status of success. */
  readonly gives: number
  /** For ways that are never refused but show or change only what is permitted: whether they did. */
  filtered?(answer: Answer, target: Target, hasValue: () => Promise<boolean>): boolean | Promise<boolean>
  /** Whether success removes or changes the target. */
  readonly destructive?: boolean
  /** Whether the anonymous user is always refused, because the way also writes or deletes. */
  readonly signedIn?: boolean
  /** The path that a refusal of the anonymous user names, if it is not the target. */
  anonymousPath?(target: Target): string
}

const json = { description: 'tried' }
const open = { policy: 'open', exceptions: [] }
const primitive = '"tried"'

/** A tag that everybody may write and delete, for ways that need two permissions. */
export const OPEN_TAG = 'alice/open'
/** A namespace in which everybody may create, and from which everybody may delete the tags that alice creates there. */
export const OPEN_NAMESPACE = 'alice/common'

/** A move of the target to the open namespace. */
const movedAway = (kind: 'tag' | 'namespace'): Omit<Way, 'category' | 'action' | 'name'> => ({
  request: ({ path, fresh }) => [
    'POST',
    '/moves',
    { json: { [kind]: path, to: `${OPEN_NAMESPACE}/${fresh}` } },
  ],
  gives: 204,
  destructive: true,
})

const isObject = ({ object }: Target): string => `service/id = "${object}"`
const isAbout = ({ about }: Target): string => `service/about = "${about}"`
const put = (query: string, path: string): Options => ({
  json: { queries: [[query, { [path]: { value: 1 } }]] },
})

/** Whether a namespace or tag is among the suggestions. */
const suggests =
  (wanted: 'tag' | 'namespace'): NonNullable<Way['filtered']> =>
  (answer, target) =>
    (answer.json() as { suggestions: { kind: string; path: string }[] }).suggestions.some(
      ({ kind, path }) => kind === wanted && path === target.path,
    )

function ways(
  category: Category,
  action: string,
  entries: Readonly<Record<string, Omit<Way, 'category' | 'action' | 'name'>>>,
): Way[] {
  return Object.entries(entries).map(([name, way]) => ({ category, action, name, ...way }))
}

const createdIn = (below: string): Record<string, Omit<Way, 'category' | 'action' | 'name'>> => ({
  [`POST /namespaces/N${below}`]: {
    request: ({ path, fresh }) => ['POST', `/namespaces/${path}${below}`, { json: { ...json, name: fresh } }],
    gives: 201,
    destructive: below !== '',
    anonymousPath: ({ path }) => path + below,
  },
  [`POST /tags/N${below}`]: {
    request: ({ path, fresh }) => [
      'POST',
      `/tags/${path}${below}`,
      { json: { ...json, indexed: true, name: fresh } },
    ],
    gives: 201,
    destructive: below !== '',
    anonymousPath: ({ path }) => path + below,
  },
  ...Object.fromEntries(
    [
      ['/objects/O', ({ object }: Target) => `/objects/${object}`],
      ['/about/A', ({ about }: Target) => `/about/${about}`],
    ].map(([name, address]) => [
      `PUT ${name as string}/N${below}/new`,
      {
        request: (target: Target) => [
          'PUT',
          `${(address as (target: Target) => string)(target)}/${target.path}${below}/${target.fresh}`,
          { primitive },
        ],
        gives: 204,
        destructive: below !== '',
        anonymousPath: ({ path, fresh }: Target) => `${path}${below}/${fresh}`,
      } satisfies Omit<Way, 'category' | 'action' | 'name'>,
    ]),
  ),
  [`PUT /values N${below}/new`]: {
    request: (target) => ['PUT', '/values', put(isObject(target), `${target.path}${below}/${target.fresh}`)],
    gives: 204,
    destructive: below !== '',
    anonymousPath: ({ path, fresh }) => `${path}${below}/${fresh}`,
  },
})

const policies = (category: Category): Way[] =>
  ways(category, 'control', {
    [`GET /permissions/${category}`]: {
      request: ({ path }) => ['GET', `/permissions/${category}/${path}`, { query: { action: 'control' } }],
      gives: 200,
    },
    [`PUT /permissions/${category}`]: {
      request: ({ path }) => [
        'PUT',
        `/permissions/${category}/${path}`,
        { query: { action: category === 'tag-values' ? 'delete' : 'update' }, json: open },
      ],
      gives: 204,
    },
  })

const addresses: Readonly<Record<string, (target: Target) => string>> = {
  '/objects/O': ({ object }) => `/objects/${object}`,
  '/about/A': ({ about }) => `/about/${about}`,
}

/** One request to the value of the tag by id and one by about value. */
function onValue(
  method: string,
  gives: number,
  options: Options = {},
): Record<string, Omit<Way, 'category' | 'action' | 'name'>> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [
      `${method} ${name}/T`,
      { request: (target: Target) => [method, `${address(target)}/${target.path}`, options] as const, gives },
    ]),
  )
}

const listsTag = (answer: Answer, { path }: Target): boolean =>
  (answer.json() as { tagPaths: string[] }).tagPaths.includes(path)

const recentTag = (answer: Answer, { path }: Target): boolean =>
  (answer.json() as { tag: string }[]).some(({ tag }) => tag === path)

const byQuery = (
  path: string,
  condition: (tag: string) => string,
): Omit<Way, 'category' | 'action' | 'name'> => ({
  request: (target) => ['GET', path, { query: { query: condition(target.path), tag: OPEN_TAG } }],
  gives: 200,
})

export const WAYS: readonly Way[] = [
  ...ways('namespaces', 'create', {
    ...createdIn(''),
    ...createdIn('/missing/too'),
    'POST /moves to N/new': {
      given: ({ fresh }) => [
        'POST',
        `/tags/${OPEN_NAMESPACE}`,
        { json: { ...json, indexed: true, name: fresh } },
      ],
      request: ({ path, fresh }) => [
        'POST',
        '/moves',
        { json: { tag: `${OPEN_NAMESPACE}/${fresh}`, to: `${path}/${fresh}` } },
      ],
      gives: 204,
      destructive: true,
      anonymousPath: ({ fresh }) => `${OPEN_NAMESPACE}/${fresh}`,
    },
  }),
  ...ways('namespaces', 'update', {
    'PUT /namespaces/N': { request: ({ path }) => ['PUT', `/namespaces/${path}`, { json }], gives: 204 },
  }),
  ...ways('namespaces', 'delete', {
    'DELETE /namespaces/N': {
      request: ({ path }) => ['DELETE', `/namespaces/${path}`],
      gives: 204,
      destructive: true,
    },
    'POST /moves from N': movedAway('namespace'),
  }),
  ...ways('namespaces', 'list', {
    'GET /namespaces/N': {
      request: ({ path }) => [
        'GET',
        `/namespaces/${path}`,
        { query: { returnDescription: 'true', returnNamespaces: 'true', returnTags: 'true' } },
      ],
      gives: 200,
    },
    'GET /namespaces/N, the id alone': { request: ({ path }) => ['GET', `/namespaces/${path}`], gives: 200 },
    'GET /search/suggest?text=N': {
      request: ({ path }) => ['GET', '/search/suggest', { query: { text: path } }],
      gives: 200,
      filtered: suggests('namespace'),
    },
  }),
  ...policies('namespaces'),
  ...ways('tags', 'update', {
    'PUT /tags/T': { request: ({ path }) => ['PUT', `/tags/${path}`, { json }], gives: 204 },
  }),
  ...ways('tags', 'delete', {
    'DELETE /tags/T': { request: ({ path }) => ['DELETE', `/tags/${path}`], gives: 204, destructive: true },
    'POST /moves from T': movedAway('tag'),
  }),
  ...policies('tags'),
  ...ways('tag-values', 'write', {
    ...onValue('PUT', 204, { primitive }),
    'PUT /values T, by id': {
      request: (target) => ['PUT', '/values', put(isObject(target), target.path)],
      gives: 204,
    },
    'PUT /values T, by about value': {
      request: (target) => ['PUT', '/values', put(isAbout(target), target.path)],
      gives: 204,
    },
    'PUT /values T, where nothing matches': {
      request: ({ path }) => ['PUT', '/values', put(`${OPEN_TAG} = "nothing"`, path)],
      gives: 204,
    },
  }),
  ...ways('tag-values', 'read', {
    ...onValue('GET', 200),
    ...onValue('HEAD', 200),
    'GET /objects/O/T, without a value there': {
      request: ({ path }) => ['GET', `/objects/99999999-9999-4999-8999-999999999999/${path}`],
      gives: 404,
    },
    'GET /objects?query=has T': byQuery('/objects', (path) => `has ${path}`),
    'GET /objects?query=T > 0': byQuery('/objects', (path) => `${path} > 0`),
    'GET /objects?query=T != 0': byQuery('/objects', (path) => `${path} != 0`),
    'GET /objects?query=T matches': byQuery('/objects', (path) => `${path} matches "a"`),
    'GET /objects?query=T contains': byQuery('/objects', (path) => `${path} contains "a"`),
    'GET /objects?query=... or T': byQuery('/objects', (path) => `has ${OPEN_TAG} or ${path} = 1`),
    'GET /objects?query=... except T': byQuery('/objects', (path) => `has ${OPEN_TAG} except has ${path}`),
    'GET /recent/objects?query=has T': byQuery('/recent/objects', (path) => `has ${path}`),
    'GET /recent/users?query=has T': byQuery('/recent/users', (path) => `has ${path}`),
    'GET /values?query=has T': byQuery('/values', (path) => `has ${path}`),
    'GET /search?query=has T': byQuery('/search', (path) => `has ${path}`),
    'GET /search?tag=T': {
      request: (target) => ['GET', '/search', { query: { query: isObject(target), tag: target.path } }],
      gives: 200,
    },
    'GET /search?sort=T': {
      request: (target) => ['GET', '/search', { query: { query: isObject(target), sort: target.path } }],
      gives: 200,
    },
    'GET /values?tag=T': {
      request: (target) => ['GET', '/values', { query: { query: isObject(target), tag: target.path } }],
      gives: 200,
    },
    'GET /values?tag=T&tag=*': {
      request: (target) => [
        'GET',
        '/values',
        { query: { query: isObject(target), tag: ['*', target.path] } },
      ],
      gives: 200,
    },
    'GET /search/facets?query=has T': {
      request: ({ path }) => ['GET', '/search/facets', { query: { query: `has ${path}`, tag: OPEN_TAG } }],
      gives: 200,
    },
    'GET /search/facets?tag=T': {
      request: (target) => [
        'GET',
        '/search/facets',
        { query: { query: isObject(target), tag: [OPEN_TAG, target.path] } },
      ],
      gives: 200,
    },
    'GET /search/suggest?tag=T': {
      request: ({ path }) => ['GET', '/search/suggest', { query: { tag: path } }],
      gives: 200,
    },
    'GET /search/suggest?text=T': {
      request: ({ path }) => ['GET', '/search/suggest', { query: { text: path } }],
      gives: 200,
      filtered: suggests('tag'),
    },
    'POST /search/check has T': {
      request: ({ path }) => ['POST', '/search/check', { json: { query: `has ${path}` } }],
      gives: 200,
      filtered: (answer) => 'count' in ((answer.json() as { nodes: object[] }).nodes[0] ?? {}),
    },
    'PUT /values query has T': {
      request: ({ path }) => ['PUT', '/values', put(`has ${path}`, OPEN_TAG)],
      gives: 204,
      signedIn: true,
      anonymousPath: () => OPEN_TAG,
    },
    'DELETE /values?query=has T': {
      request: ({ path }) => ['DELETE', '/values', { query: { query: `has ${path}`, tag: OPEN_TAG } }],
      gives: 204,
      signedIn: true,
      anonymousPath: () => OPEN_TAG,
    },
    'GET /objects/O, tagPaths': {
      request: ({ object }) => ['GET', `/objects/${object}`],
      gives: 200,
      filtered: listsTag,
    },
    'GET /about/A, tagPaths': {
      request: ({ about }) => ['GET', `/about/${about}`],
      gives: 200,
      filtered: listsTag,
    },
    'GET /values?tag=*': {
      request: (target) => ['GET', '/values', { query: { query: isObject(target), tag: '*' } }],
      gives: 200,
      filtered: (answer, { object, path }) =>
        path in ((answer.json() as { results: { id: Record<string, object> } }).results.id[object] ?? {}),
    },
    'GET /recent/objects/O': {
      request: ({ object }) => ['GET', `/recent/objects/${object}`, { query: { limit: '100' } }],
      gives: 200,
      filtered: recentTag,
    },
    'GET /recent/about/A': {
      request: ({ about }) => ['GET', `/recent/about/${about}`, { query: { limit: '100' } }],
      gives: 200,
      filtered: recentTag,
    },
    'GET /recent/users/alice': {
      request: () => ['GET', '/recent/users/alice', { query: { limit: '100' } }],
      gives: 200,
      filtered: recentTag,
    },
    'GET /recent/objects?query=id': {
      request: (target) => ['GET', '/recent/objects', { query: { query: isObject(target), limit: '100' } }],
      gives: 200,
      filtered: recentTag,
    },
    'GET /recent/users?query=alice': {
      request: () => [
        'GET',
        '/recent/users',
        { query: { query: 'service/users/username = "alice"', limit: '100' } },
      ],
      gives: 200,
      filtered: recentTag,
    },
  }),
  ...ways('tag-values', 'delete', {
    ...onValue('DELETE', 204),
    'DELETE /objects/O/T, without a value there': {
      request: ({ path }) => ['DELETE', `/objects/99999999-9999-4999-8999-999999999999/${path}`],
      gives: 204,
    },
    'DELETE /values?tag=T': {
      request: (target) => ['DELETE', '/values', { query: { query: isObject(target), tag: target.path } }],
      gives: 204,
    },
    'DELETE /values?tag=T, where nothing matches': {
      request: ({ path }) => [
        'DELETE',
        '/values',
        { query: { query: `${OPEN_TAG} = "nothing"`, tag: path } },
      ],
      gives: 204,
    },
    'DELETE /values?tag=*': {
      request: (target) => ['DELETE', '/values', { query: { query: isObject(target), tag: '*' } }],
      gives: 204,
      filtered: async (_answer, _target, hasValue) => !(await hasValue()),
      destructive: true,
      signedIn: true,
      anonymousPath: () => '*',
    },
  }),
  ...policies('tag-values'),
]
