/** What all operations share: unknown paths, lengths, checksums, encodings, limits, and the order of checks. */
import { createHash } from 'node:crypto'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { runRequests, type Row } from './status-tables.ts'
import { denied } from './shared-rows.ts'
import { THING } from '../support/fixture.ts'

const md5 = (text: string): string => createHash('md5').update(text).digest('base64')

const DESCRIPTION = '{"description":"new"}'
const BOOKS = 'PUT /namespaces/alice/books'
const RATING = 'PUT /about/book-1/alice/books/rating'
const jsonType = { 'content-type': 'application/json' }

runRequests('paths', [
  ...[
    '/nowhere',
    '/about',
    '/about/',
    '/namespaces',
    '/tags',
    '/permissions',
    '/permissions/users/alice',
    '/permissions/policies/alice',
    '/policies/alice/namespaces/create',
    '/recent',
    '/users/alice/private',
    '/values/alice',
    '/v1/objects',
    '/1/objects',
    '/v1/about/book-1',
    '/20100808/users/alice',
    '/Objects',
    '//objects',
    '/objects//alice/a',
  ].map((path): Row => ({
    when: `there is no ${path}`,
    path: `GET ${path}`,
    gives: [404, 'NoSuchResource'],
  })),
  ...['DELETE /objects/', 'PATCH /users', 'PUT /users', 'POST /values/', 'DELETE /recent/objects'].map(
    (path): Row => ({
      when: `the path lacks the method: ${path}`,
      path,
      as: 'alice',
      gives: [405, 'UnsupportedMethod'],
    }),
  ),
  ...[
    `GET /objects/${THING}/`,
    'GET /users/alice/',
    'GET /tags/alice/books/rating/',
    'GET /about/book-1/',
  ].map((path): Row => ({ when: `a trailing slash is ignored: ${path}`, path, gives: 200 })),
  {
    when: 'the request target is absolute, as proxies send it',
    path: 'GET http://gloss.example/users/alice',
    gives: 200,
  },
])

runRequests('query arguments', [
  ...['x=%FF', '%FF=1', 'x=%', 'x', '=', '&&', 'returntags=maybe', 'x=1&x=2', 'query=has'].map(
    (query): Row => ({
      when: `an unknown argument is ignored: ${query}`,
      path: `GET /users/alice?${query}`,
      gives: 200,
    }),
  ),
  {
    when: 'characters that a header cannot hold are percent-encoded',
    path: 'GET /objects?query=has%0D%0AX-Evil:+%C3%BC%25',
    gives: [400, 'TParseError'],
    facts: { Query: 'has%0D%0AX-Evil: %C3%BC%25' },
    answersWith: { 'x-evil': undefined },
  },
  {
    when: 'a fact as long as it may be',
    path: `GET /objects?query=${'x'.repeat(1024)}`,
    gives: [400, 'TParseError'],
    facts: { Query: 'x'.repeat(1024) },
  },
  {
    when: 'a longer fact is cut',
    path: `GET /objects?query=${'x'.repeat(1025)}`,
    gives: [400, 'TParseError'],
    facts: { Query: `${'x'.repeat(1024)}...` },
  },
])

