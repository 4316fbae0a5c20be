/**
 * The adapter for openapi-backend: it validates requests that are already matched and parsed
 * (docs/decisions/0001-router.md). What its types cannot express is asserted here and nowhere else.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { OpenAPIBackend, type Document, type Operation, type Request } from 'openapi-backend'
import { bodyFormat, readContract, type ContractOperation, type Parameter } from './contract.ts'
import { invalid, ofPortion } from './invalid.ts'
import { firstPortion, portionsOfBody } from './body-portions.ts'
import { inTurns } from '../turns.ts'
import type { Match } from './router.ts'

/** A request as the library receives it. */
interface MatchedRequest {
  readonly match: Match
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, string | string[]>>
  /** The parsed JSON of the body. */
  readonly json: unknown
}

/** Arguments and body after validation: converted to the contract's types, with its defaults filled in. */
export interface Validated {
  readonly args: object
  readonly json: unknown
}

/** The library, ready for requests. */
export interface Library {
  readonly operations: readonly ContractOperation[]
  /** Validates a request. Throws the error that `invalid` returns for the findings. */
  validate(request: MatchedRequest): Promise<Validated>
}

/** A request in the form that the library's own parser would give it. */
interface Parsed extends Request {
  readonly operation: Operation
  readonly params: Record<string, string>
  readonly query: Record<string, string | string[]>
  readonly requestBody: unknown
  readonly cookies: object
}

/** The operations of the contract, dereferenced. */
export async function readOperations(): Promise<ContractOperation[]> {
  return operationsOf(await new OpenAPIBackend({ definition: readDefinition(), quick: true }).init())
}

/** How validators are made. To check the schemas of requests first would take as long again as to compile them. */
const OF_VALIDATORS = {
  allErrors: true,
  useDefaults: true,
  verbose: true,
  strict: false,
  meta: false,
  validateSchema: false,
}

/** Sets up the library. */
export async function createLibrary(): Promise<Library> {
  const api = new OpenAPIBackend({
    definition: readDefinition(),
    // The library can check only OpenAPI 3.0 documents; ours is linted when it is built. What checks the requests of an
    // operation is compiled when the first one comes.
    quick: true,
    coerceTypes: true,
    ajvOpts: OF_VALIDATORS,
    customizeAjv: shareValidators(),
  })
  await api.init()
  // The library would parse the request itself.
  api.router.parseRequest = (request) => request as Parsed
  const operations = operationsOf(api)
  const free = new Set(operations.filter(acceptsAnything))

  function findingsIn(request: MatchedRequest): {
    readonly errors: readonly ErrorObject[]
    readonly checked: Parsed
  } {
    const { errors, coerced } = api.validator.validateRequest(
      parsedOf(request),
      request.match.operation as Operation,
    )
    return { errors: errors ?? [], checked: coerced as Parsed }
  }
  function* checkPortions(request: MatchedRequest): Generator<undefined, void> {
    for (const portion of portionsOfBody(request.json)) {
      const found = ofPortion(findingsIn({ ...request, json: portion.json }).errors, portion)
      if (found.length > 0) throw invalid(found, request.match.operation, portion.json)
      yield
    }
  }
  return {
    operations,
    validate: async (request) => {
      const { match, json } = request
      if (free.has(match.operation)) return { args: match.params, json }
      const first = firstPortion(json)
      if (first !== json) await inTurns(checkPortions(request))
      const { errors, checked } = findingsIn({ ...request, json: first })
      if (errors.length > 0) throw invalid(errors, match.operation, json)
      return { args: { ...checked.params, ...checked.query }, json }
    },
  }
}

/**
 * The contract as requests are validated against it. What a text may be is checked last (`x-checked-last`): by the handlers,
 * after permissions, each with the error class that fits what the text is for.
 */
const readDefinition = (): Document =>
  readContract((_, value) => {
    const { 'x-checked-last': last, ...schema } = (value ?? {}) as Node
    return last === true ? withoutLimits(schema) : withJointTypes(value)
  }) as Document

type Node = Readonly<Record<string, unknown>>

const withoutLimits = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !LIMITS.includes(key)))

const LIMITS = ['pattern', 'minLength', 'maxLength']

/**
 * A union in which the branches that are nothing but a type are one: the validator makes an error of each branch that a value
 * does not fit, which takes longer than all else that it does for a value.
 */
function withJointTypes(value: unknown): unknown {
  const { anyOf } = (value ?? {}) as { readonly anyOf?: unknown }
  const branches = (Array.isArray(anyOf) ? anyOf : []) as readonly Node[]
  const types = branches.filter(isOnlyType).map(({ type }) => type)
  if (types.length === 0) return value
  return { ...(value as Node), anyOf: [{ type: types }, ...branches.filter((branch) => !isOnlyType(branch))] }
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

/** What a schema may say without restricting anything. */
const ANNOTATIONS = ['title', 'description', 'example', 'examples']

const operationsOf = (api: OpenAPIBackend): ContractOperation[] =>
  api.router.getOperations() as ContractOperation[]

/** What the library calls the validation of bodies. Its types do not export the name. */
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

function parsedOf({ match, headers, query, json }: MatchedRequest): Parsed {
  return {
    operation: match.operation as Operation,
    method: match.operation.method,
    path: match.operation.path,
    // Node leaves out headers that were not sent.
    headers: headers as Request['headers'],
    params: match.params,
    query,
    body: json,
    requestBody: json,
    cookies: {},
  }
}
