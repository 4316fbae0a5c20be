/** A query as the builder has it, from its text and back: conditions, and groups that join any number of parts in one way. */
import type { Combination, Comparator, QueryNode } from '../../../src/query/ast.ts'
import { quoted } from './compose.ts'
import { readText } from './reading.ts'

export type Operator = 'has' | Comparator | 'matches' | 'contains'

/** What a condition compares with: the text of a string, or a number, true, false or null as queries write them. */
export interface Operand {
  readonly type: 'text' | 'number' | 'constant'
  readonly text: string
}

/** A condition on a tag; with `has`, the operand says nothing. */
export interface Condition {
  readonly tag: string
  readonly operator: Operator
  readonly operand: Operand
}

export type Join = Combination['kind']

/** Parts of which all (`and`), any (`or`), or the first without the others (`except`) are wanted. */
export interface Group {
  readonly join: Join
  readonly parts: readonly Part[]
}

export type Part = Condition | Group

export const NO_OPERAND: Operand = { type: 'text', text: '' }

export const isGroup = (part: Part): part is Group => 'join' in part

/** The tree of a text; undefined if that is no query. */
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

/** The parts of `a and b and c`. One in parentheses is a part by itself: somebody has put it together. */
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

/** The text of all that is finished of a tree; empty if nothing is. */
export function textOf(tree: Part): string {
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

/** The condition as a query. */
function conditionText({ tag, operator, operand }: Condition): string {
  if (operator === 'has') return `has ${tag}`
  return `${tag} ${operator} ${operand.type === 'text' ? quoted(operand.text) : operand.text}`
}

/** Whether a condition says something by itself, and nothing else. */
export function isFinished(condition: Condition): boolean {
  const read = treeOf(conditionText(condition))
  return read !== undefined && !isGroup(read) && foldTag(read.tag) === foldTag(condition.tag)
}

/** The first name of a path is a user name, in any letter case. */
const foldTag = (tag: string): string => tag.replace(/^[^/]+/, (user) => user.toLowerCase())

/** A tree without what is not finished; undefined if nothing is left. */
function finished(part: Part): Part | undefined {
  if (!isGroup(part)) return isFinished(part) ? part : undefined
  const all = part.parts.map(finished)
  // What is left out would be asked for if there were nothing to leave it out of.
  if (part.join === 'except' && all[0] === undefined) return undefined
  const parts = all.filter((one) => one !== undefined)
  return parts.length > 1 ? { join: part.join, parts } : parts[0]
}
