/** Determines what may follow at the caret in a query. */
import { tokensOf, type Token } from '../../../src/query/lexer.ts'
import { isNumber, type Cell } from '../../../common/values.ts'
import type { Operator } from './tree.ts'

/** The expected kind of word at a position, and the part that is already there. */
export type Wanted = {
  readonly typed: string
  /** The range that a completion replaces. */
  readonly from: number
  readonly to: number
} & (
  | { readonly kind: 'condition' | 'path' | 'joint' }
  | { readonly kind: 'operator' | 'value'; readonly tag: string }
)

/** The expected kind of word at the caret; undefined if unknown. */
export function wantedAt(text: string, caret: number): Wanted | undefined {
  const before = tokensOf(text).filter((token) => token.offset < caret)
  const last = before.at(-1)
  if (last === undefined || endOf(last) < caret) return named(before, { typed: '', from: caret, to: caret })
  // A word may begin directly after a sign, but not directly after a string or a parenthesis.
  if (SIGNS.has(last.type ?? '')) return named(before, { typed: '', from: caret, to: caret })
  const begun = isWordy(last) ? begunIn(last, text, caret) : undefined
  return begun && named(before.slice(0, -1), begun)
}

interface Begun {
  readonly typed: string
  readonly from: number
  readonly to: number
}

const SIGNS = new Set(['equality', 'order', 'open'])

const endOf = (token: Token): number => token.offset + token.text.length

const isWordy = ({ text }: Token): boolean => /^["\p{L}\p{M}\p{N}_:./-]/u.test(text)

/** The beginning of the word or string at the caret; undefined after a string. */
function begunIn(token: Token, text: string, caret: number): Begun | undefined {
  const { offset: from, type } = token
  if (!token.text.startsWith('"')) return { typed: text.slice(from, caret), from, to: endOf(token) }
  if (type === 'string' && caret === endOf(token)) return undefined
  const typed = text.slice(from + 1, caret).replace(/\\(["\\])/g, '$1')
  // An unterminated string contains the rest of the text.
  return { typed, from, to: type === 'string' ? endOf(token) : caret }
}

const AFTER: Readonly<Record<string, Wanted['kind']>> = {
  ...{ and: 'condition', or: 'condition', except: 'condition', open: 'condition', has: 'path' },
  ...{ string: 'joint', number: 'joint', constant: 'joint', close: 'joint' },
  ...{ path: 'operator', equality: 'value', order: 'value' },
}

const kindAfter = ({ type }: Token): Wanted['kind'] | undefined => AFTER[type ?? '']

function named(before: readonly Token[], begun: Begun): Wanted | undefined {
  const [last, previous] = [before.at(-1), before.at(-2)]
  if (last === undefined) return { kind: 'condition', ...begun }
  const isTag = last.type === 'path' && previous?.type === 'has'
  const kind = isTag ? 'joint' : kindAfter(last)
  if (kind === 'operator') return { kind, tag: last.value, ...begun }
  if (kind !== 'value') return kind && { kind, ...begun }
  return previous?.type === 'path' ? { kind, tag: previous.value, ...begun } : undefined
}

/** The descriptions of operators. */
export const OPERATORS: Readonly<Record<Operator, string>> = {
  has: 'any value',
  '=': 'equal to',
  '!=': 'not equal to',
  '<': 'less than',
  '<=': 'at most',
  '>': 'greater than',
  '>=': 'at least',
  matches: 'has these words',
  contains: 'has this item',
}

/** The operators that join conditions, and the description of the result. */
export const JOINTS = {
  and: 'what both find',
  or: 'what either finds',
  except: 'what the first finds and the second does not',
} as const

/** The operators for a tag with such values; fitting ones come first. */
export function operatorsFor(values: readonly Cell[]): readonly Operator[] {
  const fitting = new Set(fittingTo(values))
  const all = Object.keys(OPERATORS) as Operator[]
  return [...fitting, ...all.filter((one) => one !== 'has' && !fitting.has(one))]
}

/** The suggested values never contain lists. */
function fittingTo(values: readonly Cell[]): readonly Operator[] {
  if (values.length === 0) return []
  const [first] = values
  if (isNumber(first)) return ['>', '>=', '<', '<=', '=', '!=']
  return typeof first === 'string' ? ['=', 'matches', '!='] : ['=', '!=']
}

/**
 * A text with a completion, and the new position of the caret. A blank follows, unless the completion is only a prefix.
 */
export function completed(
  text: string,
  { from, to }: Wanted,
  { text: insert, isBeginning = false }: { readonly text: string; readonly isBeginning?: boolean },
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to)
  const blank = isBeginning || /^[\s)]/.test(rest) ? '' : ' '
  const caret = from + insert.length + (isBeginning || rest.startsWith(')') ? 0 : 1)
  return { text: text.slice(0, from) + insert + blank + rest, caret }
}
