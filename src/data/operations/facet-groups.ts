/** Groups values that compare as equal: in the database if one statement has all rows, else in portions of keys. */
import type { PrimitiveType } from '../../model/tag-value.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import type { ReadTx } from '../store/views.ts'
import { KEY, typeCode } from '../values/encoding.ts'
import { NUMBER_KEYS, ZERO_KEY, type Ends } from './facet-bins.ts'
import type { Held, Rows } from './facet-rows.ts'
import type { Group } from './facet-values.ts'

/** Totals over all groups. The ends are undefined if there are no such numbers. */
export interface Grouped extends Readonly<Partial<Ends>> {
  /** How many values each type has, in the order of types, without types that have none. */
  readonly types: ReadonlyMap<PrimitiveType | 'opaque', number>
  /** The most frequent values except lists and opaque ones; equally frequent ones are in the order of keys. */
  readonly top: readonly Group[]
}

/** The groups of rows, and the `top` most frequent of them. */
export async function grouped<V>(tx: ReadTx<V>, rows: Rows, top: number, held: Held): Promise<Grouped> {
  const tally = new Tally(top)
  if (rows.keysAlone !== undefined) return groupedByKeys(tx, rows, rows.keysAlone, tally)
  if (rows.inOne) for (const from of rows.statements()) await tallyInOne(tx, from, INTS, tally)
  else await tallyInPortions(tx, rows, tally, held)
  return tally.grouped()
}

/** Groups by an index without types, which tell ints from floats: groups need types only if there are both. */
async function groupedByKeys<V>(tx: ReadTx<V>, rows: Rows, keys: Sql, tally: Tally): Promise<Grouped> {
  await tallyInOne(tx, keys, raw('0'), tally)
  if (tally.numbers === 0) return tally.grouped()
  let ints = 0
  for (const from of rows.statements()) {
    const row = await tx.one<{ n: number }>(
      sql`SELECT COUNT(*) AS n ${from} AND v.type = ${INT} AND v.sort_key >= ${NUMBER_KEYS.from} AND v.sort_key < ${NUMBER_KEYS.to}`,
    )
    ints += row?.n ?? 0
  }
  if (ints === 0) return tally.grouped()
  if (ints === tally.numbers) return tally.ofInts().grouped()
  const typed = new Tally(tally.top)
  for (const from of rows.statements()) await tallyInOne(tx, from, INTS, typed)
  return typed.grouped()
}

const INT = typeCode('int')
/** How many rows of a group are ints. */
const INTS = raw(`SUM(CASE WHEN v.type = ${String(INT)} THEN 1 ELSE 0 END)`)

interface GroupRow {
  readonly k: Buffer
  readonly n: number
  readonly ints: Sum
}

/** A group, and totals of all groups. */
interface TotalsRow extends GroupRow {
  readonly all_values: Sum
  readonly all_numbers: Sum
  readonly all_ints: Sum
}

/** Databases return sums as numbers or as text. */
type Sum = number | string | Buffer

const numberOf = (sum: Sum): number => Number(String(sum))

/**
 * SQL that is true for the groups of the smallest number, the smallest positive one and the largest, by the places of groups
 * in the order of keys. Where there is no such number, it may be true for a neighbouring group, which does no harm. MIN and
 * MAX over all groups would find them, too, but take MariaDB a time that grows with the square of the groups.
 */
const IS_END = raw('s.place IN (s.below_numbers + 1, s.not_positive + 1, s.to_numbers)')

/**
 * Finds the groups to show, and the totals of all, in one pass over the rows. First come the ends of numbers, and the few
 * groups of the types that have few. Numbers and strings may have any number of groups; only the totals of these are needed.
 */
async function tallyInOne<V>(tx: ReadTx<V>, from: Sql, ints: Sql, tally: Tally): Promise<void> {
  const rows = await tx.all<TotalsRow>(sql`
    SELECT s.k, s.n, s.ints, s.all_values, s.all_numbers, s.all_ints FROM (
      SELECT g.k, g.n, g.ints, SUM(g.n) OVER () AS all_values, SUM(g.ints) OVER () AS all_ints,
        SUM(CASE WHEN g.k >= ${NUMBER_KEYS.from} AND g.k < ${NUMBER_KEYS.to} THEN g.n ELSE 0 END) OVER () AS all_numbers,
        ROW_NUMBER() OVER (ORDER BY g.k) AS place, SUM(g.k < ${NUMBER_KEYS.from}) OVER () AS below_numbers,
        SUM(g.k <= ${ZERO_KEY}) OVER () AS not_positive, SUM(g.k < ${NUMBER_KEYS.to}) OVER () AS to_numbers
      FROM (SELECT v.sort_key AS k, COUNT(*) AS n, ${ints} AS ints ${from} GROUP BY v.sort_key) g) s
    ORDER BY CASE WHEN ${IS_END} OR s.k < ${NUMBER_KEYS.from} OR s.k >= ${Buffer.of(KEY.list)} THEN 0 ELSE 1 END, s.n DESC, s.k
    LIMIT ${raw(String(tally.top + ENDS + OTHER_GROUPS))}`)
  const [row] = rows
  if (row === undefined) return
  let strings = numberOf(row.all_values) - numberOf(row.all_numbers)
  for (const { k, n, ints: some } of rows) {
    tally.offer({ key: k, count: n, ints: numberOf(some) })
    if (k[0] === KEY.number || k[0] === KEY.string) continue
    tally.count(k[0] ?? 0, n)
    strings -= n
  }
  tally.count(KEY.number, numberOf(row.all_numbers))
  tally.countInts(numberOf(row.all_ints))
  tally.count(KEY.string, strings)
}