runRequests('payloads', [
  {
    when: 'the media type has parameters',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    gives: 204,
  },
  {
    when: 'the media type is in capitals',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { 'content-type': 'Application/JSON' },
    gives: 204,
  },
  {
    when: 'Content-MD5 is right',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { ...jsonType, 'content-md5': md5(DESCRIPTION) },
    gives: 204,
  },
  {
    when: 'Content-MD5 is that of another text',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { ...jsonType, 'content-md5': md5('other') },
    gives: [412, 'ContentChecksumMismatch'],
  },
  {
    when: 'Content-MD5 in hexadecimal digits',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { ...jsonType, 'content-md5': createHash('md5').update(DESCRIPTION).digest('hex') },
    gives: [412, 'ContentChecksumMismatch'],
  },
  {
    when: 'the payload is in base64',
    path: BOOKS,
    as: 'alice',
    body: Buffer.from(DESCRIPTION).toString('base64'),
    headers: { ...jsonType, 'content-encoding': 'base64' },
    gives: 204,
  },
  {
    when: 'Content-MD5 is that of the payload as sent, before base64 is decoded',
    path: BOOKS,
    as: 'alice',
    body: Buffer.from(DESCRIPTION).toString('base64'),
    headers: {
      ...jsonType,
      'content-encoding': 'base64',
      'content-md5': md5(Buffer.from(DESCRIPTION).toString('base64')),
    },
    gives: 204,
  },
  {
    when: 'Content-Encoding: identity',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { ...jsonType, 'content-encoding': 'identity' },
    gives: 204,
  },
  {
    when: '__proto__ as an unknown field',
    path: BOOKS,
    as: 'alice',
    body: '{"description":"new","__proto__":{"name":"x"}}',
    headers: jsonType,
    gives: [400, 'UnknownPayloadField'],
    facts: { Fieldname: '__proto__' },
  },
  {
    when: '__proto__ instead of the required field',
    path: BOOKS,
    as: 'alice',
    body: '{"__proto__":{"description":"new"}}',
    headers: jsonType,
    gives: [400, 'PayloadFieldMissing'],
    facts: { Fieldname: 'description' },
  },
  {
    when: '__proto__ as a tag path',
    path: 'PUT /values',
    as: 'alice',
    body: '{"queries":[["has alice/books/rating",{"__proto__":{"value":5}}]]}',
    headers: jsonType,
    gives: [400, 'TInvalidPath'],
    facts: { Path: '__proto__' },
  },
  {
    when: 'Accept admits JSON among others',
    path: 'GET /users/alice',
    headers: { accept: 'text/html, application/json;q=0.5' },
    gives: 200,
  },
  ...['*/*', 'application/*', 'application/json'].map((accept): Row => ({
    when: `Accept: ${accept}`,
    path: 'GET /users/alice',
    headers: { accept },
    gives: 200,
  })),
])

