/** The contract, compiled once: which operation a request is, and what that operation takes and gives. */
import { readFileSync } from 'node:fs'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'
import { ServiceError, type ErrorClass } from '../errors.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../tag-value.ts'

/** The contract, in YAML. */
export function readContractText(): string {
  return readFileSync(new URL('../../generated/openapi.yaml', import.meta.url), 'utf8')
}

let asJson: string | undefined

/** The contract as a document of the caller's own. */
export function readContract(): object {
  // YAML takes some forty times as long.
  asJson ??= JSON.stringify(parse(readContractText()))
  return JSON.parse(asJson) as object
}

/** A parameter of an operation, dereferenced. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly schema: { readonly type?: string | string[] }
  /** The path parameter that takes all the rest of a path. */
  readonly 'x-path-tail'?: boolean
  /** A path parameter that does not match this leads to no resource. */
  readonly 'x-resource-pattern'?: string
  /** The argument is read in any letter case. */
  readonly 'x-fold-case'?: boolean
  /** The error of a value that the schema refuses, where it is not the usual one. */
  readonly 'x-invalid-class'?: ErrorClass
}

/** An operation as openapi-backend keeps it, dereferenced, its path's parameters among its own. */
export interface ContractOperation {
  readonly operationId: string
  readonly path: string
  readonly method: string
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly object[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** The operations of the contract. */
export async function readOperations(): Promise<ContractOperation[]> {
  const api = new OpenAPIBackend({ definition: readContract() as Document, quick: true })
  await api.init()
  return api.router.getOperations() as unknown as ContractOperation[]
}

/** What a request is, by method and path. */
export interface Match {
  readonly operation: ContractOperation
  /** The operation whose handler answers: that of GET for a HEAD, else the same. */
  readonly handledBy: ContractOperation
  /** Whether it answers with a JSON document. */
  readonly answersJson: boolean
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** What an operation's body is: JSON, a tag value, or nothing. */
export function bodyKind({ requestBody }: ContractOperation): 'json' | 'value' | 'none' {
  if (requestBody === undefined) return 'none'
  return PRIMITIVE_MEDIA_TYPE in requestBody.content ? 'value' : 'json'
}

/** Whether an operation answers with a JSON document, so that `Accept` must admit that (S 4.0 rule 2). */
export const answersJson = ({ responses }: ContractOperation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && 'application/json' in (content ?? {}),
  )

/** Whether an operation is closed to the anonymous user whatever the permissions say. */
export const needsCredentials = ({ security = [] }: ContractOperation): boolean =>
  security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0)

/** The error for a method that a path does not have; `allow` are those that it has. */
export const unsupported = (allow: readonly string[]): ServiceError =>
  new ServiceError('UnsupportedMethod', {}, { allow })

/** A parameter as a segment of a path; one that does not match `pattern` leads to no resource. */
interface Variable {
  readonly name: string
  readonly pattern: RegExp | undefined
}

interface Route {
  readonly segments: readonly (string | Variable)[]
  readonly tail: boolean
  readonly operations: Map<string, ContractOperation>
}

/**
 * Finds operations by method and raw path, with patterns that are compiled once; the library's own router builds
 * them anew for each request, and knows no parameter with slashes in it.
 */
export class ContractRouter {
  readonly #routes: readonly Route[]
  readonly #answeringJson: ReadonlySet<ContractOperation>

  constructor(operations: readonly ContractOperation[]) {
    const routes = new Map<string, Route>()
    for (const operation of operations) {
      const route = routes.get(operation.path) ?? routeOf(operation)
      route.operations.set(operation.method.toUpperCase(), operation)
      routes.set(operation.path, route)
    }
    // Literal segments before parameters, so that /recent/users is not taken for anything else.
    this.#routes = [...routes.values()].sort((a, b) => literals(b) - literals(a))
    this.#answeringJson = new Set(operations.filter(answersJson))
  }

  /** The methods that a path has, OPTIONS among them. Throws `NoSuchResource`. */
  methods(rawPath: string): string[] {
    return methodsOf(this.#route(rawPath))
  }

  /**
   * The operation of a request; `rawPath` as it was sent, still percent-encoded. Throws `NoSuchResource`,
   * `UnsupportedMethod` with the methods that there are, `InvalidUTF8Argument`.
   */
  match(method: string, rawPath: string): Match {
    const route = this.#route(rawPath)
    const operation = route.operations.get(method)
    if (operation === undefined) throw unsupported(methodsOf(route))
    const handledBy = (method === 'HEAD' ? route.operations.get('GET') : undefined) ?? operation
    const params = paramsOf(route, segmentsOf(rawPath))
    return { operation, handledBy, answersJson: this.#answeringJson.has(handledBy), params }
  }

  #route(rawPath: string): Route {
    const segments = segmentsOf(rawPath)
    const route = this.#routes.find((candidate) => fits(candidate, segments))
    if (route === undefined) throw new ServiceError('NoSuchResource')
    return route
  }
}

/** The segments of a path, still encoded. A slash at the end is ignored. */
const segmentsOf = (rawPath: string): string[] => rawPath.replace(/\/$/, '').split('/').slice(1)

const methodsOf = ({ operations }: Route): string[] => [...operations.keys(), 'OPTIONS'].sort()

function routeOf({ path, parameters = [] }: ContractOperation): Route {
  const variableOf = (segment: string): Variable | undefined => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    const parameter = parameters.find((p) => p.in === 'path' && p.name === name)
    const pattern = parameter?.['x-resource-pattern']
    return (
      parameter && { name: parameter.name, pattern: pattern === undefined ? undefined : new RegExp(pattern) }
    )
  }
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => variableOf(segment) ?? segment)
  const tail = parameters.some((p) => p.in === 'path' && p['x-path-tail'] === true)
  return { segments, tail, operations: new Map() }
}

const literals = (route: Route): number =>
  route.segments.filter((segment) => typeof segment === 'string').length

const fits = ({ segments: wanted, tail }: Route, segments: readonly string[]): boolean =>
  (tail ? segments.length >= wanted.length : segments.length === wanted.length) &&
  wanted.every((segment, i) => typeof segment === 'object' || segment === segments[i])

function paramsOf({ segments: wanted, tail }: Route, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  wanted.forEach((segment, i) => {
    if (typeof segment === 'string') return
    const last = tail && i === wanted.length - 1
    const raw = last ? segments.slice(i).join('/') : (segments[i] ?? '')
    const value = decode(raw, segment.name)
    if (segment.pattern?.test(value) === false) throw new ServiceError('NoSuchResource')
    params[segment.name] = last ? value.replace(/\/$/, '') : value
  })
  return params
}

/** Undoes percent-encoding. Throws `InvalidUTF8Argument`, which names the parameter or query argument. */
export function decode(raw: string, argument: string): string {
  const text = findDecoded(raw)
  if (text === undefined) throw new ServiceError('InvalidUTF8Argument', { argument })
  return text
}

/** Undoes percent-encoding; undefined for what is not UTF-8. */
export function findDecoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}
