/** Finds the errors of a query, or its conditions without matches, in an answer of `POST /search/check`. */
import type { Schemas } from '../../../packages/client/contract.ts'

export type CheckedNode = Schemas['CheckedNode']
type CheckedQuery = Schemas['CheckedQuery']

/** A range of a query, as UTF-16 offsets. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** An error in a query, and its range. */
export interface Fault extends Extent {
  readonly message: string
  readonly errorClass: string
  /** The path of the missing tag. */
  readonly missing: string | undefined
}

/** All errors of a query. */
export function faultsOf(query: string, { nodes, error }: CheckedQuery): Fault[] {
  if (error !== undefined) return [syntaxFault(query, error)]
  return nodes.flatMap((node) => {
    if (node.kind !== 'condition' || node.error === undefined) return []
    const { class: errorClass, message, path } = node.error
    const at = path === undefined ? -1 : query.toLowerCase().indexOf(path.toLowerCase(), node.start)
    const place = at < 0 ? node : { start: at, end: at + (path ?? '').length }
    const missing = errorClass === 'TNonexistentTag' ? path : undefined
    return [{ start: place.start, end: place.end, message, errorClass, missing }]
  })
}

/** The token at a syntax error. The range replaces the line and column at the beginning of the sentence. */
function syntaxFault(
  query: string,
  { class: errorClass, message, offset = 0 }: Schemas['QueryFault'],
): Fault {
  const [token = ''] = /^(?:"(?:\\.|[^"\\])*"?|[^\s()"]+|.)?/su.exec(query.slice(offset)) ?? []
  const sentence = message.replace(/^line \d+, column \d+: /, '')
  return { start: offset, end: offset + token.length, message: sentence, errorClass, missing: undefined }
}

/** A part of a query that no object matches, and the query without it, if that is still a meaningful query. */
export interface Barren extends Extent {
  /** Whether the part alone has no matches. */
  readonly isEmpty: boolean
  readonly without: string | undefined
}

/**
 * The reasons why a query has no matches: the conditions that no object matches; or, if each has matches, the operands of
 * the smallest combination without matches.
 */
export function barrenOf(query: string, nodes: readonly CheckedNode[]): Barren[] {
  const isEmpty = ({ count, exact }: CheckedNode): boolean => count === 0 && exact === true
  const conditions = [...nodes.keys()].filter(
    (at) => nodes[at]?.kind === 'condition' && isOf(nodes, at, isEmpty),
  )
  // Later nodes are smaller.
  const smallest = [...nodes.keys()].findLast((at) => isOf(nodes, at, isEmpty))
  const node = smallest === undefined ? undefined : nodes[smallest]
  const parts = conditions.length > 0 || node?.kind !== 'combination' ? conditions : [node.left, node.right]
  return parts.flatMap((at) => {
    const part = nodes[at]
    if (part === undefined) return []
    const { start, end } = part
    return [{ start, end, isEmpty: isEmpty(part), without: without(query, nodes, at) }]
  })
}

const isOf = (nodes: readonly CheckedNode[], at: number, is: (node: CheckedNode) => boolean): boolean => {
  const node = nodes[at]
  return node !== undefined && is(node)
}

/** The query without one operand; undefined for the whole query, and for the left operand of `except`. */
export function without(query: string, nodes: readonly CheckedNode[], at: number): string | undefined {
  const parent = nodes.find((node) => node.kind === 'combination' && (node.left === at || node.right === at))
  if (parent?.kind !== 'combination') return undefined
  if (parent.operator === 'except' && parent.left === at) return undefined
  const rest = nodes[parent.left === at ? parent.right : parent.left]
  if (rest === undefined) return undefined
  const text = query.slice(rest.start, rest.end)
  const isOpen = rest.kind === 'combination' && !isGroup(nodes, rest)
  const kept = isOpen && isGroup(nodes, parent) ? `(${text})` : text
  return query.slice(0, parent.start) + kept + query.slice(parent.end)
}

/** Returns whether a combination is in parentheses. */
const isGroup = (nodes: readonly CheckedNode[], node: CheckedNode & { kind: 'combination' }): boolean =>
  node.start < (nodes[node.left]?.start ?? 0)
