/** The choices of a user for an import, and the resulting mapping. */
import type { Row } from '../../../common/importing/fields.ts'
import {
  columnsIn,
  columnsOf,
  twiceIn,
  type Column,
  type Mapping,
  type Naming,
  type OnRepeat,
} from '../../../common/importing/mapping.ts'
import type { Decimal } from '../../../common/importing/numbers.ts'
import { Objects } from '../../../common/importing/objects.ts'
import { findPath } from '../../../src/model/paths.ts'
import { fileStem } from '../../../common/importing/refusals.ts'
import { leftOut, namingIn, tagIn, type Sample } from '../../../common/importing/sampling.ts'
import type { Primitive } from '../../../common/importing/stored-values.ts'
import type { Reading, Tally } from '../../../common/importing/tally.ts'
import { typedName } from '../../../common/importing/typed-columns.ts'
import type { Type } from '../../../common/importing/types.ts'
import { valueColumn } from '../../../common/importing/value-columns.ts'

/** The types of a column here. A page cannot read files that a column names. */
export type ColumnType = Exclude<Type, 'file'>

/** The choice for a column, if the user has made one. */
export interface Choice {
  readonly type?: ColumnType | 'skip'
  readonly tag?: string
  /** How its texts are read, if a mapping says so. */
  readonly texts?: Texts | undefined
}

type Texts = Pick<Primitive, 'null' | 'decimal'>

/** All choices. */
export interface Choices {
  readonly namespace: string
  readonly object: Naming
  /** The separator between list items; empty for none. */
  readonly separator: string
  readonly empty: Mapping['empty']
  /** Texts that stand for no value. */
  readonly missing: readonly string[]
  readonly decimal: Decimal | undefined
  readonly onRepeat: OnRepeat | undefined
  readonly columns: ReadonlyMap<string, Choice>
}

/** How these choices have the texts read. */
export const readingOf = ({ separator, missing, decimal }: Choices): Reading => ({
  separator: separator === '' ? undefined : separator,
  null: missing,
  decimal,
})

/** The plan for a column, with the reason. */
export interface Plan {
  readonly column: string
  readonly type: ColumnType | 'skip'
  readonly tag: string
  readonly texts: Texts
  readonly notes: readonly string[]
  /** The error that the user must correct before the import. */
  readonly flaw: string | undefined
}

