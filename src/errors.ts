/** Every error that the service can answer with, and the one exception class that carries them. */

/** What an error may tell beside its class; each fact travels as the header `X-Service-<Fact>` (S 7). */
export type Fact = 'action' | 'argument' | 'category' | 'fieldname' | 'message' | 'name' | 'path' | 'query'

/** Wire name → status and the facts that the error must carry. */
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
  TooManyRequests: { status: 429, facts: [] },
  RequestTimeout: { status: 408, facts: [] },
  InternalServerError: { status: 500, facts: [] },
  ServiceUnavailable: { status: 503, facts: [] },
} as const satisfies Record<string, { status: number; facts: readonly Fact[] }>

export type ErrorClass = keyof typeof ERRORS

/** The facts that an error of class `C` needs, no more and no fewer. */
export type Facts<C extends ErrorClass> = Readonly<Record<(typeof ERRORS)[C]['facts'][number], string>>

type NoFacts = { readonly [fact in Fact]?: never }

interface Options {
  /** Overrides the table's status: the one case is `TNoSuchUser`, 412 in an exceptions list (S 7.7). */
  status?: number
  /** What went wrong inside; for the log, never for the wire. */
  cause?: unknown
  /** The methods that the path has, for `UnsupportedMethod`. */
  allow?: readonly string[]
  /** When the same request may succeed, in seconds. */
  retryAfterSeconds?: number
}

/** An error as the service answers it: what is no `ServiceError` is a fault of its own. */
export const serviceErrorOf = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? (error as ServiceError)
    : new ServiceError('InternalServerError', {}, { cause: error })

/** An answer other than success. Thrown anywhere, turned into a response in one place (`http/dispatch`). */
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
