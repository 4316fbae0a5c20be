/** Mappings of the columns of a file to values. Users save, edit and load them as JSON. */
import { findPath } from '../../src/model/paths.ts'
import { ENCODINGS, isEncoding } from './encodings.ts'
import type { Format } from './formats.ts'
import { DECIMALS, type Decimal } from './numbers.ts'
import { TYPES, type Type } from './types.ts'

/** The choices for rows about the same object; without one, such a file is refused. */
export const ON_REPEAT = ['last', 'first', 'list', 'refuse'] as const
export type OnRepeat = (typeof ON_REPEAT)[number]

/** The mapping of a column. */
export type Column =
  | { readonly column: string; readonly skip: true }
  | {
      readonly column: string
      /** The path of the tag. */
      readonly tag: string
      readonly type: Exclude<Type, 'file'>
      /** Texts of CSV that stand for no value, as an empty field does. */
      readonly null?: readonly string[]
      /** The decimal separator of its numbers; the other one of comma and point groups their digits by three. */
      readonly decimal?: Decimal
    }
  | {
      readonly column: string
      readonly tag: string
      readonly type: 'file'
      /** The content type of the files that the column names. */
      readonly 'media-type': string
    }

export type Written = Exclude<Column, { skip: true }>

/** The way in which rows name their objects. */
export type Naming =
  | {
      /** A template for the about value, with columns in braces. */
      readonly about: string
    }
  | {
      /** The column with the ids. */
      readonly id: string
    }

export interface Mapping {
  /** The version of this format. */
  readonly 'gloss-mapping': 1
  readonly format: Format
  /** A label of the Encoding Standard. */
  readonly encoding: string
  readonly object: Naming
  /** The text between the items of a list. */
  readonly 'list-separator'?: string
  /** What the import writes for an empty field of CSV: nothing, or null. */
  readonly empty: 'skip' | 'null'
  readonly 'on-repeat'?: OnRepeat
  /** All columns, in the order of the file. */
  readonly columns: readonly Column[]
}

/** The columns in the braces of a template. */
export const columnsIn = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)

/** The columns that name the object. */
export const columnsOf = (object: Naming): string[] =>
  'id' in object ? [object.id] : columnsIn(object.about)

/** The columns whose fields become values. */
export const writtenIn = ({ columns }: Mapping): Written[] =>
  columns.filter((column): column is Written => !('skip' in column))

/** A mapping as the text of a file. */
export const mappingText = (mapping: Mapping): string => `${JSON.stringify(mapping, undefined, 2)}\n`

type Loose = Readonly<Partial<Record<string, unknown>>>

const isRecord = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isOneOf = (value: unknown, known: readonly string[]): boolean =>
  typeof value === 'string' && known.includes(value)

/** A check for each member, and a description of valid values. */
const MEMBERS: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, is: string]>> = {
  'gloss-mapping': [(value) => value === 1, 'the version 1'],
  format: [
    isFormat,
    'a name (csv, json, ndjson), for csv a separator, quotes and a line of the heading, for json rows',
  ],
  encoding: [isEncoding, `an encoding such as ${ENCODINGS.slice(0, 4).join(', ')}`],
  object: [isNaming, 'either about, a template, or id, a column'],
  'list-separator': [(value) => value === undefined || isText(value), 'a text'],
  empty: [(value) => isOneOf(value, ['skip', 'null']), 'skip or null'],
  'on-repeat': [(value) => isOptional(value, ON_REPEAT), `one of ${ON_REPEAT.join(', ')}`],
  columns: [Array.isArray, 'a list'],
}

/** The fault in a value that should be a mapping; undefined if it is valid. */
export function flawOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no JSON object'
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(MEMBERS, name))
  if (unknown !== undefined) return `${unknown} means nothing here`
  const wrong = Object.entries(MEMBERS).find(([name, [fits]]) => !fits(value[name]))
  if (wrong !== undefined) return `${wrong[0]} must be ${wrong[1][1]}`
  const columns = value['columns'] as readonly unknown[]
  const column = columns.find((one) => !isColumn(one))
  if (column !== undefined) {
    return `a column has its name, and either skip or a tag and a type (${TYPES.join(', ')}): ${JSON.stringify(column)}`
  }
  return twiceIn(columns as readonly Column[])
}

function isFormat(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { name, rows = '.', keyed = true } = value
  if (name === 'json') return isText(rows) && keyed === true
  return name === 'csv' ? isCsv(value) : name === 'ndjson'
}

const isCsv = ({ separator, quotes, heading = 1 }: Loose): boolean =>
  isText(separator) && typeof quotes === 'boolean' && Number.isInteger(heading) && Number(heading) >= 0

const isOptional = (value: unknown, known: readonly string[]): boolean =>
  value === undefined || isOneOf(value, known)

const isMissingTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isText))

function isNaming(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false
  return isText(value['about']) || isText(value['id'])
}

function isColumn(value: unknown): boolean {
  if (!isRecord(value) || typeof value['column'] !== 'string') return false
  if (value['skip'] !== undefined) return value['skip'] === true
  const { tag, type } = value
  if (!isText(tag) || findPath(tag, 2) === undefined || !isOneOf(type, TYPES)) return false
  if (!isMissingTexts(value['null']) || !isOptional(value['decimal'], DECIMALS)) return false
  return type !== 'file' || isText(value['media-type'])
}

/** Describes two columns with the same tag; undefined if there are none. One value would overwrite the other. */
export function twiceIn(columns: readonly Column[]): string | undefined {
  const seen = new Map<string, string>()
  for (const one of columns) {
    if ('skip' in one) continue
    const other = seen.get(one.tag)
    if (other !== undefined) return `the columns '${other}' and '${one.column}' both become ${one.tag}`
    seen.set(one.tag, one.column)
  }
  return undefined
}
