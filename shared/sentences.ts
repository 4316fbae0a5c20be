/** What errors of the service mean, for the command and the console: pure. */
import { ERRORS, sentenceAndRemedy, type ErrorClass } from '../src/model/errors.ts'
/** What errors of the service mean, in the words of whoever shows them: pure, for the command and the console. */
/** What errors of the service mean, in the words of the program that shows them. */
import type { ServiceError } from '../packages/client/service-error.ts'

/** Two sentences, without capitals and full stops. */
export interface Explanation {
  readonly what: string
  readonly remedy: string
}

/** Remedies that only one program can give (what to type, what to click), in place of those of the table of errors. */
export type Hints = Readonly<Partial<Record<ErrorClass, string>>>

/** What a class says of any request, with the facts in capitals. */
export function explainClass(errorClass: ErrorClass, hints: Hints): Explanation {
  const facts = ERRORS[errorClass].facts.map((fact): [string, string] => [fact, fact.toUpperCase()])
  const [what, remedy] = sentenceAndRemedy(errorClass, Object.fromEntries(facts))
  return { what, remedy: hints[errorClass] ?? remedy }
}

/** What an answer of the service says. The service's own hint, which knows the request, comes before ours. */
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

/** The class of an answer. Only the one for wrong credentials does not say it. */
export function classOf({ status, errorClass }: ServiceError): ErrorClass | undefined {
  if (errorClass !== undefined) return isClass(errorClass) ? errorClass : undefined
  return status === ERRORS.WrongCredentials.status ? 'WrongCredentials' : undefined
}

export const isClass = (name: string): name is ErrorClass => Object.hasOwn(ERRORS, name)
