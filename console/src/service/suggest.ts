/** Calls `GET /search/suggest`, with exact numbers. */
import { parseExact, type ExactNumber } from '../../../packages/client/json.ts'
import { toNumber, type Cell } from '../../../common/values.ts'
import type { Client } from '../../../packages/client/client.ts'
import { client } from './service.ts'

/** A tag or a namespace whose path contains a text. */
export interface PathSuggestion {
  readonly kind: 'tag' | 'namespace'
  readonly path: string
  /** The number of values of the tag, or of entries directly in the namespace. */
  readonly count: number
  /** If false, a tag has at most that many values, and a namespace has more entries. */
  readonly exact: boolean
}

/** A value of a tag. */
export interface ValueSuggestion {
  readonly value: Cell
  /** The number of objects with it. */
  readonly count: number
  /** If false, there are more. */
  readonly exact: boolean
}

/** The suggestions, the best first. */
interface Suggested<S> {
  readonly found: readonly S[]
  /** Whether these are all. */
  readonly complete: boolean
}

/** The options of a request: the most suggestions, and the client. */
interface Asking {
  readonly limit?: number
  readonly by?: Client
}

/** The number of suggestions while a user types. */
const LIMIT = 10
/** The most suggestions that the service gives at once. */
export const MOST = 100

/** Tags and namespaces whose paths contain a text. Throws a `ServiceError`. */
export const suggestPaths = (
  text: string,
  signal?: AbortSignal,
  asking?: Asking,
): Promise<Suggested<PathSuggestion>> => suggest({ text }, signal, asking)

/** The most frequent values of a tag, of those that begin with a text. Throws a `ServiceError`. */
export const suggestValues = async (
  tag: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly ValueSuggestion[]> => (await suggest<ValueSuggestion>({ text, tag }, signal)).found

/** The service refuses longer texts, and they complete nothing. */
const LONGEST = 512

async function suggest<S extends { readonly count: number }>(
  asked: { readonly text: string; readonly tag?: string },
  signal?: AbortSignal,
  { limit = LIMIT, by = client() }: Asking = {},
): Promise<Suggested<S>> {
  if (asked.text.length > LONGEST) return { found: [], complete: true }
  const { data } = await by.GET('/search/suggest', {
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
