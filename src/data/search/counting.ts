/** Counts the matches of a query's parts, within fixed limits: counting never takes long, for any query. */
import type { Combination } from '../../query/ast.ts'
import type { Merge } from '../database/ids/id-set-merging.ts'
import { IdSet } from '../database/ids/id-sets.ts'
import { list, raw, sql, type Sql } from '../database/connection/sql.ts'
import { wordRange, wordTerm } from '../values/terms.ts'
import type { ReadTx } from '../store/views.ts'
import { combination, isProbeable, type IdClause, type Probeable } from './clauses.ts'
import {
  onKeys,
  onTerms,
  rowsOf,
  type Condition,
  type LongComparison,
  type PhraseCondition,
  type ReadableTag,
  type RowCondition,
} from './conditions.ts'
import { execute, probedIn } from './execution.ts'
import { phraseAmong } from './text-search.ts'

/** A number of matches; if `exact` is false, the count was stopped, and there may be more. */
export interface Counted {
  readonly count: number
  readonly exact: boolean
}

/** The findings about a part of a query. */
export interface Matches<V> {
  readonly counted: Counted | undefined
  /** All objects that match, if they were counted to the end. */
  readonly all: IdSet | undefined
  /** The clause that tests one object, and the number of keys that a test looks up. */
  readonly test: { readonly clause: Probeable<V>; readonly keys: number } | undefined
}

/** The first objects that match, or all. */
interface Some {
  readonly ids: IdSet
  readonly complete: boolean
}

/** How many index entries are read for all conditions of a query. */
const ENTRIES = 1_000_000
/** How many keys are looked up for all combinations. */
const KEYS = 100_000
/** How many keys a test of one object may look up. */
const MAX_KEYS = 20
/** The texts of this many values, and this many octets, are read at most to find words in a row. */
const FEW_VALUES = 1_000
const FEW_OCTETS = 4 * 1024 * 1024
/** How many words of a phrase are tried to find a rare one. */
const WORDS = 20

const MERGES: Readonly<Record<Combination['kind'], Merge>> = {
  or: 'union',
  and: 'intersection',
  except: 'difference',
}

/** Counts the parts of one query; counts operands before their combination. */
export class Counter<V> {
  readonly #tx: ReadTx<V>
  readonly #upTo: number
  #left = ENTRIES
  #keys = KEYS

  /** Counts up to `upTo` objects of each part. */
  constructor(tx: ReadTx<V>, upTo: number) {
    this.#tx = tx
    this.#upTo = upTo
  }

  async condition(clause: IdClause | Condition<V>): Promise<Matches<V>> {
    const test = isProbeable(clause) ? { clause, keys: 1 } : undefined
    const most = Math.min(this.#upTo, this.#left - 1)
    const some = most < 0 ? undefined : await this.#find(clause, most)
    if (some === undefined) return { counted: undefined, all: undefined, test }
    this.#left -= some.ids.size + 1
    return { ...this.#counted(some, most), test }
  }

  async combination(kind: Combination['kind'], left: Matches<V>, right: Matches<V>): Promise<Matches<V>> {
    const test = bothTests(kind, left, right)
    const ids = await this.#combined(kind, left, right)
    if (ids !== undefined) return { ...this.#counted({ ids, complete: true }, this.#upTo), test }
    const known = [left, right].flatMap(({ counted }) => counted?.count ?? [])
    const counted =
      kind === 'or' && known.length > 0 ? { count: Math.max(...known), exact: false } : undefined
    return { counted, all: undefined, test }
  }

  #counted({ ids, complete }: Some, most: number): Pick<Matches<V>, 'counted' | 'all'> {
    const count = Math.min(ids.size, most)
    return { counted: { count, exact: complete && ids.size <= most }, all: complete ? ids : undefined }
  }

  /** All matches of a combination, if the findings about its operands determine them. */
  async #combined(
    kind: Combination['kind'],
    left: Matches<V>,
    right: Matches<V>,
  ): Promise<IdSet | undefined> {
    if (left.all !== undefined && right.all !== undefined) {
      return this.#tx.merge(MERGES[kind], left.all.consume(), right.all.consume())
    }
    if (kind === 'or') return undefined
    if (left.all !== undefined) return this.#probed(left.all, right, kind === 'and')
    return kind === 'and' && right.all !== undefined ? this.#probed(right.all, left, true) : undefined
  }

  /** The objects of a set that match the other operand or, if `wanted` is false, those that do not. */
  async #probed(set: IdSet, { test }: Matches<V>, wanted: boolean): Promise<IdSet | undefined> {
    if (set.size === 0) return set
    if (test === undefined) return undefined
    const keys = set.size * test.keys
    if (keys > this.#keys) return undefined
    this.#keys -= keys
    const found = await probedIn(this.#tx, set, { clause: test.clause, wanted })
    set.release()
    return found
  }

  /** Up to `most + 1` objects that match; undefined if even these cost too much. */
  #find(clause: IdClause | Condition<V>, most: number): Promise<Some | undefined> {
    switch (clause.kind) {
      case 'id':
        return Promise.resolve({ ids: IdSet.of(clause.id), complete: true })
      case 'rows':
        return this.#rows(clause, most)
      case 'long':
        return this.#byTexts(clause)
      case 'phrase':
        return this.#phrase(clause, most)
    }
  }

  async #rows(condition: RowCondition<V>, most: number): Promise<Some> {
    let found = IdSet.of(undefined)
    for (const piece of contiguous(condition)) {
      const ids = await this.#firstOf(piece, most + 1 - found.size)
      found = await this.#tx.merge('union', found.consume(), ids.consume())
      if (found.size > most) return { ids: found, complete: false }
    }
    return { ids: found, complete: true }
  }

