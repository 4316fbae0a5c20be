/** Query arguments: taken apart as they were sent, and read as an operation knows them. */
import { badArgument, ServiceError } from '../errors.ts'
import type { ContractOperation, Parameter } from './contract.ts'
import { decode, findDecoded } from './percent-encoding.ts'

/** Query arguments by name, their values as they were sent, still percent-encoded. */
export type RawArguments = ReadonlyMap<string, readonly string[]>

/** Takes a query string apart. */
export function parseQueryString(queryString: string): RawArguments {
  const args = new Map<string, string[]>()
  for (const pair of queryString.split('&')) {
    const [rawName = '', ...rest] = pair.replaceAll('+', ' ').split('=')
    const name = findDecoded(rawName)
    // A name that is not UTF-8 is unknown to every operation, and unknown arguments are ignored.
    if (name === undefined) continue
    const values = args.get(name) ?? []
    args.set(name, values)
    values.push(rest.join('='))
  }
  return args
}

/**
 * The value of an argument, decoded; undefined where it is missing. Throws `MultipleArgumentValues` and
 * `InvalidUTF8Argument`.
 */
export function singleValue(args: RawArguments, name: string): string | undefined {
  const [raw, ...more] = args.get(name) ?? []
  if (more.length > 0) throw new ServiceError('MultipleArgumentValues', { argument: name })
  return raw === undefined ? undefined : decode(raw, name)
}

/**
 * The arguments that an operation knows, as its schemas want them: Booleans and words in the letter case of the
 * contract. Throws `MultipleArgumentValues` for a single-valued argument that is there twice, `TBadArgument` for an
 * integer that is none, `InvalidUTF8Argument`.
 */
export function knownArguments(operation: ContractOperation, args: RawArguments) {
  const known: Record<string, string | string[]> = {}
  for (const parameter of operation.parameters ?? []) {
    const { name, schema } = parameter
    const values = parameter.in === 'query' ? args.get(name) : undefined
    if (values === undefined) continue
    known[name] =
      schema.type === 'array'
        ? values.map((value) => normalized(parameter, decode(value, name)))
        : normalized(parameter, singleValue(args, name) ?? '')
  }
  return known
}

const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }

function normalized(parameter: Parameter, value: string): string {
  const folded = value.toLowerCase()
  if (parameter.schema.type === 'boolean') return BOOLEANS[folded] ?? folded
  // The validator would take whatever JavaScript makes a number of.
  if (parameter.schema.type === 'integer' && !/^-?\d+$/.test(value)) throw badArgument(parameter.name)
  return parameter['x-fold-case'] === true ? folded : value
}
