/**
 * The contract in the form that the pages need: operations in order, with references resolved, and schemas separately.
 */

/** A schema of the contract, with the parts that pages show. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

interface Exampled {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

/** A parameter of an operation. */
export interface Parameter extends Exampled {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly 'x-path-tail'?: boolean
}

interface RequestBody {
  readonly required?: boolean
  readonly description?: string
  readonly content: Readonly<Record<string, Exampled>>
}

/** An answer of an operation with one status. */
export interface Answer {
  readonly status: string
  /** The name of the shared response, if the answer is one and has no description of its own. */
  readonly shared: string | undefined
  readonly description: string
  /** Of which classes it may be, if it is an error. */
  readonly classes: readonly string[]
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, Exampled>>
}

/** One operation of the contract. */
export interface Operation {
  readonly id: string
  /** In capitals. */
  readonly method: string
  /** With the parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Whether it is closed to the anonymous user, regardless of permissions. */
  readonly needsLogin: boolean
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly answers: readonly Answer[]
}

/** The contract as pages show it. */
export interface Model {
  readonly title: string
  readonly version: string
  /** The description of the contract, the chapters of tags, and the manual. */
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

/** The parts of an OpenAPI document that are read. */
interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: Model['tags']
  readonly 'x-manual'?: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly schemas: Model['schemas'] }
}

interface RawOperation extends Omit<Operation, 'parameters' | 'body' | 'answers'> {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>
  readonly 'x-error-classes'?: Readonly<Record<string, readonly string[]>>
}

const METHODS = ['get', 'head', 'post', 'put', 'delete']

/** Reads a contract, which must be a valid OpenAPI 3.1 document. */
export function modelOf(document: object): Model {
  const contract = document as Contract
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => operationOf(contract, path, method, operation as RawOperation)),
  )
  const { info, components, 'x-manual': manual = '' } = contract
  // What a tag's description has from the first heading on belongs to the manual: who has the contract alone needs it there.
  const tags = contract.tags.map(({ name, description }) => {
    const [lead = '', ...chapters] = description.split(/^(?=## )/m)
    return { name, description: lead, chapters }
  })
  const description = [info.description, ...tags.flatMap(({ chapters }) => chapters), manual].join('\n\n')
  return { ...info, description, tags, operations, schemas: components.schemas }
}

function operationOf(contract: Contract, path: string, method: string, raw: RawOperation): Operation {
  const shared = (contract.paths[path]?.['parameters'] ?? []) as readonly object[]
  const security = raw.security ?? []
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags[0] ?? '',
    summary: raw.summary,
    description: raw.description,
    needsLogin: security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0),
    parameters: parametersOf(contract, shared, raw.parameters ?? []),
    body: raw.requestBody && (resolved(contract, raw.requestBody) as RequestBody),
    answers: Object.entries(raw.responses).map(([status, response]) => ({
      ...answerOf(contract, status, response),
      classes: raw['x-error-classes']?.[status] ?? [],
    })),
  }
}

/** The parameters of a path and an operation; the operation's own replace those of the path with the same name. */
function parametersOf(contract: Contract, shared: readonly object[], own: readonly object[]): Parameter[] {
  const parameters = [...shared, ...own].map((one) => resolved(contract, one) as Parameter)
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()]
}

function answerOf(
  contract: Contract,
  status: string,
  response: RawOperation['responses'][string],
): Omit<Answer, 'classes'> {
  const answer = resolved(contract, response) as Answer
  const shared = response.description === undefined ? response.$ref : undefined
  return { ...answer, status, shared }
}

/** The target of a reference, merged with the fields beside the reference; anything else is returned as it is. */
function resolved(contract: object, { $ref, ...own }: { readonly $ref?: string }): object {
  if ($ref === undefined) return own
  const keys = $ref.split('/').slice(1)
  const target = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract)
  return { ...resolved(contract, target as object), ...own }
}

/** The examples of a parameter or a content, with their summaries; those of the schema if it has none of its own. */
export function examplesOf({ example, examples, schema }: Exampled): { summary: string; value: unknown }[] {
  if (examples !== undefined) {
    return Object.entries(examples).map(([name, { summary, value }]) => ({ summary: summary ?? name, value }))
  }
  const values = example === undefined ? (schema?.examples ?? []) : [example]
  return values.map((value, i) => ({ summary: `Example ${i + 1}`, value }))
}
