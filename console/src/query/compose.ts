/** Queries made of parts. */
import { isNumber, textOf, type Cell } from '../../../shared/values.ts'

/** A string of the query language. */
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** A value as queries write it; undefined for lists and opaque ones, which no condition compares with. */
export function literal(cell: Cell): string | undefined {
  if (typeof cell === 'string') return quoted(cell)
  return cell === null || typeof cell === 'boolean' || isNumber(cell) ? textOf(cell) : undefined
}

/** The condition that finds the objects with an equal value; undefined for values that no condition finds. */
export function equals(tag: string, cell: Cell): string | undefined {
  const written = literal(cell)
  return written && `${tag} = ${written}`
}

/** A query that finds what both find. */
export function both(query: string, condition: string): string {
  const [one, other] = [query.trim(), condition.trim()]
  if (one === '' || one === other) return other
  // `and` binds tighter than `or`.
  return `${hasOr(one) ? `(${one})` : one} and ${hasOr(other) ? `(${other})` : other}`
}

/** Whether `or` stands outside strings. A path may have such a name too: parentheses change nothing then. */
const hasOr = (query: string): boolean => /\bor\b/i.test(query.replace(/"(?:\\.|[^"\\])*"?/gs, '""'))
