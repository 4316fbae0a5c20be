/** The status table of moves. */
import { runTable, type Row } from './status-tables.ts'
import { credentialRows, denied, payloadRows, pathOf } from './shared-rows.ts'
import type { Options } from '../support/service.ts'

const as = 'alice'
const description = 'for tests'

/** Requests that make a tag and a namespace. */
const tag = (parent: string, name: string): readonly [string, string, Options] => [
  'POST',
  `/tags/${parent}`,
  { as, json: { name, description, indexed: true } },
]
const namespace = (parent: string, name: string): readonly [string, string, Options] => [
  'POST',
  `/namespaces/${parent}`,
  { as, json: { name, description } },
]

const target = { path: '/moves', as }

/** What cannot be a new path, whatever the store holds. */
const impossible: readonly (readonly [when: string, to: string])[] = [
  ['malformed', 'alice/a b'],
  ['empty', ''],
  ['without a name at its end', 'alice/'],
  ['longer than 233 characters', pathOf('alice/', 234)],
  ['a top-level namespace', 'alice'],
  ['in the top-level namespace of another user', 'bob/rating'],
  ['in a top-level namespace that does not exist', 'nobody/rating'],
]

runTable(['moves'], {
  'POST /moves': [
    {
      ...target,
      when: 'a tag gets another name',
      given: [tag('alice', 'named')],
      json: { tag: 'alice/named', to: 'alice/renamed' },
      gives: 204,
    },
    {
      ...target,
      when: 'the tag has moved away',
      json: { tag: 'alice/named', to: 'alice/again' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/named' },
    },
    {
      ...target,
      when: 'a tag gets another parent, and the user name stands in another letter case',
      json: { tag: 'ALICE/renamed', to: 'Alice/empty/renamed' },
      gives: 204,
    },
    {
      ...target,
      when: 'a tag moves below a namespace of its own name',
      given: [tag('alice', 'both'), namespace('alice', 'both')],
      json: { tag: 'alice/both', to: 'alice/both/inner' },
      gives: 204,
    },
    {
      ...target,
      when: 'a namespace gets another parent',
      json: { namespace: 'alice/both', to: 'alice/empty/both' },
      gives: 204,
    },
    {
      ...target,
      when: 'the superuser moves what is not theirs',
      as: 'service',
      json: { namespace: 'alice/empty/both', to: 'alice/both' },
      gives: 204,
    },
    {
      ...target,
      when: 'the new path has 233 characters',
      json: { namespace: 'alice/both', to: pathOf('alice/', 227) },
      gives: 204,
    },
    {
      ...target,
      when: 'a path below would have 234 characters',
      json: { namespace: pathOf('alice/', 227), to: pathOf('alice/', 228) },
      gives: [400, 'TInvalidPath'],
      facts: { Path: pathOf('alice/', 228) },
    },
    {
      ...target,
      when: 'the tag is missing',
      json: { tag: 'alice/missing', to: 'alice/new' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/missing' },
    },
    {
      ...target,
      when: 'the namespace is missing',
      json: { namespace: 'alice/missing', to: 'alice/new' },
      gives: [404, 'TNonexistentNamespace'],
      facts: { Path: 'alice/missing' },
    },
    {
      ...target,
      when: 'the path of the tag is malformed',
      json: { tag: 'alice//rating', to: 'alice/new' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice//rating' },
    },
    {
      ...target,
      when: 'the path of the namespace is malformed',
      json: { namespace: '', to: 'alice/new' },
      gives: [404, 'TNonexistentNamespace'],
      facts: { Path: '' },
    },
    {
      ...target,
      when: 'the new parent is missing',
      json: { tag: 'alice/books/rating', to: 'alice/missing/rating' },
      gives: [404, 'TNonexistentNamespace'],
      facts: { Path: 'alice/missing' },
    },
    {
      ...target,
      when: 'the new parent of a namespace is missing',
      json: { namespace: 'alice/books', to: 'alice/missing/books' },
      gives: [404, 'TNonexistentNamespace'],
      facts: { Path: 'alice/missing' },
    },
    {
      ...target,
      when: 'the new parent is missing, and no DELETE on the tag either',
      as: 'bob',
      json: { tag: 'alice/books/rating', to: 'alice/missing/rating' },
      gives: [404, 'TNonexistentNamespace'],
      facts: { Path: 'alice/missing' },
    },
    {
      ...target,
      when: 'no DELETE on the tag',
      as: 'bob',
      json: { tag: 'alice/books/shared', to: 'alice/books/mine' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tags', 'delete', 'alice/books/shared'),
    },
    {
      ...target,
      when: 'no DELETE on the namespace',
      as: 'bob',
      json: { namespace: 'alice/books', to: 'alice/mine' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('namespaces', 'delete', 'alice/books'),
    },
    ...(['service', as] as const).flatMap((who): Row[] => [
      {
        ...target,
        when: `a system tag, by ${who}`,
        as: who,
        json: { tag: 'service/about', to: 'service/concern' },
        gives: [401, 'TPathPermissionDenied'],
        facts: denied('tags', 'delete', 'service/about'),
      },
      {
        ...target,
        when: `a namespace of system tags, by ${who}`,
        as: who,
        json: { namespace: 'service/tags', to: 'service/labels' },
        gives: [401, 'TPathPermissionDenied'],
        facts: denied('namespaces', 'delete', 'service/tags'),
      },
      {
        ...target,
        when: `a top-level namespace, by ${who}`,
        as: who,
        json: { namespace: 'alice', to: 'alice/books/alice' },
        gives: [401, 'TPathPermissionDenied'],
        facts: denied('namespaces', 'delete', 'alice'),
      },
    ]),
    {
      ...target,
      when: 'the virtual tag',
      as: 'service',
      json: { tag: 'service/id', to: 'service/ident' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'service/id' },
    },
    ...['alice/books/rating', 'nobody/at/all'].map((path): Row => ({
      path: '/moves',
      when: `anonymously: the tag ${path}`,
      json: { tag: path, to: 'alice/new' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tags', 'delete', path),
    })),
    {
      path: '/moves',
      when: 'anonymously: a namespace',
      json: { namespace: 'nobody/at/all', to: 'alice/new' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('namespaces', 'delete', 'nobody/at/all'),
    },
    ...impossible.flatMap(([when, to]): Row[] =>
      [{ tag: 'alice/books/rating' }, { namespace: 'alice/books' }].map((from) => ({
        ...target,
        when: `the new path of a ${Object.keys(from)[0] ?? ''} is ${when}`,
        json: { ...from, to },
        gives: [400, 'TInvalidPath'],
        facts: { Path: to },
      })),
    ),
    {
      ...target,
      when: 'the new path is below the namespace itself',
      json: { namespace: 'alice/books', to: 'Alice/books/within' },
      gives: [400, 'TInvalidPath'],
      facts: { Path: 'Alice/books/within' },
    },
    {
      ...target,
      when: 'the new path is impossible, and no DELETE either',
      as: 'bob',
      json: { tag: 'alice/books/shared', to: 'bob/rating' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tags', 'delete', 'alice/books/shared'),
    },
    {
      ...target,
      when: 'a tag is at the new path',
      json: { tag: 'alice/books/rating', to: 'alice/books/shared' },
      gives: [412, 'TTagAlreadyExists'],
      facts: { Path: 'alice/books/shared' },
    },
    {
      ...target,
      when: 'the new path of a tag is the old one',
      json: { tag: 'alice/books/rating', to: 'alice/books/rating' },
      gives: [412, 'TTagAlreadyExists'],
      facts: { Path: 'alice/books/rating' },
    },
    {
      ...target,
      when: 'a namespace is at the new path',
      json: { namespace: 'alice/books', to: 'alice/private' },
      gives: [412, 'TNamespaceAlreadyExists'],
      facts: { Path: 'alice/private' },
    },
    {
      ...target,
      when: 'the new path of a namespace is the old one',
      json: { namespace: 'alice/books', to: 'alice/books' },
      gives: [412, 'TNamespaceAlreadyExists'],
      facts: { Path: 'alice/books' },
    },
    {
      ...target,
      when: 'neither a tag nor a namespace is named',
      json: { to: 'alice/new' },
      gives: [400, 'PayloadFieldMissing'],
      facts: { Fieldname: 'tag' },
    },
    {
      ...target,
      when: 'both a tag and a namespace are named',
      json: { tag: 'alice/books/rating', namespace: 'alice/books', to: 'alice/new' },
      gives: [400, 'UnknownPayloadField'],
      facts: { Fieldname: 'namespace' },
    },
    ...payloadRows(target, {
      json: { tag: 'alice/books/rating', to: 'alice/books/stars' },
      required: ['to'],
      wrong: [
        ['tag', 5],
        ['tag', null],
        ['to', ['alice/new']],
        ['to', null],
      ],
    }),
    ...credentialRows({ path: '/moves', json: { tag: 'alice/books/rating', to: 'alice/new' } }),
  ],
})
