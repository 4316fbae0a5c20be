/** The status tables of the operations tagged `values` in the contract. */
import { expect } from '@jest/globals'
import { forHead, runTable, type Request, type Row } from './status-tables.ts'
import {
  anyMessage,
  credentialRows,
  denied,
  noBodyRows,
  notUtf8,
  pathOf,
  payloadRows,
  queryRows,
  unanswerable,
} from './shared-rows.ts'
import { THING, type Fixture } from '../support/fixture.ts'

const MOMENT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const RATED = 'has alice/books/rating'
const NOTHING = 'alice/books/rating = "nothing"'
const OTHER = '0197a3c0-5a5a-7000-8000-00000000000b'

const value = (of: unknown): object => ({ value: of, 'updated-at': MOMENT })
const cover = { 'value-type': 'image/png', size: 10, 'updated-at': MOMENT }
const results = (id: object): object => ({ results: { id } })
const nobody: object = {}

const getValues: Row[] = [
  {
    when: 'a value of the requested tag on each object',
    path: '/values',
    query: { query: RATED, tag: 'alice/books/rating' },
    gives: 200,
    answers: ({ book }: Fixture) =>
      results({
        [THING]: { 'alice/books/rating': value(7) },
        [book]: { 'alice/books/rating': value(5) },
      }),
  },
  {
    when: 'several tags, an opaque value, and an object that lacks them all',
    path: '/values',
    query: { query: RATED, tag: ['alice/books/cover', 'service/about'] },
    gives: 200,
    answers: ({ book }: Fixture) =>
      results({
        [THING]: {},
        [book]: { 'alice/books/cover': cover, 'service/about': value('book-1') },
      }),
  },
  {
    when: 'a tag that is requested twice',
    path: '/values',
    query: { query: 'alice/books/rating = 7', tag: ['alice/books/rating', 'alice/books/rating'] },
    gives: 200,
    answers: results({ [THING]: { 'alice/books/rating': value(7) } }),
  },
  {
    when: 'the id as a value',
    path: '/values',
    query: { query: 'alice/books/rating = 7', tag: 'service/id' },
    gives: 200,
    answers: results({ [THING]: { 'service/id': { value: THING, 'updated-at': expect.any(String) } } }),
  },
  {
    when: 'every tag that everybody may read',
    path: '/values',
    query: { query: 'alice/books/rating = 5', tag: '*' },
    gives: 200,
    answers: ({ book }: Fixture) =>
      results({
        [book]: {
          'alice/books/cover': cover,
          'alice/books/rating': value(5),
          'service/about': value('book-1'),
        },
      }),
  },
  {
    when: 'every tag that alice may read, one of them requested by name too',
    path: '/values',
    as: 'alice',
    query: { query: 'alice/books/rating = 5', tag: ['alice/books/rating', '*'] },
    gives: 200,
    answers: ({ book }: Fixture) =>
      results({
        [book]: {
          'alice/books/cover': cover,
          'alice/books/rating': value(5),
          'alice/books/secret': value('hidden'),
          'alice/private/diary': value('dear diary'),
          'service/about': value('book-1'),
        },
      }),
  },
  {
    when: 'nothing matches',
    path: '/values',
    query: { query: NOTHING, tag: 'alice/books/rating' },
    gives: 200,
    answers: results(nobody),
  },
  {
    when: 'no tag',
    path: '/values',
    query: { query: RATED },
    gives: [400, 'MissingArgument'],
    facts: { Argument: 'tag' },
  },
  { when: 'neither query nor tag', path: '/values', gives: [400, 'MissingArgument'] },
  notUtf8('tag', { path: '/values', query: `query=${encodeURIComponent(RATED)}&tag=alice/%FF` }),
  ...queryRows('/values', { tag: 'alice/books/rating' }),
  ...requestedTagRows('read', { as: 'bob' }),
  {
    when: 'no READ on a requested tag, anonymously',
    path: '/values',
    query: { query: RATED, tag: 'alice/books/secret' },
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'read', 'alice/books/secret'),
  },
  unanswerable({ path: '/values', query: { query: RATED, tag: 'alice/books/rating' } }),
  ...noBodyRows({ path: '/values', query: { query: RATED, tag: 'alice/books/rating' } }),
  ...credentialRows({ path: '/values', query: { query: RATED, tag: 'alice/books/rating' } }),
]