/** Each row has two faults; the answer names the one that is checked first. */
runRequests('the order of checks', [
  ...['GET /nowhere', 'PATCH /users', 'GET /about/%FF', 'GET /objects/nonsense', 'GET /objects'].map(
    (path): Row => ({
      when: `credentials before everything else: ${path}`,
      path,
      as: 'alice',
      password: 'wrong',
      gives: 401,
    }),
  ),
  {
    when: 'credentials before the length',
    path: BOOKS,
    as: 'bob',
    password: 'wrong',
    body: 'x',
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    gives: 401,
  },
  {
    when: 'credentials before a URL above the limit',
    path: `GET /about/${'x'.repeat(70_000)}`,
    as: 'carol',
    password: 'wrong',
    gives: 401,
  },
  { when: 'path before method', path: 'PATCH /nowhere', gives: [404, 'NoSuchResource'] },
  {
    when: 'path before body',
    path: 'PUT /nowhere',
    body: '{',
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    gives: [404, 'NoSuchResource'],
  },
  { when: 'method before body', path: 'PATCH /users/alice', body: '{', gives: [405, 'UnsupportedMethod'] },
  {
    when: 'length before Content-Type',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    gives: [411, 'NoContentLengthHeader'],
  },
  {
    when: 'an empty body before Content-Type',
    path: BOOKS,
    as: 'alice',
    body: '',
    gives: [400, 'MissingPayload'],
  },
  {
    when: 'checksum before Content-Type',
    path: BOOKS,
    as: 'alice',
    body: DESCRIPTION,
    headers: { 'content-md5': md5('other') },
    gives: [412, 'ContentChecksumMismatch'],
  },
  {
    when: 'checksum before JSON',
    path: BOOKS,
    as: 'alice',
    body: '{',
    headers: { ...jsonType, 'content-md5': md5('other') },
    gives: [412, 'ContentChecksumMismatch'],
  },
  {
    when: 'Content-Type before JSON',
    path: BOOKS,
    as: 'alice',
    body: '{',
    gives: [400, 'NoContentTypeHeader'],
  },
  {
    when: 'a missing field before an unknown one',
    path: 'POST /tags/alice',
    as: 'alice',
    json: { name: 'new', colour: 'red', indexed: true },
    gives: [400, 'PayloadFieldMissing'],
    facts: { Fieldname: 'description' },
  },
  {
    when: 'a missing field before a wrong type',
    path: 'POST /tags/alice',
    as: 'alice',
    json: { name: 5, indexed: true },
    gives: [400, 'PayloadFieldMissing'],
    facts: { Fieldname: 'description' },
  },
  {
    when: 'an unknown field before a wrong type',
    path: 'POST /tags/alice',
    as: 'alice',
    json: { name: 5, description: 'd', indexed: true, colour: 'red' },
    gives: [400, 'UnknownPayloadField'],
    facts: { Fieldname: 'colour' },
  },
  {
    when: 'a wrong type before a query argument',
    path: 'PUT /permissions/tags/alice/books/rating',
    as: 'alice',
    json: { policy: 'open', exceptions: 5 },
    gives: [400, 'InvalidPayloadField'],
    facts: { Fieldname: 'exceptions' },
  },
  {
    when: 'a query argument before existence',
    path: 'GET /namespaces/nobody?returnTags=maybe',
    gives: [400, 'TBadArgument'],
    facts: { Argument: 'returnTags' },
  },
  {
    when: 'a payload error before existence',
    path: 'PUT /namespaces/nobody',
    as: 'alice',
    json: {},
    gives: [400, 'PayloadFieldMissing'],
    facts: { Fieldname: 'description' },
  },
  {
    when: 'a payload error before permission',
    path: BOOKS,
    as: 'bob',
    json: { description: 5 },
    gives: [400, 'InvalidPayloadField'],
    facts: { Fieldname: 'description' },
  },
  {
    when: 'length before what no anonymous user may ever do',
    path: 'POST /objects',
    body: '{',
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    gives: [411, 'NoContentLengthHeader'],
  },
  ...[
    { 'content-type': 'application/json' },
    { ...jsonType, 'content-md5': md5('other') },
    { ...jsonType, 'content-encoding': 'gzip' },
    { 'content-type': 'text/plain' },
    { ...jsonType, accept: 'text/html' },
  ].map((headers): Row => ({
    when: `what no anonymous user may ever do before the body: ${JSON.stringify(headers)}`,
    path: 'POST /objects',
    body: '{',
    headers,
    gives: [401, 'TUnauthorized'],
  })),
  {
    when: 'what no anonymous user may ever do before an about value that is too long',
    path: 'POST /about/%00',
    gives: [401, 'TUnauthorized'],
  },
  {
    when: 'a payload error before what the anonymous user can never do',
    path: RATING,
    body: '{',
    headers: { 'content-type': PRIMITIVE_MEDIA_TYPE },
    gives: [400, 'MalformedPayload'],
  },
  {
    when: 'existence before permission',
    path: 'PUT /tags/alice/private/missing',
    as: 'bob',
    json: { description: 'd' },
    gives: [404, 'TNonexistentTag'],
  },
  {
    when: 'what the anonymous user can never do before existence',
    path: 'PUT /tags/alice/private/missing',
    json: { description: 'd' },
    gives: [401, 'TPathPermissionDenied'],
    facts: denied('tags', 'update', 'alice/private/missing'),
  },
  {
    when: 'permission before a precondition: the namespace is not empty',
    path: 'DELETE /namespaces/alice/books',
    as: 'bob',
    gives: [401, 'TPathPermissionDenied'],
  },
  {
    when: 'permission before a precondition: the tag exists',
    path: 'POST /tags/alice/books',
    as: 'bob',
    json: { name: 'rating', description: 'd', indexed: true },
    gives: [401, 'TPathPermissionDenied'],
  },
  {
    when: 'permission before a precondition: If-Match',
    path: RATING,
    as: 'bob',
    body: '5',
    headers: { 'content-type': PRIMITIVE_MEDIA_TYPE, 'if-match': '"other"' },
    gives: [401, 'TPathPermissionDenied'],
  },
  {
    when: 'permission before the names in exceptions',
    path: 'PUT /permissions/tags/alice/books/rating?action=update',
    as: 'bob',
    json: { policy: 'open', exceptions: ['a b', 'nobody'] },
    gives: [401, 'TPathPermissionDenied'],
  },
])

