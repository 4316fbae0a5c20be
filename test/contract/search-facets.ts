/** The status table of GET /search/facets. */
import { forHead, type Row, type Table } from './status-tables.ts'
import { credentialRows, denied, noBodyRows, notUtf8, queryRows, unanswerable } from './shared-rows.ts'
import { THING, type Fixture } from '../support/fixture.ts'

const PATH = '/search/facets'
const RATED = 'has alice/books/rating'
const RATING = 'alice/books/rating'
const target = { path: PATH, query: { query: RATED, tag: RATING } }

const rating = {
  objects: 2,
  types: { int: 2 },
  top: [
    { value: 5, count: 1 },
    { value: 7, count: 1 },
  ],
  numbers: { smallest: 5, largest: 7 },
}
const nothing = { objects: 0, types: {}, top: [] }

/** A row of a success with further arguments about the ratings. */
const asking = (when: string, also: Readonly<Record<string, string>>, answered: object): Row => ({
  when,
  path: PATH,
  query: { ...target.query, ...also },
  gives: 200,
  answers: { count: 2, facets: { [RATING]: answered } },
})

const bins = (...counted: readonly (readonly [from: number, to: number, count: number])[]): object => ({
  ...rating,
  numbers: { ...rating.numbers, bins: counted.map(([from, to, count]) => ({ from, to, count })) },
})

/** Rows of an argument out of its range. */
const outOfRange = (argument: string, values: readonly string[]): Row[] =>
  values.map((value) => ({
    when: `${argument} is "${value}"`,
    path: PATH,
    query: { ...target.query, [argument]: value },
    gives: [400, 'TBadArgument'],
    facts: { Argument: argument },
  }))

const getFacets: Row[] = [
  asking('the values of a tag', {}, rating),
  asking('the most frequent value', { top: '1' }, { ...rating, top: rating.top.slice(0, 1) }),
  asking('no values', { top: '0' }, { ...rating, top: [] }),
  asking('bins', { bins: '2' }, bins([5, 6, 1], [6, 7, 1])),
  asking('bins of equal factors', { bins: '1', scale: 'logarithmic' }, bins([5, 7, 2])),
  {
    when: 'several tags, of which one has opaque values, and one none',
    path: PATH,
    as: 'alice',
    query: { query: RATED, tag: ['alice/books/cover', 'alice/books/secret', 'alice/books/plain'] },
    gives: 200,
    answers: {
      count: 2,
      facets: {
        'alice/books/cover': { objects: 1, types: { opaque: 1 }, top: [] },
        'alice/books/secret': { objects: 1, types: { string: 1 }, top: [{ value: 'hidden', count: 1 }] },
        'alice/books/plain': nothing,
      },
    },
  },
  {
    when: 'about values and ids',
    path: PATH,
    query: { query: RATED, tag: ['service/about', 'service/id'], top: '100' },
    gives: 200,
    answers: ({ book }: Fixture) => ({
      count: 2,
      facets: {
        'service/about': { objects: 1, types: { string: 1 }, top: [{ value: 'book-1', count: 1 }] },
        'service/id': {
          objects: 2,
          types: { string: 2 },
          top: [THING, book].sort().map((id) => ({ value: id, count: 1 })),
        },
      },
    }),
  },
  {
    when: 'a tag twice, in two spellings',
    path: PATH,
    query: { query: RATED, tag: [RATING, 'ALICE/books/rating'] },
    gives: 200,
    answers: { count: 2, facets: { [RATING]: rating } },
  },
  {
    when: 'nothing matches',
    path: PATH,
    query: { query: 'alice/books/rating = "nothing"', tag: [RATING, 'service/id'] },
    gives: 200,
    answers: { count: 0, facets: { [RATING]: nothing, 'service/id': nothing } },
  },
  {
    when: 'sixteen tags',
    path: PATH,
    query: { query: RATED, tag: Array.from({ length: 16 }, () => RATING) },
    gives: 200,
  },
  {
    when: 'seventeen tags',
    path: PATH,
    query: { query: RATED, tag: Array.from({ length: 17 }, () => RATING) },
    gives: [400, 'TBadArgument'],
    facts: { Argument: 'tag' },
  },
  {
    when: 'no tag',
    path: PATH,
    query: { query: RATED },
    gives: [400, 'MissingArgument'],
    facts: { Argument: 'tag' },
  },
  { when: 'neither query nor tag', path: PATH, gives: [400, 'MissingArgument'] },
  ...outOfRange('top', ['-1', '101', 'ten', '1.5', '']),
  ...outOfRange('bins', ['-1', '101', 'ten', '1.5', '']),
  ...outOfRange('scale', ['cubic', 'LINEAR', '']),
  {
    when: 'top is given twice',
    path: PATH,
    query: { ...target.query, top: ['5', '5'] },
    gives: [400, 'MultipleArgumentValues'],
    facts: { Argument: 'top' },
  },
  notUtf8('tag', { path: PATH, query: `query=${encodeURIComponent(RATED)}&tag=alice/%FF` }),
  ...queryRows(PATH, { tag: RATING }),
  ...['alice/books/missing', 'alice/missing/rating', 'nobody/rating', 'alice', 'alice//a', '*'].map(
    (tag): Row => ({
      when: `a named tag does not exist: ${tag}`,
      path: PATH,
      query: { query: RATED, tag: ['alice/books/shared', tag] },
      gives: [404, 'TNonexistentTag'],
      facts: { Path: tag },
    }),
  ),
  {
    when: 'a named tag does not exist, even though nothing matches',
    path: PATH,
    query: { query: 'alice/books/rating = "nothing"', tag: 'alice/books/missing' },
    gives: [404, 'TNonexistentTag'],
    facts: { Path: 'alice/books/missing' },
  },
  {
    when: 'a missing tag before a forbidden one',
    path: PATH,
    query: { query: RATED, tag: ['alice/books/secret', 'alice/books/missing'] },
    gives: [404, 'TNonexistentTag'],
    facts: { Path: 'alice/books/missing' },
  },
  ...['bob', undefined].map((as): Row => ({
    when: `no READ on a named tag, whatever matches, ${as ?? 'anonymously'}`,
    path: PATH,
    ...(as !== undefined && { as }),
    query: { query: 'alice/books/rating = "nothing"', tag: [RATING, 'alice/books/secret'] },
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tag-values', 'read', 'alice/books/secret'),
  })),
  unanswerable(target),
  ...noBodyRows(target),
  ...credentialRows(target),
]

/** The rows of GET and HEAD /search/facets. */
export const FACETS: Table = {
  'GET /search/facets': getFacets,
  'HEAD /search/facets': forHead(getFacets),
}
