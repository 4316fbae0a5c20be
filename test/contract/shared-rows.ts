/**
 * Rows that many operations share: credentials, bodies, `Accept`, query arguments. What every operation is refused for by the
 * headers of a body alone is in every-operation.test.ts.
 */
import { expect } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Options } from '../support/service.ts'
import type { Row } from './status-tables.ts'

/** A request that would succeed, or at least reach the operation itself. */
export interface Target extends Options {
  readonly path: string
}

/** The facts of a `TPathPermissionDenied`. */
export const denied = (Category: string, Action: string, Path: string): Record<string, string> => ({
  Category,
  Action,
  Path,
})

/** Any object id. */
export const anyId: unknown = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

/** Matches any `X-Service-Message`. */
export const anyMessage: unknown = expect.stringMatching(/\S/)

const USERS = ['alice', 'bob', 'carol']
let failures = 0

/** The rows of every operation: credentials are checked before anything else. */
export function credentialRows(target: Target): Row[] {
  failures += 1
  // A different user each time: repeated failures of one user are throttled.
  const as = USERS[failures % USERS.length] as string
  return [
    { ...target, when: 'the password is wrong', as, password: 'wrong', gives: 401 },
    { ...target, when: 'the credentials name no user', as: `nobody-${String(failures)}`, gives: 401 },
  ]
}

/** The rows of every operation that takes no body. */
export const noBodyRows = (target: Target): Row[] => [
  {
    ...target,
    when: 'a body where none is defined',
    body: '{}',
    headers: { ...target.headers, 'content-type': 'application/json' },
    gives: [400, 'UnexpectedContentLengthHeader'],
  },
]

/** The row of every operation that answers with JSON: `Accept` must admit `application/json`. */
export const unanswerable = (target: Target): Row => ({
  ...target,
  when: 'Accept rules out JSON',
  headers: { ...target.headers, accept: 'text/html' },
  gives: [400, 'UnknownAcceptType'],
})

const anyTag: unknown = expect.stringMatching(/^"[\w-]{16}(\.[\w-]{16})?"$/)

/** The rows of every operation that shows a state with an entity tag. */
export const stateRows = (target: Target): Row[] =>
  [['the state', '*', 304] as const, ['another state', '"other"', 200] as const].map(
    ([named, condition, gives]) => ({
      ...target,
      when: `If-None-Match names ${named}`,
      headers: { 'if-none-match': condition },
      gives,
      answersWith: { etag: anyTag },
    }),
  )

/** The row of every operation that changes or deletes a state. */
export const conditionRow = (target: Target): Row => ({
  ...target,
  when: 'If-Match names another state',
  headers: { 'if-match': '"other"' },
  gives: [412, 'TPreconditionFailed'],
})

/** The row of a path parameter or query argument that is not UTF-8. */
export const notUtf8 = (Argument: string, target: Target): Row => ({
  ...target,
  when: `${Argument} is not valid UTF-8`,
  gives: [400, 'InvalidUTF8Argument'],
  facts: { Argument },
})

interface Faults {
  /** A valid payload. */
  readonly json: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  /** Values of a type that the field does not take. */
  readonly wrong: readonly (readonly [field: string, value: unknown])[]
}