/** The initial choices for a file: tags in a namespace of the user's with the name of the file. */
export function firstChoices(sample: Sample, file: string, user: string): Choices {
  const name = tagIn(user, fileStem(file).replace(/\//g, '-'))?.slice(user.length + 1) ?? 'data'
  return {
    namespace: `${user}/${name}`,
    object: namingIn(sample.tallies) ?? { about: `${name}:{${naming(sample)}}` },
    separator: '',
    empty: 'skip',
    missing: [],
    decimal: undefined,
    onRepeat: undefined,
    columns: new Map(),
  }
}

/** The column that most probably names the object: it has a typical name, and different values in all rows. */
function naming({ tallies, rows }: Sample): string {
  const all = [...tallies.keys()]
  const different = all.filter((name) => areDifferent(rows, { about: `{${name}}` }))
  const called = (names: RegExp): string | undefined => different.find((name) => names.test(name))
  const [first = ''] = all
  return called(/^(id|key|code|uuid|isbn|doi|url)$/i) ?? called(/(^|[\W_])id$|Id$/) ?? different[0] ?? first
}

/** Returns whether all rows that name an object name different ones. */
function areDifferent(rows: readonly Row[], object: Naming): boolean {
  const objects = new Objects()
  for (const row of rows) objects.add(row, object)
  return objects.rows === objects.count
}

/** The plan for each column. */
export function plansOf(sample: Sample, choices: Choices, user: string): readonly Plan[] {
  const plans = [...sample.tallies].map(([column, tally]) => planOf(column, { tally, sample, choices, user }))
  const twice = twiceIn(plans.map(columnOf))
  const last = plans.findLast(({ column }) => twice?.includes(`'${column}' both become`))
  return plans.map((plan) => (plan === last && twice !== undefined ? { ...plan, flaw: twice } : plan))
}

interface Known {
  readonly tally: Tally
  readonly sample: Sample
  readonly choices: Choices
  readonly user: string
}

function planOf(column: string, { tally, sample, choices, user }: Known): Plan {
  const chosen = choices.columns.get(column) ?? {}
  const out = whyLeftOut(column, sample, choices)
  const type = chosen.type ?? (out === undefined ? guessedType(column, tally) : 'skip')
  const tag = chosen.tag ?? guessedTag(nameOf(column), choices.namespace, user)
  const notes = [...(out === undefined || type !== 'skip' ? [] : [out]), ...notesOn(tally, type, sample)]
  const texts = chosen.texts ?? textsOf({ column, tag, type }, tally, choices)
  return { column, type, tag, texts, notes, flaw: type === 'skip' ? undefined : flawOfTag(tag) }
}

const nameOf = (column: string): string => typedName(column)?.name ?? column

const guessedType = (column: string, tally: Tally): Plan['type'] =>
  typedName(column)?.type ?? (tally.found().type as ColumnType | undefined) ?? 'skip'

function textsOf(
  { column, tag, type }: Pick<Plan, 'column' | 'tag' | 'type'>,
  tally: Tally,
  choices: Choices,
): Texts {
  if (type === 'skip') return {}
  const { null: missing, decimal } = valueColumn({ column, tag, type }, tally, readingOf(choices))
  return { ...(missing && { null: missing }), ...(decimal && { decimal }) }
}

/** Why a column is left out unless the user chooses a type for it. */
function whyLeftOut(column: string, sample: Sample, { object }: Choices): string | undefined {
  const [name, ...others] = columnsOf(object)
  return column === name && others.length === 0 ? 'names the object' : leftOut(column, sample, object)
}

/** Notes on a column with irregular values in the first rows. */
function notesOn(tally: Tally, type: ColumnType | 'skip', { rows }: Sample): string[] {
  const { type: found, notes: why } = tally.found()
  const told = type === found ? why : []
  const notes =
    found === undefined ? ['objects or lists that cannot be values: as a string, their JSON is kept'] : []
  notes.push(...told)
  // Other notes are more specific.
  if (told.every((note) => note.startsWith('mixed'))) notes.push(...strangersIn(tally, rows.length))
  if (tally.empty > 0) notes.push(`${tally.empty.toLocaleString('en')} empty`)
  return notes
}

/** The number of values that are not numbers in a column of numbers. */
function strangersIn({ notNumbers }: Tally, rows: number): string[] {
  if (notNumbers === 0) return []
  const are = notNumbers === 1 ? 'is not a number' : 'are not numbers'
  return [`${notNumbers.toLocaleString('en')} of ${rows.toLocaleString('en')} ${are}`]
}

/** If a heading is a whole path of the user's own, the file is probably an export. */
const guessedTag = (column: string, namespace: string, user: string): string =>
  column.startsWith(`${user}/`) && findPath(column, 2) !== undefined
    ? column
    : (tagIn(namespace, column) ?? `${namespace}/`)

function flawOfTag(tag: string): string | undefined {
  if (findPath(tag, 2) !== undefined) return undefined
  return tag.endsWith('/')
    ? 'the tag needs a name'
    : 'this is no path of a tag: names are letters, digits and _ : . -, with / between them'
}

const columnOf = ({ column, type, tag, texts }: Plan): Column =>
  type === 'skip' ? { column, skip: true } : { column, tag: findPath(tag, 2) ?? tag, type, ...texts }

/** The error in the naming of objects; undefined if there is none. */
export function flawOfObject({ tallies }: Sample, object: Naming): string | undefined {
  const named = columnsOf(object)
  const unknown = named.find((name) => !tallies.has(name))
  if (unknown !== undefined) return `there is no column '${unknown}'`
  if ('about' in object && columnsIn(object.about).length === 0)
    return 'it names no column, so all rows would be one object: put a column in braces'
  return undefined
}

/** The mapping in the format of `gloss import`. */
export function mappingOf(sample: Sample, choices: Choices, plans: readonly Plan[]): Mapping {
  return {
    'gloss-mapping': 1,
    format: sample.format,
    encoding: sample.encoding,
    object: choices.object,
    ...(choices.separator === '' ? {} : { 'list-separator': choices.separator }),
    empty: choices.empty,
    ...(choices.onRepeat && { 'on-repeat': choices.onRepeat }),
    columns: plans.map(columnOf),
  }
}

/** The choices for a mapping. The page ignores its columns of files. */
export function choicesOf(mapping: Mapping, namespace: string): Choices {
  const columns = mapping.columns.map((one): [string, Choice] => {
    if ('skip' in one || one.type === 'file') return [one.column, { type: 'skip' }]
    const { column, type, tag, null: missing, decimal } = one
    return [column, { type, tag, texts: { ...(missing && { null: missing }), ...(decimal && { decimal }) } }]
  })
  return {
    namespace: namespaceOf(mapping) ?? namespace,
    object: mapping.object,
    separator: mapping['list-separator'] ?? '',
    empty: mapping.empty,
    missing: [],
    decimal: undefined,
    onRepeat: mapping['on-repeat'],
    columns: new Map(columns),
  }
}

/** The common namespace of all tags of a mapping. */
function namespaceOf({ columns }: Mapping): string | undefined {
  const parents = columns.flatMap((one) => ('tag' in one ? [one.tag.slice(0, one.tag.lastIndexOf('/'))] : []))
  return parents.every((one) => one === parents[0]) ? parents[0] : undefined
}

/** The tags of latitudes and longitudes, by the names of their columns. */
export function placeIn(mapping: Mapping): { lat: string; lon: string } | undefined {
  const find = (name: RegExp): string | undefined =>
    mapping.columns.flatMap((one) =>
      'tag' in one && name.test(one.tag.split('/').at(-1) ?? '') ? [one.tag] : [],
    )[0]
  const [lat, lon] = [find(/^lat(itude)?$/i), find(/^(lon|lng|long|longitude)$/i)]
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}
