/**
 * Reads which answer of an operation a request prefers: from the header `Prefer`, or from Prism's query arguments for
 * clients that cannot send the header.
 */
import { badRequest } from '../src/model/errors.ts'
import { singleValue } from '../src/http/request/arguments.ts'
import type { ContractOperation } from '../src/http/contract/contract.ts'
import type { Incoming } from '../src/http/request/request.ts'

/** The supported preferences. With the same `seed`, `dynamic` generates the same answer each time. */
const NAMES = ['code', 'example', 'dynamic', 'seed'] as const

/** The preferences of a request, with the names of Prism and of the contract. */
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

/**
 * The preferences of a request. The header takes precedence, as in Prism. Throws `TBadRequest` for an answer that the
 * operation does not have.
 */
export function readPreference(incoming: Incoming, operation: ContractOperation): Preference {
  const header = incoming.header('prefer')
  const preference = header === undefined ? inArguments(incoming) : inHeader(header)
  const { code, example, dynamic = 'false' } = preference
  const codes = Object.keys(operation.responses)
  if (code !== undefined && !codes.includes(code)) throw unknown('code', code, codes)
  const names = namedExamples(operation)
    .filter((named) => code === undefined || named.code === code)
    .map(({ name }) => name)
  if (example !== undefined && !names.includes(example)) throw unknown('example', example, names)
  if (!BOOLEANS.includes(dynamic)) throw unknown('dynamic', dynamic, BOOLEANS)
  return preference
}

const BOOLEANS = ['true', 'false']

const inArguments = ({ args }: Incoming): Preference =>
  Object.fromEntries(
    NAMES.map((name) => [name, singleValue(args, `__${name}`)]).filter(([, value]) => value !== undefined),
  ) as Preference

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
