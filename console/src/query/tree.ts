/**
 * Converts the text of a query to the builder's tree and back: conditions, and groups of any number of parts with one
 * operator.
 */
import type { Combination, Comparator, QueryNode } from '../../../src/query/ast.ts'
import { quoted } from './compose.ts'
import { readText } from './reading.ts'

export type Operator = 'has' | Comparator | 'matches' | 'contains'

/** The operand of a condition: the text of a string, or a number, true, false or null in the syntax of a query. */
export interface Operand {
  readonly type: 'text' | 'number' | 'constant'
  readonly text: string
}

/** A condition on a tag; with `has`, the operand has no meaning. */
export interface Condition {
  readonly tag: string
  readonly operator: Operator
  readonly operand: Operand
}

export type Join = Combination['kind']

/**
 * A group that finds objects with all parts (`and`), with any part (`or`), or with the first part and none of the others
 * (`except`).
 */
export interface Group {
  readonly join: Join
  readonly parts: readonly Part[]
}

export type Part = Condition | Group

export const NO_OPERAND: Operand = { type: 'text', text: '' }

export const isGroup = (part: Part): part is Group => 'join' in part

/** The tree of a text; undefined if the text is not a query. */
export function treeOf(text: string): Part | undefined {
  const reading = readText(text)
  return 'root' in reading ? partOf(reading.root, text) : undefined
}

function partOf(node: QueryNode, text: string): Part {
  if ('left' in node) {
    return { join: node.kind, parts: operandsOf(node).map((operand) => partOf(operand, text)) }
  }
  if (node.kind === 'id') {
    return { tag: 'service/id', operator: '=', operand: { type: 'text', text: node.id } }
  }
  const { path: tag } = node
  if (node.kind === 'has') return { tag, operator: 'has', operand: NO_OPERAND }
  if (node.kind !== 'compare') {
    return { tag, operator: node.kind, operand: { type: 'text', text: node.text } }
  }
  const { op: operator, operand } = node
  if (operand.type === 'string') return { tag, operator, operand: { type: 'text', text: operand.value } }
  const written = text.slice(operand.start, operand.end)
  const isNumber = operand.type === 'int' || operand.type === 'float'
  return {
    tag,
    operator,
    operand: isNumber ? { type: 'number', text: written } : { type: 'constant', text: written.toLowerCase() },
  }
}

/** The parts of `a and b and c`. A part in parentheses is a group of its own, because the user has written it so. */
function operandsOf(node: Combination): readonly QueryNode[] {
  const operands = [node.right]
  let { left } = node
  while ('left' in left && left.kind === node.kind && left.start === left.left.start) {
    operands.push(left.right)
    left = left.left
  }
  return [...operands, left].reverse()
}

const STRENGTHS: Readonly<Record<Join, number>> = { or: 1, and: 2, except: 3 }

/** The text of the complete parts of a tree; empty if there are none. */
export function queryText(tree: Part): string {
  const part = finished(tree)
  return part === undefined ? '' : written(part)
}

function written(part: Part): string {
  if (!isGroup(part)) return conditionText(part)
  const { join, parts } = part
  return parts
    .map((one) =>
      isGroup(one) && STRENGTHS[one.join] <= STRENGTHS[join] ? `(${written(one)})` : written(one),
    )
    .join(` ${join} `)
}

/** The text of a condition. */
function conditionText({ tag, operator, operand }: Condition): string {
  if (operator === 'has') return `has ${tag}`
  return `${tag} ${operator} ${operand.type === 'text' ? quoted(operand.text) : operand.text}`
}

/** Returns whether a text is exactly one complete condition. */
export function isFinished(condition: Condition): boolean {
  const read = treeOf(conditionText(condition))
  return read !== undefined && !isGroup(read) && foldTag(read.tag) === foldTag(condition.tag)
}

/** The first name of a path is a user name, which is case-insensitive. */
const foldTag = (tag: string): string => tag.replace(/^[^/]+/, (user) => user.toLowerCase())

/** A tree without incomplete parts; undefined if no part remains. */
function finished(part: Part): Part | undefined {
  if (!isGroup(part)) return isFinished(part) ? part : undefined
  const all = part.parts.map(finished)
  // Without a first part, the query would ask for the parts that it should exclude.
  if (part.join === 'except' && all[0] === undefined) return undefined
  const parts = all.filter((one) => one !== undefined)
  return parts.length > 1 ? { join: part.join, parts } : parts[0]
}
