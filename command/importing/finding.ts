/** Finds the mapping of columns to values, from the first rows of a file and from the command line. */
import { findPath } from '../../src/model/paths.ts'
import { nearest } from '../../src/model/misspelt.ts'
import { misuse } from '../../common/failure.ts'
import {
  columnsIn,
  columnsOf,
  twiceIn,
  type Column,
  type Mapping,
  type Naming,
} from '../../common/importing/mapping.ts'
import { namedIn, tagIn, type Sample } from '../../common/importing/sampling.ts'
import type { Decimal } from '../../common/importing/numbers.ts'
import { typedName } from '../../common/importing/typed-columns.ts'
import { valueColumn } from '../../common/importing/value-columns.ts'
import type { Tally } from '../../common/importing/tally.ts'
import type { Type } from '../../common/importing/types.ts'

/** The options of the command line about columns. */
export interface FindingOptions {
  readonly about?: string
  readonly id?: string
  readonly into?: string | undefined
  readonly type?: ReadonlyMap<string, Type>
  readonly skip?: readonly string[]
  readonly listSeparator?: string
  readonly empty?: 'skip' | 'null'
  /** Texts that stand for no value. */
  readonly null?: readonly string[]
  readonly decimal?: Decimal
  readonly mediaType?: ReadonlyMap<string, string>
}

/** The mapping for a sample and the options. Throws a `Failure` if the user must decide something. */
export function findMapping(sample: Sample, options: FindingOptions): Mapping {
  const { format, encoding, tallies } = sample
  const { skip = [], type, mediaType, listSeparator, empty = 'skip' } = options
  const object = namingOf(sample, options)
  const named = [...skip, ...(type?.keys() ?? []), ...(mediaType?.keys() ?? [])]
  requireColumns([...named, ...columnsOf(object)], [...tallies.keys()])
  const into = namespaceOf(options)
  const columns = [...tallies].map(([column, tally]) =>
    isLeftOut(column, object, options)
      ? ({ column, skip: true } as const)
      : columnOf(column, tally, { ...options, into }),
  )
  const twice = twiceIn(columns)
  if (twice !== undefined) {
    throw misuse(twice, 'leave one of them out with --skip, or --save a mapping and change the tag there')
  }
  return {
    'gloss-mapping': 1,
    format,
    encoding,
    object,
    ...(listSeparator === undefined ? {} : { 'list-separator': listSeparator }),
    empty,
    columns,
  }
}

/** A column that alone names the object is not written again as a value, unless the user asks for it. */
function isLeftOut(column: string, object: Naming, { skip, type }: FindingOptions): boolean {
  const [name, ...others] = columnsOf(object)
  const names = column === name && others.length === 0
  return skip?.includes(column) === true || (names && type?.has(column) !== true)
}

/** Throws a `Failure` about the first name that is not the name of a column. */
export function requireColumns(named: readonly string[], known: readonly string[]): void {
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known, 1)
  throw misuse(
    `there is no column '${unknown}'`,
    meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`,
  )
}

function namingOf({ tallies }: Sample, { about, id }: FindingOptions): Naming {
  if (about !== undefined && id !== undefined)
    throw misuse('--about and --id exclude each other', 'choose one')
  if (id !== undefined) return { id }
  if (about === undefined) return namingIn(tallies)
  if (columnsIn(about).length > 0) return { about }
  throw misuse('--about names no column, so all rows would be one object', `such as --about '${about}:{id}'`)
}

function namingIn(tallies: Sample['tallies']): Naming {
  const named = namedIn(tallies)
  if (named !== undefined) return named
  const [first = 'id'] = tallies.has('id') ? ['id'] : tallies.keys()
  throw misuse(
    'which object is a row about?',
    `say how its about value is made, such as --about 'city:{${first}}'`,
  )
}

/** The namespace in `--into`, which, as in `gloss ls`, may have a slash at its end. */
function namespaceOf({ into }: FindingOptions): string | undefined {
  const path = into?.replace(/(?<!\/)\/+$/, '')
  if (path === undefined || findPath(path, 1) !== undefined) return path
  throw misuse(`--into '${into ?? ''}' names no namespace`, 'it is a path, such as --into alice/cities')
}

function columnOf(column: string, tally: Tally, options: FindingOptions): Column {
  const tag = tagOf(typedName(column)?.name ?? column, options.into)
  const media = options.mediaType?.get(column)
  if (media !== undefined) return { column, tag, type: 'file', 'media-type': media }
  const type = options.type?.get(column) ?? typeOf(column, tally)
  if (type !== undefined && type !== 'file') return valueColumn({ column, tag, type }, tally, options)
  throw misuse(
    `the column '${column}' holds objects or lists that cannot be values`,
    `leave it out with --skip '${column}', or keep its JSON as text with --type '${column}=string'`,
  )
}

const typeOf = (column: string, tally: Tally): Type | undefined =>
  typedName(column)?.type ?? tally.found().type

/** The tag of a column: its name under the namespace, with - for characters that a name cannot contain. */
function tagOf(column: string, into: string | undefined): string {
  if (into === undefined) {
    if (findPath(column, 2) !== undefined) return column
    throw misuse(
      `no namespace is given for the column '${column}'`,
      'say it with --into, such as --into alice/cities',
    )
  }
  const path = tagIn(into, column)
  if (path !== undefined) return path
  throw misuse(
    `the column '${column}' cannot be a tag in ${into}`,
    `leave it out with --skip '${column}', or give it another name in the file`,
  )
}
