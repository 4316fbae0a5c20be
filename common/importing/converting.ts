/** Converts rows to elements of PUT /values and to files. */
import { ID, queryOf, type Address } from '../connection/addresses.ts'
import { quoted } from './conversions.ts'
import { textOfField, type Field, type Row } from './fields.ts'
import { writtenIn, type Mapping, type Naming, type Written } from './mapping.ts'
import { Refusal } from './refusals.ts'
import { storedJson, type Primitive } from './stored-values.ts'

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

/** Finds the path of the file that a row names, or the reason why it may not be written. */
export type FindFile = (name: string) => string | Refusal

/** Finds no file, where there are none. */
export const noFile: FindFile = () => new Refusal('files cannot be read here')

/** Converts rows. */
export class Converter {
  readonly #mapping: Mapping
  readonly #columns: readonly Written[]
  readonly #known: ReadonlySet<string>
  readonly #findFile: FindFile
  readonly #isText: boolean

  constructor(mapping: Mapping, findFile: FindFile) {
    this.#mapping = mapping
    this.#columns = writtenIn(mapping)
    this.#known = new Set(mapping.columns.map(({ column }) => column))
    this.#findFile = findFile
    this.#isText = mapping.format.name === 'csv'
  }

  /** Converts a row, or returns the reason why it cannot. */
  convert(row: Row): Ready | Refusal {
    if (row.flaw !== undefined) return new Refusal(row.flaw)
    const target = targetOf(this.#mapping.object, row)
    if (target instanceof Refusal) return target
    const stranger = this.#isText ? undefined : [...row.fields.keys()].find((name) => !this.#known.has(name))
    if (stranger !== undefined) return new Refusal(`'${stranger}' is not in the mapping`)
    const values: string[] = []
    const files: FileValue[] = []
    for (const column of this.#columns) {
      const field = row.fields.get(column.column)
      const value =
        column.type === 'file'
          ? this.#fileOf(column, field)
          : this.#valueOf(column, field, row.rows !== undefined)
      if (value instanceof Refusal) return new Refusal(`${column.column}: ${value.reason}`)
      if (typeof value === 'string') values.push(value)
      else if (value !== undefined) files.push(value)
    }
    const query = JSON.stringify(queryOf(target))
    return { row, target, element: `[${query},{${values.join()}}]`, files }
  }

  #valueOf(column: Primitive, field: Field, isMerged: boolean): string | Refusal | undefined {
    const json = storedJson(column, field, this.#mapping, isMerged)
    return typeof json === 'string' ? `${JSON.stringify(column.tag)}:{"value":${json}}` : json
  }

  #fileOf(column: Extract<Written, { type: 'file' }>, field: Field): FileValue | Refusal | undefined {
    const name = textOfField(field ?? '')
    if (name === '') return undefined
    const file = this.#findFile(name)
    if (file instanceof Refusal) return file
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
