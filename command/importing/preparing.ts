/** Prepares an import, from the first rows of a file or from a mapping. */
import { misuse } from '../../common/failure.ts'
import { encodingOf } from '../../common/importing/encodings.ts'
import type { Row, Rows } from '../../common/importing/fields.ts'
import { findMapping, requireColumns, type FindingOptions } from './finding.ts'
import { formatOf } from '../../common/importing/formats.ts'
import { columnsOf, ON_REPEAT, type Mapping, type OnRepeat } from '../../common/importing/mapping.ts'
import { objectsIn, type Objects } from '../../common/importing/objects.ts'
import { REPEAT_NAMES, repeatsText } from '../../common/importing/repeats.ts'
import { Progress } from '../terminal/progress.ts'
import { tell } from '../terminal/terminal.ts'
import { showPreview } from './preview.ts'
import { readRows } from '../../common/importing/rows.ts'
import { chain, firstOf, talliesOf, type Sample } from '../../common/importing/sampling.ts'
import type { Source } from './source.ts'

export interface PreparingOptions extends FindingOptions {
  readonly onRepeat?: OnRepeat
  readonly quiet?: true
}

/** A prepared import. */
export interface Job {
  readonly source: Source
  readonly rows: AsyncGenerator<Row>
  readonly mapping: Mapping
  /** The objects of all its rows. */
  readonly objects: Objects
  readonly name: string
}

/**
 * Reads the first rows, finds the mapping, counts the objects of all rows, and shows all that. Throws a `Failure` if the
 * user must decide something.
 */
export async function prepare(
  source: Source,
  name: string,
  given: Mapping | undefined,
  options: PreparingOptions,
): Promise<Job> {
  const { heading, rows, sample } = await look(source, given, options)
  if (sample.rows.length === 0) {
    throw misuse(
      `there are no rows in ${source.file === undefined ? 'standard input' : `'${name}'`}`,
      'CSV needs a heading and at least one row, and JSON at least one object',
    )
  }
  if (given !== undefined) compare(given, sample, heading)
  const { onRepeat } = options
  const mapping: Mapping = {
    ...(given ?? findMapping(sample, options)),
    ...(onRepeat === undefined ? {} : { 'on-repeat': onRepeat }),
  }
  const objects = sample.isWhole
    ? await objectsIn(sample.rows, mapping.object)
    : await countObjects(source, mapping, options.quiet)
  showPreview(source.file ?? 'standard input', sample, mapping)
  showRepeats(objects, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, objects, name }
}

/** Counts the objects of all rows; for that it reads the source once more. */
export async function countObjects(source: Source, mapping: Mapping, quiet?: true): Promise<Objects> {
  const { texts } = await source.again()
  const { rows } = await readRows(texts(mapping.encoding), mapping.format)
  return objectsIn(new Progress('rows read', quiet).watch(rows), mapping.object)
}

/** Says what becomes of rows about the same object. Throws a `Failure` if the user has not chosen that. */
function showRepeats(objects: Objects, { 'on-repeat': choice }: Mapping): void {
  const text = repeatsText(objects)
  if (text === undefined) return
  if (choice === undefined) {
    throw misuse(
      `${text}: later rows would replace values of earlier ones`,
      `choose with --on-repeat ${ON_REPEAT.join('|')}, or name the objects by more columns`,
    )
  }
  tell(`${text}: ${REPEAT_NAMES[choice]}`)
}

/** Reads the first rows in the format of a mapping, or in the format that the file seems to have. */
async function look(
  source: Source,
  given: Mapping | undefined,
  options: FindingOptions,
): Promise<Rows & { readonly sample: Sample }> {
  const encoding = given?.encoding ?? encodingOf(source.head)
  const format = given?.format ?? formatOf(source.file, new TextDecoder(encoding).decode(source.head))
  const { heading, rows } = await readRows(source.texts(encoding), format)
  const { first, isWhole } = await firstOf(rows)
  const hasCommas = format.name === 'csv' && format.separator === ','
  const reading =
    given === undefined
      ? { ...options, separator: options.listSeparator }
      : { separator: given['list-separator'] }
  const tallies = talliesOf(heading, first, { ...reading, hasCommas })
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
