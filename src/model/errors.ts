/** All errors that the service can answer with, and the one exception class for them. */

import { ERRORS, type ErrorClass, type ErrorRow, type Fact, type SentenceAndRemedy } from './error-classes.ts'

export { ERRORS, FACTS, type ErrorClass, type Fact } from './error-classes.ts'

/** The longest part of a sentence that comes from a request, in code points. The header of a fact has more of it. */
const SHOWN = 60

/** A text from a request as sentences show it, short enough to leave room for what to do. */
export function shown(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN + 2)]
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}...` : text
}

/** What the table of errors says of a class, with these facts, which are shortened. */
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
  /** What exactly is wrong with this request, or what helps, in place of what its class says (`sentenceOf`). */
  hint?: string | undefined
}

/** An error as the service answers it. Anything other than a `ServiceError` is a fault of the service. */
export const serviceErrorOf = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? (error as ServiceError)
    : new ServiceError('InternalServerError', {}, { cause: error })

/** An answer other than success. It can be thrown anywhere and becomes a response in one place (`http/send-error.ts`). */
export class ServiceError<C extends ErrorClass = ErrorClass> extends Error {
  readonly errorClass: C
  readonly status: number
  readonly facts: Readonly<Partial<Record<Fact, string>>>
  readonly allow: readonly string[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** What is wrong with the request, and what to do. */
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

/** A request that the service does not allow; `message` says what is wrong with it. */
export const badRequest = (message: string): ServiceError<'TBadRequest'> =>
  new ServiceError('TBadRequest', { message })

/** A method that the path does not have; `allow` lists those that it has. */
export const unsupportedMethod = (allow: readonly string[]): ServiceError<'UnsupportedMethod'> =>
  new ServiceError('UnsupportedMethod', {}, { allow, hint: `it has ${allow.join(', ')}` })

/** A path that is malformed or too long, of something that would be created or written. */
export const invalidPath = (path: string, hint?: string): ServiceError<'TInvalidPath'> =>
  new ServiceError('TInvalidPath', { path }, { hint })

/** A user name that is malformed, or not allowed here. */
export const invalidUsername = (name: string, hint?: string): ServiceError<'TInvalidUsername'> =>
  new ServiceError('TInvalidUsername', { name }, { hint })

/** The database cannot be reached or cannot write, or nobody knows whether it did what it was asked; or no room is left. */
export const unavailable = (cause: unknown): ServiceError<'ServiceUnavailable'> =>
  new ServiceError('ServiceUnavailable', {}, { cause })
