/** A query resolved against its tags: a tree of clauses, each with its text and an upper bound on its matches. */
import {
  sourceText,
  type Combination,
  type IdCondition,
  type Query,
  type QueryNode,
} from '../../query/ast.ts'
import { tagAt } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import { conditionOf, type Condition, type RowCondition } from './conditions.ts'
import type { ObjectId } from '../database/ids/ids.ts'

/** The single object with an id. */
export interface IdClause {
  readonly kind: 'id'
  readonly text: string
  readonly bound: 1
  readonly id: ObjectId
}

/** Two clauses combined. */
export interface CombinedClause<V> {
  readonly kind: Combination['kind']
  readonly text: string
  readonly bound: number
  readonly left: Clause<V>
  readonly right: Clause<V>
}

/** A query or an operand in it. `text` is its source in the query; `bound` is an upper bound on the number of matches. */
export type Clause<V> = IdClause | Condition<V> | CombinedClause<V>

/** A clause that can be checked for one object by looking up a key. */
export type Probeable<V> =
  IdClause | RowCondition<V> | (CombinedClause<V> & { left: Probeable<V>; right: Probeable<V> })

export const isProbeable = <V>(clause: Clause<V>): clause is Probeable<V> =>
  'left' in clause
    ? isProbeable(clause.left) && isProbeable(clause.right)
    : clause.kind === 'id' || clause.kind === 'rows'

/** Operands that an object must all match, and operands of which it must match none. */
export interface Operands<V, C extends Clause<V> = Clause<V>> {
  readonly all: readonly C[]
  readonly none: readonly C[]
}

/** All operands of a chain of `and` and `except`. */
export interface Chain<V> extends Operands<V> {
  readonly all: readonly [Clause<V>, ...Clause<V>[]]
}

/** The clauses of a query; `tags` has every tag that it mentions. Throws as `conditionOf` does. */
export function clauseOf<V>(query: Query, tags: PermittedTags<'tag-values.read', V>): Clause<V> {
  const leafOf = (node: Exclude<QueryNode, Combination>): IdClause | Condition<V> =>
    node.kind === 'id'
      ? idClause(node, query)
      : conditionOf(node, tagAt(tags, node.path), sourceText(node, query))
  const read = (node: QueryNode): Clause<V> => {
    // A loop: on its left side, a query can be too deep for recursion.
    const spine: Combination[] = []
    let leftmost = node
    for (; 'left' in leftmost; leftmost = leftmost.left) spine.push(leftmost)
    return spine.reduceRight<Clause<V>>(
      (left, combination) => combined(combination, left, read(combination.right), query),
      leafOf(leftmost),
    )
  }
  return read(query.root)
}

export const idClause = (node: IdCondition, query: Query): IdClause => ({
  kind: 'id',
  text: sourceText(node, query),
  bound: 1,
  id: node.id as ObjectId,
})

const BOUNDS: Readonly<Record<Combination['kind'], (left: number, right: number) => number>> = {
  or: (left, right) => left + right,
  and: Math.min,
  except: (left) => left,
}

function combined<V>(node: Combination, left: Clause<V>, right: Clause<V>, query: Query): CombinedClause<V> {
  return { ...combination(node.kind, left, right), text: sourceText(node, query) }
}

/** Two clauses combined otherwise than in the query; the text shows both. */
export const combination = <V>(
  kind: Combination['kind'],
  left: Clause<V>,
  right: Clause<V>,
): CombinedClause<V> => ({
  kind,
  text: `${left.text} ${kind} ${right.text}`,
  bound: BOUNDS[kind](left.bound, right.bound),
  left,
  right,
})

/** The conditions of a clause, in source order. */
export const leavesOf = <V>(clause: Clause<V>): (IdClause | Condition<V>)[] =>
  'left' in clause ? [...leavesOf(clause.left), ...leavesOf(clause.right)] : [clause]

/** The operands of an `or`, regardless of parentheses. */
export const alternativesOf = <V>(clause: Clause<V>): Clause<V>[] =>
  clause.kind === 'or' ? [...alternativesOf(clause.left), ...alternativesOf(clause.right)] : [clause]

/** The operands of a chain of `and` and `except`, regardless of parentheses. */
export function chainOf<V>(clause: Clause<V>): Chain<V> {
  if (clause.kind !== 'and' && clause.kind !== 'except') return { all: [clause], none: [] }
  const left = chainOf(clause.left)
  if (clause.kind === 'except') return { all: left.all, none: [...left.none, clause.right] }
  const right = chainOf(clause.right)
  return { all: [...left.all, ...right.all], none: [...left.none, ...right.none] }
}

/** The operands that pass a test, in order, and the others. The test runs once per operand. */
export function split<V, C extends Clause<V>>(
  { all, none }: Operands<V>,
  passes: (clause: Clause<V>) => clause is C,
): [Operands<V, C>, Operands<V>] {
  const chosen = new Set<Clause<V>>([...all, ...none].filter(passes))
  const within = (clause: Clause<V>): clause is C => chosen.has(clause)
  const without = (clause: Clause<V>): boolean => !chosen.has(clause)
  return [
    { all: all.filter(within), none: none.filter(within) },
    { all: all.filter(without), none: none.filter(without) },
  ]
}
