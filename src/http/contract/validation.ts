/** The options of openapi-backend, and how it validates requests. Only this file casts what its types cannot express. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { OpenAPIBackend, type Document, type Options } from 'openapi-backend'
import { bodyFormat, readContract, type ContractOperation, type Parameter } from './contract.ts'

/** The operations of the contract, dereferenced. */
export async function readOperations(): Promise<ContractOperation[]> {
  return operationsOf(await new OpenAPIBackend({ definition: readDefinition(), quick: true }).init())
}

/** The operations of the library, as the contract has them. */
export const operationsOf = (api: OpenAPIBackend): ContractOperation[] =>
  api.router.getOperations() as ContractOperation[]

/** The options of the library for this contract. */
export const validationOptions = (): Partial<Options> & { readonly definition: Document } => ({
  definition: readDefinition(),
  // The library can check only OpenAPI 3.0 documents; ours is linted when it is built. What checks the requests of an
  // operation is compiled when the first one comes.
  quick: true,
  coerceTypes: true,
  ajvOpts: OF_VALIDATORS,
  customizeAjv: shareValidators(),
  validate: ({ operation }) => !acceptsAnything(operation as ContractOperation),
})

/** How validators are made. To check the schemas of requests first would take as long again as to compile them. */
const OF_VALIDATORS = {
  allErrors: true,
  useDefaults: true,
  verbose: true,
  strict: false,
  meta: false,
  validateSchema: false,
}

/**
 * The contract as requests are validated against it. What a text may be is checked last (`x-checked-last`): by the handlers,
 * after permissions, each with the error class that fits what the text is for.
 */
const readDefinition = (): Document => readContract((_, value) => asValidated(value)) as Document

/** Most nodes stay as they are. This runs for each of thousands of them at each start. */
function asValidated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('x-checked-last' in value) {
    const { 'x-checked-last': last, ...schema } = value
    if (last === true) return withoutLimits(schema)
  }
  return 'anyOf' in value ? withJointTypes(value) : value
}

type Node = Readonly<Record<string, unknown>>

const withoutLimits = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !LIMITS.includes(key)))

const LIMITS = ['pattern', 'minLength', 'maxLength']

/**
 * A union in which the branches that are nothing but a type are one: the validator makes an error of each branch that a value
 * does not fit, which takes longer than all else that it does for a value.
 */
function withJointTypes(value: Node): Node {
  const branches = (Array.isArray(value['anyOf']) ? value['anyOf'] : []) as readonly Node[]
  const types = branches.filter(isOnlyType).map(({ type }) => type)
  if (types.length === 0) return value
  return { ...value, anyOf: [{ type: types }, ...branches.filter((branch) => !isOnlyType(branch))] }
}

const isOnlyType = (branch: Node): boolean =>
  typeof branch['type'] === 'string' &&
  Object.entries(branch).every(([key, value]) =>
    key === 'format' ? RANGES.includes(value) : key === 'type' || ANNOTATIONS.includes(key),
  )

/** Formats that say how large a number may be: what reads the number checks that. */
const RANGES: readonly unknown[] = ['int64', 'double']

/** Whether validation could find nothing in any request of an operation: its arguments are texts, and its body is no JSON. */
const acceptsAnything = (operation: ContractOperation): boolean =>
  bodyFormat(operation) !== 'json' && (operation.parameters ?? []).every(isAnyText)

/** Whether a parameter is a text, which paths and headers have anyway, and may be any. */
const isAnyText = ({ in: place, schema }: Parameter): boolean =>
  (place === 'path' || place === 'header') &&
  Object.entries(schema).every(([key, value]) =>
    key === 'type' ? value === 'string' : ANNOTATIONS.includes(key),
  )

/** Keywords of a schema that restrict no value. */
const ANNOTATIONS = ['title', 'description', 'example', 'examples']

/** The library's name for the validation of bodies. Its types do not export the name. */
const BODY_CONTEXT = 'requestBodyValidator'

type Customize = NonNullable<ConstructorParameters<typeof OpenAPIBackend>[0]['customizeAjv']>

/** One validator serves all operations: the library would create one for each, which adds a second to the start. */
function shareValidators(): Customize {
  const shared = new Map<string, ReturnType<Customize>>()
  return (_ajv, options, validationContext) => {
    const known = shared.get(validationContext)
    if (known !== undefined) return known
    // A body of a few megabytes can have millions of faults, and the first one is enough.
    const first = (validationContext as string) === BODY_CONTEXT ? { allErrors: false } : {}
    // The library's own is for JSON Schema as it was before OpenAPI 3.1.
    const ajv = new Ajv2020({ ...options, ...first })
    ajvFormats.default(ajv)
    const made: object = ajv
    const validator = made as ReturnType<Customize>
    shared.set(validationContext, validator)
    return validator
  }
}
