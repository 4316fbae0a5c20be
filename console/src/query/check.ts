/** Reads answers of `POST /search/check`: the number of matches of each condition, and the errors. */
import { once } from '../../../src/scheduling/once.ts'
import { parseExact, type ExactNumber } from '../../../packages/client/json.ts'
import { toNumber } from '../../../common/values.ts'
import { client } from '../service/service.ts'

/** The limit of the counts. */
export const COUNT_UP_TO = 10_000

/** A number of objects; there may be more if it is not `exact`. */
export interface Count {
  readonly count: number | undefined
  readonly exact: boolean
}

/** A condition, its position in the text, and its error. */
export interface CheckedCondition extends Count {
  readonly start: number
  readonly end: number
  readonly error: string | undefined
}

/** A checked query. */
export interface Checked {
  /** The text of the query. */
  readonly query: string
  readonly whole: Count
  readonly conditions: readonly CheckedCondition[]
  /** The error, if the service cannot parse the text. */
  readonly error: string | undefined
  /** The duration in milliseconds. */
  readonly took: number
}

interface RawNode {
  readonly kind: 'condition' | 'combination'
  readonly start: ExactNumber
  readonly end: ExactNumber
  readonly count?: ExactNumber
  readonly exact?: boolean
  readonly error?: { readonly message: string }
}

/** Checks a query. Throws a `ServiceError`. */
export async function checkQuery(query: string, signal: AbortSignal): Promise<Checked> {
  const from = performance.now()
  const { data } = await client().POST('/search/check', {
    body: { query, countUpTo: COUNT_UP_TO },
    parseAs: 'text',
    signal,
  })
  const { nodes, error } = parseExact(data) as {
    readonly nodes: readonly RawNode[]
    readonly error?: { readonly message: string }
  }
  const [root] = nodes
  return {
    query,
    whole: countOf(root),
    conditions: nodes
      .filter(({ kind }) => kind === 'condition')
      .map((node) => ({
        ...countOf(node),
        start: toNumber(node.start),
        end: toNumber(node.end),
        error: node.error?.message,
      })),
    error: error?.message,
    took: performance.now() - from,
  }
}

const countOf = (node: RawNode | undefined): Count => ({
  count: node?.count && toNumber(node.count),
  exact: node?.exact ?? false,
})

/** Formats a number of objects in words. */
export function countText({ count, exact }: Count): string {
  if (count === undefined) return 'not counted'
  return `${exact ? '' : 'at least '}${count.toLocaleString('en')}`
}

/** The most conditions on a line. */
const SHOWN = 6

/** The result of a check on one line: "2 conditions: 134,901 and 347 → 347 objects". */
export function summaryOf({ whole, conditions }: Checked): string {
  const wrong = conditions.filter(({ error }) => error !== undefined).length
  if (wrong > 0) return wrong === 1 ? 'One condition has an error' : `${wrong} conditions have errors`
  const objects = `${countText(whole)}${whole.count === undefined ? '' : whole.count === 1 ? ' object' : ' objects'}`
  return sentence(conditions.length < 2 ? objects : `${eachOf(conditions)} → ${objects}`)
}

const listed = once(() => new Intl.ListFormat('en-GB'))

/** The counts of several conditions: "2 conditions: 134,901 and 347". */
export function eachOf(conditions: readonly Count[]): string {
  const many = `${conditions.length} conditions`
  if (conditions.length > SHOWN) return many
  return `${many}: ${listed().format(conditions.map(countText))}`
}

/** Capitalizes the first letter of a text. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
