/** What errors of the service mean, in the words of whoever shows them: pure, for the command and the console. */
/** What errors of the service mean, in the words of the program that shows them. */
import { ERRORS, shown, type ErrorClass, type Fact } from '../src/model/errors.ts'
import type { ServiceError } from '../packages/client/service-error.ts'

/** Two sentences, without capitals and full stops. */
export interface Explanation {
  readonly what: string
  readonly remedy: string
}

/** What the service cannot know of those who read its errors. */
export interface Words {
  /** What they can do, by class, in place of the service's remedy. */
  readonly remedies: Readonly<Partial<Record<ErrorClass, string>>>
  /** For the classes of which every answer has a sentence of its own: what is true of all, and what to do. */
  readonly general: Readonly<Partial<Record<ErrorClass, readonly [what: string, remedy: string]>>>
}

/** What a class says of any request, with the facts in capitals. */
export function explainClass(errorClass: ErrorClass, { remedies, general }: Words): Explanation {
  const facts = ERRORS[errorClass].facts.map((fact): [string, string] => [fact, fact.toUpperCase()])
  const { what, remedy } = said(errorClass, Object.fromEntries(facts))
  const [always, todo] = general[errorClass] ?? [what, remedy]
  return { what: always, remedy: remedies[errorClass] ?? todo }
}

/** What an answer of the service says. The service's own hint, which knows the request, comes before ours. */
export function explain(error: ServiceError, { remedies, general }: Words): Explanation {
  const { status, message } = error
  const errorClass = classOf(error)
  if (errorClass === undefined) {
    return {
      what: `the answer has the status ${status}, and no error class: ${message}`,
      remedy: 'it may come from something in front of the service: look at the URL and at proxies',
    }
  }
  const usual = said(errorClass, { ...error.facts, message })
  const ours = remedies[errorClass] ?? general[errorClass]?.[1] ?? usual.remedy
  if (message === usual.what || !message.startsWith(`${usual.what}: `)) {
    return { what: errorClass === 'WrongCredentials' ? usual.what : message, remedy: ours }
  }
  const hint = message.slice(usual.what.length + 2)
  return { what: usual.what, remedy: hint === usual.remedy ? ours : hint }
}

/** The class of an answer. Only the one for wrong credentials does not say it. */
export function classOf({ status, errorClass }: ServiceError): ErrorClass | undefined {
  if (errorClass !== undefined) return isClass(errorClass) ? errorClass : undefined
  return status === ERRORS.WrongCredentials.status ? 'WrongCredentials' : undefined
}

export const isClass = (name: string): name is ErrorClass => Object.hasOwn(ERRORS, name)

function said(errorClass: ErrorClass, facts: Readonly<Partial<Record<string, string>>>): Explanation {
  const texts = Object.entries(facts).map(([fact, text = '']) => [
    fact,
    fact === 'message' ? text : shown(text),
  ])
  // A class uses only the facts that all its answers have.
  const says = ERRORS[errorClass].says as (
    facts: Readonly<Record<Fact, string>>,
  ) => string | readonly [string, string]
  const sentence = says(Object.fromEntries(texts) as Record<Fact, string>)
  if (typeof sentence === 'string') return { what: sentence, remedy: '' }
  const [what, remedy] = sentence
  return { what, remedy }
}
