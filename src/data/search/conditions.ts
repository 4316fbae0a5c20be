/** Conditions on one tag as SQL: the rows that meet them, and whether one object does. */
import { ServiceError } from '../../errors.ts'
import type { Operand, TagCondition } from '../../query/ast.ts'
import type { Primitive } from '../../tag-value.ts'
import { patternOf, type PatternWord } from '../../words.ts'
import type { Permitted } from '../permissions/rights.ts'
import type { Dialect } from '../database/dialects.ts'
import { raw, sql, type Sql } from '../database/sql.ts'
import { itemTerm, KEY, KEY_STRING_BYTES, sortKey, wordTerm } from '../values/encoding.ts'

/** A tag that a query may ask about. */
export type Tag<V> = Permitted<'tag-values.read', V>

/** A condition that is told by one row, of `tag_values` or of `terms`. */
export interface RowCondition<V> {
  readonly kind: 'rows'
  readonly node: TagCondition
  readonly tag: Tag<V>
  readonly table: 'tag_values' | 'terms'
  /** The index that leads to the rows. */
  readonly index: string
  /** Whether that index gives them in the order of ids. */
  readonly sorted: boolean
  /** Whether most rows of the tag meet it, as far as one can tell. */
  readonly wide: boolean
  /** What else holds for the rows of the tag, which are aliased `alias`. */
  readonly where: (alias: Sql) => Sql
}

/** A string that is compared beyond what its sort key holds. */
export interface LongComparison<V> {
  readonly kind: 'long'
  readonly node: TagCondition
  readonly tag: Tag<V>
  readonly op: '<' | '<=' | '>' | '>='
  readonly text: string
}

/** Words that must stand together, or the beginning of one. */
export interface PhraseCondition<V> {
  readonly kind: 'phrase'
  readonly node: TagCondition
  readonly tag: Tag<V>
  readonly words: readonly PatternWord[]
}

/** A condition, by how it is told which objects meet it. */
export type Condition<V> = RowCondition<V> | LongComparison<V> | PhraseCondition<V>

/** Reads a condition. Throws `TBadRequest` for `matches` on a tag that is not indexed. */
export function conditionOf<V>(node: TagCondition, tag: Tag<V>): Condition<V> {
  switch (node.kind) {
    case 'has':
      return values(node, tag, { where: () => raw('1 = 1') })
    case 'compare':
      return compared(node, tag, node.op, node.operand)
    case 'contains':
      return withTerm(node, tag, itemTerm(node.text))
    case 'matches':
      return matching(node, tag, patternOf(node.text))
  }
}

function values<V>(
  node: TagCondition,
  tag: Tag<V>,
  how: Pick<RowCondition<V>, 'where'> & Partial<RowCondition<V>>,
): RowCondition<V> {
  return { kind: 'rows', node, tag, table: 'tag_values', index: 'PRIMARY', sorted: true, wide: true, ...how }
}

const withTerm = <V>(node: TagCondition, tag: Tag<V>, term: Buffer): RowCondition<V> =>
  values(node, tag, { table: 'terms', wide: false, where: (alias) => sql`${alias}.term = ${term}` })

const keyOf = (operand: Operand): Buffer => sortKey({ ...operand, json: '' } as Primitive)

type Comparator = Extract<TagCondition, { kind: 'compare' }>['op']

function compared<V>(node: TagCondition, tag: Tag<V>, op: Comparator, operand: Operand): Condition<V> {
  const key = keyOf(operand)
  const byValue = { index: 'tag_values_by_value', wide: false }
  if (op === '!=') return values(node, tag, { where: (alias) => sql`${alias}.sort_key <> ${key}` })
  if (op === '=') return values(node, tag, { ...byValue, where: (alias) => sql`${alias}.sort_key = ${key}` })
  if (operand.type === 'string' && Buffer.byteLength(operand.value) > KEY_STRING_BYTES) {
    return { kind: 'long', node, tag, op, text: operand.value }
  }
  const type = operand.type === 'string' ? KEY.string : KEY.number
  return values(node, tag, { ...byValue, sorted: false, where: (alias) => bounded(alias, op, key, type) })
}

/** Keys of one type that lie on one side of a key. */
export function bounded(alias: Sql, op: '<' | '<=' | '>' | '>=', key: Buffer, type: number): Sql {
  const other = op.startsWith('<')
    ? sql`${alias}.sort_key >= ${Buffer.of(type)}`
    : sql`${alias}.sort_key < ${Buffer.of(type + 1)}`
  return sql`${alias}.sort_key ${raw(op)} ${key} AND ${other}`
}

function matching<V>(node: TagCondition, tag: Tag<V>, words: readonly PatternWord[]): Condition<V> {
  if (!tag.indexed) {
    throw new ServiceError('TBadRequest', {
      message: `matches needs an indexed tag, and ${tag.path} is not indexed`,
    })
  }
  const [first, second] = words
  if (first === undefined) {
    const [from, to] = [Buffer.of(KEY.string), Buffer.of(KEY.list + 1)]
    return values(node, tag, {
      where: (alias) => sql`${alias}.sort_key >= ${from} AND ${alias}.sort_key < ${to}`,
    })
  }
  if (second === undefined && !first.prefix) return withTerm(node, tag, wordTerm(first.word))
  return { kind: 'phrase', node, tag, words }
}

const ROW = raw('d')

/**
 * The rows that meet a condition, aliased `d`: FROM and WHERE, by `index` instead of the condition's own. `joins`
 * are those of `joinOf`.
 */
export function rowsOf<V>(
  dialect: Dialect,
  condition: RowCondition<V>,
  index = condition.index,
  joins: Sql = raw(''),
): Sql {
  const { table, tag } = condition
  return sql`FROM ${raw(table)} d ${dialect.useIndex(index)} ${joins}
    WHERE d.tag_id = ${tag.id} AND ${condition.where(ROW)}`
}

/** A JOIN that leaves the rows aliased `d` whose object meets a condition: one probe of a key. */
export function joinOf<V>(dialect: Dialect, { table, tag, where }: RowCondition<V>, alias: string): Sql {
  const name = raw(alias)
  return sql`${dialect.thenJoin} ${raw(table)} ${name} ${dialect.useIndex('PRIMARY')}
    ON ${name}.tag_id = ${tag.id} AND ${name}.object_id = d.object_id AND ${where(name)}`
}

/** SQL that is true where the object in the column `object` meets a condition: one probe of a key. */
export function probeOf<V>(dialect: Dialect, { table, tag, where }: RowCondition<V>, object: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM ${raw(table)} p ${dialect.useIndex('PRIMARY')}
    WHERE p.tag_id = ${tag.id} AND p.object_id = ${object} AND ${where(raw('p'))})`
}
