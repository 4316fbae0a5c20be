/** The matches of a query, as far as a page or a count needs them: from a walk along the order, or from a full search. */
import type { IdSet } from '../database/ids/id-sets.ts'
import { isProbeable, leavesOf, type Clause, type Probeable } from '../search/clauses.ts'
import type { Counted } from '../search/counting.ts'
import { count } from '../search/estimates.ts'
import { prove, testOf, tooMany } from '../search/execution.ts'
import { MAX_OBJECTS } from '../search/plan.ts'
import type { NotePlan } from '../search/plan-text.ts'
import { MAX_CONDITIONS } from '../search/probing.ts'
import { findAll } from '../search/search.ts'
import { LOOKUP_IN_SET, STATEMENT, VALUE } from '../store/costs.ts'
import type { ReadTx } from '../store/views.ts'
import { countMatches, walkIds } from './id-walk.ts'
import type { Order, Position } from './positions.ts'
import { nextIds, ranked, withoutValue } from './ranking.ts'
import { MatchEstimates } from './match-estimates.ts'
import { haveAll, rangesOn, walkSorted, type Membership } from './sorted-walk.ts'

/** The page to find. */
export interface PageRequest<V> {
  readonly order: Order<V>
  /** The last position of the page before. */
  readonly after: Position | undefined
  readonly limit: number
  /** The limit of the count; undefined for no count. */
  readonly count: Counting | undefined
}

/** Counts up to a number, or exactly; an exact count may be no more than `MAX_OBJECTS`. */
export type Counting = { readonly upTo: number } | 'exact'

/** The matches of a query found so far. */
export class Matches<V> {
  readonly #tx: ReadTx<V>
  readonly #clause: Clause<V>
  readonly #request: PageRequest<V>
  readonly #note: NotePlan
  /** The clause if it can be tested object by object. */
  readonly #testable: Probeable<V> | undefined
  readonly #estimates: MatchEstimates<V>
  #all: IdSet | undefined

