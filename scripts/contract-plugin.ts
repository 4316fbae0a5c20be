/**
 * Completes the bundle of the written contract, as a plugin of Redocly (`npm run generate`). It adds HEAD for every GET,
 * the answers that all operations share, and for errors the table of classes in the manual, the headers, the causes, the
 * sentences and the classes of each operation. It lists the versions of the contract that are kept.
 */
import { ERRORS, sentenceOf, type Fact } from '../src/model/errors.ts'
import { isClass } from '../common/sentences.ts'
import { addVersions } from './contract-versions.ts'
import { addManual } from './contract-manual.ts'
import { capitalized, causeOf, CLASSES } from './error-table.ts'

/**
 * Error classes: a list of names, whose causes the description or the table of errors gives, or names with additional
 * causes (several with the same cause are `A, B`).
 */
type Classes = readonly (string | Readonly<Record<string, string>>)[]

interface Header {
  readonly $ref?: string
  readonly example?: unknown
}

interface Response {
  $ref?: string
  description?: string
  headers?: Readonly<Record<string, Header>>
  'x-error-classes'?: Classes
}

type Responses = Record<string, Response>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly responses: Responses
  /** In a GET: the success of its HEAD, and its names if the plugin cannot derive them. */
  readonly 'x-head'?: { readonly operationId?: string; readonly summary?: string; readonly success: Response }
  /** Error classes by status. The written contract has them only where they differ from those of the shared answer. */
  'x-error-classes'?: Readonly<Record<string, readonly string[]>>
}

/** The parts of a bundled contract that this plugin reads. */
export interface Contract {
  readonly paths: Record<string, Readonly<Record<string, Operation>>>
  readonly components: {
    readonly responses: Responses
    readonly headers?: Readonly<Record<string, Header>>
    readonly schemas?: { readonly KnownErrorClass?: { enum?: readonly string[] } }
  }
  /** By status, the answers of every operation that does not define its own. */
  readonly 'x-common-responses'?: Responses
  /** By status, the error classes of every operation. */
  readonly 'x-common-error-classes'?: Readonly<Record<string, Classes>>
  /** The headers of every error. */
  readonly 'x-error-headers'?: Readonly<Record<string, Header>>
}

/** Completes a bundle in place. Throws if the written contract is incomplete or contradictory. */
export function complete(contract: Contract): void {
  for (const [path, item] of Object.entries(contract.paths)) contract.paths[path] = withHead(item)
  const operations = Object.values(contract.paths).flatMap((item) =>
    Object.values(item).filter((part) => 'operationId' in part),
  )
  const statuses = new Map<string, string>()
  for (const operation of operations) {
    for (const [status, response] of Object.entries(contract['x-common-responses'] ?? {})) {
      operation.responses[status] ??= { ...response }
    }
    operation['x-error-classes'] = classesByStatus(operation, contract)
    for (const [name, status] of errorsOf(operation)) {
      if ((statuses.get(name) ?? status) !== status)
        throw new Error(`${name} is the answer under two statuses`)
      statuses.set(name, status)
    }
  }
  for (const [name, status] of statuses) completeError(name, status, contract)
  addKnownClasses(contract.components)
  for (const name of EXTENSIONS) Reflect.deleteProperty(contract, name)
}

const EXTENSIONS = ['x-common-responses', 'x-common-error-classes', 'x-error-headers'] as const

/** Inserts a HEAD after the GET of a path, if there is one. */
function withHead(item: Contract['paths'][string]): Contract['paths'][string] {
  const { get } = item
  if (get === undefined) return item
  const { 'x-head': head, ...plain } = get
  if (head === undefined) throw new Error(`${get.operationId} does not say what HEAD answers`)
  const { operationId = get.operationId.replace(/^get/, 'head'), success } = head
  const { summary = get.summary.replace(/^Get /, 'Check ') } = head
  if (operationId === get.operationId || summary === get.summary) {
    throw new Error(`${get.operationId} does not say what HEAD is called`)
  }
  const description =
    `The headers that \`${get.operationId}\` answers with, and no body. ` +
    'Arguments, checks and statuses are the same as for GET.'
  const copy = structuredClone(plain)
  const derived = {
    ...copy,
    operationId,
    summary,
    description,
    responses: { ...copy.responses, 200: success },
  }
  const entries: [string, Operation][] = Object.entries(item)
  const at = entries.findIndex(([key]) => key === 'get')
  return Object.fromEntries(entries.toSpliced(at, 1, ['get', plain], ['head', derived]))
}

/** The names and statuses of the shared errors of an operation. */
const errorsOf = ({ responses }: Operation): [name: string, status: string][] =>
  Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, { $ref = '' }]) => [$ref.slice($ref.lastIndexOf('/') + 1), status])

