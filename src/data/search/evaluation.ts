/**
 * Evaluating a query on one view. Where one of its conditions meets few objects, those are probed for all others in one
 * statement, and where all meet many, their sorted ids are fetched and merged.
 */
import { ServiceError } from '../../errors.ts'
import {
  conditionsOf,
  textOf,
  type Combination,
  type Query,
  type QueryNode,
  type TagCondition,
} from '../../query/ast.ts'
import { joinOf, probeOf, rowsOf, type Condition, type RowCondition } from './conditions.ts'
import { idBytes, type ObjectId } from '../database/ids.ts'
import { IdSet } from '../database/id-sets.ts'
import { join, raw, sql, type Sql } from '../database/sql.ts'
import type { ReadTx } from '../store/views.ts'
import { findLong, findPhrase } from './text-search.ts'

/** The most objects that a query, or any operand in it, may match (S 8). */
export const MAX_OBJECTS = 1_000_000

/** One more than is allowed shows that there are too many. */
const LIMIT = raw(`LIMIT ${String(MAX_OBJECTS + 1)}`)

/** The same as `sortCost` where the database itself has to sort, within a statement. */
const SORT_COST_WITHIN = 8

/** Counting or probing so few costs less than a statement does. */
const FEW = 1000

/** Operands that must all match, and operands that must not. */
interface Chain {
  readonly all: readonly QueryNode[]
  readonly none: readonly QueryNode[]
}

/** The most conditions of one statement: engines limit how many SELECTs it may have, and how deep they stand. */
const MOST_CONDITIONS = 50

/** For each object that may be probed for, so many of another operand are counted to find out whether it should be. */
const COUNTED = 3

/** Ids that are written into one statement, each as a SELECT of its own. */
const GIVEN_AT_ONCE = 400

/** One query being answered on one view of the store. */
export class Evaluation<V> {
  readonly #tx: ReadTx<V>
  readonly #query: Query
  readonly #conditions: ReadonlyMap<QueryNode, Condition<V>>

  constructor(tx: ReadTx<V>, query: Query, conditions: ReadonlyMap<QueryNode, Condition<V>>) {
    this.#tx = tx
    this.#query = query
    this.#conditions = conditions
  }

  async find(node: QueryNode): Promise<IdSet> {
    const found = await this.#found(node)
    if (found.size <= MAX_OBJECTS) return found
    throw this.#tooMany(node)
  }

