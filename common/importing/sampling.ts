/** Samples the first rows of a file. */
import { findPath } from '../../src/model/paths.ts'
import { ID } from '../connection/addresses.ts'
import { misuse } from '../failure.ts'
import type { Row, Rows } from './fields.ts'
import { detect, type Detected, type Given } from './detection.ts'
import { readRows } from './rows.ts'
import type { Naming } from './mapping.ts'
import { GEOMETRY } from './flattening.ts'
import { Tally, type Reading } from './tally.ts'

/** The most rows, and the most characters, in the sample that determines the types of the columns. */
const SAMPLE_ROWS = 1000
const SAMPLE_CHARACTERS = 4 * 1024 * 1024

/** The first rows of a file. */
export interface Sample extends Detected {
  /** The columns in order, with counts of the kinds of their fields. */
  readonly tallies: ReadonlyMap<string, Tally>
  readonly rows: readonly Row[]
  /** Whether the sample contains all rows. */
  readonly isWhole: boolean
}

/** Octets to read. */
export interface Readable {
  readonly file: string | undefined
  /** The first octets. */
  readonly head: Uint8Array
  readonly texts: (encoding: string) => AsyncGenerator<string>
}

/**
 * Reads the first rows in the way that the user has said, or that the file seems to need. `reading` is about its values. Throws a `Failure` if the file has no rows as text, or none that fits its heading.
 */
export async function sampleOf(
  { file, head, texts }: Readable,
  given: Given,
  reading: Reading,
): Promise<Rows & { readonly sample: Sample }> {
  const detected = detect(head, file, given)
  const { heading, rows } = await readRows(texts(detected.encoding), detected.format)
  const { first, isWhole } = await firstOf(rows)
  requireRows(first, heading)
  const { format } = detected
  const hasCommas = format.name === 'csv' && format.separator === ','
  const tallies = talliesOf(heading, first, { ...reading, hasCommas })
  return { heading, rows, sample: { ...detected, tallies, rows: first, isWhole } }
}

/** Throws a `Failure` if no row can be read, or if most rows have more fields than a heading with a single one. */
function requireRows(rows: readonly Row[], heading: readonly string[] | undefined): void {
  const bad = rows.filter(({ flaw }) => flaw !== undefined)
  const [row] = bad
  const isTitle = heading?.length === 1 && bad.length > rows.length / 2
  if (row === undefined || (bad.length < rows.length && !isTitle)) return
  const remedy =
    heading === undefined
      ? 'write an object a line, or an array of objects'
      : 'choose the line of the heading (--heading 3, --no-heading) or the separator'
  throw misuse(`the rows cannot be read: row ${row.number}: ${row.flaw ?? ''}`, remedy)
}

/** Takes the first rows. */
async function firstOf(rows: Rows['rows']): Promise<{ first: Row[]; isWhole: boolean }> {
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

/** Counts the kinds of fields in the first rows, as `reading` reads them. */
export function talliesOf(
  heading: readonly string[] | undefined,
  rows: readonly Row[],
  reading: Reading,
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  const isJson = heading === undefined
  for (const name of heading ?? []) tallies.set(name, new Tally(isJson, reading))
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
export function namingIn(tallies: Sample['tallies']): Naming | undefined {
  if (tallies.has('about')) return { about: '{about}' }
  return hasIds(tallies) ? { id: 'id' } : undefined
}

/** Returns whether the column `id` has ids of objects. */
function hasIds(tallies: Sample['tallies']): boolean {
  const ids = tallies.get('id')?.first ?? []
  return ids.length > 0 && ids.every((one) => typeof one === 'string' && ID.test(one))
}

/**
 * Why a column is left out unless the user says otherwise: an export has ids beside about values, and a shape is no value.
 */
export function leftOut(column: string, { tallies }: Sample, object: Naming): string | undefined {
  if (column === 'id' && 'about' in object && object.about === '{about}' && hasIds(tallies))
    return 'the ids of the objects are left out, since their about values name them'
  const isShape = column === GEOMETRY && tallies.get(column)?.found().type === undefined
  return isShape ? 'shapes that are no points cannot be values, and are left out' : undefined
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
