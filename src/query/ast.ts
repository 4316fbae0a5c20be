/** The tree of a query: its types, the constructors that the grammar calls, and functions that examine it. */
import { int64Of } from '../model/int64.ts'
import { Flaw, quote, type Token } from './lexer.ts'

/** Where a part is in the text of its query: UTF-16 offsets, `end` exclusive. */
interface Extent {
  start: number
  end: number
}

/** The operand of a comparison. */
export type Operand = Extent &
  (
    | { type: 'null' }
    | { type: 'boolean'; value: boolean }
    | { type: 'int'; value: bigint }
    | { type: 'float'; value: number }
    | { type: 'string'; value: string }
  )

/** `<`, `<=`, `>` and `>=` take only numbers and strings. */
export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>='

/** The objects in either operand (`or`), in both (`and`), or only in the left one (`except`). */
export interface Combination extends Extent {
  kind: 'or' | 'and' | 'except'
  left: QueryNode
  right: QueryNode
}

/** A condition on one tag. `path` has at least two components; the first is in lower case. */
export type TagCondition = Extent & { path: string } & (
    | { kind: 'has' }
    | { kind: 'compare'; op: Comparator; operand: Operand }
    | { kind: 'matches'; text: string }
    | { kind: 'contains'; text: string }
  )

/** The one object with this id, which is in lower case, whether or not anything is known about that object. */
export interface IdCondition extends Extent {
  kind: 'id'
  id: string
}

/** The tree of a query or of part of one. It can be 1,000 levels deep on its left side. */
export type QueryNode = Combination | TagCondition | IdCondition

/** A query: its text, and the tree parsed from it. */
export interface Query {
  readonly text: string
  readonly root: QueryNode
}

/** The virtual tag that a query can only compare with a UUID. */
export const ID_PATH = 'service/id'
/** The tag of about values. */
export const ABOUT_PATH = 'service/about'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** How many characters a UUID has between its quotes, with them. */
const QUOTED_UUID_LENGTH = 38

const endOf = (token: Token): number => token.offset + token.text.length
const extentOf = (token: Token): Extent => ({ start: token.offset, end: endOf(token) })

/** `left or right`, and so on. */
export function combine(kind: Combination['kind'], left: QueryNode, right: QueryNode): Combination {
  return { kind, left, right, start: left.start, end: right.end }
}

/** A query in parentheses, which become part of its text. */
export function group(open: Token, node: QueryNode, close: Token): QueryNode {
  return { ...node, start: open.offset, end: endOf(close) }
}

/** `has path`. */
export function has(keyword: Token, path: Token): QueryNode {
  return { kind: 'has', path: path.value, start: keyword.offset, end: endOf(path) }
}

/** `path op operand`; a comparison with `service/id` that asks for one object becomes an `IdCondition`. */
export const compare = (path: Token, op: Token, operand: Operand): QueryNode =>
  comparison({ path: path.value, op: op.text as Comparator, start: path.offset }, operand)

/** The part of a comparison before its operand. */
interface Compared {
  readonly path: string
  readonly op: Comparator
  readonly start: number
}

function comparison({ path, op, start }: Compared, operand: Operand): QueryNode {
  const extent = { start, end: operand.end }
  if (path === ID_PATH && op === '=' && operand.type === 'string' && UUID.test(operand.value)) {
    return { kind: 'id', id: operand.value.toLowerCase(), ...extent }
  }
  return { kind: 'compare', path, op, operand, ...extent }
}

/**
 * The query `text`, if it differs from `before` only in the string that both end in and that `before` compares a tag with,
 * and nothing is escaped there; else undefined.
 */
export function withOtherString(before: Query, text: string): Query | undefined {
  const compared = comparedString(before)
  if (compared === undefined) return undefined
  const from = compared.at + 1
  const isAlike = text.slice(0, from) === before.text.slice(0, from) && !text.includes('\\', from)
  if (!isAlike || text.indexOf('"', from) !== text.length - 1) return undefined
  const operand = {
    type: 'string',
    value: text.slice(from, -1),
    start: compared.at,
    end: text.length,
  } as const
  return { text, root: comparison(compared, operand) }
}

