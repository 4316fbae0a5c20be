/** Mistakes that beginners make, as requests on the shelf of books. What each one is told is in docs/errors.md. */
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Options } from '../support/service.ts'

/** A request that is not what its sender meant. */
export interface Mistake extends Options {
  readonly what: string
  /** As it is shown; arguments are in `query`. */
  readonly request: string
}

const RATING = 'PUT /about/book:Dune/alice/books/rating'
const alice = { as: 'alice' }
const typed = (type: string): NonNullable<Options['headers']> => ({ 'content-type': type })

const value = (what: string, body: string, type: string | undefined = PRIMITIVE_MEDIA_TYPE): Mistake => ({
  ...alice,
  what,
  request: RATING,
  body,
  headers: type === '' ? {} : typed(type),
})

const query = (what: string, text: string): Mistake => ({
  ...alice,
  what,
  request: 'GET /objects',
  query: { query: text },
})

export const MISTAKES: readonly Mistake[] = [
  value('A value sent by `curl -d`, which says that it is a form', '9', 'application/x-www-form-urlencoded'),
  value('A value sent as JSON', '9', 'application/json'),
  value('A value without a type', '9', ''),
  value('A string without quotes', 'hello'),
  value('An object as a value', '{"stars":9}'),
  query('A string without quotes in a query', 'alice/books/title = Dune'),
  query('Single quotes', "alice/books/title = 'Dune'"),
  query('Quotes of a word processor', 'alice/books/title = “Dune”'),
  query('`==`', 'alice/books/rating == 9'),
  query('`<>`', 'alice/books/rating <> 9'),
  query('`like`', 'alice/books/title like "D%"'),
  query('`not`', 'has alice/books/title and not has alice/books/lent'),
  query('`in`', 'alice/books/rating in (8, 9)'),
  query('`is null`', 'alice/books/lent is null'),
  query('A tag without its namespace', 'rating > 5'),
  query('A misspelt tag', 'alice/books/ratng > 5'),
  {
    ...alice,
    what: 'Another name for the query',
    request: 'GET /objects',
    query: { q: 'has alice/books/title' },
  },
  { ...alice, what: 'A misspelt path', request: 'GET /object', query: { query: 'has alice/books/title' } },
  { ...alice, what: 'A version in the path', request: 'GET /v1/users/alice' },
  { ...alice, what: 'An about value in place of an id', request: 'GET /objects/book:Dune' },
  {
    ...alice,
    what: 'A URL that is not encoded',
    request: 'GET /about/https://example.org/a-book/alice/comment',
  },
  {
    ...alice,
    what: 'A value that is not wrapped, in a bulk write',
    request: 'PUT /values',
    json: { queries: [['has alice/books/title', { 'alice/books/read': true }]] },
  },
  {
    ...alice,
    what: 'An action of another category',
    request: 'GET /permissions/tag-values/alice/books/rating',
    query: { action: 'update' },
  },
  {
    ...alice,
    what: 'A blank in a name',
    request: 'POST /namespaces/alice',
    json: { name: 'my books', description: 'What I own' },
  },
  {
    ...alice,
    what: 'A picture asked for as a page',
    request: 'GET /about/book:Dune/alice/books/cover',
    headers: { accept: 'text/html' },
  },
]

/** The target and body of a mistake as people would write them down, before anything is encoded. */
export function shownRequest({ request, query: args = {}, body, json, headers = {} }: Mistake): string {
  const pairs = Object.entries(args as Readonly<Record<string, string>>).map(
    ([name, text]) => `${name}=${text}`,
  )
  const sent = json === undefined ? body?.toString() : JSON.stringify(json)
  return [
    `\`${[request, ...pairs].join(pairs.length > 0 ? '?' : '')}\``,
    ...(sent === undefined ? [] : [`body \`${sent}\``]),
    ...(headers['content-type'] === undefined ? [] : [`\`Content-Type: ${headers['content-type']}\``]),
    ...(headers['accept'] === undefined ? [] : [`\`Accept: ${headers['accept']}\``]),
  ].join(', ')
}
