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
import { leftOut, namingIn, tagIn, type Sample } from '../../common/importing/sampling.ts'
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
  /** Other names for tags, by column. */
  readonly rename?: ReadonlyMap<string, string>
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
  const { listSeparator, empty = 'skip' } = options
  const object = namingOf(sample, options)
  requireColumns([...namedIn(options), ...columnsOf(object)], [...tallies.keys()])
  const into = namespaceOf(options)
  requireValues(sample, object, options)
  const columns = [...tallies].map(([column, tally]) =>
    isLeftOut(column, sample, object, options)
      ? ({ column, skip: true } as const)
      : columnOf(column, tally, { ...options, into }),
  )
  const twice = twiceIn(columns)
  if (twice !== undefined) {
    throw misuse(twice, 'leave one of them out with --skip, or rename it with --rename COLUMN=NAME')
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

/** The columns that the options name. */
const namedIn = ({ skip = [], type, mediaType, rename }: FindingOptions): string[] => [
  ...skip,
  ...[type, mediaType, rename].flatMap((some) => [...(some?.keys() ?? [])]),
]

/** A column that alone names the object is not written again as a value, unless the user asks for it. */
function isLeftOut(column: string, sample: Sample, object: Naming, options: FindingOptions): boolean {
  const { skip, type, rename } = options
  const [name, ...others] = columnsOf(object)
  const names = column === name && others.length === 0
  if (skip?.includes(column) === true) return true
  const isNamed = type?.has(column) === true || rename?.has(column) === true
  return !isNamed && (names || leftOut(column, sample, object) !== undefined)
}

/** Throws a `Failure` about the first name that is not the name of a column. */
export function requireColumns(named: readonly string[], known: readonly string[]): void {
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known, 1)
  throw misuse(
    `there is no column '${unknown}'`,
    meant === undefined ? `there ${listed(known)}` : `did you mean ${meant}?`,
  )
}

/** The most names in a message. */
const SHOWN = 10

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN
  const shown = names.slice(0, SHOWN).join(', ')
  if (names.length === 1) return `is ${shown}`
  return more > 0 ? `are ${shown} and ${more.toLocaleString('en')} others` : `are ${shown}`
}

/** Throws a `Failure` about all columns with objects or lists that cannot be values. */
function requireValues(sample: Sample, object: Naming, options: FindingOptions): void {
  const { type, mediaType } = options
  const bad = [...sample.tallies].flatMap(([column, tally]) => {
    const isFine = typeOf(column, tally) !== undefined || type?.has(column) || mediaType?.has(column)
    return isFine || isLeftOut(column, sample, object, options) ? [] : [column]
  })
  const [first] = bad
  if (first === undefined) return
  throw misuse(
    `${bad.length === 1 ? `the column '${first}' holds` : `the columns ${bad.map((one) => `'${one}'`).join(', ')} hold`} objects or lists that cannot be values`,
    `leave them out with ${bad.map((one) => `--skip '${one}'`).join(' ')}, or keep their JSON as text with --type '${first}=string'`,
  )
}

function namingOf({ tallies }: Sample, { about, id }: FindingOptions): Naming {
  if (about !== undefined && id !== undefined)
    throw misuse('--about and --id exclude each other', 'choose one')
  if (id !== undefined) return { id }
  if (about === undefined) return certainNaming(tallies)
  if (columnsIn(about).length > 0) return { about }
  throw misuse('--about names no column, so all rows would be one object', `such as --about '${about}:{id}'`)
}

function certainNaming(tallies: Sample['tallies']): Naming {
  const named = namingIn(tallies)
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
  const tag = tagOf(column, options)
  const media = options.mediaType?.get(column)
  if (media !== undefined) return { column, tag, type: 'file', 'media-type': media }
  const type = options.type?.get(column) ?? typeOf(column, tally) ?? 'string'
  const written = { column, tag, type: type === 'file' ? ('string' as const) : type }
  return valueColumn(written, tally, options, options.type?.has(column))
}

const typeOf = (column: string, tally: Tally): Type | undefined =>
  typedName(column)?.type ?? tally.found().type

/** The tag of a column: its name under the namespace, with - for characters that a name cannot contain. */
function tagOf(column: string, { into, rename }: FindingOptions): string {
  const name = rename?.get(column) ?? typedName(column)?.name ?? column
  if (into === undefined) {
    if (findPath(name, 2) !== undefined) return name
    throw misuse(
      `no namespace is given for the column '${column}'`,
      'say it with --into, such as --into alice/cities',
    )
  }
  const path = tagIn(into, name)
  if (path !== undefined) return path
  throw misuse(
    `the column '${column}' cannot be a tag in ${into}`,
    `leave it out with --skip '${column}', or rename it with --rename '${column}=NAME'`,
  )
}
