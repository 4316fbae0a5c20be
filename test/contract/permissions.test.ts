/** The status tables of the operations tagged `permissions` in the contract. */
import { forHead, runTable, type Row, type Table } from './status-tables.ts'
import {
  conditionRow,
  anyMessage,
  credentialRows,
  denied,
  noBodyRows,
  notUtf8,
  payloadRows,
  stateRows,
  unanswerable,
} from './shared-rows.ts'

interface Category {
  readonly name: string
  readonly parameter: string
  readonly actions: readonly string[]
  /** Actions that only other categories have. */
  readonly others: readonly string[]
  /** Actions that may name `anon` as an exception. */
  readonly forAnybody: readonly string[]
  readonly target: string
  readonly missing: readonly string[]
  readonly missingClass: string
  readonly systemTarget: string
}

const TAG = {
  parameter: 'tag_path',
  missing: [
    'alice/books/missing',
    'alice/missing/rating',
    'nobody/rating',
    'alice/books',
    'alice',
    'alice//a',
  ],
  missingClass: 'TNonexistentTag',
  systemTarget: 'service/about',
} as const

const CATEGORIES: readonly Category[] = [
  {
    name: 'namespaces',
    parameter: 'namespace_path',
    actions: ['create', 'update', 'delete', 'list', 'control'],
    others: ['read', 'write'],
    forAnybody: ['list'],
    target: 'alice/books',
    missing: ['alice/missing', 'alice/missing/books', 'nobody', 'alice/books/rating', 'alice//books'],
    missingClass: 'TNonexistentNamespace',
    systemTarget: 'service',
  },
  {
    ...TAG,
    name: 'tags',
    actions: ['update', 'delete', 'control'],
    others: ['create', 'list', 'read', 'write'],
    forAnybody: [],
    target: 'alice/books/rating',
  },
  {
    ...TAG,
    name: 'tag-values',
    actions: ['write', 'read', 'delete', 'control'],
    others: ['create', 'list', 'update'],
    forAnybody: ['read'],
    target: 'alice/books/rating',
  },
]

const own = { policy: 'closed', exceptions: ['alice'] }
const everybody = { policy: 'open', exceptions: [] }

/** The checks that GET and PUT share. */
function checkRows(
  { name, parameter, others, target, missing, missingClass, systemTarget }: Category,
  body: Partial<Row>,
): Row[] {
  const path = `/permissions/${name}/${target}`
  const asAlice = { ...body, path, as: 'alice' }
  const query = 'action=delete'
  return [
    ...missing.map((absent): Row => ({
      ...asAlice,
      when: `${absent} does not exist`,
      path: `/permissions/${name}/${absent}`,
      query,
      gives: [404, missingClass],
      facts: { Path: absent },
    })),
    {
      ...asAlice,
      when: 'no CONTROL',
      as: 'carol',
      query,
      gives: [401, 'TPathPermissionDenied'],
      facts: denied(name, 'control', target),
    },
    {
      ...asAlice,
      when: 'no CONTROL on something built in',
      path: `/permissions/${name}/${systemTarget}`,
      query,
      gives: [401, 'TPathPermissionDenied'],
      facts: denied(name, 'control', systemTarget),
    },
    ...[target, 'nobody/at/all'].map((asked): Row => ({
      ...body,
      when: `anonymously: ${asked}`,
      path: `/permissions/${name}/${asked}`,
      query,
      gives: [401, 'TPathPermissionDenied'],
      facts: denied(name, 'control', asked),
    })),
    {
      ...asAlice,
      when: 'action missing',
      gives: [400, 'MissingArgument'],
      facts: { Argument: 'action' },
    },
    {
      ...asAlice,
      when: 'action given twice',
      query: 'action=delete&action=delete',
      gives: [400, 'MultipleArgumentValues'],
      facts: { Argument: 'action' },
    },
    ...['', 'destroy', 'delete ', ...others].map((action): Row => ({
      ...asAlice,
      when: `invalid action: "${action}"`,
      query: { action },
      gives: [400, 'TBadRequest'],
      facts: { Message: anyMessage },
    })),
    {
      ...asAlice,
      when: 'an invalid action, before existence',
      path: `/permissions/${name}/nobody/at/all`,
      query: 'action=destroy',
      gives: [400, 'TBadRequest'],
    },
    notUtf8('action', { ...asAlice, query: 'action=%FF' }),
    notUtf8(parameter, { ...asAlice, path: `/permissions/${name}/alice/%FF`, query }),
    ...credentialRows({ ...body, path, query }),
  ]
}