function classesByStatus(operation: Operation, contract: Contract): Record<string, string[]> {
  const { operationId, responses, 'x-error-classes': others = {} } = operation
  const errors = errorsOf(operation)
  const missing = Object.keys(others).filter((status) => errors.every(([, known]) => known !== status))
  if (missing.length > 0) throw new Error(`${operationId} has no errors of the status ${missing.join()}`)
  return Object.fromEntries(
    errors.map(([name, status]) => {
      const usual = namesIn(classesOf(name, contract))
      const classes = others[status] ?? usual
      const { description = '' } = responses[status] ?? {}
      const unnamed = classes.filter((one) => !usual.includes(one) && !isNamed(one, description))
      if (unnamed.length > 0) throw new Error(`${operationId} does not describe ${unnamed.join()}`)
      return [status, [...new Set([...classes, ...namesIn(commonOf(status, contract))])]]
    }),
  )
}

const isNamed = (errorClass: string, description: string): boolean =>
  description.includes(`\`${errorClass}\``)

function classesOf(name: string, { components }: Contract): Classes {
  const classes = components.responses[name]?.['x-error-classes']
  if (classes === undefined) throw new Error(`the response '${name}' does not say of which classes it may be`)
  return classes
}

const commonOf = (status: string, { 'x-common-error-classes': common = {} }: Contract): Classes =>
  common[status] ?? []

const namesIn = (classes: Classes): string[] =>
  classes.flatMap((one) =>
    typeof one === 'string' ? one : Object.keys(one).flatMap((names) => names.split(', ')),
  )

/** Adds the headers of all errors and the causes to a shared error. */
function completeError(name: string, status: string, contract: Contract): void {
  const own = classesOf(name, contract)
  const common = commonOf(status, contract)
  const response = contract.components.responses[name] ?? {}
  const { description = '' } = response
  delete response['x-error-classes']
  const known = namesIn(own)
  const [example] = [...known, ...namesIn(common)]
  // Wrong credentials are the only error without a class.
  if (example === undefined) return
  const { 'X-Service-Error-Class': errorClass, ...others } = contract['x-error-headers'] ?? {}
  response.headers = {
    'X-Service-Error-Class': { ...errorClass, example },
    ...structuredClone(others),
    ...response.headers,
  }
  addSentence(response.headers, example, contract)
  const lines = [...causesIn(own, description), ...causesIn(common, description, known)]
  if (lines.length > 0) response.description = `${description}\n\n${lines.join(';\n')}.`
}

const MESSAGE = 'X-Service-Message'

/** Sets the sentence of a class as the example of an error's message, unless there is an example. */
function addSentence(headers: Record<string, Header>, errorClass: string, { components }: Contract): void {
  const { [MESSAGE]: message } = headers
  if (message === undefined || '$ref' in message || 'example' in message || !isClass(errorClass)) return
  const exampleOf = (fact: Fact): unknown => {
    const { $ref, example } = headers[`X-Service-${capitalized(fact)}`] ?? {}
    return $ref === undefined ? example : components.headers?.[$ref.slice($ref.lastIndexOf('/') + 1)]?.example
  }
  const facts = ERRORS[errorClass].facts.map((fact: Fact) => [fact, String(exampleOf(fact))] as const)
  headers[MESSAGE] = { ...message, example: sentenceOf(errorClass, Object.fromEntries<string>(facts)) }
}

/** Lists the classes in the schema that names them all. */
function addKnownClasses({ schemas: { KnownErrorClass } = {} }: Contract['components']): void {
  if (KnownErrorClass !== undefined) KnownErrorClass.enum = CLASSES
}

/**
 * Lines of a Markdown list with the causes of these classes, except the classes in `except` and those that a description
 * names.
 */
const causesIn = (classes: Classes, description: string, except: readonly string[] = []): string[] =>
  classes
    .flatMap((one) => {
      if (typeof one !== 'string') return Object.entries(one)
      return isNamed(one, description) || except.includes(one) ? [] : [[one, causeOf(one)] as const]
    })
    .flatMap(([all, cause]) => {
      const shown = all.split(', ').filter((name) => !except.includes(name))
      return shown.length === 0 ? [] : `- ${shown.map((name) => `\`${name}\``).join(', ')}: ${cause}`
    })

type Types = Readonly<Record<string, { readonly properties: object }>>

/** Types for the extensions of the written contract, so that Redocly follows references in them. */
const extendTypes = (types: Types): object => ({
  ...types,
  Root: {
    ...types['Root'],
    properties: {
      ...types['Root']?.properties,
      'x-common-responses': 'CommonResponses',
      'x-error-headers': 'HeadersMap',
    },
  },
  CommonResponses: { properties: {}, additionalProperties: 'Response' },
  Operation: {
    ...types['Operation'],
    properties: { ...types['Operation']?.properties, 'x-head': 'Head' },
  },
  Head: {
    properties: { operationId: { type: 'string' }, summary: { type: 'string' }, success: 'Response' },
    required: ['success'],
  },
})

const atRoot = (change: (contract: never) => void) => () => ({ Root: { leave: change } })

/** The plugin. Its decorators are `contract/complete`, `contract/manual` and `contract/versions`. */
export default () => ({
  id: 'contract',
  typeExtension: { oas3: extendTypes },
  decorators: {
    oas3: { complete: atRoot(complete), manual: atRoot(addManual), versions: atRoot(addVersions) },
  },
})
