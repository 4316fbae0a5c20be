/** Explains errors of the service, for the command and the console. This module does no input or output. */
import { ERRORS, sentenceAndRemedy, type ErrorClass, type Fact } from '../src/model/errors.ts'
import type { ServiceError } from '../packages/client/service-error.ts'

/** Two sentences, without capitals and full stops. */
export interface Explanation {
  readonly what: string
  readonly remedy: string
}

/**
 * Remedies that only one program can give (which command or button to use). They replace those of the table of errors.
 */
export type Hints = Readonly<Partial<Record<ErrorClass, string>>>

/** The facts of an example, by the names of the facts. */
const EXAMPLE: Readonly<Record<Fact, string>> = {
  action: 'read',
  argument: 'limit',
  category: 'tag-values',
  fieldname: 'description',
  message: '',
  name: 'alice',
  path: 'alice/books/rating',
  query: 'has alice/books/rating',
}

/** Explains a class without a request, by an example. */
export function explainClass(errorClass: ErrorClass, hints: Hints): Explanation {
  const [what, remedy] = sentenceAndRemedy(errorClass, EXAMPLE)
  return { what, remedy: hints[errorClass] ?? remedy }
}

/** Explains an error answer. A hint of the service about this request takes precedence over `hints`. */
export function explain(error: ServiceError, hints: Hints): Explanation {
  const { status, message } = error
  const errorClass = classOf(error)
  if (errorClass === undefined) {
    return {
      what: `the answer has the status ${status}, and no error class: ${message}`,
      remedy: 'it may come from something in front of the service: look at the URL and at proxies',
    }
  }
  const [usual, remedy] = sentenceAndRemedy(errorClass, error.facts)
  const ours = hints[errorClass] ?? remedy
  if (!message.startsWith(`${usual}: `)) {
    return { what: errorClass === 'WrongCredentials' ? usual : message, remedy: ours }
  }
  const hint = message.slice(usual.length + 2)
  return { what: usual, remedy: hint === remedy ? ours : hint }
}

/** The class of an error answer. Only the answer for wrong credentials has no class. */
export function classOf({ status, errorClass }: ServiceError): ErrorClass | undefined {
  if (errorClass !== undefined) return isClass(errorClass) ? errorClass : undefined
  return status === ERRORS.WrongCredentials.status ? 'WrongCredentials' : undefined
}

export const isClass = (name: string): name is ErrorClass => Object.hasOwn(ERRORS, name)
