/**
 * The table of errors: status, facts, the sentence about the fault of a request, and the remedy. The contract, the command
 * and the console use it.
 */
import { MAX_PATH_CODE_POINTS, MAX_USERNAME_CODE_POINTS } from './name-lengths.ts'

/** The details of an error besides its class; each has its own header of that name (`http/message/headers.ts`). */
export const FACTS = [
  'action',
  'argument',
  'category',
  'fieldname',
  'message',
  'name',
  'path',
  'query',
] as const

export type Fact = (typeof FACTS)[number]

/** The fault of any request that gets the error, and the remedy. */
export type SentenceAndRemedy = readonly [sentence: string, remedy: string]

export interface ErrorRow<F extends Fact> {
  readonly status: number
  /** The facts that errors of the class must have. A `message` replaces the sentence and the remedy. */
  readonly facts: readonly F[]
  readonly says: (facts: Readonly<Record<F, string>>) => SentenceAndRemedy
}

/** A class without facts. */
const plain = (status: number, ...says: SentenceAndRemedy): ErrorRow<never> => ({
  status,
  facts: [],
  says: () => says,
})

const withFacts = <const F extends Fact>(
  status: number,
  facts: readonly F[],
  says: ErrorRow<F>['says'],
): ErrorRow<F> => ({ status, facts, says })