/** The checks of each requested tag, whatever the query matches. */
function requestedTagRows(action: 'read' | 'delete', target: Partial<Row>): Row[] {
  const forbidden = action === 'read' ? 'alice/books/secret' : 'alice/books/rating'
  return [
    ...['alice/books/missing', 'alice/missing/rating', 'nobody/rating', 'alice', 'alice//a'].map(
      (tag): Row => ({
        ...target,
        when: `a requested tag does not exist: ${tag}`,
        path: '/values',
        query: { query: RATED, tag: ['alice/books/shared', tag] },
        gives: [404, 'TNonexistentTag'],
        facts: { Path: tag },
      }),
    ),
    {
      ...target,
      when: 'a requested tag does not exist, beside *',
      path: '/values',
      query: { query: RATED, tag: ['*', 'alice/books/missing'] },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    {
      ...target,
      when: 'a requested tag does not exist, even though nothing matches',
      path: '/values',
      query: { query: NOTHING, tag: 'alice/books/missing' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    {
      ...target,
      when: 'a missing tag before a forbidden one',
      path: '/values',
      query: { query: RATED, tag: [forbidden, 'alice/books/missing'] },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    {
      ...target,
      when: 'a missing requested tag before a forbidden one in the query',
      path: '/values',
      query: { query: 'has alice/books/secret', tag: ['alice/books/missing'] },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    ...[RATED, NOTHING].map((query): Row => ({
      ...target,
      when: `no ${action.toUpperCase()} on a requested tag: ${query}`,
      path: '/values',
      query: { query, tag: ['alice/books/shared', forbidden] },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', action, forbidden),
    })),
    {
      ...target,
      when: `no ${action.toUpperCase()} on a requested tag, beside *`,
      path: '/values',
      query: { query: RATED, tag: ['*', forbidden] },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', action, forbidden),
    },
  ]
}

const five = { value: 5 }
const onThing = `service/id = "${THING}"`
const putAnonymously = (...queries: readonly unknown[]): { path: string; json: object } => ({
  path: '/values',
  json: { queries },
})
const put = (...queries: readonly unknown[]): { path: string; as: string; json: object } => ({
  ...putAnonymously(...queries),
  as: 'alice',
})

/** Faults of PUT in the entry of a tag. */
const entryRows: Row[] = [
  ...[5, 'five', [5], null, true].map((entry): Row => ({
    ...put([onThing, { 'alice/a': entry }]),
    when: `an entry is ${JSON.stringify(entry)}`,
    gives: [400, 'MalformedPayload'],
    facts: { Message: anyMessage },
  })),
  {
    ...put([onThing, { 'alice/a': {} }]),
    when: 'an entry without a value',
    gives: [400, 'PayloadFieldMissing'],
    facts: { Fieldname: 'value' },
  },
  {
    ...put([onThing, { 'alice/a': { value: 5, colour: 'red' } }]),
    when: 'an entry with an unknown key',
    gives: [400, 'UnknownPayloadField'],
    facts: { Fieldname: 'colour' },
  },
  ...['{}', '[1]', '["a",null]', '9223372036854775808', '1e400'].map((text): Row => ({
    path: '/values',
    as: 'alice',
    body: `{"queries":[["${onThing.replaceAll('"', '\\"')}",{"alice/a":{"value":${text}}}]]}`,
    headers: { 'content-type': 'application/json' },
    when: `the value ${text} is not primitive`,
    gives: [400, 'UnsupportedJSONType'],
  })),
  {
    ...put(['has', { 'alice/a': five }], [onThing, { 'alice/a': { value: [1] } }]),
    when: 'a later value that is not primitive before an earlier query',
    gives: [400, 'UnsupportedJSONType'],
  },
  {
    ...putAnonymously([onThing, { 'alice/a': five }], [onThing, { 'alice/a': { value: [1] } }]),
    when: 'a value that is not primitive before what is forbidden',
    gives: [400, 'UnsupportedJSONType'],
  },
  {
    ...putAnonymously(['has', { 'alice/a': five }]),
    when: 'what is forbidden before a query',
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'write', 'alice/a'),
  },
]

const badElements = [
  5,
  'has alice/books/rating',
  {},
  null,
  [],
  [onThing],
  [onThing, {}, {}],
  [onThing, 5],
  [onThing, []],
  [onThing, null],
  [5, {}],
  [{}, {}],
  [{}, onThing],
]

const putRows: Row[] = [
  {
    ...put([RATED, { 'alice/books/shared': five }]),
    when: 'a value on each object that matches',
    gives: 204,
  },
  {
    ...put([RATED, { 'alice/new/bulk': five }]),
    when: 'unknown namespaces and tags are created',
    gives: 204,
  },
  { ...put([NOTHING, { 'alice/new/bulk': five }]), when: 'nothing matches', gives: 204 },
  {
    ...put([`service/id = "${OTHER}"`, { 'alice/new/bulk': five }]),
    when: 'an object by its id',
    gives: 204,
  },
  {
    ...put(['service/about = "brand new"', { 'alice/new/bulk': five }]),
    when: 'an object by its about value',
    gives: 204,
  },
  { ...put(), when: 'no elements', gives: 204 },
  { ...put([RATED, {}]), when: 'no values', gives: 204 },
  { ...put([RATED, { 'alice/books/shared': five }]), as: 'bob', when: 'WRITE for all', gives: 204 },
  ...payloadRows(
    { path: '/values', as: 'alice' },
    {
      json: { queries: [] },
      required: ['queries'],
      wrong: [
        ['queries', 5],
        ['queries', null],
        ['queries', { [RATED]: { 'alice/a': five } }],
        ['queries', RATED],
      ],
    },
  ),
  ...badElements.map((element): Row => ({
    ...put([onThing, {}], element),
    when: `an element is ${JSON.stringify(element)}`,
    gives: [400, 'MalformedPayload'],
    facts: { Message: anyMessage },
  })),
  ...entryRows,
  ...['', 'has', `${onThing} or`, 'service/id > 5'].map((query): Row => ({
    ...put([onThing, { 'alice/a': five }], [query, { 'alice/a': five }]),
    when: `query cannot be parsed: ${query}`,
    gives: [400, 'TParseError'],
    facts: { Query: query, Message: anyMessage },
  })),
  {
    ...put([onThing, { 'alice/a': five }], ['has service/about', { 'alice/a': five }]),
    when: 'an illegal query',
    gives: [400, 'TBadRequest'],
    facts: { Message: anyMessage },
  },
  {
    ...put(['alice/books/plain matches "word"', { 'alice/a': five }]),
    when: 'matches on a tag that is not indexed',
    gives: [400, 'TBadRequest'],
    facts: { Message: anyMessage },
  },
  ...['', 'a\u0000'].map((about): Row => ({
    ...put([`service/about = "${about}"`, { 'alice/a': five }]),
    when: `no object can have the about value ${JSON.stringify(about)}`,
    gives: [400, 'TBadArgument'],
  })),
  {
    ...put(['has alice/books/missing', { 'alice/a': five }]),
    when: 'a tag in the query does not exist',
    gives: [404, 'TNonexistentTag'],
    facts: { Path: 'alice/books/missing' },
  },
  {
    ...put([onThing, { 'nobody/new': five }]),
    when: 'a tag being updated does not exist, nor its top-level namespace',
    gives: [404, 'TNonexistentTag'],
    facts: { Path: 'nobody/new' },
  },
  ...['alice', 'alice//a', 'alice/a b', pathOf('alice/', 234)].map((path): Row => ({
    ...put([onThing, { [path]: five }]),
    when: `the tag path ${path} is malformed or too long`,
    gives: [400, 'TInvalidPath'],
    facts: { Path: path },
  })),
  {
    ...put(['has alice/books/secret', { 'bob/a': five }]),
    as: 'bob',
    when: 'no READ on a tag a query needs',
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'read', 'alice/books/secret'),
  },
  ...[RATED, NOTHING].flatMap((query): Row[] => [
    {
      ...put([query, { 'bob/a': five, 'alice/books/rating': five }]),
      as: 'bob',
      when: `no WRITE on a tag being updated: ${query}`,
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'write', 'alice/books/rating'),
    },
    {
      ...put([query, { 'alice/books/new': five }]),
      as: 'bob',
      when: `no CREATE for a tag being updated: ${query}`,
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('namespaces', 'create', 'alice/books'),
    },
  ]),
  ...['service/about', 'service/users/role', 'service/id'].map((path): Row => ({
    ...put([onThing, { [path]: { value: 'x' } }]),
    as: 'service',
    when: `the system tag ${path}, by the superuser`,
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'write', path),
  })),
  ...['alice/books/shared', 'nobody/new'].map((path): Row => ({
    path: '/values',
    json: { queries: [[onThing, { [path]: five }]] },
    when: `anonymously, ${path}`,
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'write', path),
  })),
  ...credentialRows({ path: '/values', json: { queries: [] } }),
]

