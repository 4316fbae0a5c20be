/** What `GET /search/suggest` answers, with numbers to the digit. */
import { parseExact, type ExactNumber } from '../../../packages/client/json.ts'
import { toNumber, type Cell } from '../../../shared/values.ts'
import type { Client } from '../../../packages/client/client.ts'
import { client } from './service.ts'

/** A tag or a namespace whose path holds a text. */
export interface PathSuggestion {
  readonly kind: 'tag' | 'namespace'
  readonly path: string
  /** Values of the tag, or what is directly in the namespace. */
  readonly count: number
  /** If not, a tag has at most so many values, and a namespace holds more. */
  readonly exact: boolean
}

/** A value of a tag. */
export interface ValueSuggestion {
  readonly value: Cell
  /** Objects that have it. */
  readonly count: number
  /** If not, there are more. */
  readonly exact: boolean
}

/** What is suggested, the best first. */
interface Suggested<S> {
  readonly found: readonly S[]
  /** Whether these are all of them. */
  readonly complete: boolean
}

/** How it is asked: so many at most, and as whom. */
interface Asking {
  readonly limit?: number
  readonly by?: Client
}

/** So many are suggested to those who type. */
const LIMIT = 10
/** As many as the service suggests at once. */
export const MOST = 100

/** Tags and namespaces whose paths hold a text. Throws a `ServiceError`. */
export const suggestPaths = (
  text: string,
  signal?: AbortSignal,
  asking?: Asking,
): Promise<Suggested<PathSuggestion>> => suggest({ text }, signal, asking)

/** Values of a tag that begin with a text, or any, the most frequent first. Throws a `ServiceError`. */
export const suggestValues = async (
  tag: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly ValueSuggestion[]> => (await suggest<ValueSuggestion>({ text, tag }, signal)).found

/** Longer texts complete nothing, and the service does not take them. */
const LONGEST = 512

async function suggest<S extends { readonly count: number }>(
  asked: { readonly text: string; readonly tag?: string },
  signal?: AbortSignal,
  { limit = LIMIT, by = client() }: Asking = {},
): Promise<Suggested<S>> {
  if (asked.text.length > LONGEST) return { found: [], complete: true }
  const { data = '{}' } = await by.GET('/search/suggest', {
    params: { query: { ...asked, limit } },
    parseAs: 'text',
    ...(signal && { signal }),
  })
  const { suggestions, complete } = parseExact(data) as {
    suggestions: readonly (Omit<S, 'count'> & { readonly count: ExactNumber })[]
    complete: boolean
  }
  const found = suggestions.map((one) => ({ ...one, count: toNumber(one.count) }) as unknown as S)
  return { found, complete: complete && found.length < limit }
}