/** By wire name. */
export const ERRORS = {
  NoSuchResource: plain(404, 'there is nothing at this path', 'see /docs for the paths that exist'),
  UnsupportedMethod: plain(405, 'this path does not support that method', 'see Allow'),
  NoContentLengthHeader: plain(
    411,
    'the request has no Content-Length',
    'send the length of the body in bytes, or 0, and no chunked encoding',
  ),
  ContentLengthMismatch: plain(
    400,
    'the body is not as long as the request says',
    'Content-Length, or payload-length with JSONP, counts bytes, not characters',
  ),
  UnexpectedContentLengthHeader: plain(400, 'this operation takes no body', 'send the request without one'),
  PayloadTooLarge: plain(413, 'the body is larger than this service accepts', 'send less at once'),
  UriTooLong: plain(414, 'the URL is longer than this service accepts', 'shorten it, or split the request'),
  RequestHeadersTooLarge: plain(
    431,
    'the request headers are larger than this service accepts',
    'send fewer, or shorter ones',
  ),
  RequestTimeout: plain(408, 'the request did not arrive in time', 'send it again without pausing'),
  ContentChecksumMismatch: plain(
    412,
    'the body does not match Content-MD5',
    'send the MD5 of the body in base64, or omit the header',
  ),
  UnknownContentEncoding: plain(
    400,
    'Content-Encoding is neither identity nor base64',
    'send the body uncompressed, without that header',
  ),
  MissingPayload: plain(400, 'the body is empty', 'this operation requires one'),
  NoContentTypeHeader: plain(400, 'there is no Content-Type', 'send the type of the body'),
  UnknownContentType: plain(
    400,
    'this operation does not accept that Content-Type',
    'send JSON as application/json',
  ),
  MalformedPayload: withFacts(400, ['message'], () => ['the body cannot be read', 'correct it']),
  PayloadFieldMissing: withFacts(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} is missing`,
    'add it',
  ]),
  InvalidPayloadField: withFacts(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} has an invalid value`,
    'see its type in the reference of the operation',
  ]),
  UnknownPayloadField: withFacts(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} is not defined here`,
    'remove it',
  ]),
  UnsupportedJSONType: plain(
    400,
    'this JSON is not a primitive value',
    'a value is null, true, false, a number, a string or a list of strings',
  ),
  MissingArgument: withFacts(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is missing`,
    `add ${argument}=... to the query string`,
  ]),
  MultipleArgumentValues: withFacts(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is given more than once`,
    'give it once',
  ]),
  TBadArgument: withFacts(400, ['argument'], ({ argument }) => [
    `the argument ${argument} cannot be read`,
    'see its type in the reference of the operation',
  ]),
  InvalidUTF8Argument: withFacts(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is not UTF-8`,
    'percent-encode its bytes in UTF-8',
  ]),
  UnwrappableBlob: plain(400, 'JSONP can wrap nothing but JSON', 'read this without callback'),
  UnknownAcceptType: plain(
    400,
    'Accept rules out application/json, the only type that this operation answers with',
    'accept it, or omit Accept',
  ),
  NotAcceptable: plain(
    406,
    'Accept rules out the content type of this resource',
    'accept it, or omit Accept',
  ),
  NoSuchObject: plain(
    404,
    'no object has that about value',
    'check its spelling, or create the object by writing a value',
  ),
  TNonexistentNamespace: withFacts(404, ['path'], ({ path }) => [
    path === '' ? 'there is no namespace with an empty path' : `the namespace ${path} does not exist`,
    'check its spelling, or create it with POST /namespaces/ and the path of its parent',
  ]),
  TNonexistentTag: withFacts(404, ['path'], ({ path }) => [
    path === '' ? 'there is no tag with an empty path' : `the tag ${path} does not exist`,
    'check its spelling, or create it by writing a value',
  ]),
  TNoInstanceOnObject: withFacts(404, ['path'], ({ path }) => [
    `the object has no value of the tag ${path}`,
    'write one with PUT, or ask for another tag',
  ]),
  TNoSuchUser: withFacts(404, ['name'], ({ name }) => [
    `there is no user ${name}`,
    'check the spelling, or ask a superuser to create the user',
  ]),
  TNamespaceAlreadyExists: withFacts(412, ['path'], ({ path }) => [
    `the namespace ${path} already exists`,
    'change it with PUT, or choose another name',
  ]),
  TTagAlreadyExists: withFacts(412, ['path'], ({ path }) => [
    `the tag ${path} already exists`,
    'change it with PUT, or choose another name',
  ]),
  TNamespaceNotEmpty: withFacts(412, ['path'], ({ path }) => [
    `the namespace ${path} is not empty`,
    'delete its tags and namespaces first',
  ]),
  TUserAlreadyExists: withFacts(412, ['name'], ({ name }) => [
    `the user ${name} already exists`,
    'choose another name',
  ]),
  TPreconditionFailed: plain(
    412,
    'what is there now does not meet If-Match or If-None-Match',
    'read it again and retry with its current ETag',
  ),
  TPathPermissionDenied: withFacts(401, ['category', 'action', 'path'], (facts) => [
    `you are not allowed to ${deed(facts)} ${facts.path}`,
    'sign in as a user who is, or ask a user who controls it for the permission',
  ]),
  TUnauthorized: plain(401, 'anonymous users cannot do this', 'sign in'),
  /** The one error without a sentence on the wire. */
  WrongCredentials: plain(401, 'the credentials are wrong', 'check the user name and the password'),
  TInvalidPath: withFacts(400, ['path'], ({ path }) => [
    `the path "${path}" is not allowed here`,
    `names of letters, digits and _ : . - are joined by /, ${MAX_PATH_CODE_POINTS} characters in all`,
  ]),
  TInvalidPolicy: plain(400, 'there is no such policy', 'send "open" or "closed"'),
  TInvalidUsername: withFacts(400, ['name'], ({ name }) => [
    `the user name "${name}" is not allowed here`,
    'user names are made of letters, digits and _ . -',
  ]),
  TUsernameTooLong: withFacts(400, ['name'], ({ name }) => [
    `the user name ${name} is too long`,
    `it can have ${MAX_USERNAME_CODE_POINTS} characters`,
  ]),
  TParseError: withFacts(400, ['query', 'message'], () => [
    'the query cannot be read',
    'correct it; /docs describes the language',
  ]),
  TBadRequest: withFacts(400, ['message'], () => [
    'the service does not allow this request',
    'correct it; /docs describes it',
  ]),
  TooManyObjects: withFacts(413, ['query'], ({ query }: { readonly query?: string }) => [
    query === undefined ? 'this changes too much at once' : `too many objects match ${query}`,
    'add conditions to the query, or split the request',
  ]),
  QueryTooCostly: withFacts(413, ['query'], ({ query }) => [
    `time ran out during the query ${query}`,
    'add conditions that few objects meet, or split the request',
  ]),
  TooManyRequests: plain(
    429,
    'too many sign-ins failed',
    'wait for the seconds in Retry-After, and check the user name and password',
  ),
  InternalServerError: plain(
    500,
    'the service failed',
    'report the X-Service-Request-Id of this answer to its operator',
  ),
  ServiceUnavailable: plain(
    503,
    'the service is temporarily unavailable',
    'retry after the seconds in Retry-After',
  ),
}

export type ErrorClass = keyof typeof ERRORS

const PLACES: Readonly<Record<string, string>> = {
  namespaces: 'the namespace',
  tags: 'the tag',
  'tag-values': 'values of the tag',
  users: 'the user',
}

/** The refused action, without the path. */
function deed({ category, action }: Readonly<Record<'category' | 'action', string>>): string {
  const place = PLACES[category] ?? category
  return category === 'namespaces' && action === 'create'
    ? `create anything in ${place}`
    : `${action} ${place}`
}
