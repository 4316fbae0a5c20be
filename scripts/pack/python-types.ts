/** Converts schemas of the contract to Python types. */

/** The parts of a schema that the contract uses. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

export const schemaName = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? ''

/** Declares a type for each requested schema that needs one, after the types of its parts. */
export class PythonTypes {
  readonly #schemas: Readonly<Record<string, Schema>>
  readonly #declared = new Map<string, string>()

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  /** The declarations of all types so far. */
  get declarations(): string {
    return [...this.#declared.values()].join('\n')
  }

  /**
   * The type of a schema. `name` is the name for an object without one. A `sent` value may be any sequence or mapping.
   */
  typeOf(schema: Schema, name: string, sent: boolean): string {
    if (schema.$ref !== undefined) return this.#named(schemaName(schema), sent)
    const { type = [], anyOf, oneOf, enum: values } = schema
    if (values !== undefined) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
    const union = anyOf ?? oneOf
    if (union !== undefined) return unionOf(union.map((one) => this.typeOf(one, name, sent)))
    if (type === 'array') return this.#array(schema, name, sent)
    if (type === 'object' || schema.allOf !== undefined) return this.#object(schema, name, sent)
    return unionOf([type].flat().map((one) => SCALARS[one] ?? unknown(one)))
  }

  #named(name: string, sent: boolean): string {
    const schema = this.#schemas[name] ?? unknown(name)
    if (this.#declared.has(name)) return name
    const type = this.typeOf(schema, name, sent)
    if (type === name || type === 'str') return type
    this.#declared.set(name, `${name}: TypeAlias = ${type}`)
    return name
  }

  #array({ items = {}, prefixItems }: Schema, name: string, sent: boolean): string {
    if (prefixItems !== undefined)
      return `tuple[${prefixItems.map((one) => this.typeOf(one, name, sent)).join(', ')}]`
    const type = this.typeOf(items, name, sent)
    // A str is also a sequence of str.
    return `${sent && type !== 'str' ? 'Sequence' : 'list'}[${type}]`
  }

  #object(schema: Schema, name: string, sent: boolean): string {
    const { additionalProperties } = schema
    if (typeof additionalProperties === 'object') {
      return `${sent ? 'Mapping' : 'dict'}[str, ${this.typeOf(additionalProperties, name, sent)}]`
    }
    const { properties, required } = this.#merged(schema)
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = this.typeOf(property, name + capitalized(field), sent)
      return `    ${JSON.stringify(field)}: ${required.includes(field) ? type : `NotRequired[${type}]`},\n`
    })
    this.#declared.set(name, `${name} = TypedDict("${name}", {\n${fields.join('')}})`)
    return name
  }

  #merged({ properties = {}, required = [], allOf = [] }: Schema): {
    properties: Readonly<Record<string, Schema>>
    required: readonly string[]
  } {
    const parts = allOf.map((part) =>
      this.#merged(part.$ref === undefined ? part : (this.#schemas[schemaName(part)] ?? {})),
    )
    return {
      properties: Object.assign({}, ...parts.map((part) => part.properties), properties) as Record<
        string,
        Schema
      >,
      required: [...required, ...parts.flatMap((part) => part.required)],
    }
  }
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function unknown(what: string): never {
  throw new Error(`The contract has ${what}, which scripts/pack/python-types.ts does not know.`)
}
