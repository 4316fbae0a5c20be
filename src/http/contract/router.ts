/**
 * Finds the operation of a request by its method and path, in the place of openapi-backend's own matching: that makes a regular
 * expression for each operation at each request, and knows no path parameter that holds slashes.
 */
import type { Operation, OpenAPIBackend, ParsedRequest, Request } from 'openapi-backend'
import { ServiceError } from '../../model/errors.ts'
import { nearest } from '../../model/misspelt.ts'
import type { ContractOperation } from './contract.ts'
import { withOptions } from '../message/methods.ts'
import { decode } from '../message/percent-encoding.ts'

/** A parameter in place of a path segment. If the segment does not match `pattern`, the path is not a resource. */
interface Variable {
  readonly name: string
  readonly pattern: RegExp | undefined
  /** The remedy in the error about a segment that does not match. */
  readonly hint: string | undefined
}

interface Route {
  readonly segments: readonly (string | Variable)[]
  readonly tail: boolean
  readonly operations: Map<string, ContractOperation>
}

/** The paths of the contract, compiled once. */
export class ContractRouter {
  /** By their first segment, which is literal in each path of the contract. */
  readonly #routes: ReadonlyMap<unknown, readonly Route[]>
  readonly #templates: ReadonlySet<string>

  constructor(operations: readonly ContractOperation[]) {
    const routes = new Map<string, Route>()
    for (const operation of operations) {
      const route = routes.get(operation.path) ?? routeOf(operation)
      route.operations.set(operation.method.toUpperCase(), operation)
      routes.set(operation.path, route)
    }
    // Routes with more literal segments come first, so that /recent/users does not match as another route's parameter.
    const inOrder = [...routes.values()].sort((a, b) => literals(b) - literals(a))
    this.#routes = Map.groupBy(inOrder, ({ segments }) => segments[0])
    this.#templates = new Set(routes.keys())
  }

  /** The methods that a path has, with OPTIONS. Throws `NoSuchResource`. */
  methods(rawPath: string): string[] {
    return methodsOf(this.#route(segmentsOf(rawPath)))
  }

  /**
   * The operation of a request, for HEAD that of GET; undefined if the path has none for the method. Throws `NoSuchResource`.
   */
  operation(method: string, rawPath: string): ContractOperation | undefined {
    const { operations } = this.#route(segmentsOf(rawPath))
    return operations.get(method === 'HEAD' ? 'GET' : method)
  }

  /**
   * The path parameters, decoded. Throws `InvalidUTF8Argument`, and `NoSuchResource` for one that does not match its pattern.
   */
  params(rawPath: string): Record<string, string> {
    const segments = segmentsOf(rawPath)
    return paramsOf(this.#route(segments), segments)
  }

  #route(segments: readonly string[]): Route {
    const route = this.#routes.get(segments[0])?.find((candidate) => fits(candidate, segments))
    if (route === undefined) {
      throw new ServiceError('NoSuchResource', {}, { hint: hintFor(segments, [...this.#templates]) })
    }
    return route
  }
}

interface Parsed {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string | string[]>
}

/** Has the library match requests by these routes. Their paths are as sent, still percent-encoded; their arguments are read already. */
export function matchBy(routes: ContractRouter, { router }: OpenAPIBackend): void {
  router.matchOperation = ({ method, path }: Request): Operation => {
    const operation = routes.operation(method, path)
    // The library knows by the number which handler to call.
    if (operation === undefined) throw new Error('405: the path has no such method')
    return operation as Operation
  }
  router.parseRequest = (request: Request, operation?: Operation): ParsedRequest => {
    // A request that the library has validated has its parameters already.
    const { params, query = {} } = request as Parsed
    const found = params ?? (operation === undefined ? {} : routes.params(request.path))
    return { ...request, query, params: found, cookies: {}, requestBody: request.body as unknown }
  }
}

/** The remedy for a request whose path is not in the contract; undefined if it is unclear which path was meant. */
function hintFor([first = '', second]: readonly string[], templates: readonly string[]): string | undefined {
  if (/^v?\d+(?:\.\d+)*$/i.test(first) && second !== undefined) return 'paths have no version number'
  const like = templates.filter((template) => template.split('/')[1] === first)
  if (like.length > 0 && first !== '') return `there is ${like.join(', ')}`
  const meant = nearest(
    first.toLowerCase(),
    templates.map((template) => template.split('/')[1] ?? ''),
    1,
  )
  return meant === undefined || meant === '' ? undefined : `did you mean /${meant}?`
}

/** The segments of a path, still encoded. A trailing slash is ignored. */
const segmentsOf = (rawPath: string): string[] =>
  rawPath.slice(1, rawPath.length > 1 && rawPath.endsWith('/') ? -1 : undefined).split('/')

const methodsOf = ({ operations }: Route): string[] => withOptions(operations.keys())

function routeOf({ path, parameters = [] }: ContractOperation): Route {
  const variableOf = (segment: string): Variable | undefined => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    const parameter = parameters.find((p) => p.in === 'path' && p.name === name)
    const pattern = parameter?.['x-resource-pattern']
    return (
      parameter && {
        name: parameter.name,
        pattern: pattern === undefined ? undefined : new RegExp(pattern),
        hint: parameter['x-resource-hint'],
      }
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
    if (segment.pattern?.test(value) === false)
      throw new ServiceError('NoSuchResource', {}, { hint: segment.hint })
    params[segment.name] = last ? value.replace(/\/$/, '') : value
  })
  return params
}
