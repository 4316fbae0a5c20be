/** What `GET /search/suggest` answers, with numbers to the digit. */
import { parseExact, toNumber, type Cell, type ExactNumber } from '../../../command/manners/cells.ts'
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

/** So many are asked for. */
const LIMIT = 10

/** Tags and namespaces whose paths hold a text, the best first. Throws a `ServiceError`. */
export const suggestPaths = (text: string, signal?: AbortSignal): Promise<readonly PathSuggestion[]> =>
  suggest<PathSuggestion>({ text }, signal)

/** Values of a tag that begin with a text, or any, the most frequent first. Throws a `ServiceError`. */
export const suggestValues = (
  tag: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly ValueSuggestion[]> => suggest<ValueSuggestion>({ text, tag }, signal)

/** Longer texts complete nothing, and the service does not take them. */
const LONGEST = 512

async function suggest<S extends { readonly count: number }>(
  asked: { readonly text: string; readonly tag?: string },
  signal?: AbortSignal,
): Promise<readonly S[]> {
  if (asked.text.length > LONGEST) return []
  const { data = '{}' } = await client().GET('/search/suggest', {
    params: { query: { ...asked, limit: LIMIT } },
    parseAs: 'text',
    ...(signal && { signal }),
  })
  const { suggestions } = parseExact(data) as {
    suggestions: readonly (Omit<S, 'count'> & { readonly count: ExactNumber })[]
  }
  return suggestions.map((one) => ({ ...one, count: toNumber(one.count) }) as unknown as S)
}
