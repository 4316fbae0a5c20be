/** The status tables of the operations tagged `recent` in the contract. */
import { expect } from '@jest/globals'
import { forHead, runTable, type Row } from './status-tables.ts'
import { credentialRows, noBodyRows, notUtf8, queryRows, unanswerable } from './shared-rows.ts'
import { THING } from '../support/fixture.ts'

const MOMENT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

const thing = {
  id: THING,
  about: null,
  tag: 'alice/books/rating',
  username: 'alice',
  value: 7,
  'updated-at': MOMENT,
}
const empty: unknown[] = []

/** Entries for these tags, in this order. */
const ofTags = (...tags: string[]): unknown[] => tags.map((tag): unknown => expect.objectContaining({ tag }))

const [RATING, COVER, SECRET, DIARY] = [
  'alice/books/rating',
  'alice/books/cover',
  'alice/books/secret',
  'alice/private/diary',
] as const

/** The rows that all these operations share; `query` holds the arguments that the path needs. */
function commonRows(path: string, query: Readonly<Record<string, string>> = {}): Row[] {
  const target = { path, query }
  return [
    ...['1', '20', '100', '007'].map((limit): Row => ({
      when: `limit is a number in range: ${limit}`,
      path,
      query: { ...query, limit },
      gives: 200,
    })),
    ...['0', '101', '-1', 'ten', '1.5', '', '0x5', ' 5', '5 ', '99999999999999999999'].map((limit): Row => ({
      when: `limit is "${limit}"`,
      path,
      query: { ...query, limit },
      gives: [400, 'TBadArgument'],
      facts: { Argument: 'limit' },
    })),
    {
      when: 'limit is given twice',
      path,
      query: { ...query, limit: ['5', '5'] },
      gives: [400, 'MultipleArgumentValues'],
      facts: { Argument: 'limit' },
    },
    unanswerable(target),
    ...noBodyRows(target),
    ...credentialRows(target),
  ]
}

const onObject: Row[] = [
  { when: 'the object has a value', path: `/recent/objects/${THING}`, gives: 200, answers: [thing] },
  {
    when: 'the UUID is in capitals',
    path: `/recent/objects/${THING.toUpperCase()}`,
    gives: 200,
    answers: [thing],
  },
  {
    when: 'the object was never mentioned before',
    path: '/recent/objects/12345678-1234-1234-1234-123456789abc',
    gives: 200,
    answers: empty,
  },
  ...['nonsense', `urn:uuid:${THING}`, '42'].map((id): Row => ({
    when: `the object id ${id} is not a UUID`,
    path: `/recent/objects/${id}`,
    gives: [404, 'NoSuchResource'],
  })),
  notUtf8('object_id', { path: '/recent/objects/%FF' }),
  ...commonRows(`/recent/objects/${THING}`),
]

const onAbout: Row[] = [
  {
    when: 'the values that everybody may read',
    path: '/recent/about/book-1',
    gives: 200,
    answers: ofTags(COVER, RATING, 'service/about'),
  },
  {
    when: 'alice may read more',
    path: '/recent/about/book-1',
    as: 'alice',
    gives: 200,
    answers: ofTags(COVER, DIARY, SECRET, RATING, 'service/about'),
  },
  { when: 'no object has that about value', path: '/recent/about/nothing', gives: 200, answers: empty },
  { when: 'the about value is empty', path: '/recent/about/', gives: [404, 'NoSuchResource'] },
  notUtf8('about_value', { path: '/recent/about/%FF' }),
  ...commonRows('/recent/about/book-1'),
]

const byUser: Row[] = [
  {
    when: 'the user has written',
    path: '/recent/users/alice',
    gives: 200,
    answers: ofTags(RATING, COVER, RATING),
  },
  {
    when: 'the user name in capitals',
    path: '/recent/users/ALICE',
    gives: 200,
    answers: ofTags(RATING, COVER, RATING),
  },
  {
    when: 'the user may read more',
    path: '/recent/users/alice',
    as: 'alice',
    gives: 200,
    answers: ofTags(RATING, COVER, DIARY, SECRET, RATING),
  },
  { when: 'the user has written nothing', path: '/recent/users/bob', gives: 200, answers: empty },
  ...['nobody', 'a%20b'].map((name): Row => ({
    when: `no such user: ${name}`,
    path: `/recent/users/${name}`,
    gives: [404, 'TNoSuchUser'],
    facts: { Name: name.replace('%20', ' ') },
  })),
  notUtf8('username', { path: '/recent/users/%FF' }),
  ...commonRows('/recent/users/alice'),
]

const onObjects: Row[] = [
  {
    when: 'on the objects that the query matches',
    path: '/recent/objects',
    query: { query: 'alice/books/rating > 5' },
    gives: 200,
    answers: [thing],
  },
  {
    when: 'the query matches nothing',
    path: '/recent/objects',
    query: { query: 'alice/books/rating > 500' },
    gives: 200,
    answers: empty,
  },
  ...queryRows('/recent/objects'),
  ...commonRows('/recent/objects', { query: 'has alice/books/rating' }),
]

const byUsers: Row[] = [
  {
    when: 'by the users that the query matches',
    path: '/recent/users',
    query: { query: 'service/users/username = "alice"', limit: '2' },
    gives: 200,
    answers: ofTags(RATING, COVER),
  },
  {
    when: 'the query matches no user',
    path: '/recent/users',
    query: { query: 'has alice/books/rating' },
    gives: 200,
    answers: empty,
  },
  ...queryRows('/recent/users'),
  ...commonRows('/recent/users', { query: 'has service/users/username' }),
]

runTable(['recent'], {
  'GET /recent/objects/{object_id}': onObject,
  'HEAD /recent/objects/{object_id}': forHead(onObject),
  'GET /recent/about/{about_value}': onAbout,
  'HEAD /recent/about/{about_value}': forHead(onAbout),
  'GET /recent/users/{username}': byUser,
  'HEAD /recent/users/{username}': forHead(byUser),
  'GET /recent/objects': onObjects,
  'HEAD /recent/objects': forHead(onObjects),
  'GET /recent/users': byUsers,
  'HEAD /recent/users': forHead(byUsers),
})
