/** Converts schemas of the contract to Python types. */
import { comment } from './python-docs.ts'

/** The parts of a schema that the contract uses. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly default?: string | number | boolean
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

  /** The names of all types so far. */
  get names(): string[] {
    return [...this.#declared.keys()].sort()
  }

  /** The description of a schema, or of the one that it refers to. */
  describe(schema: Schema): string {
    return schema.description ?? this.#schemas[schemaName(schema)]?.description ?? ''
  }

  /**
   * The type of a schema. `name` is the name for an object without one. A `sent` value may be any sequence or mapping.
   */
  typeOf(schema: Schema, name: string, sent: boolean): string {
    if (schema.$ref !== undefined) return this.#named(schemaName(schema), sent)
    const { type = [], allOf, enum: values } = schema
    if (values !== undefined) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
    const union = alternativesOf(schema)
    if (union !== undefined) return unionOf(union.map((one) => this.typeOf(one, name, sent)))
    if (type === 'array') return this.#array(schema, name, sent)
    if (type === 'object' || allOf !== undefined) return this.#object(schema, name, sent)
    return unionOf([...wordsOf(schema), ...[type].flat().map((one) => SCALARS[one] ?? unknown(one))])
  }

  #named(name: string, sent: boolean): string {
    const schema = this.#schemas[name] ?? unknown(name)
    if (this.#declared.has(name)) return name
    const type = this.typeOf(schema, name, sent)
    if (type === name || type === 'str') return type
    this.#declared.set(name, `${comment(schema.description ?? '', 0)}${name}: TypeAlias = ${type}\n`)
    return name
  }

  #array({ items = {}, prefixItems }: Schema, name: string, sent: boolean): string {
    if (prefixItems !== undefined) {
      const types = prefixItems.map((one) => this.typeOf(one, name, sent))
      // A list, as JSON has, is no tuple.
      return sent ? `Sequence[${unionOf(types)}]` : `tuple[${types.join(', ')}]`
    }
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
      const whole = required.includes(field) ? type : `NotRequired[${type}]`
      return `${comment(this.describe(property), 4)}    ${JSON.stringify(field)}: ${whole},\n`
    })
    const head = comment(this.#schemas[name]?.description ?? schema.description ?? '', 0)
    this.#declared.set(name, `${head}${name} = TypedDict("${name}", {\n${fields.join('')}})\n`)
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

/** The words that a pattern such as `^(none|exact|upto:[0-9]+)$` allows, as a type beside `str`, which completes them. */
function wordsOf({ pattern = '' }: Schema): string[] {
  const words =
    /^\^\((.*)\)\$$/
      .exec(pattern)?.[1]
      ?.split('|')
      .filter((word) => /^[a-z]+$/.test(word)) ?? []
  return words.length === 0 ? [] : [`Literal[${words.map((word) => JSON.stringify(word)).join(', ')}]`]
}

/** The schemas of which a value fits at least one; undefined if that does not describe the schema. */
function alternativesOf({ anyOf, oneOf, allOf }: Schema): readonly Schema[] | undefined {
  // A branch that is but a type says nothing that the other one does not say.
  const narrowing = allOf?.filter((one) => Object.keys(one).join() !== 'type')
  return anyOf ?? oneOf ?? (narrowing?.length === 1 ? narrowing : undefined)
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function unknown(what: string): never {
  throw new Error(`The contract has ${what}, which scripts/pack/python-types.ts does not know.`)
}