  #found(node: QueryNode): Promise<IdSet> {
    switch (node.kind) {
      case 'id':
        return Promise.resolve(IdSet.of(node.id as ObjectId))
      case 'or':
        return this.#either(node)
      case 'and':
      case 'except':
        return this.#chain(chainOf(node))
      default:
        return this.#meeting(this.#conditions.get(node) as Condition<V>)
    }
  }

  #tooMany(node: QueryNode): ServiceError {
    return new ServiceError('TooManyObjects', { query: textOf(node, this.#query) })
  }

  async #either(node: Combination): Promise<IdSet> {
    await this.#proveEither(node)
    const [left, right] = [await this.find(node.left), await this.find(node.right)]
    return this.#tx.merge('union', left.consume(), right.consume())
  }

  /**
   * Throws `TooManyObjects` for an `or` where that shows without going through both operands: all of the larger one
   * and a few of the smaller one that are not in it.
   */
  async #proveEither(node: Combination): Promise<void> {
    const [larger, smaller] = [node.left, node.right]
      .map((side) => this.#conditions.get(side))
      .filter((condition): condition is RowCondition<V> => condition?.kind === 'rows' && condition.wide)
      .sort((a, b) => b.tag.valueBound - a.tag.valueBound)
    if (larger === undefined || smaller === undefined) return
    const { dialect } = this.#tx
    const few = Math.floor(smaller.tag.valueBound / dialect.probeCost)
    if (larger.tag.valueBound + few <= MAX_OBJECTS) return
    const missing = MAX_OBJECTS + 1 - (await this.#count(larger, MAX_OBJECTS))
    if (missing > few) return
    if (missing < 1) throw this.#tooMany(larger.node)
    const row = await this.#tx.one<{ n: number }>(sql`
      SELECT COUNT(*) AS n FROM (
        SELECT 1 FROM (SELECT d.object_id ${rowsOf(dialect, smaller)} LIMIT ${raw(String(few))}) f
        WHERE NOT ${probeOf(dialect, larger, raw('f.object_id'))} LIMIT ${raw(String(missing))}) c`)
    if ((row?.n ?? 0) >= missing) throw this.#tooMany(node)
  }

  async #meeting(condition: Condition<V>): Promise<IdSet> {
    if (condition.kind === 'long') return findLong(this.#tx, condition)
    if (condition.kind === 'phrase') return findPhrase(this.#tx, condition)
    // Most likely there are too many: counting tells that sooner than fetching.
    if (condition.node.kind === 'has') await this.#prove(condition.node)
    const rows = sql`SELECT d.object_id ${await this.#rows(condition, this.#tx.dialect.sortCost)}`
    return condition.sorted
      ? this.#tx.ids(sql`${rows} ORDER BY d.object_id ${LIMIT}`)
      : this.#tx.sortedIds(rows, MAX_OBJECTS + 1)
  }

  /** The rows of a condition, by the index that gives them in the order of ids at the least cost. */
  async #rows(condition: RowCondition<V>, sortCost: number): Promise<Sql> {
    const { dialect } = this.#tx
    if (condition.sorted || condition.tag.valueBound <= FEW) return rowsOf(dialect, condition)
    // To sort costs more than to read what is in order already, once it is a good part of the tag.
    const worthSorting = Math.floor(condition.tag.valueBound / sortCost)
    if (worthSorting === condition.tag.valueBound) return rowsOf(dialect, condition)
    const many = (await this.#estimate(condition, worthSorting)) > worthSorting
    return rowsOf(dialect, condition, many ? 'PRIMARY' : condition.index)
  }

  /** About how many objects meet a condition; where only counting tells, no further than `most`. */
  async #estimate(condition: RowCondition<V>, most: number): Promise<number> {
    const { dialect } = this.#tx
    const { valueBound } = condition.tag
    if (dialect.explainsRows) {
      const row = await this.#tx.one<{ rows: number | string | null }>(
        sql`EXPLAIN SELECT 1 ${rowsOf(dialect, condition)}`,
      )
      return Math.min(Number(row?.rows ?? valueBound), valueBound)
    }
    const count = await this.#count(condition, most)
    return count > most ? valueBound : count
  }

  /** How many objects meet a condition, or `most + 1` when it is more than `most`. */
  async #count(condition: RowCondition<V>, most: number): Promise<number> {
    const row = await this.#tx.one<{ n: number }>(sql`
      SELECT COUNT(*) AS n FROM (SELECT 1 ${rowsOf(this.#tx.dialect, condition)} LIMIT ${raw(String(most + 1))}) c`)
    return row?.n ?? 0
  }

  /** Whether more than `most` objects meet a condition; told sooner than how many do. */
  async #exceeds(condition: RowCondition<V>, most: number): Promise<boolean> {
    const row = await this.#tx.one(
      sql`SELECT 1 AS found ${rowsOf(this.#tx.dialect, condition)} LIMIT 1 OFFSET ${raw(String(most))}`,
    )
    return row !== undefined
  }

  /** Throws `TooManyObjects` for an operand with one condition, unless its tag's values are few enough anyway. */
  async #prove(node: TagCondition): Promise<void> {
    const condition = this.#conditions.get(node) as RowCondition<V>
    if (condition.tag.valueBound <= MAX_OBJECTS) return
    if (await this.#exceeds(condition, MAX_OBJECTS)) throw this.#tooMany(node)
  }

  /** No fewer than the objects that an operand matches, by what is known without asking. */
  #bound(node: QueryNode): number {
    switch (node.kind) {
      case 'id':
        return 1
      case 'or':
        return this.#bound(node.left) + this.#bound(node.right)
      case 'and':
        return Math.min(this.#bound(node.left), this.#bound(node.right))
      case 'except':
        return this.#bound(node.left)
      default:
        return (this.#conditions.get(node) as Condition<V>).tag.valueBound
    }
  }

  async #chain(chain: Chain): Promise<IdSet> {
    const sizes = await this.#sizes(chain.all)
    const [first, size] = [...sizes].reduce((best, one) => (one[1] < best[1] ? one : best))
    const rest: Chain = { all: chain.all.filter((node) => node !== first), none: chain.none }
    let room = MOST_CONDITIONS
    const dear = new Set<QueryNode>()
    for (const node of [...rest.all, ...rest.none]) {
      const cheap = size > FEW && (sizes.get(node) ?? this.#bound(node)) <= size * this.#tx.dialect.probeCost
      if (cheap || !(await this.#canProbe(node))) continue
      room -= conditionsOf(node).length
      if (room >= 0) dear.add(node)
    }
    const [probed, merged] = split(rest, (node) => dear.has(node))
    if (probed.all.length + probed.none.length === 0) return this.#merged(chain)
    const found = await this.#probing(first, probed)
    return this.#mergedInto(found, merged)
  }

  /** What a chain matches, by going through all of each operand. */
  async #merged({ all, none }: Chain): Promise<IdSet> {
    let room = this.#tx.dialect.mergesInOrder ? MOST_CONDITIONS : 0
    const [compound, others] = split(
      { all, none },
      (node) => this.#conditions.get(node)?.kind === 'rows' && --room >= 0,
    )
    const [first, ...rest] = compound.all
    if (first === undefined) {
      const [begin, ...after] = all
      return this.#mergedInto(await this.find(begin as QueryNode), { all: after, none })
    }
    const arms = [await this.#arm(first)]
    for (const node of rest) arms.push(sql`INTERSECT ${await this.#arm(node)}`)
    for (const node of compound.none) arms.push(sql`EXCEPT ${await this.#arm(node)}`)
    const found = await this.#tx.ids(sql`${join(arms, ' ')} ORDER BY object_id ${LIMIT}`)
    return this.#mergedInto(found, others)
  }

  /** One operand of a compound SELECT, which is not counted by being fetched. */
  async #arm(node: QueryNode): Promise<Sql> {
    await this.#prove(node as TagCondition)
    return sql`SELECT d.object_id ${await this.#rows(this.#conditions.get(node) as RowCondition<V>, SORT_COST_WITHIN)}`
  }

  async #mergedInto(found: IdSet, { all, none }: Chain): Promise<IdSet> {
    let left = found
    for (const node of all) {
      const other = await this.find(node)
      left = await this.#tx.merge('intersection', left.consume(), other.consume())
    }
    for (const node of none) {
      const other = await this.find(node)
      left = await this.#tx.merge('difference', left.consume(), other.consume())
    }
    return left
  }

  /** About how many objects each operand matches. Where only counting tells, it goes no further than is of use. */
  async #sizes(nodes: readonly QueryNode[]): Promise<Map<QueryNode, number>> {
    const { probeCost } = this.#tx.dialect
    const sizes = new Map(nodes.map((node) => [node, this.#bound(node)]))
    const worthKnowing = Math.floor(Math.max(...sizes.values()) / probeCost)
    for (const [node, bound] of [...sizes].sort((a, b) => a[1] - b[1])) {
      const condition = this.#conditions.get(node)
      if (condition?.kind !== 'rows' || condition.wide || bound <= FEW) continue
      const smallest = Math.min(...sizes.values())
      if (smallest <= FEW) break
      // What is larger is going to be probed anyway, and counting so many takes less time than probing the smallest.
      sizes.set(node, await this.#estimate(condition, Math.min(worthKnowing, smallest * COUNTED)))
    }
    return sizes
  }

  /** Whether an operand can be told object by object, and cannot match too many as a whole. */
  async #canProbe(node: QueryNode): Promise<boolean> {
    if (node.kind === 'id') return true
    if (!('left' in node)) return this.#conditions.get(node)?.kind === 'rows'
    if (!(await this.#canProbe(node.left)) || !(await this.#canProbe(node.right))) return false
    return node.kind !== 'or' || this.#isWithinLimit(node)
  }

  /** Whether an `or` is known to match no more than is allowed; what may be far below its bound is looked at for it. */
  async #isWithinLimit(node: Combination): Promise<boolean> {
    const bound = this.#bound(node)
    if (bound <= MAX_OBJECTS) return true
    for (const operand of operandsOf(node)) {
      const condition = this.#conditions.get(operand)
      if (condition?.kind !== 'rows' || condition.wide) continue
      const room = MAX_OBJECTS - (bound - condition.tag.valueBound)
      if (room >= 0 && !(await this.#exceeds(condition, room))) return true
    }
    return false
  }

  /** Those of the objects that match `first` for which the rest is true, in one statement. */
  async #probing(first: QueryNode, { all, none }: Chain): Promise<IdSet> {
    const probed = [...all, ...none].flatMap(conditionsOf)
    for (const node of probed) if (node.kind !== 'id') await this.#prove(node)
    const { dialect } = this.#tx
    // Databases probe for a table that is joined in less time than for one in a subquery, and the smaller one leaves
    // less to probe for.
    const joined = all
      .map((node) => this.#conditions.get(node))
      .filter((condition) => condition?.kind === 'rows')
      .sort((a, b) => a.tag.valueBound - b.tag.valueBound)
    const joins = join(
      joined.map((condition, i) => joinOf(dialect, condition, `j${String(i)}`)),
      ' ',
    )
    const tested = all.filter((node) => this.#conditions.get(node)?.kind !== 'rows')
    const tests = join(
      [
        raw('1 = 1'),
        ...tested.map((node) => this.#test(node)),
        ...none.map((node) => sql`NOT ${this.#test(node)}`),
      ],
      ' AND ',
    )
    const condition = this.#conditions.get(first)
    if (condition?.kind !== 'rows') return this.#testing(await this.find(first), joins, tests)
    await this.#prove(condition.node)
    const rows = rowsOf(dialect, condition, condition.index, joins)
    return this.#tx.ids(sql`SELECT d.object_id ${rows} AND ${tests} ORDER BY d.object_id`)
  }

  /** Those of the objects in hand that joins and tests leave. */
  async #testing(ids: IdSet, joins: Sql, tests: Sql): Promise<IdSet> {
    const met: Buffer[] = []
    for (const portion of ids.portions(GIVEN_AT_ONCE)) {
      const rows = sql`FROM ${this.#tx.dialect.idsAsTable(portion.bytes)} d ${joins} WHERE ${tests}`
      met.push((await this.#tx.ids(sql`SELECT d.object_id ${rows} ORDER BY d.object_id`)).bytes)
    }
    return IdSet.inOrder(Buffer.concat(met))
  }

  /** SQL that is true where the object of the row `d` matches an operand. */
  #test(node: QueryNode): Sql {
    switch (node.kind) {
      case 'id':
        return sql`d.object_id = ${idBytes(node.id as ObjectId)}`
      case 'or':
        return sql`(${this.#test(node.left)} OR ${this.#test(node.right)})`
      case 'and':
        return sql`(${this.#test(node.left)} AND ${this.#test(node.right)})`
      case 'except':
        return sql`(${this.#test(node.left)} AND NOT ${this.#test(node.right)})`
      default:
        return probeOf(this.#tx.dialect, this.#conditions.get(node) as RowCondition<V>, raw('d.object_id'))
    }
  }
}

/** The operands of a chain that pass a test, and the others. */
function split({ all, none }: Chain, passes: (node: QueryNode) => boolean): [Chain, Chain] {
  const chosen = new Set([...all, ...none].filter(passes))
  const within = (node: QueryNode): boolean => chosen.has(node)
  const without = (node: QueryNode): boolean => !chosen.has(node)
  return [
    { all: all.filter(within), none: none.filter(within) },
    { all: all.filter(without), none: none.filter(without) },
  ]
}

/** The operands of an `or`, however it was put in parentheses. */
const operandsOf = (node: QueryNode): QueryNode[] =>
  node.kind === 'or' ? [...operandsOf(node.left), ...operandsOf(node.right)] : [node]

/** A chain of `and` and `except`, however it was put in parentheses. */
function chainOf(node: QueryNode): Chain {
  if (node.kind !== 'and' && node.kind !== 'except') return { all: [node], none: [] }
  const left = chainOf(node.left)
  if (node.kind === 'except') return { all: left.all, none: [...left.none, node.right] }
  const right = chainOf(node.right)
  return { all: [...left.all, ...right.all], none: [...left.none, ...right.none] }
}
