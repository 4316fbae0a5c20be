/** Explains errors to users of the console. */
import { classOf, explain, type Hints } from '../../../common/sentences.ts'
import { visible } from '../../../common/values.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'
import type { ErrorClass } from '../../../src/model/error-classes.ts'

/** The action of a button for an error. */
type Cure = 'sign-in' | 'again' | 'query' | 'reload'

/** An error in words. */
export interface Failure {
  /** Two sentences: the error and the remedy. */
  readonly what: string
  readonly remedy: string
  /** The class of an error answer, with an entry in the reference. */
  readonly errorClass: ErrorClass | undefined
  readonly cure: Cure | undefined
  /** The seconds to wait before a retry. */
  readonly wait: number | undefined
}

/** Errors that only a fault of the console can cause, not its user. */
const FAULTS: readonly ErrorClass[] = [
  'UnsupportedMethod',
  'NoContentLengthHeader',
  'ContentLengthMismatch',
  'UnexpectedContentLengthHeader',
  'RequestHeadersTooLarge',
  'ContentChecksumMismatch',
  'UnknownContentEncoding',
  'MissingPayload',
  'NoContentTypeHeader',
  'UnknownContentType',
  'UnknownPayloadField',
  'UnwrappableBlob',
  'UnknownAcceptType',
  'NotAcceptable',
  'TInvalidPolicy',
]

const REPORT = 'report it to the operator of the service, with the request that the bar below copies'
const ADDRESS = 'check the address of this page, or begin at the start'
const CORRECT = 'correct what you filled in'

const HINTS: Hints = {
  ...Object.fromEntries(FAULTS.map((errorClass) => [errorClass, REPORT])),
  NoSuchResource: ADDRESS,
  PayloadTooLarge: 'send less at once: fewer rows, a smaller file, or a long text as a file',
  UriTooLong: 'shorten the query, or show fewer columns',
  RequestTimeout: 'try again',
  MalformedPayload: CORRECT,
  PayloadFieldMissing: 'fill it in',
  InvalidPayloadField: CORRECT,
  MissingArgument: 'fill in what is empty',
  MultipleArgumentValues: ADDRESS,
  TBadArgument: ADDRESS,
  InvalidUTF8Argument: ADDRESS,
  TNonexistentNamespace: 'check its spelling: the tree shows the namespaces that you may see',
  TNonexistentTag: 'check its spelling: the tree shows the tags that you may see',
  TNoInstanceOnObject: 'give it one, or look at another tag',
  TNamespaceAlreadyExists: 'choose another name, or change the one that there is',
  TTagAlreadyExists: 'choose another name, or change the one that there is',
  TPreconditionFailed: 'somebody changed it meanwhile: look at it again, then repeat your change',
  TParseError: 'correct the query in the field above',
  TBadRequest: CORRECT,
  TooManyRequests: 'wait a little, then check the user name and the password',
  InternalServerError: 'try again; if it fails again, report it to the operator of the service',
  ServiceUnavailable: 'wait a little, then try again',
}

const CURES: Readonly<Partial<Record<ErrorClass, Cure>>> = {
  TPathPermissionDenied: 'sign-in',
  TUnauthorized: 'sign-in',
  WrongCredentials: 'sign-in',
  TParseError: 'query',
  TooManyObjects: 'query',
  QueryTooCostly: 'query',
  UriTooLong: 'query',
  RequestTimeout: 'again',
  TPreconditionFailed: 'again',
  TooManyRequests: 'again',
  InternalServerError: 'again',
  ServiceUnavailable: 'again',
}

/** Explains any thrown error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return refusal(error)
  const none = { errorClass: undefined, wait: undefined }
  const message = error instanceof Error ? error.message : String(error)
  if (/dynamically imported module|Importing a module/i.test(message)) {
    return {
      ...none,
      what: 'A part of the console could not be loaded.',
      remedy: 'The service may have a new version by now, or be down: load the page again.',
      cure: 'reload',
    }
  }
  // The error that `fetch` throws; each browser has its own message.
  if (error instanceof TypeError && /fetch|network|load/i.test(message)) {
    return {
      ...none,
      what: 'The service does not answer.',
      remedy: 'It may be down, or this computer is offline: try again.',
      cure: 'again',
    }
  }
  return { ...none, what: sentence(message), remedy: '', cure: undefined }
}

function refusal(error: ServiceError): Failure {
  const { what, remedy } = explain(error, HINTS)
  const errorClass = classOf(error)
  const id = error.status >= 500 && error.requestId !== undefined ? ` (request ${error.requestId})` : ''
  return {
    what: sentence(what),
    remedy: sentence(`${remedy}${id}`),
    errorClass,
    cure: errorClass === undefined ? 'again' : CURES[errorClass],
    wait: error.retryAfter,
  }
}

/** A text as a sentence: with a capital letter, a full stop and visible control characters. */
function sentence(text: string): string {
  const [first = '', ...others] = visible(text)
  return first === '' ? '' : `${first.toUpperCase()}${others.join('')}${/[.!?]$/.test(text) ? '' : '.'}`
}