/** The payload errors of an operation that takes JSON. `target` has neither body nor headers. */
export function payloadRows(target: Target, { json, required, wrong }: Faults): Row[] {
  const text = JSON.stringify(json)
  const sent = { ...target, body: text, headers: { 'content-type': 'application/json' } }
  const malformed = [400, 'MalformedPayload'] as const
  return [
    ...(required.length === 0 ? [] : missingPayload(target)),
    { ...sent, when: 'payload without Content-Type', headers: {}, gives: [400, 'NoContentTypeHeader'] },
    ...['text/plain', PRIMITIVE_MEDIA_TYPE, 'application/jsonp'].map((type): Row => ({
      ...sent,
      when: `the payload has the type ${type}`,
      headers: { 'content-type': type },
      gives: [400, 'UnknownContentType'],
    })),
    ...['{', `${text},`, '{"a":NaN}', "{'a':1}"].map((body): Row => ({
      ...sent,
      when: `the payload ${body} is not JSON`,
      body,
      gives: malformed,
    })),
    {
      ...sent,
      when: 'the payload is not UTF-8',
      body: Buffer.from('{"a":"\xff"}', 'latin1'),
      gives: malformed,
    },
    { ...sent, when: 'a string holds a lone surrogate', body: '{"a":"\\ud800"}', gives: malformed },
    ...['[]', '5', 'null', '"text"', 'true'].map((body): Row => ({
      ...sent,
      when: `the payload ${body} has the wrong overall shape`,
      body,
      gives: malformed,
    })),
    {
      ...sent,
      when: 'the Content-Encoding is unknown',
      headers: { ...sent.headers, 'content-encoding': 'gzip' },
      gives: [400, 'UnknownContentEncoding'],
    },
    ...required.map((field): Row => ({
      ...target,
      when: `payload error: no ${field}`,
      json: Object.fromEntries(Object.entries(json).filter(([name]) => name !== field)),
      gives: [400, 'PayloadFieldMissing'],
      facts: { Fieldname: field },
    })),
    {
      ...target,
      when: 'payload error: a field that is not defined',
      json: { ...json, colour: 'red' },
      gives: [400, 'UnknownPayloadField'],
      facts: { Fieldname: 'colour' },
    },
    ...wrong.map(([field, value]): Row => ({
      ...target,
      when: `payload error: ${field} is ${JSON.stringify(value)}`,
      json: { ...json, [field]: value },
      gives: [400, 'InvalidPayloadField'],
      facts: { Fieldname: field },
    })),
  ]
}

const missingPayload = (target: Target): Row[] => [
  {
    ...target,
    when: 'payload missing, with a length of 0',
    body: '',
    headers: { 'content-type': 'application/json' },
    gives: [400, 'MissingPayload'],
  },
  {
    ...target,
    when: 'payload missing, and no Content-Length',
    path: target.path + queryOf(target),
    bare: true,
    gives: [411, 'NoContentLengthHeader'],
  },
]

const queryOf = ({ query = {} }: Target): string => {
  const pairs = typeof query === 'string' ? query : Object.entries(query).map(([k, v]) => `${k}=${String(v)}`)
  const text = typeof pairs === 'string' ? pairs : pairs.join('&')
  return text === '' ? '' : `?${text}`
}

/** The payload errors of writing a tag value (contract: Tag values). `target` has neither body nor headers. */
export function valuePayloadRows(target: Target): Row[] {
  const primitive = { 'content-type': PRIMITIVE_MEDIA_TYPE }
  return [
    { ...target, when: 'a primitive value without a payload', primitive: '', gives: [400, 'MissingPayload'] },
    { ...target, when: 'neither payload nor Content-Type', body: '', gives: [400, 'MissingPayload'] },
    {
      ...target,
      when: 'neither payload nor Content-Length',
      bare: true,
      gives: [411, 'NoContentLengthHeader'],
    },
    { ...target, when: 'payload without Content-Type', body: '5', gives: [400, 'NoContentTypeHeader'] },
    ...['{', '5 6', '+5', '05', '5.', '.5', 'NaN', '-Infinity', '[1,]', "'a'", 'True', '"\\ud800"', '"a'].map(
      (text): Row => ({
        ...target,
        when: `payload error: ${text} is not one JSON value`,
        primitive: text,
        gives: [400, 'MalformedPayload'],
      }),
    ),
    {
      ...target,
      when: 'payload error: not UTF-8',
      body: Buffer.from('"\xff"', 'latin1'),
      headers: primitive,
      gives: [400, 'MalformedPayload'],
    },
    ...[
      '{}',
      '{"value":5}',
      '[1]',
      '["a",null]',
      '[["a"]]',
      '9223372036854775808',
      '-9223372036854775809',
      '1e400',
      '-1.5e999',
    ].map((text): Row => ({
      ...target,
      when: `payload error: ${text} is not a primitive value`,
      primitive: text,
      gives: [400, 'UnsupportedJSONType'],
    })),
    {
      ...target,
      when: 'the Content-Encoding is unknown',
      primitive: '5',
      headers: { 'content-encoding': 'gzip' },
      gives: [400, 'UnknownContentEncoding'],
    },
    {
      ...target,
      when: 'the payload is not the base64 that it says it is',
      primitive: '5',
      headers: { 'content-encoding': 'base64' },
      gives: [400, 'MalformedPayload'],
    },
  ]
}

