/** What a violation of the contract is called: the error for the findings of the schema validation (S 7). */
import type { ErrorObject } from 'ajv'
import { ServiceError, type ErrorClass } from '../errors.ts'
import type { ContractOperation } from './contract.ts'

const BODY = '/requestBody'

/**
 * The error for a JSON body that its schema refuses: a missing field before an unknown one, both before a wrong
 * type. A body that is of another shape as a whole is malformed.
 */
export function invalidBody(errors: readonly ErrorObject[], body: unknown): ServiceError {
  const relevant = errors.filter((error) => applies(error, errors))
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
  const wrong = relevant[0] ?? errors[0]
  const path = wrong?.instancePath.slice(BODY.length) ?? ''
  const [field] = path.split('/').slice(1).map(unescapePointer)
  if (field === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return new ServiceError('MalformedPayload', {
      message: 'the payload is not of the shape that the operation takes',
    })
  }
  const named = invalidClassOf(wrong)
  if (named !== undefined && wrong?.keyword === 'enum') return new ServiceError(named)
  return new ServiceError('InvalidPayloadField', { fieldname: field })
}

/** Of the branches of a union, those that the value was clearly meant for: a deeper finding counts, not a sibling's. */
function applies(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return !errors.some((other) => other !== error && other.instancePath.startsWith(`${error.instancePath}/`))
}

const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** The extension of the schema that refused the value. */
function invalidClassOf(error: ErrorObject | undefined): 'TInvalidPolicy' | undefined {
  const schema = error?.parentSchema as { 'x-invalid-class'?: 'TInvalidPolicy' } | undefined
  return schema?.['x-invalid-class']
}

/** The error for arguments that the contract refuses: a missing one before a bad one. */
export function invalidParameter(errors: readonly ErrorObject[], operation: ContractOperation): ServiceError {
  const missing = errors.find((error) => error.keyword === 'required')
  if (missing !== undefined) {
    return new ServiceError('MissingArgument', { argument: String(missing.params['missingProperty']) })
  }
  const argument = errors[0]?.instancePath.split('/')[2] ?? ''
  const parameter = operation.parameters?.find(({ name }) => name === argument)
  const named: ErrorClass | undefined = parameter?.['x-invalid-class']
  if (named === 'TBadRequest')
    return new ServiceError(named, { message: `there is no such ${argument} here` })
  return new ServiceError('TBadArgument', { argument })
}
