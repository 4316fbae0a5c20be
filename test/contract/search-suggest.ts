/** The status table of GET `/search/suggest`. */
import { forHead, type Row, type Table } from './status-tables.ts'
import { credentialRows, denied, noBodyRows, notUtf8, unanswerable } from './shared-rows.ts'

const path = '/search/suggest'
const RATING = 'alice/books/rating'

const found = (...suggestions: readonly object[]): object => ({ suggestions, complete: true })
const tag = (at: string, count: number): object => ({ kind: 'tag', path: at, count, exact: true })
const namespace = (at: string, count: number): object => ({ kind: 'namespace', path: at, count, exact: true })
const value = (of: unknown, count: number): object => ({ kind: 'value', value: of, count, exact: true })

const suggestions: Row[] = [
  { when: 'a part of a path', path, query: { text: 'rat' }, gives: 200, answers: found(tag(RATING, 2)) },
  {
    when: 'a tag that the caller may not read is left out',
    path,
    as: 'bob',
    query: { text: 'secret' },
    gives: 200,
    answers: found(),
  },
  {
    when: 'the same for whoever may read it',
    path,
    as: 'alice',
    query: { text: 'secret' },
    gives: 200,
    answers: found(tag('alice/books/secret', 1)),
  },
  {
    when: 'a namespace, with what is in it',
    path,
    query: { text: 'alice/b', limit: '1' },
    gives: 200,
    answers: found(namespace('alice/books', 5)),
  },
  { when: 'no path holds the text', path, query: { text: 'a rating' }, gives: 200, answers: found() },
  { when: 'no text', path, gives: 200 },
  {
    when: 'values of a tag',
    path,
    query: { tag: RATING },
    gives: 200,
    answers: found(value(5, 1), value(7, 1)),
  },
  {
    when: 'values of a tag with a beginning',
    path,
    query: { tag: 'service/about', text: 'book-' },
    gives: 200,
    answers: found(value('book-1', 1)),
  },
  {
    when: 'the tag that every object has, without values that are kept',
    path,
    query: { tag: 'service/id' },
    gives: 200,
    answers: found(),
  },
  ...['alice/books/missing', 'rating', 'alice//rating'].map((missing): Row => ({
    when: `the tag ${missing} does not exist`,
    path,
    query: { tag: missing },
    gives: [404, 'TNonexistentTag'],
    facts: { Path: missing },
  })),
  {
    when: 'no READ on the tag',
    path,
    as: 'bob',
    query: { tag: 'alice/books/secret' },
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'read', 'alice/books/secret'),
  },
  ...['1', '100'].map((limit): Row => ({
    when: `limit is in range: ${limit}`,
    path,
    query: { text: 'a', limit },
    gives: 200,
  })),
  ...['0', '101', '-1', 'ten', ''].map((limit): Row => ({
    when: `limit is "${limit}"`,
    path,
    query: { text: 'a', limit },
    gives: [400, 'TBadArgument'],
    facts: { Argument: 'limit' },
  })),
  {
    when: 'the text has 513 characters',
    path,
    query: { text: 'x'.repeat(513) },
    gives: [400, 'TBadArgument'],
    facts: { Argument: 'text' },
  },
  ...['text', 'tag', 'limit'].map((Argument): Row => ({
    when: `${Argument} is given twice`,
    path,
    query: { [Argument]: ['5', '5'] },
    gives: [400, 'MultipleArgumentValues'],
    facts: { Argument },
  })),
  notUtf8('text', { path, query: 'text=%FF' }),
  unanswerable({ path }),
  ...noBodyRows({ path }),
  ...credentialRows({ path }),
]

export const SUGGESTIONS: Table = {
  'GET /search/suggest': suggestions,
  'HEAD /search/suggest': forHead(suggestions),
}
