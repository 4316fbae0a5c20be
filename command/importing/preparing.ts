/** Prepares an import, from the first rows of a file or from a mapping. */
import { misuse } from '../../common/failure.ts'
import { chain, type Row } from '../../common/importing/fields.ts'
import type { Given } from '../../common/importing/detection.ts'
import { findMapping, requireColumns, type FindingOptions } from './finding.ts'
import { SEPARATOR_NAMES } from '../../common/importing/formats.ts'
import { columnsOf, type Mapping } from '../../common/importing/mapping.ts'
import { showPreview } from './preview.ts'
import { sampleOf, type Sample } from '../../common/importing/sampling.ts'
import type { Source } from './source.ts'

/** The options of the command line about reading the file. */
export type ReadingOptions = Omit<Given, 'format'>

/** A prepared import. */
export interface Job {
  readonly source: Source
  readonly rows: AsyncGenerator<Row>
  readonly mapping: Mapping
  readonly name: string
}

/** Reads the first rows, finds the mapping, and shows both. Undefined if there are no rows. */
export async function prepare(
  source: Source,
  name: string,
  given: Mapping | undefined,
  options: FindingOptions & ReadingOptions,
): Promise<Job | undefined> {
  const separator = given === undefined ? options.listSeparator : given['list-separator']
  const { heading, rows, sample } = await sampleOf(source, given ?? options, separator)
  requireOneSeparator(sample)
  if (heading?.length === 0)
    throw misuse(`${nameOf(source)} is empty`, 'CSV needs a heading, and JSON may be []')
  if (heading === undefined && sample.rows.length === 0) return undefined
  const mapping = given ?? findMapping(sample, options)
  if (given !== undefined) compare(given, sample, heading)
  showPreview(nameOf(source), sample, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, name }
}

const nameOf = ({ file }: Source): string => file ?? 'standard input'

function requireOneSeparator({ separators }: Sample): void {
  const [first, second] = separators
  if (first === undefined || second === undefined) return
  const names = [first, second].map((one) => SEPARATOR_NAMES[one] ?? one)
  throw misuse(
    `the fields may be between ${names.join(' or ')}`,
    `say it: --separator '${first}' or --separator '${second}'`,
  )
}

/** Throws a `Failure` if a mapping does not fit these columns. */
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
