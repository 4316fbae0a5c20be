/** Query arguments: split as sent, and then read according to an operation. */
import { badArgument, ServiceError } from '../../model/errors.ts'
import type { ContractOperation, Parameter } from '../contract/contract.ts'
import { decode, findDecoded } from '../message/percent-encoding.ts'

/** Query arguments by name; the values are as sent, still percent-encoded. */
export type RawArguments = ReadonlyMap<string, readonly string[]>

const NO_ARGUMENTS: RawArguments = new Map()

/** Splits a query string into its arguments. */
export function parseQueryString(queryString: string): RawArguments {
  if (queryString === '') return NO_ARGUMENTS
  const args = new Map<string, string[]>()
  for (const pair of queryString.split('&')) {
    const [rawName = '', ...rest] = pair.replaceAll('+', ' ').split('=')
    const name = findDecoded(rawName)
    // No operation knows a name that is not UTF-8, and unknown arguments are ignored.
    if (name === undefined) continue
    const values = args.get(name) ?? []
    args.set(name, values)
    values.push(rest.join('='))
  }
  return args
}

/**
 * The decoded value of an argument; undefined if it is missing. Throws `MultipleArgumentValues` and
 * `InvalidUTF8Argument`.
 */
export function singleValue(args: RawArguments, name: string): string | undefined {
  const [raw, ...more] = args.get(name) ?? []
  if (more.length > 0) throw new ServiceError('MultipleArgumentValues', { argument: name })
  return raw === undefined ? undefined : decode(raw, name)
}

/**
 * The arguments that an operation knows, in the form that its schemas expect: Booleans and enumerated words get the
 * letter case of the contract. Throws `MultipleArgumentValues` for a single-valued argument given twice, `TBadArgument`
 * for an integer argument that is not an integer, and `InvalidUTF8Argument`.
 */
export function knownArguments(operation: ContractOperation, args: RawArguments) {
  const known: Record<string, string | string[]> = {}
  for (const parameter of operation.parameters ?? []) {
    const { name, schema } = parameter
    const values = parameter.in === 'query' ? args.get(name) : undefined
    if (values === undefined || isBareFlag(schema.type, values)) continue
    known[name] =
      schema.type === 'array'
        ? values.map((value) => normalized(parameter, decode(value, name)))
        : normalized(parameter, singleValue(args, name) ?? '')
  }
  return known
}

/** Whether a Boolean is named without a value (`?returnTags`, `?returnTags=`), which counts as absent. */
const isBareFlag = (type: unknown, values: readonly string[]): boolean =>
  type === 'boolean' && values.length === 1 && values[0] === ''

const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }

function normalized(parameter: Parameter, value: string): string {
  const folded = value.toLowerCase()
  if (parameter.schema.type === 'boolean') return BOOLEANS[folded] ?? folded
  // The validator would accept anything that JavaScript can convert to a number.
  if (parameter.schema.type === 'integer' && !/^-?\d+$/.test(value)) {
    throw badArgument(parameter.name, 'it is a whole number')
  }
  return parameter['x-fold-case'] === true ? folded : value
}
