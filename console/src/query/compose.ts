/** Composes queries. */
import { isNumber, cellText, type Cell } from '../../../common/values.ts'

/** A string of the query language. */
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** A value in the syntax of a query; undefined for lists and opaque values, with which no condition compares. */
export function literal(cell: Cell): string | undefined {
  if (typeof cell === 'string') return quoted(cell)
  return cell === null || typeof cell === 'boolean' || isNumber(cell) ? cellText(cell) : undefined
}

/** The condition for objects with an equal value; undefined if no condition finds the value. */
export function equals(tag: string, cell: Cell): string | undefined {
  const written = literal(cell)
  return written && `${tag} = ${written}`
}

/** The query for objects that match both queries. */
export function both(query: string, condition: string): string {
  const [one, other] = [query.trim(), condition.trim()]
  if (one === '' || one === other) return other
  // `and` binds tighter than `or`.
  return `${hasOr(one) ? `(${one})` : one} and ${hasOr(other) ? `(${other})` : other}`
}

/** Returns whether `or` occurs outside strings. It may also be part of a path; parentheses then do no harm. */
const hasOr = (query: string): boolean => /\bor\b/i.test(query.replace(/"(?:\\.|[^"\\])*"?/gs, '""'))
