/** The rows of GET /search. */
import { expect } from '@jest/globals'
import { THING, type Fixture } from '../support/fixture.ts'
import { credentialRows, denied, noBodyRows, notUtf8, queryRows, unanswerable } from './shared-rows.ts'
import { forHead, type Row, type Table } from './status-tables.ts'

const MOMENT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const path = '/search'
const RATED = 'has alice/books/rating'
const target = { path, query: { query: RATED, tag: 'alice/books/rating' } }

const value = (of: unknown): object => ({ value: of, 'updated-at': MOMENT })
const thing = (values: object = {}): object => ({ id: THING, about: null, values })
const bookIn = ({ book }: Fixture, values: object = {}): object => ({ id: book, about: 'book-1', values })

/** The arguments that the contract's schemas refuse. */
const malformed: readonly [argument: string, value: string][] = [
  ...['0', '1001', '-1', 'ten', ''].map((limit): [string, string] => ['limit', limit]),
  ...['some', 'upto', 'upto:', 'upto:0', 'upto:1000001', 'EXACT', ''].map((one): [string, string] => [
    'count',
    one,
  ]),
  ...['', 'not a cursor', 'AAAA', 'x'.repeat(4097)].map((cursor): [string, string] => ['cursor', cursor]),
]

const searchObjects: Row[] = [
  {
    when: 'objects by id, without values',
    path,
    query: { query: RATED },
    gives: 200,
    answers: (fixture: Fixture) => ({ results: [thing(), bookIn(fixture)] }),
    answersWith: { link: expect.not.stringContaining('rel="next"') },
  },
  {
    when: 'the largest first, with values and a count',
    path,
    query: { query: RATED, sort: '-alice/books/rating', tag: 'alice/books/rating', count: 'exact' },
    gives: 200,
    answers: (fixture: Fixture) => ({
      count: 2,
      exact: true,
      results: [
        thing({ 'alice/books/rating': value(7) }),
        bookIn(fixture, { 'alice/books/rating': value(5) }),
      ],
    }),
  },
  {
    when: 'a page of one, counted up to one',
    path,
    query: { query: RATED, sort: 'alice/books/rating', limit: '1', count: 'upto:1' },
    gives: 200,
    answers: (fixture: Fixture) => ({
      count: 1,
      exact: false,
      results: [bookIn(fixture)],
      next: expect.stringMatching(/^[\w-]+$/),
    }),
    answersWith: { link: expect.stringMatching(/, <http:[^>]+\/search\?[^>]+cursor=[\w-]+>; rel="next"$/) },
  },
  {
    when: 'by a tag that only some have, all that may be read',
    path,
    query: { query: RATED, sort: 'service/about', tag: '*' },
    gives: 200,
    answers: (fixture: Fixture) => ({
      results: [
        bookIn(fixture, {
          'alice/books/cover': { 'value-type': 'image/png', size: 10, 'updated-at': MOMENT },
          'alice/books/rating': value(5),
          'service/about': value('book-1'),
        }),
        thing({ 'alice/books/rating': value(7) }),
      ],
    }),
  },
  {
    when: 'by id, descending, with the id as a value',
    path,
    query: { query: 'alice/books/rating = 7', sort: '-service/id', tag: 'service/id' },
    gives: 200,
    answers: { results: [thing({ 'service/id': { value: THING, 'updated-at': expect.any(String) } })] },
  },
  {
    when: 'nothing matches',
    path,
    query: { query: 'alice/books/rating = "nothing"', count: 'exact' },
    gives: 200,
    answers: { count: 0, exact: true, results: [] },
  },
  ...malformed.map(([argument, given]): Row => ({
    when: `${argument} is ${given.slice(0, 20)}`,
    path,
    query: { query: RATED, [argument]: given },
    gives: [400, 'TBadArgument'],
    facts: { Argument: argument },
  })),
  ...(['tag', 'sort'] as const).flatMap((argument): Row[] => [
    {
      when: `${argument} names a tag that does not exist`,
      path,
      query: { query: RATED, [argument]: 'alice/books/missing' },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    {
      when: `no READ on the tag that ${argument} names`,
      path,
      as: 'bob',
      query: { query: RATED, [argument]: 'alice/books/secret' },
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'read', 'alice/books/secret'),
    },
  ]),
  {
    when: 'a missing tag to sort by before a forbidden one in the query',
    path,
    as: 'bob',
    query: { query: 'has alice/books/secret', sort: '-alice/books/missing' },
    gives: [404, 'TNonexistentTag'],
    facts: { Path: 'alice/books/missing' },
  },
  {
    when: 'two tags to sort by',
    path,
    query: { query: RATED, sort: ['service/about', 'service/id'] },
    gives: [400, 'MultipleArgumentValues'],
    facts: { Argument: 'sort' },
  },
  notUtf8('sort', { path, query: `query=${encodeURIComponent(RATED)}&sort=alice/%FF` }),
  ...queryRows(path),
  unanswerable(target),
  ...noBodyRows(target),
  ...credentialRows(target),
]

export const PAGES: Table = { 'GET /search': searchObjects, 'HEAD /search': forHead(searchObjects) }
