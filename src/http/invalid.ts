/** Turns the findings of the validation against the contract into one error. */
import type { ErrorObject } from 'ajv'
import { badArgument, badRequest, malformedPayload, ServiceError } from '../errors.ts'
import type { ContractOperation } from './contract.ts'

const BODY = '/requestBody'

/** The error for what the contract refuses: errors of the body come before errors of the arguments. */
export function invalid(
  errors: readonly ErrorObject[],
  operation: ContractOperation,
  body: unknown,
): ServiceError {
  const inBody = ofBody(errors)
  return inBody.length > 0 ? invalidBody(inBody, body) : invalidArgument(errors, operation)
}

/** The errors of the body. */
export const ofBody = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.filter((error) => error.instancePath.startsWith(BODY))

/**
 * The error for the first fault of a JSON body, with those of the branches of its union: in an object, a missing field
 * comes before an unknown one, and both before a wrong type. A body of the wrong overall shape is malformed.
 */
function invalidBody(errors: readonly ErrorObject[], body: unknown): ServiceError {
  const relevant = errors.filter((error) => !isBeside(error, errors))
  const missing = relevant.find((error) => error.keyword === 'required')
  if (missing !== undefined) {
    return new ServiceError('PayloadFieldMissing', { fieldname: String(missing.params['missingProperty']) })
  }
  const unknown = relevant.find((error) => error.keyword === 'additionalProperties')
  if (unknown !== undefined) {
    return new ServiceError('UnknownPayloadField', {
      fieldname: String(unknown.params['additionalProperty']),
    })
  }
  const [wrong] = relevant
  const [field] = wrong?.instancePath.slice(BODY.length).split('/').slice(1).map(unescapePointer) ?? []
  if (wrong === undefined || field === undefined || typeof body !== 'object') return ofAnotherShape()
  return named(wrong, errors) ?? new ServiceError('InvalidPayloadField', { fieldname: field })
}

/** Whether a finding concerns a union branch that was not meant: a finding deeper inside says more. */
function isBeside(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const ofUnion = /\/(anyOf|oneOf)(\/|$)/.test(error.schemaPath)
  const isChoice = error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'type'
  return ofUnion && isChoice && errors.some((other) => isInside(other, error))
}

const isInside = (inner: ErrorObject, outer: ErrorObject): boolean =>
  inner.instancePath.startsWith(`${outer.instancePath}/`)

const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** The error that the contract names (`x-invalid-class`) for the refused part, or for the nearest part around it. */
function named(error: ErrorObject, errors: readonly ErrorObject[]): ServiceError | undefined {
  // An enumeration's error class is for unknown words, not for what is not a string at all.
  if (error.keyword === 'type' && 'enum' in (error.parentSchema ?? {})) return undefined
  const around = errors
    .filter((other) => other.instancePath === error.instancePath || isInside(error, other))
    .sort((a, b) => b.instancePath.length - a.instancePath.length)
  const classes = around.map(({ parentSchema }) => (parentSchema as Schema | undefined)?.['x-invalid-class'])
  const nearest = classes.find((errorClass) => errorClass !== undefined)
  return nearest === 'MalformedPayload' ? ofAnotherShape() : nearest && new ServiceError(nearest)
}

interface Schema {
  readonly 'x-invalid-class'?: 'TInvalidPolicy' | 'MalformedPayload' | 'UnsupportedJSONType'
}

const ofAnotherShape = (): ServiceError =>
  malformedPayload('the payload is not of the shape that the operation takes')

/** The error for arguments that the contract refuses: a missing one comes before a bad one. */
function invalidArgument(errors: readonly ErrorObject[], operation: ContractOperation): ServiceError {
  const missing = errors.find((error) => error.keyword === 'required')
  if (missing !== undefined) {
    return new ServiceError('MissingArgument', { argument: String(missing.params['missingProperty']) })
  }
  const argument = errors[0]?.instancePath.split('/')[2] ?? ''
  const parameter = operation.parameters?.find(({ name }) => name === argument)
  return parameter?.['x-invalid-class'] === 'TBadRequest'
    ? badRequest(`there is no such ${argument} here`)
    : badArgument(argument)
}
