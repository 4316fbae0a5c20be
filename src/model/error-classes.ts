/** The classes of errors: status, facts, and the sentence that says what is wrong with a request and what to do. */

/** What an error can say besides its class. Each fact has its own header, named after it (`http/headers.ts`). */
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

/** What is wrong, and what to do about it unless a hint knows better; or a sentence that needs no hint. */
type Said = readonly [wrong: string, remedy: string] | string

export interface ErrorRow<F extends Fact> {
  readonly status: number
  /** What errors of the class must say. */
  readonly facts: readonly F[]
  readonly says: (facts: Readonly<Record<F, string>>) => Said
}

function row<const F extends Fact>(
  status: number,
  facts: readonly F[],
  says: Said | ErrorRow<F>['says'],
): ErrorRow<F> {
  return { status, facts, says: typeof says === 'function' ? says : () => says }
}

/** By wire name. The sentences are in the contract's table too, which adds the cause of each class. */
export const ERRORS = {
  NoSuchResource: row(404, [], ['there is nothing at this path', 'see /docs for the paths that exist']),
  UnsupportedMethod: row(405, [], ['this path does not support that method', 'see Allow']),
  NoContentLengthHeader: row(
    411,
    [],
    [
      'the request has no Content-Length',
      'send the length of the body in bytes, or 0, and no chunked encoding',
    ],
  ),
  ContentLengthMismatch: row(
    400,
    [],
    [
      'the body is not as long as the request says',
      'Content-Length, or payload-length with JSONP, counts bytes, not characters',
    ],
  ),
  UnexpectedContentLengthHeader: row(
    400,
    [],
    ['this operation takes no body', 'send the request without one'],
  ),
  PayloadTooLarge: row(413, [], ['the body is larger than this service accepts', 'send less at once']),
  UriTooLong: row(
    414,
    [],
    ['the URL is longer than this service accepts', 'shorten it, or split the request'],
  ),
  RequestHeadersTooLarge: row(
    431,
    [],
    ['the request headers are larger than this service accepts', 'send fewer, or shorter ones'],
  ),
  RequestTimeout: row(408, [], ['the request did not arrive in time', 'send it again without pausing']),
  ContentChecksumMismatch: row(
    412,
    [],
    ['the body does not match Content-MD5', 'send the MD5 of the body in base64, or omit the header'],
  ),
  UnknownContentEncoding: row(
    400,
    [],
    ['Content-Encoding is neither identity nor base64', 'send the body uncompressed, without that header'],
  ),
  MissingPayload: row(400, [], ['the body is empty', 'this operation requires one']),
  NoContentTypeHeader: row(400, [], ['there is no Content-Type', 'send the type of the body']),
  UnknownContentType: row(
    400,
    [],
    ['this operation does not accept that Content-Type', 'send JSON as application/json'],
  ),
  MalformedPayload: row(400, ['message'], ({ message }) => message),
  PayloadFieldMissing: row(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} is missing`,
    'add it',
  ]),
  InvalidPayloadField: row(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} has an invalid value`,
    'see its type in the reference of the operation',
  ]),
  UnknownPayloadField: row(400, ['fieldname'], ({ fieldname }) => [
    `the field ${fieldname} is not defined here`,
    'remove it',
  ]),
  UnsupportedJSONType: row(
    400,
    [],
    [
      'this JSON is not a primitive value',
      'a value is null, true, false, a number, a string or a list of strings',
    ],
  ),
  MissingArgument: row(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is missing`,
    `add ${argument}=... to the query string`,
  ]),
  MultipleArgumentValues: row(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is given more than once`,
    'give it once',
  ]),
  TBadArgument: row(400, ['argument'], ({ argument }) => [
    `the argument ${argument} cannot be read`,
    'see its type in the reference of the operation',
  ]),
  InvalidUTF8Argument: row(400, ['argument'], ({ argument }) => [
    `the argument ${argument} is not UTF-8`,
    'percent-encode its bytes in UTF-8',
  ]),
  UnwrappableBlob: row(400, [], ['JSONP can wrap nothing but JSON', 'read this without callback']),
  UnknownAcceptType: row(
    400,
    [],
    [
      'Accept rules out application/json, the only type that this operation answers with',
      'accept it, or omit Accept',
    ],
  ),
  NotAcceptable: row(
    406,
    [],
    ['Accept rules out the content type of this resource', 'accept it, or omit Accept'],
  ),
  NoSuchObject: row(
    404,
    [],
    ['no object has that about value', 'check its spelling, or create the object by writing a value'],
  ),
  TNonexistentNamespace: row(404, ['path'], ({ path }) => [
    path === '' ? 'there is no namespace with an empty path' : `the namespace ${path} does not exist`,
    'check its spelling, or create it with POST /namespaces/ and the path of its parent',
  ]),
  TNonexistentTag: row(404, ['path'], ({ path }) => [
    path === '' ? 'there is no tag with an empty path' : `the tag ${path} does not exist`,
    'check its spelling, or create it by writing a value',
  ]),
  TNoInstanceOnObject: row(404, ['path'], ({ path }) => [
    `the object has no value of the tag ${path}`,
    'write one with PUT, or ask for another tag',
  ]),
  TNoSuchUser: row(404, ['name'], ({ name }) => [
    `there is no user ${name}`,
    'check the spelling, or have a superuser create the user',
  ]),
  TNamespaceAlreadyExists: row(412, ['path'], ({ path }) => [
    `the namespace ${path} already exists`,
    'change it with PUT, or choose another name',
  ]),
  TTagAlreadyExists: row(412, ['path'], ({ path }) => [
    `the tag ${path} already exists`,
    'change it with PUT, or choose another name',
  ]),
  TNamespaceNotEmpty: row(412, ['path'], ({ path }) => [
    `the namespace ${path} is not empty`,
    'delete its tags and namespaces first',
  ]),
  TUserAlreadyExists: row(412, ['name'], ({ name }) => [
    `the user ${name} already exists`,
    'choose another name',
  ]),
  TPreconditionFailed: row(
    412,
    [],
    ['the value does not meet If-Match or If-None-Match', 'read it again and retry with its current ETag'],
  ),
  TPathPermissionDenied: row(401, ['category', 'action', 'path'], (facts) => [
    `you are not allowed to ${deed(facts)} ${facts.path}`,
    'sign in as a user who is, or ask for that permission',
  ]),
  TUnauthorized: row(401, [], ['anonymous users cannot do this', 'sign in']),
  /** The one error without a sentence on the wire. */
  WrongCredentials: row(401, [], ['the credentials are wrong', 'check user name and password']),
  TInvalidPath: row(400, ['path'], ({ path }) => [
    `the path "${path}" is not allowed here`,
    'names of letters, digits and _ : . - are joined by /, 233 characters in all',
  ]),
  TInvalidPolicy: row(400, [], ['there is no such policy', 'send "open" or "closed"']),
  TInvalidUsername: row(400, ['name'], ({ name }) => [
    `the user name "${name}" is not allowed here`,
    'user names are made of letters, digits and _ . -',
  ]),
  TUsernameTooLong: row(400, ['name'], ({ name }) => [
    `the user name ${name} is too long`,
    'it can have 128 characters',
  ]),
  TParseError: row(400, ['query', 'message'], ({ message }) => message),
  TBadRequest: row(400, ['message'], ({ message }) => message),
  TooManyObjects: row(413, ['query'], ({ query }) => [
    `too many objects match ${query}`,
    'add conditions, or split the request',
  ]),
  QueryTooCostly: row(413, ['query'], ({ query }) => [
    `time ran out during the query ${query}`,
    'add conditions that few objects meet, or split the request',
  ]),
  TooManyRequests: row(
    429,
    [],
    ['too many sign-ins failed', 'wait for the seconds in Retry-After, and check the user name and password'],
  ),
  InternalServerError: row(
    500,
    [],
    ['the service failed', 'report the X-Service-Request-Id of this answer to its operator'],
  ),
  ServiceUnavailable: row(
    503,
    [],
    ['the service is temporarily unavailable', 'retry after the seconds in Retry-After'],
  ),
}

export type ErrorClass = keyof typeof ERRORS

const PLACES: Readonly<Record<string, string>> = {
  namespaces: 'the namespace',
  tags: 'the tag',
  'tag-values': 'values of the tag',
  users: 'the user',
}

/** What was refused, up to the path. */
function deed({ category, action }: Readonly<Record<'category' | 'action', string>>): string {
  const place = PLACES[category] ?? category
  return category === 'namespaces' && action === 'create'
    ? `create anything in ${place}`
    : `${action} ${place}`
}
