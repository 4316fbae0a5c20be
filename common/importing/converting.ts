/** Converts rows to elements of PUT /values and to files. */
import { floatText } from '../../src/model/tag-value.ts'
import { ID, queryOf, type Address } from '../connection/addresses.ts'
import { toJson } from '../../packages/client/json.ts'
import { isObject, isTexts, textOfField, type Field, type Row } from './fields.ts'
import { writtenIn, type Mapping, type Naming, type Written } from './mapping.ts'
import { isBoolean, isFloat, isInt } from './types.ts'

/** A column whose value is in the same element as the row. */
type Primitive = Exclude<Written, { type: 'file' }>
type PrimitiveType = Primitive['type']

/** The reason why the importer cannot write a row. */
export class Refusal {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A file whose octets become a value. */
export interface FileValue {
  readonly tag: string
  readonly file: string
  readonly contentType: string
}

/** A converted row. */
export interface Ready {
  readonly row: Row
  readonly target: Address
  /** The JSON of an element of PUT /values. */
  readonly element: string
  readonly files: readonly FileValue[]
}

/** Finds the path of the file that a row names; undefined if the file does not exist. */
export type FindFile = (name: string) => string | undefined

/** Converts rows. */
export class Converter {
  readonly #naming: Naming
  readonly #columns: readonly Written[]
  readonly #known: ReadonlySet<string>
  readonly #toJson: (type: PrimitiveType, field: Field) => string | Refusal | undefined
  readonly #findFile: FindFile
  readonly #isText: boolean

  constructor(mapping: Mapping, findFile: FindFile) {
    this.#naming = mapping.object
    this.#columns = writtenIn(mapping)
    this.#known = new Set(mapping.columns.map(({ column }) => column))
    this.#findFile = findFile
    this.#isText = mapping.format.name === 'csv'
    const empty = mapping.empty === 'null' ? 'null' : undefined
    this.#toJson = (type, field) => {
      if (field === undefined) return undefined
      if (field === null) return 'null'
      if (field === '' && this.#isText) return empty
      if (type === 'list') return listOf(field, mapping['list-separator'])
      return OTHERS[type](field)
    }
  }

  /** Converts a row, or returns the reason why it cannot. */
  convert(row: Row): Ready | Refusal {
    if (row.flaw !== undefined) return new Refusal(row.flaw)
    const target = targetOf(this.#naming, row)
    if (target instanceof Refusal) return target
    const stranger = this.#isText ? undefined : [...row.fields.keys()].find((name) => !this.#known.has(name))
    if (stranger !== undefined) return new Refusal(`'${stranger}' is not in the mapping`)
    const values: string[] = []
    const files: FileValue[] = []
    for (const column of this.#columns) {
      const field = row.fields.get(column.column)
      const value = column.type === 'file' ? this.#fileOf(column, field) : this.#valueOf(column, field)
      if (value instanceof Refusal) return new Refusal(`${column.column}: ${value.reason}`)
      if (typeof value === 'string') values.push(value)
      else if (value !== undefined) files.push(value)
    }
    const query = JSON.stringify(queryOf(target))
    return { row, target, element: `[${query},{${values.join()}}]`, files }
  }

  #valueOf(column: Primitive, field: Field): string | Refusal | undefined {
    if (typeof field === 'string' && field.includes('\ufffd')) {
      return new Refusal('it holds U+FFFD, which stands where octets could not be read')
    }
    const json = this.#toJson(column.type, field)
    return typeof json === 'string' ? `${JSON.stringify(column.tag)}:{"value":${json}}` : json
  }

  #fileOf(column: Extract<Written, { type: 'file' }>, field: Field): FileValue | Refusal | undefined {
    const name = textOfField(field ?? '')
    if (name === '') return undefined
    const file = this.#findFile(name)
    if (file === undefined) return new Refusal(`there is no file ${quoted(name)}`)
    return { tag: column.tag, file, contentType: column['media-type'] }
  }
}

/** The object of a row. */
export function targetOf(naming: Naming, { fields }: Row): Address | Refusal {
  if ('id' in naming) {
    const id = textOfField(fields.get(naming.id))
    return ID.test(id) ? { id: id.toLowerCase() } : new Refusal(`${quoted(id)} is no id of an object`)
  }
  let missing: string | undefined
  const about = naming.about.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const field = fields.get(name) ?? ''
    if (field === '') missing = name
    return textOfField(field)
  })
  return missing === undefined ? { about } : new Refusal(`${missing} is empty, and the about value needs it`)
}

const SHOWN = 40

/** Quotes a text, cut after 40 characters. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

type ToJson = (field: Field) => string | Refusal

/**
 * Converts values of each type to JSON. An int column keeps floats and a float column keeps ints: the service sorts and
 * finds both together.
 */
const OTHERS: Readonly<Record<Exclude<PrimitiveType, 'list'>, ToJson>> = {
  boolean: (field) => {
    const text = textOfField(field)
    return isBoolean(text) ? text.toLowerCase() : new Refusal(`${quoted(text)} is neither true nor false`)
  },
  int: (field) => {
    const text = textOfField(field)
    if (isInt(text)) return text
    if (isFloat(text) && !/^-?\d+$/.test(text)) return floatText(Number(text))
    return new Refusal(`${quoted(text)} is no int of 64 bits`)
  },
  float: (field) => {
    const text = textOfField(field)
    if (!isFloat(text)) return new Refusal(`${quoted(text)} is no number`)
    const number = Number(text)
    if (!/^-?\d+$/.test(text) || BigInt(text) === BigInt(number)) return floatText(number)
    return isInt(text) ? text : new Refusal(`${quoted(text)} is beyond 64 bits`)
  },
  string: (field) => JSON.stringify(textOfField(field)),
  any: (field) =>
    isObject(field) || (Array.isArray(field) && !isTexts(field))
      ? new Refusal(`${quoted(toJson(field))} cannot be a value`)
      : toJson(field),
}

function listOf(field: Field, separator: string | undefined): string | Refusal {
  if (isTexts(field)) return toJson(field)
  if (Array.isArray(field)) return new Refusal(`${quoted(toJson(field))} is no list of strings`)
  const text = textOfField(field)
  return JSON.stringify(separator === undefined ? [text] : text.split(separator).map((item) => item.trim()))
}
