/** Samples the first rows of a file. */
import { findPath } from '../../src/model/paths.ts'
import { ID } from '../connection/addresses.ts'
import { misuse } from '../failure.ts'
import type { Encoding } from './encodings.ts'
import type { Row, Rows } from './fields.ts'
import type { Format } from './formats.ts'
import type { Naming } from './mapping.ts'
import { Tally, type Reading } from './tally.ts'

/** The most rows, and the most characters, in the sample that determines the types of the columns. */
const SAMPLE_ROWS = 1000
const SAMPLE_CHARACTERS = 4 * 1024 * 1024

/** The first rows of a file. */
export interface Sample {
  readonly format: Format
  readonly encoding: Encoding
  /** The columns in order, with counts of the kinds of their fields. */
  readonly tallies: ReadonlyMap<string, Tally>
  readonly rows: readonly Row[]
  /** Whether the sample contains all rows. */
  readonly isWhole: boolean
}

/** Takes the first rows. */
export async function firstOf(rows: Rows['rows']): Promise<{ first: Row[]; isWhole: boolean }> {
  const first: Row[] = []
  let characters = 0
  while (first.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS) {
    const next = await rows.next()
    if (next.done) return { first, isWhole: true }
    first.push(next.value)
    for (const field of next.value.fields.values()) characters += typeof field === 'string' ? field.length : 1
  }
  return { first, isWhole: false }
}

/** Yields the first rows, and then the others. */
export async function* chain(first: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rest
}

/** Counts the kinds of fields in the first rows, as `reading` reads them. Throws a `Failure` if two columns have the same name. */
export function talliesOf(
  heading: readonly string[] | undefined,
  rows: readonly Row[],
  reading: Reading,
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  const isJson = heading === undefined
  for (const name of heading ?? []) {
    if (tallies.has(name)) {
      throw misuse(`two columns are called '${name}'`, 'give one of them another name in the heading')
    }
    tallies.set(name, new Tally(isJson, reading))
  }
  for (const { fields, flaw } of rows) {
    if (flaw !== undefined) continue
    for (const [name, field] of fields) {
      let tally = tallies.get(name)
      if (tally === undefined) tallies.set(name, (tally = new Tally(isJson, reading)))
      tally.add(field)
    }
  }
  const all = [...tallies.values()]
  if (all.some((tally) => tally.hasDecimalCommas)) for (const tally of all) tally.expectCommas()
  return tallies
}

/** The column that certainly names the object, if there is one. */
export function namedIn(tallies: Sample['tallies']): Naming | undefined {
  if (tallies.has('about')) return { about: '{about}' }
  const ids = tallies.get('id')?.first ?? []
  const areIds = ids.length > 0 && ids.every((one) => typeof one === 'string' && ID.test(one))
  return areIds ? { id: 'id' } : undefined
}

/**
 * The tag for a column in a namespace: its name, with - for characters that a name cannot contain. Undefined if no
 * character remains.
 */
export function tagIn(namespace: string, column: string): string | undefined {
  const name = column
    .replace(/[^\p{L}\p{M}\p{N}_:./-]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .replace(/\/{2,}/g, '/')
  return name === '' ? undefined : findPath(`${namespace}/${name}`, 2)
}
