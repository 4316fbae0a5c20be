/** All errors that the service can answer with, and the one exception class for them. */

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

/** Wire name → status and the facts that the error must carry. The contract's table explains each one. */
export const ERRORS = {
  NoSuchResource: { status: 404, facts: [] },
  UnsupportedMethod: { status: 405, facts: [] },
  NoContentLengthHeader: { status: 411, facts: [] },
  ContentLengthMismatch: { status: 400, facts: [] },
  UnexpectedContentLengthHeader: { status: 400, facts: [] },
  PayloadTooLarge: { status: 413, facts: [] },
  UriTooLong: { status: 414, facts: [] },
  RequestHeadersTooLarge: { status: 431, facts: [] },
  ContentChecksumMismatch: { status: 412, facts: [] },
  UnknownContentEncoding: { status: 400, facts: [] },
  MissingPayload: { status: 400, facts: [] },
  NoContentTypeHeader: { status: 400, facts: [] },
  UnknownContentType: { status: 400, facts: [] },
  MalformedPayload: { status: 400, facts: ['message'] },
  PayloadFieldMissing: { status: 400, facts: ['fieldname'] },
  InvalidPayloadField: { status: 400, facts: ['fieldname'] },
  UnknownPayloadField: { status: 400, facts: ['fieldname'] },
  UnsupportedJSONType: { status: 400, facts: [] },
  MissingArgument: { status: 400, facts: ['argument'] },
  MultipleArgumentValues: { status: 400, facts: ['argument'] },
  TBadArgument: { status: 400, facts: ['argument'] },
  InvalidUTF8Argument: { status: 400, facts: ['argument'] },
  UnwrappableBlob: { status: 400, facts: [] },
  UnknownAcceptType: { status: 400, facts: [] },
  NotAcceptable: { status: 406, facts: [] },
  NoSuchObject: { status: 404, facts: [] },
  TNonexistentNamespace: { status: 404, facts: ['path'] },
  TNonexistentTag: { status: 404, facts: ['path'] },
  TNoInstanceOnObject: { status: 404, facts: ['path'] },
  TNoSuchUser: { status: 404, facts: ['name'] },
  TNamespaceAlreadyExists: { status: 412, facts: ['path'] },
  TTagAlreadyExists: { status: 412, facts: ['path'] },
  TNamespaceNotEmpty: { status: 412, facts: ['path'] },
  TUserAlreadyExists: { status: 412, facts: ['name'] },
  TPreconditionFailed: { status: 412, facts: [] },
  TPathPermissionDenied: { status: 401, facts: ['category', 'action', 'path'] },
  TUnauthorized: { status: 401, facts: [] },
  WrongCredentials: { status: 401, facts: [] },
  TInvalidPath: { status: 400, facts: ['path'] },
  TInvalidPolicy: { status: 400, facts: [] },
  TInvalidUsername: { status: 400, facts: ['name'] },
  TUsernameTooLong: { status: 400, facts: ['name'] },
  TParseError: { status: 400, facts: ['query', 'message'] },
  TBadRequest: { status: 400, facts: ['message'] },
  TooManyObjects: { status: 413, facts: ['query'] },
  QueryTooCostly: { status: 413, facts: ['query'] },
  TooManyRequests: { status: 429, facts: [] },
  RequestTimeout: { status: 408, facts: [] },
  InternalServerError: { status: 500, facts: [] },
  ServiceUnavailable: { status: 503, facts: [] },
} as const satisfies Record<string, { status: number; facts: readonly Fact[] }>

export type ErrorClass = keyof typeof ERRORS

/** The facts that an error of class `C` requires, no more and no fewer. */
type Facts<C extends ErrorClass> = Readonly<Record<(typeof ERRORS)[C]['facts'][number], string>>

type NoFacts = { readonly [fact in Fact]?: never }

interface Options {
  /**
   * Overrides the table's status. Used only for `TNoSuchUser`, which is a 412 if a list of exceptions names the user.
   */
  status?: number
  /** What went wrong internally, for the log; clients never see it. */
  cause?: unknown
  /** The methods that the path has, for `UnsupportedMethod`. */
  allow?: readonly string[]
  /** When to retry the same request, in seconds. */
  retryAfterSeconds?: number
}

/** An error as the service answers it. Anything other than a `ServiceError` is a fault of the service. */
export const serviceErrorOf = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? (error as ServiceError)
    : new ServiceError('InternalServerError', {}, { cause: error })

/** An answer other than success. It can be thrown anywhere and becomes a response in one place (`http/dispatch.ts`). */
export class ServiceError<C extends ErrorClass = ErrorClass> extends Error {
  readonly errorClass: C
  readonly status: number
  readonly facts: Readonly<Partial<Record<Fact, string>>>
  readonly allow: readonly string[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    errorClass: C,
    ...[facts, options]: Facts<C> extends Record<string, never>
      ? [facts?: NoFacts, options?: Options]
      : [facts: Facts<C>, options?: Options]
  ) {
    super(errorClass, options?.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.errorClass = errorClass
    this.status = options?.status ?? ERRORS[errorClass].status
    this.facts = facts ?? {}
    this.allow = options?.allow
    this.retryAfterSeconds = options?.retryAfterSeconds
  }
}

/** A body that its operation does not accept; `message` says why. */
export const malformedPayload = (message: string, cause?: unknown): ServiceError<'MalformedPayload'> =>
  new ServiceError('MalformedPayload', { message }, { cause })

/** A query argument or path parameter that cannot be read. */
export const badArgument = (argument: string): ServiceError<'TBadArgument'> =>
  new ServiceError('TBadArgument', { argument })

/** A request that the service does not allow; `message` says what is wrong with it. */
export const badRequest = (message: string): ServiceError<'TBadRequest'> =>
  new ServiceError('TBadRequest', { message })

/** A method that the path does not have; `allow` lists those that it has. */
export const unsupportedMethod = (allow: readonly string[]): ServiceError<'UnsupportedMethod'> =>
  new ServiceError('UnsupportedMethod', {}, { allow })

/** A path that is malformed or too long, of something that would be created or written. */
export const invalidPath = (path: string): ServiceError<'TInvalidPath'> =>
  new ServiceError('TInvalidPath', { path })

/** A user name that is malformed, or not allowed here. */
export const invalidUsername = (name: string): ServiceError<'TInvalidUsername'> =>
  new ServiceError('TInvalidUsername', { name })

/** The database cannot be reached or cannot write, or nobody knows whether it did what it was asked; or no room is left. */
export const unavailable = (cause: unknown): ServiceError<'ServiceUnavailable'> =>
  new ServiceError('ServiceUnavailable', {}, { cause })