const THOUSAND = 'x'.repeat(1000)

runRequests(
  'limits',
  [
    {
      when: 'a payload at the limit',
      path: 'PUT /about/book-1/alice/long',
      as: 'alice',
      body: THOUSAND,
      headers: { 'content-type': 'text/plain' },
      gives: 204,
    },
    {
      when: 'an opaque value above the limit',
      path: 'PUT /about/book-1/alice/long',
      as: 'alice',
      body: `${THOUSAND}x`,
      headers: { 'content-type': 'text/plain' },
      gives: [413, 'PayloadTooLarge'],
    },
    {
      when: 'a primitive value above the limit',
      path: `PUT /objects/${THING}/alice/long`,
      as: 'alice',
      primitive: `"${THOUSAND}"`,
      gives: [413, 'PayloadTooLarge'],
    },
    {
      when: 'a payload above the limit, before it is parsed as JSON',
      path: 'PUT /values',
      as: 'alice',
      body: `${THOUSAND}x`,
      headers: jsonType,
      gives: [413, 'PayloadTooLarge'],
    },
    {
      when: 'a body above the limit, where none is defined',
      path: 'GET /users/alice',
      body: `${THOUSAND}x`,
      gives: [413, 'PayloadTooLarge'],
    },
    {
      when: 'a payload above the limit, before the permission',
      path: 'PUT /about/book-1/alice/long',
      body: `${THOUSAND}x`,
      headers: { 'content-type': 'text/plain' },
      gives: [413, 'PayloadTooLarge'],
    },
    {
      when: 'a URL at the limit',
      path: `GET /about/${'x'.repeat(493)}`,
      gives: [404, 'NoSuchObject'],
    },
    {
      when: 'a URL above the limit',
      path: `GET /about/${'x'.repeat(494)}`,
      gives: [414, 'UriTooLong'],
    },
    {
      when: 'a URL above the limit by its query string',
      path: `GET /objects?query=${'x'.repeat(500)}`,
      gives: [414, 'UriTooLong'],
    },
    {
      when: 'a URL above the limit with a path that does not exist',
      path: `GET /${THOUSAND}`,
      gives: [414, 'UriTooLong'],
    },
  ],
  { MAX_BODY_BYTES: '1000', MAX_URL_BYTES: '500' },
)

runRequests(
  'about values',
  [
    { when: 'the longest about value', path: `POST /about/${'x'.repeat(65_535)}`, as: 'alice', gives: 201 },
    { when: 'the longest about value, by GET', path: `GET /about/${'x'.repeat(65_535)}`, gives: 200 },
    {
      when: 'an about value that is too long to create',
      path: `POST /about/${'x'.repeat(65_536)}`,
      as: 'alice',
      gives: [400, 'TBadArgument'],
      facts: { Argument: 'about_value' },
    },
    {
      when: 'an about value that is too long to write to',
      path: `PUT /about/${'x'.repeat(65_536)}/alice/a`,
      as: 'alice',
      primitive: '1',
      gives: [400, 'TBadArgument'],
      facts: { Argument: 'about_value' },
    },
    {
      when: 'an about value that is too long to exist',
      path: `GET /about/${'x'.repeat(65_536)}`,
      gives: [404, 'NoSuchObject'],
    },
  ],
  { MAX_URL_BYTES: '131072', MAX_HEADER_BYTES: '262144' },
)
