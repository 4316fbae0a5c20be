/** What the first rows of a file say about all of it. */
import { findPath } from '../../src/model/paths.ts'
import { ID } from '../connection/addresses.ts'
import { misuse } from '../terminal/failure.ts'
import type { Encoding } from './encodings.ts'
import type { Row, Rows } from './fields.ts'
import type { Format } from './formats.ts'
import type { Naming } from './mapping.ts'
import { Tally } from './types.ts'

/** So many rows, or so many characters of them, say what types the columns have. */
const SAMPLE_ROWS = 1000
const SAMPLE_CHARACTERS = 4 * 1024 * 1024

/** The first rows of a file. */
export interface Sample {
  readonly format: Format
  readonly encoding: Encoding
  /** The columns, in order, and what their fields are. */
  readonly tallies: ReadonlyMap<string, Tally>
  readonly rows: readonly Row[]
  /** Whether there are no more rows. */
  readonly isWhole: boolean
}

/** The first rows of all. */
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

/** The first rows, and those after them. */
export async function* chain(first: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rest
}

/** Counts what the first rows have. Throws a `Failure` if two columns have one name. */
export function talliesOf(
  heading: readonly string[] | undefined,
  rows: readonly Row[],
  separator: string | undefined,
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  const isJson = heading === undefined
  for (const name of heading ?? []) {
    if (tallies.has(name)) {
      throw misuse(`two columns are called '${name}'`, 'give one of them another name in the heading')
    }
    tallies.set(name, new Tally(isJson, separator))
  }
  for (const { fields, flaw } of rows) {
    if (flaw !== undefined) continue
    for (const [name, field] of fields) {
      let tally = tallies.get(name)
      if (tally === undefined) tallies.set(name, (tally = new Tally(isJson, separator)))
      tally.add(field)
    }
  }
  return tallies
}

/** What can only be meant to name the object. */
export function namedIn(tallies: Sample['tallies']): Naming | undefined {
  if (tallies.has('about')) return { about: '{about}' }
  const ids = tallies.get('id')?.first ?? []
  const areIds = ids.length > 0 && ids.every((one) => typeof one === 'string' && ID.test(one))
  return areIds ? { id: 'id' } : undefined
}

/** The tag of a column in a namespace: its name, with - for what no name can have. Undefined if nothing is left of it. */
export function tagIn(namespace: string, column: string): string | undefined {
  const name = column
    .replace(/[^\p{L}\p{M}\p{N}_:./-]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .replace(/\/{2,}/g, '/')
  return name === '' ? undefined : findPath(`${namespace}/${name}`, 2)
}
