/** What somebody chose for an import, and the mapping that this makes. */
import { targetOf, Refusal } from '../../../shared/importing/converting.ts'
import type { Row } from '../../../shared/importing/fields.ts'
import {
  columnsIn,
  columnsOf,
  twiceIn,
  type Column,
  type Mapping,
  type Naming,
} from '../../../shared/importing/mapping.ts'
import { findPath } from '../../../src/model/paths.ts'
import { nameOf } from '../../../shared/importing/refusals.ts'
import { namedIn, tagIn, type Sample } from '../../../shared/importing/sampling.ts'
import type { Tally, Type } from '../../../shared/importing/types.ts'

/** What a column can become here: the files that one may name are on a disk, where a page does not look. */
export type ColumnType = Exclude<Type, 'file'>

/** What was chosen for a column, where it was not left to its looks. */
export interface Choice {
  readonly type?: ColumnType | 'skip'
  readonly tag?: string
}

/** All that was chosen. */
export interface Choices {
  readonly namespace: string
  readonly object: Naming
  /** What stands between the items of lists; empty for none. */
  readonly separator: string
  readonly empty: Mapping['empty']
  readonly columns: ReadonlyMap<string, Choice>
}

/** What becomes of a column, and why. */
export interface Plan {
  readonly column: string
  readonly type: ColumnType | 'skip'
  readonly tag: string
  readonly notes: readonly string[]
  /** What has to be changed before anything is sent. */
  readonly flaw: string | undefined
}

/** What a file suggests to begin with: tags in a namespace of the user's that is called as the file is. */
export function firstChoices(sample: Sample, file: string, user: string): Choices {
  const name = tagIn(user, nameOf(file).replace(/\//g, '-'))?.slice(user.length + 1) ?? 'data'
  return {
    namespace: `${user}/${name}`,
    object: namedIn(sample.tallies) ?? { about: `${name}:{${naming(sample)}}` },
    separator: '',
    empty: 'skip',
    columns: new Map(),
  }
}

/** The column that most probably names the object: called like one that does, and different in each row. */
function naming({ tallies, rows }: Sample): string {
  const all = [...tallies.keys()]
  const different = all.filter((name) => repeatsOf(rows, { about: `{${name}}` }).repeats === 0)
  const called = (names: RegExp): string | undefined => different.find((name) => names.test(name))
  const [first = ''] = all
  return called(/^(id|key|code|uuid|isbn|doi|url)$/i) ?? called(/(^|[\W_])id$|Id$/) ?? different[0] ?? first
}

/** How many rows name an object that a row before names, and how many name none. */
export function repeatsOf(rows: readonly Row[], object: Naming): { repeats: number; nameless: number } {
  const targets = rows.map((row) => targetOf(object, row))
  const named = targets.filter((target) => !(target instanceof Refusal))
  const different = new Set(named.map((target) => JSON.stringify(target)))
  return { repeats: named.length - different.size, nameless: targets.length - named.length }
}

/** What becomes of each column. */
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
  const found = tally.found().type as ColumnType | undefined
  const [name, ...others] = columnsOf(choices.object)
  const names = column === name && others.length === 0
  const type = chosen.type ?? (names ? 'skip' : (found ?? 'skip'))
  const tag = chosen.tag ?? guessedTag(column, choices.namespace, user)
  const isFine = type === 'skip' || findPath(tag, 2) !== undefined
  const notes = [...(names ? ['names the object'] : []), ...notesOn(tally, type, sample)]
  return { column, type, tag, notes, flaw: isFine ? undefined : flawOfTag(tag) }
}

/** What the first rows have in a column that is not plain to see. */
function notesOn(tally: Tally, type: ColumnType | 'skip', { rows }: Sample): string[] {
  const { type: found, why } = tally.found()
  const told = type === found ? why : undefined
  const notes =
    found === undefined ? ['objects or lists that cannot be values: as a string, their JSON is kept'] : []
  if (told !== undefined) notes.push(told)
  // A leading zero says more than that.
  if (told?.startsWith('mixed') !== false) notes.push(...strangersIn(tally, rows.length))
  if (tally.empty > 0) notes.push(`${tally.empty.toLocaleString('en')} empty`)
  return notes
}

/** How many values are not numbers, where others are. */
function strangersIn({ notNumbers }: Tally, rows: number): string[] {
  if (notNumbers === 0) return []
  const are = notNumbers === 1 ? 'is not a number' : 'are not numbers'
  return [`${notNumbers.toLocaleString('en')} of ${rows.toLocaleString('en')} ${are}`]
}

/** A heading that is a whole path of the user's own is one that was exported. */
const guessedTag = (column: string, namespace: string, user: string): string =>
  column.startsWith(`${user}/`) && findPath(column, 2) !== undefined
    ? column
    : (tagIn(namespace, column) ?? `${namespace}/`)

const flawOfTag = (tag: string): string =>
  tag.endsWith('/')
    ? 'the tag needs a name'
    : 'this is no path of a tag: names are letters, digits and _ : . -, with / between them'

const columnOf = ({ column, type, tag }: Plan): Column =>
  type === 'skip' ? { column, skip: true } : { column, tag: findPath(tag, 2) ?? tag, type }

/** What is wrong with how objects are named; undefined if nothing is. */
export function flawOfObject({ tallies }: Sample, object: Naming): string | undefined {
  const named = columnsOf(object)
  const unknown = named.find((name) => !tallies.has(name))
  if (unknown !== undefined) return `there is no column '${unknown}'`
  if ('about' in object && columnsIn(object.about).length === 0)
    return 'it names no column, so all rows would be one object: put a column in braces'
  return undefined
}

/** The mapping, as `gloss import` takes it. */
export function mappingOf(sample: Sample, choices: Choices, plans: readonly Plan[]): Mapping {
  return {
    'gloss-mapping': 1,
    format: sample.format,
    encoding: sample.encoding,
    object: choices.object,
    ...(choices.separator === '' ? {} : { 'list-separator': choices.separator }),
    empty: choices.empty,
    columns: plans.map(columnOf),
  }
}

/** The choices that make a mapping. What it says of files cannot be done here. */
export function choicesOf(mapping: Mapping, namespace: string): Choices {
  const columns = mapping.columns.map((one): [string, Choice] => {
    if ('skip' in one || one.type === 'file') return [one.column, { type: 'skip' }]
    return [one.column, { type: one.type, tag: one.tag }]
  })
  return {
    namespace: namespaceOf(mapping) ?? namespace,
    object: mapping.object,
    separator: mapping['list-separator'] ?? '',
    empty: mapping.empty,
    columns: new Map(columns),
  }
}

/** The namespace that all tags of a mapping are in. */
function namespaceOf({ columns }: Mapping): string | undefined {
  const parents = columns.flatMap((one) => ('tag' in one ? [one.tag.slice(0, one.tag.lastIndexOf('/'))] : []))
  return parents.every((one) => one === parents[0]) ? parents[0] : undefined
}

/** The tags that have a place on the earth, by the names of their columns. */
export function placeIn(mapping: Mapping): { lat: string; lon: string } | undefined {
  const find = (name: RegExp): string | undefined =>
    mapping.columns.flatMap((one) =>
      'tag' in one && name.test(one.tag.split('/').at(-1) ?? '') ? [one.tag] : [],
    )[0]
  const [lat, lon] = [find(/^lat(itude)?$/i), find(/^(lon|lng|long|longitude)$/i)]
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}
