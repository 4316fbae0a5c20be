/** Prepares an import, from the first rows of a file or from a mapping. */
import { misuse } from '../../common/failure.ts'
import { encodingOf } from '../../common/importing/encodings.ts'
import type { Row, Rows } from '../../common/importing/fields.ts'
import { findMapping, requireColumns, type FindingOptions } from './finding.ts'
import { formatOf } from '../../common/importing/formats.ts'
import { columnsOf, type Mapping } from '../../common/importing/mapping.ts'
import { showPreview } from './preview.ts'
import { readRows } from '../../common/importing/rows.ts'
import { chain, firstOf, talliesOf, type Sample } from '../../common/importing/sampling.ts'
import type { Source } from './source.ts'

/** A prepared import. */
export interface Job {
  readonly source: Source
  readonly rows: AsyncGenerator<Row>
  readonly mapping: Mapping
  readonly name: string
}

/** Reads the first rows, finds the mapping, and shows both. */
export async function prepare(
  source: Source,
  name: string,
  given: Mapping | undefined,
  options: FindingOptions,
): Promise<Job> {
  const { heading, rows, sample } = await look(source, given, options.listSeparator)
  if (sample.rows.length === 0) {
    throw misuse(
      `there are no rows in ${source.file === undefined ? 'standard input' : `'${name}'`}`,
      'CSV needs a heading and at least one row, and JSON at least one object',
    )
  }
  const mapping = given ?? findMapping(sample, options)
  if (given !== undefined) compare(given, sample, heading)
  showPreview(source.file ?? 'standard input', sample, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, name }
}

/** Reads the first rows in the format of a mapping, or in the format that the file seems to have. */
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
