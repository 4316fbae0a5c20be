/** Prepares an import, from the first rows of a file or from a mapping. */
import { misuse } from '../../common/failure.ts'
import { chain, type Row, type Rows } from '../../common/importing/fields.ts'
import type { Given } from '../../common/importing/detection.ts'
import { findMapping, requireColumns, type FindingOptions } from './finding.ts'
import { SEPARATOR_NAMES } from '../../common/importing/formats.ts'
import { columnsOf, ON_REPEAT, type Mapping, type OnRepeat } from '../../common/importing/mapping.ts'
import { objectsIn, type Objects } from '../../common/importing/objects.ts'
import { REPEAT_NAMES, repeatsText } from '../../common/importing/repeats.ts'
import { readRows } from '../../common/importing/rows.ts'
import { Progress } from '../terminal/progress.ts'
import { tell } from '../terminal/terminal.ts'
import { showPreview } from './preview.ts'
import { sampleOf, type Sample } from '../../common/importing/sampling.ts'
import type { Source } from './source.ts'

export interface PreparingOptions extends FindingOptions, Omit<Given, 'format'> {
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
 * Reads the first rows, finds the mapping, counts the objects of all rows, and shows all that. Undefined if JSON has no
 * rows. Throws a `Failure` if the user must decide something.
 */
export async function prepare(
  source: Source,
  name: string,
  given: Mapping | undefined,
  options: PreparingOptions,
): Promise<Job | undefined> {
  const { heading, rows, sample } = await look(source, given, options)
  if (heading === undefined && sample.rows.length === 0) return undefined
  const mapping = mappingFor(sample, heading, given, options)
  const objects = sample.isWhole
    ? await objectsIn(sample.rows, mapping.object)
    : await countObjects(source, mapping, options.quiet)
  showPreview(nameOf(source), sample, mapping)
  showRepeats(objects, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, objects, name }
}

const nameOf = ({ file }: Source): string => file ?? 'standard input'

/** The given mapping, or one for the sample and the options. */
function mappingFor(
  sample: Sample,
  heading: readonly string[] | undefined,
  given: Mapping | undefined,
  options: PreparingOptions,
): Mapping {
  if (given !== undefined) compare(given, sample, heading)
  const mapping = given ?? findMapping(sample, options)
  return options.onRepeat === undefined ? mapping : { ...mapping, 'on-repeat': options.onRepeat }
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

/** Reads the first rows. Throws a `Failure` if the file is empty, or two separators are possible. */
async function look(
  source: Source,
  given: Mapping | undefined,
  options: PreparingOptions,
): Promise<Rows & { readonly sample: Sample }> {
  const reading =
    given === undefined
      ? { ...options, separator: options.listSeparator }
      : { separator: given['list-separator'] }
  const read = await sampleOf(source, given ?? options, reading)
  requireOneSeparator(read.sample)
  if (read.heading?.length !== 0) return read
  throw misuse(`${nameOf(source)} is empty`, 'CSV needs a heading, and JSON may be []')
}

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
