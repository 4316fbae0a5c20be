/** All errors that the service can answer with, and the one exception class for them. */

import { ERRORS, type ErrorClass, type ErrorRow, type Fact, type SentenceAndRemedy } from './error-classes.ts'

export { ERRORS, FACTS, type ErrorClass, type Fact } from './error-classes.ts'

/** How many code points of a request's text a sentence shows. The header of a fact has more of it. */
const SHOWN = 60

/** A text from a request as sentences show it, short enough to leave room for the remedy. */
export function shown(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN + 2)]
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}...` : text
}

/** The sentence and the remedy of a class, with these facts, which are shortened. */
export function sentenceAndRemedy(
  errorClass: ErrorClass,
  facts: Readonly<Partial<Record<Fact, string>>>,
): SentenceAndRemedy {
  const texts = Object.entries(facts).map(([fact, text]) => [fact, shown(text)])
  const { says } = ERRORS[errorClass] as ErrorRow<Fact>
  return says(Object.fromEntries(texts) as Record<Fact, string>)
}

/** Whether each error of a class has a sentence of its own. */
const hasOwnSentence = (errorClass: ErrorClass): boolean =>
  (ERRORS[errorClass].facts as readonly Fact[]).includes('message')

/** The sentence of an error. `hint` says more about this request, in place of the remedy of its class. */
export function sentenceOf(
  errorClass: ErrorClass,
  facts: Readonly<Partial<Record<Fact, string>>>,
  hint?: string,
): string {
  const { message } = facts
  if (message !== undefined && hasOwnSentence(errorClass)) return message
  const [sentence, remedy] = sentenceAndRemedy(errorClass, facts)
  return `${sentence}: ${hint ?? remedy}`
}

/** The facts that an error of class `C` requires, no more and no fewer. Not every change that is too large has a query. */
type Facts<C extends ErrorClass> = C extends 'TooManyObjects'
  ? { readonly query?: string }
  : Readonly<Record<(typeof ERRORS)[C]['facts'][number], string>>

type NoFacts = { readonly [fact in Fact]?: never }

interface Options {
  /** Overrides the table's status. Only `TNoSuchUser` uses it: it is a 412 if a list of exceptions names the user. */
  status?: number
  /** The internal error, for the log; clients never see it. */
  cause?: unknown
  /** The methods of the path, for `UnsupportedMethod`. */
  allow?: readonly string[]
  /** When to retry the same request, in seconds. */
  retryAfterSeconds?: number
  /** The exact fault of this request, or a help, in place of the remedy of its class (`sentenceOf`). */
  hint?: string | undefined
}

/** The error that the service answers with. Anything other than a `ServiceError` is a fault of the service. */
export const serviceErrorOf = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? (error as ServiceError)
    : new ServiceError('InternalServerError', {}, { cause: error })

/** An answer other than success. Any code can throw it; one place turns it into a response (`http/send-error.ts`). */
export class ServiceError<C extends ErrorClass = ErrorClass> extends Error {
  readonly errorClass: C
  readonly status: number
  readonly facts: Readonly<Partial<Record<Fact, string>>>
  readonly allow: readonly string[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** The fault of the request, and the remedy. */
  readonly sentence: string

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
    this.sentence = sentenceOf(errorClass, this.facts, options?.hint)
  }
}

/** A body that its operation does not accept; `message` says why. */
export const malformedPayload = (message: string, cause?: unknown): ServiceError<'MalformedPayload'> =>
  new ServiceError('MalformedPayload', { message }, { cause })

/** A query argument or path parameter that cannot be read. */
export const badArgument = (argument: string, hint?: string): ServiceError<'TBadArgument'> =>
  new ServiceError('TBadArgument', { argument }, { hint })

/** A request that the service does not allow; `message` says why. */
export const badRequest = (message: string): ServiceError<'TBadRequest'> =>
  new ServiceError('TBadRequest', { message })

/** A method that the path does not have; `allow` lists those that it has. */
export const unsupportedMethod = (allow: readonly string[]): ServiceError<'UnsupportedMethod'> =>
  new ServiceError('UnsupportedMethod', {}, { allow, hint: `it has ${allow.join(', ')}` })

/** A malformed or too long path of something to create or write. */
export const invalidPath = (path: string, hint?: string): ServiceError<'TInvalidPath'> =>
  new ServiceError('TInvalidPath', { path }, { hint })

/** A user name that is malformed, or not allowed here. */
export const invalidUsername = (name: string, hint?: string): ServiceError<'TInvalidUsername'> =>
  new ServiceError('TInvalidUsername', { name }, { hint })

/** The database is unreachable, cannot write or is full; or the outcome of a write is unknown. */
export const unavailable = (cause: unknown): ServiceError<'ServiceUnavailable'> =>
  new ServiceError('ServiceUnavailable', {}, { cause })