  constructor(
    tx: ReadTx<V>,
    clause: Clause<V>,
    { request, note }: { request: PageRequest<V>; note: NotePlan },
  ) {
    this.#tx = tx
    this.#clause = clause
    this.#request = request
    this.#note = note
    this.#estimates = new MatchEstimates(tx)
    const isTestable = leavesOf(clause).length <= MAX_CONDITIONS
    if (isTestable && isProbeable(clause) && (this.#isBounded || unionsWithinLimit(clause)))
      this.#testable = clause
  }

  /** Frees the memory of the matches. */
  release(): void {
    this.#all?.release()
  }

  async count(): Promise<Counted | undefined> {
    const { count: counting } = this.#request
    if (counting === undefined) return undefined
    const upTo = counting === 'exact' ? MAX_OBJECTS : counting.upTo
    // Whatever its limit, the count may have to read all values of each condition.
    this.#tx.spend(leavesOf(this.#clause).reduce((sum, { bound }) => sum + bound, 0) * VALUE)
    const found = await this.#counted(upTo)
    if (counting === 'exact' && found > MAX_OBJECTS) throw tooMany(this.#clause.text)
    return { count: Math.min(found, upTo), exact: found <= upTo }
  }

  /** How many objects match; a number above `upTo` if more than `upTo` do. */
  async #counted(upTo: number): Promise<number> {
    if (this.#clause.kind === 'rows') return count(this.#tx, this.#clause, upTo)
    const testable = this.#testable
    if (this.#isBounded && testable !== undefined && (await this.#estimates.about(testable)) > upTo) {
      const drivers = await this.#estimates.drivers(testable)
      if (drivers !== undefined && drivers.length <= MAX_DRIVERS) {
        return countMatches(this.#tx, { clause: testable, drivers, limit: upTo + 1 })
      }
    }
    return (await this.#found()).size
  }

  /** The next `want` positions. */
  async positions(want: number): Promise<Position[]> {
    const { order, after } = this.#request
    const wanted = { descending: order.descending, after, want }
    const { tag } = order
    if (tag === undefined) {
      return (await this.#walkedIds(want)) ?? nextIds(await this.#found(), wanted)
    }
    const isBehindValues = after !== undefined && after.key === undefined
    const sorted = isBehindValues ? [] : ((await this.#walkedSorted(want)) ?? (await this.#setSorted(want)))
    if (sorted === undefined) return ranked(this.#tx, await this.#found(), tag, wanted)
    if (sorted.length === want || haveAll(this.#clause, tag.id)) return sorted
    const rest = { ...wanted, after: isBehindValues ? after : undefined, want: want - sorted.length }
    return [...sorted, ...(await withoutValue(this.#tx, await this.#found(), tag, rest))]
  }

  /** A walk by ids; undefined if finding all matches seems to cost less, or if the walk gave up. */
  async #walkedIds(want: number): Promise<Position[] | undefined> {
    const clause = this.#testable
    const drivers = clause && this.#all === undefined ? await this.#estimates.drivers(clause) : undefined
    if (clause === undefined || drivers === undefined || drivers.length > MAX_DRIVERS) return undefined
    const alone = drivers[0]?.condition === clause
    const probes = alone ? 0 : leavesOf(clause).length
    const rows = this.#estimates.rowsIn(drivers)
    const walk = await this.#worthWalking({ clause, rows, want, probes, ranking: 0 })
    if (walk === undefined) return undefined
    await this.#prove(clause)
    const { descending } = this.#request.order
    this.#note(() => ['walk by ids', ...drivers.map(({ condition }) => `  ${condition.text}`)].join('\n'))
    const { after } = this.#request
    return walkIds(this.#tx, { clause, drivers, descending, after, want, probes, ...walk })
  }

  /** A walk by values that tests each object; undefined if finding all matches seems to cost less, or if the walk gave up. */
  async #walkedSorted(want: number): Promise<Position[] | undefined> {
    const { order, after } = this.#request
    const { tag, descending } = order
    const clause = this.#testable
    if (clause === undefined || tag === undefined || this.#all !== undefined) return undefined
    const probes = leavesOf(clause).filter((leaf) => leaf.kind === 'rows' && leaf.tag.id !== tag.id).length
    const rows = tag.valueBound
    const { probeCost } = this.#tx.dialect
    const ranking = Math.min((await this.#estimates.about(clause)) * probeCost, rows)
    const walk = await this.#worthWalking({ clause, rows, want, probes, ranking })
    if (walk === undefined) return undefined
    await this.#prove(clause)
    this.#note(() => `walk by ${tag.path}\n  ${clause.text}`)
    const test = testOf(this.#tx.dialect, clause, { tagId: tag.id })
    const belongs: Membership = { test, probes, within: rangesOn(clause, tag.id) }
    return walkSorted(this.#tx, {
      tag,
      descending,
      after,
      want,
      belongs,
      ...walk,
      passLong: !this.#tx.isShort,
    })
  }

  /** A walk by values among the matches; undefined if looking up the value of each match costs less. */
  async #setSorted(want: number): Promise<Position[] | undefined> {
    const { order, after } = this.#request
    const { tag, descending } = order
    const set = await this.#found()
    if (tag === undefined) return undefined
    const about = (want * tag.valueBound) / Math.max(set.size, 1)
    const budget = set.size * LOOKUP_IN_SET
    if (about > budget) return undefined
    const walk = { about, budget, passLong: !this.#tx.isShort }
    return walkSorted(this.#tx, { tag, descending, after, want, belongs: { set }, ...walk })
  }

  /** The estimated number of rows for a page, and the number after which to give up; undefined if not worth walking. */
  async #worthWalking({ clause, rows, want, probes, ranking }: Way<V>): Promise<Effort | undefined> {
    const matches = await this.#estimates.about(clause)
    if (matches <= STATEMENT && clause.bound > STATEMENT && !this.#isBeyondLimit) return undefined
    const about = Math.min((want * rows) / Math.max(matches, 1), rows)
    if (this.#isBeyondLimit) return { about, budget: Infinity }
    const worth = (this.#estimates.fetchCost(clause) + ranking) / this.#estimates.testCost(probes)
    const budget = this.#tx.isShort ? Math.min(worth, STATEMENT) : worth
    if (about > budget) return undefined
    this.#tx.spend(about * this.#estimates.testCost(probes))
    return { about, budget }
  }

  /** Whether only a walk can answer. */
  get #isBeyondLimit(): boolean {
    return this.#isBounded && this.#clause.bound > MAX_OBJECTS
  }

  get #isBounded(): boolean {
    const { count: counting } = this.#request
    return counting !== undefined && counting !== 'exact'
  }

  async #prove(clause: Probeable<V>): Promise<void> {
    if (this.#isBounded) return
    for (const leaf of leavesOf(clause)) {
      if (leaf.kind !== 'rows' || leaf.bound <= MAX_OBJECTS) continue
      this.#tx.spend(MAX_OBJECTS)
      await prove(this.#tx, leaf)
    }
  }

  async #found(): Promise<IdSet> {
    this.#all ??= await findAll(this.#tx, this.#clause, this.#note)
    return this.#all
  }
}

/** A way to walk. */
interface Way<V> {
  readonly clause: Probeable<V>
  /** How many rows there are along the way. */
  readonly rows: number
  readonly want: number
  readonly probes: number
  /** The cost of sorting all matches instead. */
  readonly ranking: number
}

interface Effort {
  readonly about: number
  readonly budget: number
}

/** How many drivers a walk reads side by side, at most. */
const MAX_DRIVERS = 8

/** Whether no union in a clause can exceed the limit. */
const unionsWithinLimit = <V>(clause: Clause<V>): boolean =>
  !('left' in clause) ||
  ((clause.kind !== 'or' || clause.bound <= MAX_OBJECTS) &&
    unionsWithinLimit(clause.left) &&
    unionsWithinLimit(clause.right))