/** The comparison with the string in which a query ends, and the place where that string begins. */
function comparedString({ text, root }: Query): (Compared & { readonly at: number }) | undefined {
  if (root.end !== text.length || !text.endsWith('"')) return undefined
  if (root.kind === 'id')
    return { path: ID_PATH, op: '=', start: root.start, at: root.end - QUOTED_UUID_LENGTH }
  if (root.kind !== 'compare' || root.operand.type !== 'string') return undefined
  return { ...root, at: root.operand.start }
}

/** `path matches text`. */
export function matches(path: Token, text: Token): QueryNode {
  return { kind: 'matches', path: path.value, text: text.value, start: path.offset, end: endOf(text) }
}

/** `path contains text`. */
export function contains(path: Token, text: Token): QueryNode {
  return { kind: 'contains', path: path.value, text: text.value, start: path.offset, end: endOf(text) }
}

/**
 * An int or, with a fraction or an exponent, a float. Throws a `Flaw` for numbers beyond 64 bits or beyond a double.
 */
export function number(token: Token): Operand {
  const { text } = token
  const extent = extentOf(token)
  if (/[.e]/i.test(text)) {
    const value = Number(text)
    if (Number.isFinite(value)) return { type: 'float', value, ...extent }
  } else {
    const value = int64Of(text)
    if (value !== undefined) return { type: 'int', value, ...extent }
  }
  throw new Flaw(token.offset, `the number ${quote(text)} is out of range`)
}

/** A string; the lexer has already unescaped it. */
export function string(token: Token): Operand {
  return { type: 'string', value: token.value, ...extentOf(token) }
}

/** `true`, `false` or `null`, in any letter case. */
export function constant(token: Token): Operand {
  const word = token.text.toLowerCase()
  if (word === 'null') return { type: 'null', ...extentOf(token) }
  return { type: 'boolean', value: word === 'true', ...extentOf(token) }
}

/** The conditions of a tree, in source order. */
export function conditionsOf(root: QueryNode): (TagCondition | IdCondition)[] {
  const conditions: (TagCondition | IdCondition)[] = []
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ('left' in node) pending.push(node.right, node.left)
    else conditions.push(node)
  }
  return conditions
}

/** A node with the places of its operands in a list of nodes. */
export type Outlined =
  | { readonly node: TagCondition | IdCondition }
  | { readonly node: Combination; readonly left: number; readonly right: number }

/** All nodes of a tree: each combination is followed by its left operand and all that is in it, then by its right one. */
export function outlineOf(root: QueryNode): Outlined[] {
  const nodes: QueryNode[] = []
  const rights = new Map<QueryNode, number>()
  const pending: { readonly node: QueryNode; readonly of?: QueryNode }[] = [{ node: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, of } = next
    if (of !== undefined) rights.set(of, nodes.length)
    nodes.push(node)
    if ('left' in node) pending.push({ node: node.right, of: node }, { node: node.left })
  }
  return nodes.map((node, at) =>
    'left' in node ? { node, left: at + 1, right: rights.get(node) as number } : { node },
  )
}

/** The distinct paths of the tags that a query uses, in order of first appearance. */
export function pathsOf({ root }: Query): string[] {
  return [
    ...new Set(conditionsOf(root).flatMap((condition) => (condition.kind === 'id' ? [] : [condition.path]))),
  ]
}

/** The about value, if the whole query is `service/about = "…"`. */
export function aboutOf({ root }: Query): string | undefined {
  if (root.kind !== 'compare' || root.path !== ABOUT_PATH || root.op !== '=') return undefined
  return root.operand.type === 'string' ? root.operand.value : undefined
}

/** The source of `part` in the query, including its parentheses. */
export const sourceText = (part: Extent, { text }: Query): string => text.slice(part.start, part.end)
