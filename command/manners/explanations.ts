/** What each class of errors means to somebody who uses the command: what happened, and what to do. */
import { ERRORS, shown, type ErrorClass, type Fact } from '../../src/errors.ts'
import type { ServiceError } from '../../packages/client/index.ts'

/** Two lines. */
export interface Explanation {
  readonly what: string
  readonly remedy: string
}

/** The classes of which every answer has a sentence of its own, and what is true of all. */
const IN_GENERAL = {
  MalformedPayload: ['the body cannot be read', 'correct the body: gloss --verbose shows it'],
  TParseError: ['the query cannot be read', 'correct the query; /docs of the service describes the language'],
  TBadRequest: ['the service does not allow this request', 'correct it; /docs of the service describes it'],
} as const

/** What to do for somebody who uses the command, which the service cannot know. */
const REMEDIES: Readonly<Partial<Record<ErrorClass, string>>> = {
  NoSuchObject: 'check its spelling, or make the object with gloss tag',
  TNonexistentNamespace: 'check its spelling: gloss ls shows what there is',
  TNonexistentTag: 'check its spelling: gloss ls shows what there is; gloss tag makes a new one',
  TNoInstanceOnObject: 'write one with gloss tag, or ask for another tag',
  TPathPermissionDenied:
    'sign in as somebody who is (gloss login), or ask whoever controls it, who sees it by gloss perms who',
  TUnauthorized: 'sign in: gloss login, or --as USER',
  WrongCredentials: 'check the user name and the password: gloss login keeps new ones',
  TooManyObjects: 'add conditions to the query',
  QueryTooCostly: 'add conditions that few objects meet',
  TPreconditionFailed: 'it was changed meanwhile: read it again, then retry',
}

/** What a class says of any request, with the facts in capitals. */
export function explainClass(errorClass: ErrorClass): Explanation {
  const { facts } = ERRORS[errorClass]
  const { what, remedy } = said(
    errorClass,
    Object.fromEntries(facts.map((fact) => [fact, fact.toUpperCase()])),
  )
  return { what: generalOf(errorClass)?.[0] ?? what, remedy: REMEDIES[errorClass] ?? remedy }
}

/** What an answer of the service says. The service's own hint, which knows the request, comes before ours. */
export function explain(error: ServiceError): Explanation {
  const { status, message } = error
  const errorClass = classOf(error)
  if (errorClass === undefined) {
    return {
      what: `the answer has the status ${status}, and no error class: ${message}`,
      remedy: 'it may come from something in front of the service: look at the URL and at proxies',
    }
  }
  const usual = said(errorClass, { ...error.facts, message })
  const ours = REMEDIES[errorClass] ?? usual.remedy
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

const generalOf = (errorClass: ErrorClass): readonly [string, string] | undefined =>
  Object.hasOwn(IN_GENERAL, errorClass) ? IN_GENERAL[errorClass as keyof typeof IN_GENERAL] : undefined

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
  if (typeof sentence === 'string') return { what: sentence, remedy: generalOf(errorClass)?.[1] ?? '' }
  const [what, remedy] = sentence
  return { what, remedy }
}