/** The errors of every operation with a `query` argument, sent by bob with `also` as further arguments. */
export function queryRows(path: string, also: Readonly<Record<string, string>> = {}): Row[] {
  const target = { path, as: 'bob' }
  const asking = (query: string): Target => ({ ...target, query: { ...also, query } })
  return [
    {
      ...target,
      when: 'no query',
      query: also,
      gives: [400, 'MissingArgument'],
      facts: { Argument: 'query' },
    },
    {
      ...target,
      when: 'two queries',
      query: { ...also, query: ['has alice/books/rating', 'has alice/books/rating'] },
      gives: [400, 'MultipleArgumentValues'],
      facts: { Argument: 'query' },
    },
    {
      ...target,
      when: 'query not valid UTF-8',
      query: `${new URLSearchParams(also).toString()}&query=has+alice/%FF`,
      gives: [400, 'InvalidUTF8Argument'],
      facts: { Argument: 'query' },
    },
    ...[
      '',
      'alice/books/rating =',
      'has rating',
      'has alice/books/rating and',
      'has alice//rating',
      'alice/books/rating = 9223372036854775808',
      'alice/books/rating < true',
      'service/id = 5',
      'has service/id',
      `service/id != "${anyUuid}"`,
      'service/id = "no uuid"',
      '(has alice/books/rating',
      'has alice/books/rating or ~',
    ].map((query): Row => ({
      ...asking(query),
      when: `query cannot be parsed: ${query}`,
      gives: [400, 'TParseError'],
      facts: { Query: query, Message: anyMessage },
    })),
    ...[
      'has service/about',
      'service/about matches ""',
      'has alice/books/rating and (HAS service/about)',
    ].map((query): Row => ({
      ...asking(query),
      when: `illegal, as it matches too much: ${query}`,
      gives: [400, 'TBadRequest'],
      facts: { Message: anyMessage },
    })),
    {
      ...asking('alice/books/plain matches "word"'),
      when: 'matches on a tag that is not indexed',
      gives: [400, 'TBadRequest'],
      facts: { Message: anyMessage },
    },
    ...['alice/books/missing', 'alice/missing/rating', 'nobody/rating'].map((tag): Row => ({
      ...asking(`has alice/books/rating or has ${tag}`),
      when: `the tag ${tag} in the query does not exist`,
      gives: [404, 'TNonexistentTag'],
      facts: { Path: tag },
    })),
    {
      ...asking('has alice/books/secret or has alice/books/missing'),
      when: 'a missing tag before a forbidden one',
      gives: [404, 'TNonexistentTag'],
      facts: { Path: 'alice/books/missing' },
    },
    {
      ...asking('has alice/books/rating except alice/books/secret = "hidden"'),
      when: 'no READ on a tag that the query needs',
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'read', 'alice/books/secret'),
    },
    {
      ...asking('service/users/email = "alice@example.org"'),
      when: 'no READ on the e-mail addresses',
      gives: [401, 'TPathPermissionDenied'],
      facts: denied('tag-values', 'read', 'service/users/email'),
    },
  ]
}

const anyUuid = '00000000-0000-4000-8000-000000000000'

/** A path of `length` code points that begins with `prefix`. */
export const pathOf = (prefix: string, length: number): string => prefix.padEnd(length, 'x')