  /** The first objects of adjacent index entries. */
  #firstOf(piece: RowCondition<V>, most: number): Promise<IdSet> {
    const rows = sql`SELECT d.object_id ${rowsOf(this.#tx.dialect, piece)} ${limit(most)}`
    return this.#tx.sortedIds(sql`SELECT e.object_id FROM (${rows}) e`, most)
  }

  async #phrase(condition: PhraseCondition<V>, most: number): Promise<Some | undefined> {
    const [first, ...others] = condition.words
    if (first?.prefix === true && others.length === 0 && wordRange(first.word).exact) {
      return this.#beginning(condition.tag, first.word, most)
    }
    return (await this.#amongRare(condition)) ?? this.#byTexts(condition)
  }

  /** Objects with a word that has this beginning; some objects have several entries. */
  async #beginning(tag: ReadableTag<V>, word: string, most: number): Promise<Some> {
    const { first, last } = wordRange(word)
    const entries = (columns: Sql, upTo: number): Sql => sql`(
      SELECT ${columns} FROM terms d ${this.#tx.dialect.useIndex('PRIMARY')}
      WHERE d.tag_id = ${tag.id} AND d.term >= ${first} AND d.term <= ${last} ${limit(upTo)}) e`
    const beyond = await this.#tx.one<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM ${entries(raw('1 AS found'), most + 1)}`,
    )
    const ids = await this.#tx.ids(
      sql`SELECT DISTINCT e.object_id FROM ${entries(raw('d.object_id'), most)} ORDER BY e.object_id`,
    )
    return { ids, complete: (beyond?.n ?? 0) <= most }
  }

  /** The objects with the words in a row, if one of the words is rare. */
  async #amongRare(condition: PhraseCondition<V>): Promise<Some | undefined> {
    const whole = condition.words.filter(({ prefix }) => !prefix).slice(0, WORDS)
    for (const { word } of whole) {
      const ids = await this.#firstOf(onTerms(condition, [wordTerm(word)]), FEW_VALUES + 1)
      this.#left -= ids.size
      if (ids.size > FEW_VALUES) continue
      if (
        ids.size > 0 &&
        !(await this.#areShort(condition.tag, sql`AND v.object_id IN (${list(ids.each())})`))
      )
        return undefined
      return { ids: await phraseAmong(this.#tx, condition, ids), complete: true }
    }
    return undefined
  }

  /** The matches, if the tag has few and short values. */
  async #byTexts(condition: LongComparison<V> | PhraseCondition<V>): Promise<Some | undefined> {
    const { tag } = condition
    const few = await this.#tx.one(sql`
      SELECT 1 AS found FROM tag_values v ${this.#tx.dialect.useIndex('PRIMARY')}
      WHERE v.tag_id = ${tag.id} LIMIT 1 OFFSET ${raw(String(FEW_VALUES))}`)
    if (few !== undefined || !(await this.#areShort(tag, raw('')))) return undefined
    this.#left -= FEW_VALUES
    return { ids: await execute(this.#tx, condition), complete: true }
  }

  async #areShort(tag: ReadableTag<V>, among: Sql): Promise<boolean> {
    const row = await this.#tx.one<{ octets: number | string | null }>(sql`
      SELECT SUM(v.size) AS octets FROM tag_values v ${this.#tx.dialect.useIndex('PRIMARY')}
      WHERE v.tag_id = ${tag.id} ${among}`)
    return Number(row?.octets ?? 0) <= FEW_OCTETS
  }
}

const limit = (most: number): Sql => raw(`LIMIT ${String(most)}`)

/** Splits a condition into conditions whose entries are adjacent in an index. */
const contiguous = <V>(condition: RowCondition<V>): RowCondition<V>[] =>
  'keys' in condition.asked ? condition.asked.keys.map((range) => onKeys(condition, [range])) : [condition]

function bothTests<V>(kind: Combination['kind'], left: Matches<V>, right: Matches<V>): Matches<V>['test'] {
  if (left.test === undefined || right.test === undefined) return undefined
  const keys = left.test.keys + right.test.keys
  if (keys > MAX_KEYS) return undefined
  return { clause: combination(kind, left.test.clause, right.test.clause) as Probeable<V>, keys }
}
