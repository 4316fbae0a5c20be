/** Estimates how many objects clauses match, and the cost of finding or testing them, in rows to read. */
import { leavesOf, type Clause, type IdClause, type Probeable } from '../search/clauses.ts'
import type { Condition } from '../search/conditions.ts'
import { estimatesOn } from '../search/estimates.ts'
import { STATEMENT } from '../store/costs.ts'
import type { ReadTx } from '../store/views.ts'
import { driversOf, type Driver } from './id-walk.ts'

/** Up to which number the matches of a condition are counted to find out whether there are few. */
const COUNTED = 5 * STATEMENT

/** Estimates of one search, each made once. */
export class MatchEstimates<V> {
  readonly #tx: ReadTx<V>
  readonly #leaves = new Map<Clause<V>, number>()

  constructor(tx: ReadTx<V>) {
    this.#tx = tx
  }

  /** About how many objects match a clause. */
  async about(clause: Clause<V>): Promise<number> {
    for (const leaf of leavesOf(clause)) {
      if (!this.#leaves.has(leaf)) this.#leaves.set(leaf, await this.#aboutLeaf(leaf))
    }
    return this.#sizeOf(clause)
  }

  async #aboutLeaf(leaf: IdClause | Condition<V>): Promise<number> {
    if (leaf.kind !== 'rows' || !leaf.selective || leaf.bound <= STATEMENT) return leaf.bound
    this.#tx.spend(Math.min(leaf.bound, COUNTED))
    return estimatesOn(this.#tx).about(leaf, COUNTED)
  }

  #sizeOf(clause: Clause<V>): number {
    if (!('left' in clause)) return this.#leaves.get(clause) ?? clause.bound
    const left = this.#sizeOf(clause.left)
    if (clause.kind === 'except') return left
    const right = this.#sizeOf(clause.right)
    return clause.kind === 'or' ? left + right : Math.min(left, right)
  }

  /** The cost of finding all matches: of finding the matches of each operand, or of the smallest with a lookup for each. */
  fetchCost(clause: Clause<V>): number {
    if (!('left' in clause)) return this.#sizeOf(clause)
    const both = this.fetchCost(clause.left) + this.fetchCost(clause.right)
    return clause.kind === 'or' ? both : Math.min(both, this.#sizeOf(clause) * this.testCost(1))
  }

  /** The cost of a row that is tested with `probes` lookups. */
  testCost(probes: number): number {
    return 1 + probes * this.#tx.dialect.probeCost
  }

  /** The drivers of a clause with the fewest rows. */
  async drivers(clause: Probeable<V>): Promise<readonly Driver<V>[] | undefined> {
    await this.about(clause)
    return driversOf(clause, (drivers) => this.rowsIn(drivers))
  }

  /** About how many rows drivers read in all. */
  rowsIn(drivers: readonly Driver<V>[]): number {
    const rowsOf = ({ condition, exact }: Driver<V>): number =>
      exact ? this.#sizeOf(condition) : condition.bound
    return drivers.reduce((sum, driver) => sum + rowsOf(driver), 0)
  }
}
