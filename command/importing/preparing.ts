/** What is going to be imported: the first rows of a file say it, or a mapping does. */
import { misuse } from '../manners/failure.ts'
import {
  columnsOf,
  findMapping,
  requireColumns,
  talliesOf,
  type FindingOptions,
  type Sample,
} from './finding.ts'
import { formatOf } from './formats.ts'
import type { Mapping } from './mapping.ts'
import { showPreview } from './preview.ts'
import { readRows, type Row, type Rows } from './rows.ts'
import { encodingOf, type Source } from './source.ts'

/** What is going to be imported. */
export interface Job {
  readonly source: Source
  readonly rows: AsyncGenerator<Row>
  readonly mapping: Mapping
  readonly name: string
}

/** So many rows, or so many characters of them, say what types the columns have. */
const SAMPLE_ROWS = 1000
const SAMPLE_CHARACTERS = 4 * 1024 * 1024

/** Looks at the first rows, finds the mapping, and shows both. */
export async function prepare(
  source: Source,
  name: string,
  given: Mapping | undefined,
  options: FindingOptions,
): Promise<Job> {
  const { heading, rows, sample } = await look(source, given, options.listSeparator)
  if (sample.rows.length === 0) {
    throw misuse(`there are no rows in '${name}'`, 'CSV needs a heading and at least one row')
  }
  const mapping = given ?? findMapping(sample, options)
  if (given !== undefined) compare(given, sample, heading)
  showPreview(source.file ?? 'standard input', sample, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, name }
}

/** Reads the first rows as a mapping says, or as they look. */
async function look(
  source: Source,
  given: Mapping | undefined,
  separator: string | undefined,
): Promise<Rows & { readonly sample: Sample }> {
  const encoding = given?.encoding ?? encodingOf(source.head)
  const format = given?.format ?? formatOf(source.file, new TextDecoder(encoding).decode(source.head))
  const { heading, rows } = await readRows(source.texts(encoding), format)
  const { first, isWhole } = await firstOf(rows)
  const tallies = talliesOf(heading, first, given === undefined ? separator : given['list-separator'])
  return { heading, rows, sample: { format, encoding, tallies, rows: first, isWhole } }
}

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

async function* chain(first: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rest
}

/** Throws a `Failure` if a mapping is not one of these columns. */
function compare(mapping: Mapping, { tallies }: Sample, heading: readonly string[] | undefined): void {
  const mapped = mapping.columns.map(({ column }) => column)
  const stranger = [...tallies.keys()].find((name) => !mapped.includes(name))
  if (stranger !== undefined) {
    throw misuse(
      `the column '${stranger}' is not in the mapping`,
      'add it there, with "skip": true to leave it out',
    )
  }
  if (heading !== undefined) requireColumns([...mapped, ...columnsOf(mapping.object)], heading)
}
