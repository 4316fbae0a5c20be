/**
 * Reads what a request prefers: from the header `Prefer`, or from query arguments for clients that cannot send the
 * header. Code, example, dynamic and seed have the names of Prism.
 */
import type { IncomingMessage } from 'node:http'
import { badRequest } from '../src/model/errors.ts'
import { parseQueryString, singleValue } from '../src/http/request/arguments.ts'
import type { ContractOperation } from '../src/http/contract/contract.ts'

/** The preferences that select an answer of the contract. With the same `seed`, `dynamic` makes up the same answer. */
const OF_ANSWERS = ['code', 'example', 'dynamic', 'seed'] as const
const NAMES = [...OF_ANSWERS, 'delay', 'cut'] as const

/** The preferences of a request. */
export type Preference = Readonly<Partial<Record<(typeof NAMES)[number], string>>>

/** A named answer in the contract. */
interface NamedExample {
  readonly name: string
  readonly code: string
  /** The content type of a success; undefined for an error, whose name is its class. */
  readonly mediaType: string | undefined
}

interface Media {
  readonly examples?: Readonly<Record<string, unknown>>
}

/** The named answers of an operation: the named examples of successes, and the classes of errors. */
function namedExamples(operation: ContractOperation): NamedExample[] {
  const { responses, 'x-error-classes': classes = {} } = operation
  const successes = Object.entries(responses).flatMap(([code, { content = {} }]) =>
    Object.entries(content).flatMap(([mediaType, media]) =>
      Object.keys((media as Media).examples ?? {}).map((name) => ({ name, code, mediaType })),
    ),
  )
  const errors = Object.entries(classes).flatMap(([code, names]) =>
    names.map((name) => ({ name, code, mediaType: undefined })),
  )
  return [...successes, ...errors]
}

/** The preferred named answer. */
export const findNamed = (
  operation: ContractOperation,
  { example, code }: Preference,
): NamedExample | undefined =>
  namedExamples(operation).find(
    (named) => named.name === example && (code === undefined || named.code === code),
  )

/** Returns whether the preferred answer is a success with a body. */
export const prefersSuccess = (operation: ContractOperation, preference: Preference): boolean =>
  (findNamed(operation, preference)?.code ?? preference.code ?? '200').startsWith('2')

/** Returns whether an answer of the contract is preferred. */
export const prefersExample = (preference: Preference): boolean =>
  OF_ANSWERS.some((name) => name in preference)

/** The longest delay, in milliseconds. */
export const MOST_DELAY_MS = 60_000
export const CUTS = ['headers', 'body'] as const

/** The preferences of a request. The header takes precedence, as in Prism. Throws `TBadRequest` for faulty ones. */
export function readPreference({ headers, url = '' }: IncomingMessage): Preference {
  const { prefer } = headers
  const preference = typeof prefer === 'string' ? inHeader(prefer) : inArguments(url)
  const { dynamic = 'false', delay = '0', cut = 'body' } = preference
  if (!BOOLEANS.includes(dynamic)) throw unknown('dynamic', dynamic, BOOLEANS)
  if (!/^\d{1,5}$/.test(delay) || Number(delay) > MOST_DELAY_MS) {
    throw badRequest(`the delay is a whole number of milliseconds up to ${MOST_DELAY_MS}, not '${delay}'`)
  }
  if (!CUTS.some((one) => one === cut)) throw unknown('cut', cut, CUTS)
  return preference
}

/** Throws `TBadRequest` for a preferred answer that the operation does not have. */
export function checkPreference({ code, example }: Preference, operation: ContractOperation): void {
  const codes = Object.keys(operation.responses)
  if (code !== undefined && !codes.includes(code)) throw unknown('code', code, codes)
  const names = namedExamples(operation)
    .filter((named) => code === undefined || named.code === code)
    .map(({ name }) => name)
  if (example !== undefined && !names.includes(example)) throw unknown('example', example, names)
}

const BOOLEANS = ['true', 'false']

function inArguments(url: string): Preference {
  const args = parseQueryString(url.split('?').slice(1).join('?'))
  return Object.fromEntries(
    NAMES.map((name) => [name, singleValue(args, `__${name}`)]).filter(([, value]) => value !== undefined),
  ) as Preference
}

const inHeader = (header: string): Preference =>
  Object.fromEntries(
    header
      .split(/[,;]/)
      .filter((part) => part.includes('='))
      .map((part) => part.split('='))
      .map(([name, ...value]) => [
        name?.trim().toLowerCase(),
        value.join('=').trim().replace(/^"/, '').replace(/"$/, ''),
      ])
      // The mock ignores all other preferences.
      .filter(([name]) => (NAMES as readonly (string | undefined)[]).includes(name)),
  ) as Preference

const unknown = (what: string, value: string, known: readonly string[]) =>
  badRequest(
    `the mock has no ${what} '${value}' here; ${known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`}`,
  )
