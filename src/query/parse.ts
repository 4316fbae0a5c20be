/** Turns the text of a query into its tree, or into an error that says where the text goes wrong. */
import { badRequest, ServiceError } from '../model/errors.ts'
import {
  ABOUT_PATH,
  conditionsOf,
  ID_PATH,
  type IdCondition,
  type Query,
  type TagCondition,
  withOtherString,
} from './ast.ts'
import { Flaw, QUERY_LIMITS, type QueryLimits } from './lexer.ts'
import { read } from './read.ts'
import { foldToTooMany, hasWord } from '../model/words.ts'

/**
 * Parses a query. Throws `TParseError`, with a message that names the line and the column (both from 1, the column in
 * code points), and `TBadRequest` for queries that are illegal because they would match too much.
 */
export function parseQuery(text: string, limits: QueryLimits = QUERY_LIMITS): Query {
  const query = readQuery(text, limits)
  if ('error' in query) throw query.error
  return legal(query)
}

/**
 * Parses a query as `parseQuery` does. `before` is one that was parsed with the same limits: loads consist of queries that
 * differ only in a string or in nothing, and the others need not be read token by token.
 */
export function parseQueryAfter(before: Query | undefined, text: string, limits: QueryLimits): Query {
  if (before?.text === text) return before
  const alike = before && withOtherString(before, text)
  return alike === undefined || isTooLong(text, limits) || looksForTooMuch(alike)
    ? parseQuery(text, limits)
    : legal(alike)
}

/** The query, if it is not illegal. */
function legal(query: Query): Query {
  const illegal = conditionsOf(query.root).flatMap((condition) => illegalityOf(condition, query) ?? [])
  const first = illegal.find(({ errorClass }) => errorClass === 'TParseError') ?? illegal[0]
  if (first !== undefined) throw first
  return query
}

const isTooLong = (text: string, { bytes }: QueryLimits): boolean => Buffer.byteLength(text) > bytes

/** Whether folding makes more of the texts after `matches` than is cut into words at once: `ﷺ` alone becomes 18 characters. */
const looksForTooMuch = ({ root }: Query): boolean =>
  foldToTooMany(
    conditionsOf(root).flatMap((condition) => (condition.kind === 'matches' ? [condition.text] : [])),
  )

/** Where a text stops being a query, as an offset in UTF-16 code units, and the `TParseError` that says so. */
export interface Unreadable {
  readonly offset: number
  readonly error: ServiceError
}

/** Parses a text that may be no query; what is read may be illegal (`illegalityOf`). */
export function readQuery(text: string, limits: QueryLimits): Query | Unreadable {
  try {
    if (isTooLong(text, limits)) throw new Flaw(0, `the query is longer than ${limits.bytes} bytes`)
    const query = { text, root: read(text, limits) }
    if (looksForTooMuch(query)) {
      throw new Flaw(0, 'the texts after matches are too long when their characters are written out')
    }
    return query
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    return { offset: error.offset, error: parseError(text, error) }
  }
}

const parseError = (text: string, { offset, message }: Flaw): ServiceError =>
  new ServiceError('TParseError', { query: text, message: `${place(text, offset)}: ${message}` })

/** The error about a condition that is not allowed on any tag; undefined for all others. */
export function illegalityOf(
  condition: TagCondition | IdCondition,
  { text }: Query,
): ServiceError | undefined {
  if (condition.kind === 'id') return undefined
  if (condition.path === ID_PATH) {
    const message = `${ID_PATH} can only be compared with = to a UUID in double quotes`
    return parseError(text, new Flaw(condition.start, message))
  }
  if (!findsEveryAbout(condition)) return undefined
  return badRequest(
    `has ${ABOUT_PATH}, and ${ABOUT_PATH} matches a text without a word in it, find too many objects: name a word`,
  )
}

function findsEveryAbout(condition: TagCondition): boolean {
  if (condition.path !== ABOUT_PATH) return false
  return condition.kind === 'has' || (condition.kind === 'matches' && !hasWord(condition.text))
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n?|\n/u)
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
}
