/**
 * Compares derived rows with the stored ones, when neither fit into memory nor come in the same order. Both are summed up in
 * buckets, by object; only buckets with different sums are compared row by row.
 */
import type { Findings, Repair, Rule } from './findings.ts'

/** A row of one object, as text with a character for each octet. */
export type RowText = string

/** Receives the rows of an object, and the number of the thing that a row is derived from, if there is one. */
export type TakeRow = (object: Buffer, row: RowText, thing?: number) => void

/** The rows that must exist, and the stored rows. Each function can be called again, with the same result. */
export interface DerivedRows {
  readonly rule: Rule
  /** Calls `take` for every row that must exist, and `skip` for objects whose rows cannot be determined. */
  expected(take: TakeRow, skip: (object: Buffer) => void): Promise<void>
  /** Calls `take` for every stored row. */
  stored(take: TakeRow): Promise<void>
  /** The text by which an example names an object with wrong rows. */
  name(object: Buffer, difference: Difference): string
  repair(object: Buffer, difference: Difference): Repair | undefined
}

/** How the stored rows of an object differ from those that must exist. */
export interface Difference {
  readonly missing: ReadonlySet<RowText>
  readonly surplus: readonly RowText[]
  /** The numbers of the things that rows of the object are derived from. */
  readonly things: readonly number[]
}

const BUCKETS = 1024

/** Most bits of the last octets of an id are random. */
const bucketOf = (object: Buffer): number => object.readUInt16BE(object.length - 2) % BUCKETS

/** How many rows are in memory at once, unless a single bucket has more. */
const ROWS_AT_ONCE = 250_000

/** Sums over rows: equal for equal sets of rows; different sets have equal sums with a probability of 2^-64. */
export class BucketSums {
  readonly #rows = new Int32Array(BUCKETS)
  readonly #count = new Int32Array(BUCKETS)
  readonly #low = new Int32Array(BUCKETS)
  readonly #high = new Int32Array(BUCKETS)
  #touched = false

  /** Adds a row (`sign` 1) or subtracts it (-1). */
  add(object: Buffer, row: RowText, sign: 1 | -1): void {
    const bucket = bucketOf(object)
    const [low, high] = hashOf(object, row)
    this.#touched = true
    this.#rows[bucket] = (this.#rows[bucket] ?? 0) + 1
    this.#count[bucket] = (this.#count[bucket] ?? 0) + sign
    this.#low[bucket] = (this.#low[bucket] ?? 0) + sign * low
    this.#high[bucket] = (this.#high[bucket] ?? 0) + sign * high
  }

  /** The buckets whose added and subtracted rows differ, in groups that fit into memory. */
  differing(): ReadonlySet<number>[] {
    const groups: Set<number>[] = []
    let rows = Infinity
    for (let bucket = 0; this.#touched && bucket < BUCKETS; bucket++) {
      if (this.#count[bucket] === 0 && this.#low[bucket] === 0 && this.#high[bucket] === 0) continue
      const own = this.#rows[bucket] ?? 0
      if (rows + own > ROWS_AT_ONCE) {
        groups.push(new Set())
        rows = 0
      }
      groups.at(-1)?.add(bucket)
      rows += own
    }
    return groups
  }

  clear(): void {
    if (!this.#touched) return
    for (const sums of [this.#rows, this.#count, this.#low, this.#high]) sums.fill(0)
    this.#touched = false
  }
}

/** Two hashes of 32 bits over an object and a row. */
function hashOf(object: Buffer, row: RowText): readonly [low: number, high: number] {
  let [low, high] = [0x1b873593, 0x2e5f1d0b]
  for (let at = 0; at < object.length; at++) {
    const octet = object[at] ?? 0
    low = Math.imul(low ^ octet, 0x9e3779b1)
    high = Math.imul(high ^ octet, 0x5f356495)
  }
  for (let at = 0; at < row.length; at++) {
    const octet = row.charCodeAt(at)
    low = Math.imul(low ^ octet, 0x85ebca77)
    high = Math.imul(high ^ octet, 0xc2b2ae3d)
  }
  return [scattered(low ^ row.length, high), scattered(high, low)]
}

/** Each bit of both numbers changes about half of the bits of the result. */
function scattered(one: number, other: number): number {
  let bits = one ^ (other >>> 15)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** Compares the stored rows with those that must exist. */
export async function compareRows(findings: Findings, rows: DerivedRows): Promise<void> {
  const sums = new BucketSums()
  await rows.expected(
    (object, row) => {
      sums.add(object, row, 1)
    },
    () => undefined,
  )
  let stored = 0
  await rows.stored((object, row) => {
    stored += 1
    sums.add(object, row, -1)
  })
  findings.checked(rows.rule, stored)
  await explain(findings, rows, sums)
}

/** Finds the objects whose rows make the sums differ. */
export async function explain(findings: Findings, rows: DerivedRows, sums: BucketSums): Promise<void> {
  for (const buckets of sums.differing()) {
    const differences = await differencesIn(rows, buckets)
    for (const [id, difference] of differences) {
      if (difference.missing.size === 0 && difference.surplus.length === 0) continue
      const object = Buffer.from(id, 'latin1')
      await findings.broken(rows.rule, rows.name(object, difference), rows.repair(object, difference))
    }
  }
}

type OpenDifference = {
  readonly missing: Set<RowText>
  readonly surplus: RowText[]
  readonly things: number[]
}

async function differencesIn(
  rows: DerivedRows,
  buckets: ReadonlySet<number>,
): Promise<ReadonlyMap<string, Difference>> {
  const differences = new Map<string, OpenDifference>()
  const skipped = new Set<string>()
  const of = (id: string): OpenDifference => {
    const known = differences.get(id) ?? { missing: new Set(), surplus: [], things: [] }
    differences.set(id, known)
    return known
  }
  await rows.expected(
    (object, row, thing) => {
      if (!buckets.has(bucketOf(object))) return
      const difference = of(object.toString('latin1'))
      difference.missing.add(row)
      if (thing !== undefined) difference.things.push(thing)
    },
    (object) => {
      if (buckets.has(bucketOf(object))) skipped.add(object.toString('latin1'))
    },
  )
  await rows.stored((object, row) => {
    if (!buckets.has(bucketOf(object))) return
    const id = object.toString('latin1')
    if (skipped.has(id)) return
    const difference = of(id)
    if (!difference.missing.delete(row)) difference.surplus.push(row)
  })
  return differences
}