const withShared: readonly Request[] = [
  ['PUT', `/objects/${THING}/alice/books/shared`, { as: 'alice', primitive: '1' }],
]

runTable(['values'], {
  'GET /values': getValues,
  'HEAD /values': forHead(getValues),
  'PUT /values': putRows,
  'DELETE /values': [
    {
      when: 'DELETE on the tag',
      given: withShared,
      path: '/values',
      as: 'bob',
      query: { query: RATED, tag: 'alice/books/shared' },
      gives: 204,
    },
    {
      when: 'no object has a value left',
      path: '/values',
      as: 'bob',
      query: { query: RATED, tag: 'alice/books/shared' },
      gives: 204,
    },
    {
      when: 'nothing matches',
      path: '/values',
      as: 'bob',
      query: { query: NOTHING, tag: 'alice/books/shared' },
      gives: 204,
    },
    {
      when: 'every tag whose values bob may delete',
      given: withShared,
      path: '/values',
      as: 'bob',
      query: { query: RATED, tag: '*' },
      gives: 204,
    },
    {
      when: 'no tag',
      path: '/values',
      as: 'bob',
      query: { query: RATED },
      gives: [400, 'MissingArgument'],
      facts: { Argument: 'tag' },
    },
    notUtf8('tag', {
      path: '/values',
      as: 'bob',
      query: `query=${encodeURIComponent(RATED)}&tag=alice/%FF`,
    }),
    ...queryRows('/values', { tag: 'alice/books/shared' }),
    ...requestedTagRows('delete', { as: 'bob' }),
    ...['service/about', 'service/users/role', 'service/id'].map((tag): Row => ({
      when: `the system tag ${tag}, by the superuser`,
      path: '/values',
      as: 'service',
      query: { query: RATED, tag },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'delete', tag),
    })),
    ...['alice/books/shared', 'nobody/tag', '*'].map((tag): Row => ({
      when: `anonymously, ${tag}`,
      path: '/values',
      query: { query: RATED, tag },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'delete', tag),
    })),
    ...noBodyRows({ path: '/values', as: 'bob', query: { query: RATED, tag: 'alice/books/shared' } }),
    ...credentialRows({ path: '/values', query: { query: RATED, tag: 'alice/books/shared' } }),
  ],
})