/** The smallest number, the largest, and the smallest positive one. */
const ENDS = 3
/** Null, false, true, lists, opaque values: each type has one key, or one for each of its values. */
const OTHER_GROUPS = 5

/** Reads all portions of rows once for each portion of keys, in ascending order, so that memory stays small. */
async function tallyInPortions<V>(tx: ReadTx<V>, rows: Rows, tally: Tally, held: Held): Promise<void> {
  let after: Buffer | undefined = Buffer.alloc(0)
  while (after !== undefined) {
    const portion: KeyPortion = new KeyPortion(after, held.groups)
    for (const from of rows.statements()) {
      const some = await tx.all<GroupRow>(sql`
        SELECT v.sort_key AS k, COUNT(*) AS n, ${INTS} AS ints ${from} AND ${portion.where()} GROUP BY v.sort_key`)
      for (const { k, n, ints } of some) portion.add({ key: k, count: n, ints: numberOf(ints) })
    }
    for (const group of portion.groups()) {
      tally.count(group.key[0] ?? 0, group.count)
      tally.countInts(group.ints)
      tally.offer(group)
    }
    after = portion.upTo
  }
}

/** The groups with the lowest keys after a key, up to a limit. */
class KeyPortion {
  readonly #after: Buffer
  readonly #most: number
  #groups = new Map<string, Group>()
  /** The last key of the portion, or undefined if the portion has all later keys. */
  upTo: Buffer | undefined

  /** The groups with keys after `after`, at most `most` of them. */
  constructor(after: Buffer, most: number) {
    this.#after = after
    this.#most = most
  }

  where(): Sql {
    const from = sql`v.sort_key > ${this.#after}`
    return this.upTo === undefined ? from : sql`${from} AND v.sort_key <= ${this.upTo}`
  }

  add({ key, count, ints }: Group): void {
    if (this.upTo !== undefined && Buffer.compare(key, this.upTo) > 0) return
    const name = key.toString('latin1')
    const known = this.#groups.get(name)
    this.#groups.set(name, { key, count: count + (known?.count ?? 0), ints: ints + (known?.ints ?? 0) })
    if (this.#groups.size <= this.#most) return
    const kept = [...this.#groups].sort(([, a], [, b]) => Buffer.compare(a.key, b.key))
    kept.length = Math.ceil(this.#most / 2)
    this.#groups = new Map(kept)
    this.upTo = kept.at(-1)?.[1].key
  }

  groups(): Iterable<Group> {
    return this.#groups.values()
  }
}

/** Orders the most frequent first, and equally frequent ones by key. */
export const byCount = (a: Group, b: Group): number => b.count - a.count || Buffer.compare(a.key, b.key)

/** Collects the groups to show, and the totals of all. */
class Tally {
  readonly top: number
  readonly #counts = new Map<number, number>()
  #ints = 0
  #frequent: Group[] = []
  #ends: { smallest?: Group; largest?: Group; leastPositive?: Group } = {}

  constructor(top: number) {
    this.top = top
  }

  /** How many numbers there are. */
  get numbers(): number {
    return this.#counts.get(KEY.number) ?? 0
  }

  /** Counts values whose keys begin with `octet`. */
  count(octet: number, values: number): void {
    this.#counts.set(octet, (this.#counts.get(octet) ?? 0) + values)
  }

  countInts(ints: number): void {
    this.#ints += ints
  }

  /** Takes a group that may be among those to show. Callers offer each group only once. */
  offer(group: Group): void {
    if (group.key[0] === KEY.number) this.#offerEnd(group)
    if ((group.key[0] ?? 0) >= KEY.list) return
    this.#frequent.push(group)
    if (this.#frequent.length > 2 * this.top + ENDS + OTHER_GROUPS) this.#frequent = this.#first()
  }

  /** The same tally, with every number as an int. */
  ofInts(): this {
    const typed = (group: Group): Group =>
      group.key[0] === KEY.number ? { ...group, ints: group.count } : group
    this.#ints = this.numbers
    this.#frequent = this.#frequent.map(typed)
    for (const [end, group] of Object.entries(this.#ends)) this.#ends = { ...this.#ends, [end]: typed(group) }
    return this
  }

  grouped(): Grouped {
    const of = (octet: number): number => this.#counts.get(octet) ?? 0
    const types = new Map<PrimitiveType | 'opaque', number>([
      ['null', of(KEY.null)],
      ['boolean', of(KEY.boolean)],
      ['int', this.#ints],
      ['float', this.numbers - this.#ints],
      ['string', of(KEY.string)],
      ['list-of-strings', of(KEY.list)],
      ['opaque', of(KEY.opaque)],
    ])
    for (const [type, values] of types) if (values === 0) types.delete(type)
    return { types, top: this.#first(), ...this.#ends }
  }

  #first(): Group[] {
    return this.#frequent.sort(byCount).slice(0, this.top)
  }

  #offerEnd(group: Group): void {
    const { smallest = group, largest = group, leastPositive = group } = this.#ends
    const isLess = (a: Group, b: Group): boolean => Buffer.compare(a.key, b.key) < 0
    const ends = {
      smallest: isLess(group, smallest) ? group : smallest,
      largest: isLess(largest, group) ? group : largest,
    }
    const isPositive = Buffer.compare(group.key, ZERO_KEY) > 0
    this.#ends = isPositive
      ? { ...ends, leastPositive: isLess(group, leastPositive) ? group : leastPositive }
      : { ...this.#ends, ...ends }
  }
}
