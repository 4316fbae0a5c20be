/** Sets of sort keys: the keys that conditions on one tag ask for, so that one test can answer many conditions. */
import { join, list, raw, sql, type Sql } from '../database/connection/sql.ts'

/** A place between two keys: just before a key, or just after it. */
interface Cut {
  readonly key: Buffer
  readonly after: boolean
}

/** All keys from one cut to another. */
interface Range {
  readonly from: Cut
  readonly to: Cut
}

/** Ranges in ascending order that neither overlap nor touch. */
export type KeySet = readonly Range[]

const START: Cut = { key: Buffer.alloc(0), after: false }
/** A place beyond every key: the first octet of a key is a small number. */
const END: Cut = { key: Buffer.of(0xff), after: false }

const before = (key: Buffer): Cut => ({ key, after: false })
const after = (key: Buffer): Cut => ({ key, after: true })

const compareCuts = (a: Cut, b: Cut): number =>
  Buffer.compare(a.key, b.key) || Number(a.after) - Number(b.after)

export const EVERY_KEY: KeySet = [{ from: START, to: END }]

/** The set of one key. */
export const onlyKey = (key: Buffer): KeySet => [{ from: before(key), to: after(key) }]

/** All keys from `from` on, and before `to`. */
export const keysBetween = (from: Buffer, to: Buffer): KeySet => [{ from: before(from), to: before(to) }]

/** The keys of one type, whose first octet is `type`, that lie on one side of a key. */
export function keysBeside(op: '<' | '<=' | '>' | '>=', key: Buffer, type: number): KeySet {
  const edge = { key, after: op === '<=' || op === '>' }
  const [from, to] = op.startsWith('<')
    ? [before(Buffer.of(type)), edge]
    : [edge, before(Buffer.of(type + 1))]
  return compareCuts(from, to) < 0 ? [{ from, to }] : []
}

/** The keys that are in at least `least` of the sets. */
export function inAtLeast(least: number, sets: readonly KeySet[]): KeySet {
  const edges = sets
    .flat()
    .flatMap(({ from, to }) => [
      { cut: from, step: 1 },
      { cut: to, step: -1 },
    ])
    // Beginnings first: if one range ends where the next begins, there is no gap.
    .sort((a, b) => compareCuts(a.cut, b.cut) || b.step - a.step)
  const ranges: Range[] = []
  let depth = 0
  let from: Cut | undefined
  for (const { cut, step } of edges) {
    depth += step
    if (from === undefined && depth >= least) from = cut
    else if (from !== undefined && depth < least) {
      if (compareCuts(from, cut) < 0) ranges.push({ from, to: cut })
      from = undefined
    }
  }
  return ranges
}

/** All keys that are not in the set. */
export function otherKeys(set: KeySet): KeySet {
  const ends = [START, ...set.flatMap(({ from, to }) => [from, to]), END]
  return ends
    .flatMap((from, i) => (i % 2 === 0 ? [{ from, to: ends[i + 1] ?? END }] : []))
    .filter(({ from, to }) => compareCuts(from, to) < 0)
}

const isOneKey = ({ from, to }: Range): boolean => !from.after && to.after && from.key.equals(to.key)

const keysOf = (ranges: readonly Range[]): Buffer[] => ranges.map(({ from }) => from.key)

/** The test for a set, which also decides how to find its rows. */
export type KeyTest =
  | { readonly kind: 'all' | 'none' }
  /** A few keys, or all but a few. */
  | { readonly kind: 'keys' | 'others'; readonly keys: readonly Buffer[] }
  /** Ranges, perhaps with single keys among them. */
  | { readonly kind: 'ranges'; readonly ranges: KeySet }

/** The cheapest test for a set. */
export function testOf(set: KeySet): KeyTest {
  if (set.length === 0) return { kind: 'none' }
  if (set.every(isOneKey)) return { kind: 'keys', keys: keysOf(set) }
  const others = otherKeys(set)
  if (others.length === 0) return { kind: 'all' }
  if (others.every(isOneKey)) return { kind: 'others', keys: keysOf(others) }
  return { kind: 'ranges', ranges: set }
}

/** SQL that applies a test to the column `key`. */
export function testSql(test: KeyTest, key: Sql): Sql {
  switch (test.kind) {
    case 'all':
      return raw('1 = 1')
    case 'none':
      return raw('1 = 0')
    case 'keys':
      return test.keys.length === 1
        ? sql`${key} = ${test.keys[0] ?? null}`
        : sql`${key} IN (${list(test.keys)})`
    case 'others':
      return test.keys.length === 1
        ? sql`${key} <> ${test.keys[0] ?? null}`
        : sql`${key} NOT IN (${list(test.keys)})`
    case 'ranges':
      return rangesSql(test.ranges, key)
  }
}

/** SQL for ranges, as a binary search: a row costs a few comparisons for any number of ranges. */
function rangesSql(ranges: KeySet, key: Sql): Sql {
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined) return raw('1 = 0')
  if (ranges.length === 1) return within(first, key)
  // The outermost cuts by themselves, so that the database reads an index from one to the other.
  return sql`${within({ from: first.from, to: last.to }, key)} AND ${halved(ranges, key)}`
}

function halved(ranges: KeySet, key: Sql): Sql {
  const middle = ranges.length >> 1
  const [range, pivot] = [ranges[0] as Range, ranges[middle] as Range]
  if (middle === 0) return within(range, key)
  return sql`CASE WHEN ${key} ${raw(pivot.from.after ? '<=' : '<')} ${pivot.from.key}
    THEN ${halved(ranges.slice(0, middle), key)} ELSE ${halved(ranges.slice(middle), key)} END`
}

function within({ from, to }: Range, key: Sql): Sql {
  const sides: Sql[] = []
  if (from !== START) sides.push(sql`${key} ${raw(from.after ? '>' : '>=')} ${from.key}`)
  if (to !== END) sides.push(sql`${key} ${raw(to.after ? '<=' : '<')} ${to.key}`)
  return sides.length === 0 ? raw('1 = 1') : join(sides, ' AND ')
}