function getRows(category: Category): Row[] {
  const { name, actions, target } = category
  const path = `/permissions/${name}/${target}`
  const readable = (action: string): boolean => ['list', 'read'].includes(action)
  return [
    ...actions.flatMap((action): Row[] => [
      {
        when: `the inherited permission to ${action}`,
        path,
        as: 'alice',
        query: { action },
        gives: 200,
        answers: readable(action) ? everybody : own,
      },
      {
        when: `the action in capitals: ${action.toUpperCase()}`,
        path,
        as: 'alice',
        query: { action: action.toUpperCase() },
        gives: 200,
      },
    ]),
    { when: 'the superuser', path, as: 'service', query: 'action=control', gives: 200, answers: own },
    ...checkRows(category, {}),
    ...stateRows({ path, as: 'alice', query: 'action=control' }),
    unanswerable({ path, as: 'alice', query: 'action=control' }),
    ...noBodyRows({ path, as: 'alice', query: 'action=control' }),
  ]
}

function putRows(category: Category): Row[] {
  const { name, actions, forAnybody, target } = category
  const path = `/permissions/${name}/${target}`
  const asAlice = { path, as: 'alice', query: 'action=delete' }
  const invalidName = (exception: string): Row => ({
    ...asAlice,
    when: `the exception "${exception}" is malformed`,
    json: { policy: 'open', exceptions: ['bob', exception] },
    gives: [400, 'TInvalidUsername'],
    facts: { Name: exception.replace('\u0000', '%00') },
  })
  return [
    ...actions.map((action): Row => ({
      when: `a permission to ${action}`,
      path,
      as: 'alice',
      query: { action },
      json: { policy: 'closed', exceptions: ['alice', 'bob'] },
      gives: 204,
    })),
    {
      ...asAlice,
      when: 'an empty list of exceptions',
      json: { policy: 'closed', exceptions: [] },
      gives: 204,
    },
    {
      ...asAlice,
      when: 'one user named twice',
      json: { policy: 'open', exceptions: ['bob', 'BOB'] },
      gives: 204,
    },
    { ...asAlice, when: 'the action in capitals', query: 'action=DELETE', json: own, gives: 204 },
    { ...asAlice, when: 'the superuser', as: 'service', json: own, gives: 204 },
    conditionRow({ ...asAlice, json: own }),
    ...['ajar', 'OPEN', ''].map((policy): Row => ({
      ...asAlice,
      when: `policy is "${policy}", not open or closed`,
      json: { policy, exceptions: [] },
      gives: [400, 'TInvalidPolicy'],
    })),
    {
      ...asAlice,
      when: 'a user named in exceptions does not exist',
      json: { policy: 'closed', exceptions: ['alice', 'nobody'] },
      gives: [412, 'TNoSuchUser'],
      facts: { Name: 'nobody' },
    },
    ...['', 'a b', 'a/b', 'a\u0000', '.', '..'].map(invalidName),
    {
      ...asAlice,
      when: 'the superuser named as an exception',
      json: { policy: 'closed', exceptions: ['service'] },
      gives: [400, 'TInvalidUsername'],
      facts: { Name: 'service' },
    },
    ...actions.map((action): Row => ({
      when: `anon named as an exception for ${action}`,
      path,
      as: 'alice',
      query: { action },
      json: { policy: 'closed', exceptions: action === 'control' ? ['alice', 'anon'] : ['anon'] },
      ...(forAnybody.includes(action)
        ? { gives: 204 }
        : { gives: [400, 'TInvalidUsername'] as const, facts: { Name: 'anon' } }),
    })),
    {
      ...asAlice,
      when: 'no CONTROL, before the names in exceptions',
      as: 'carol',
      json: { policy: 'closed', exceptions: ['nobody'] },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied(name, 'control', target),
    },
    {
      ...asAlice,
      when: 'a payload error, before the action',
      query: 'action=destroy',
      json: { policy: 'closed' },
      gives: [400, 'PayloadFieldMissing'],
      facts: { Fieldname: 'exceptions' },
    },
    ...payloadRows(asAlice, {
      json: own,
      required: ['policy', 'exceptions'],
      wrong: [
        ['policy', 5],
        ['policy', null],
        ['policy', true],
        ['exceptions', 'bob'],
        ['exceptions', null],
        ['exceptions', ['bob', 5]],
        ['exceptions', { bob: true }],
      ],
    }),
    ...checkRows(category, { json: own }),
  ]
}

const table: Table = Object.fromEntries(
  CATEGORIES.flatMap((category) => {
    const path = `/permissions/${category.name}/{${category.parameter}}`
    const gets = getRows(category)
    return [
      [`GET ${path}`, gets],
      [`HEAD ${path}`, forHead(gets)],
      [`PUT ${path}`, putRows(category)],
    ]
  }),
)

runTable(['permissions'], table)
