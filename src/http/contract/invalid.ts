/** Turns the findings of the validation against the contract into one error. */
import type { ErrorObject } from 'ajv'
import { badArgument, badRequest, malformedPayload, ServiceError, shown } from '../../model/errors.ts'
import { nearest } from '../../model/misspelt.ts'
import type { ContractOperation, Parameter } from './contract.ts'

/** Where the body begins in what is validated, as a JSON pointer. */
const BODY = '/requestBody'

/** The error for what the contract refuses: errors of the body come before errors of the arguments. */
export function invalid(
  errors: readonly ErrorObject[],
  operation: ContractOperation,
  body: unknown,
): ServiceError {
  const inBody = errors.filter((error) => error.instancePath.startsWith(BODY))
  return inBody.length > 0 ? invalidBody(inBody, body) : invalidArgument(errors, operation)
}

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
    const fieldname = String(unknown.params['additionalProperty'])
    return new ServiceError('UnknownPayloadField', { fieldname }, { hint: fieldHint(fieldname, unknown) })
  }
  const choice = relevant.find(({ keyword }) => keyword === 'minProperties' || keyword === 'maxProperties')
  if (choice !== undefined) return wrongChoice(choice, body as object)
  const [wrong] = relevant
  const [field] = wrong?.instancePath.slice(BODY.length).split('/').slice(1).map(unescapePointer) ?? []
  if (wrong === undefined || field === undefined || typeof body !== 'object') return ofAnotherShape(wrong)
  const hint = `it ${expectedBy(wrong)}`
  return named(wrong, errors) ?? new ServiceError('InvalidPayloadField', { fieldname: field }, { hint })
}

/** The error for too few or too many of the fields of an object that has one of several. */
function wrongChoice({ keyword, parentSchema }: ErrorObject, body: object): ServiceError {
  const { properties = {}, required = [] } = (parentSchema ?? {}) as Schema
  const offered = Object.keys(properties).filter((name) => !required.includes(name))
  const hint = `send one of ${offered.join(', ')}`
  if (keyword === 'minProperties') {
    const missing = required.find((name) => !Object.hasOwn(body, name))
    const fieldname = missing ?? offered[0] ?? ''
    return new ServiceError('PayloadFieldMissing', { fieldname }, missing === undefined ? { hint } : {})
  }
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(properties, name))
  const fieldname = unknown ?? offered.findLast((name) => Object.hasOwn(body, name)) ?? ''
  return new ServiceError('UnknownPayloadField', { fieldname }, { hint })
}

/** The fields that the object may have, and the one among them that was probably meant. */
function fieldHint(fieldname: string, { parentSchema }: ErrorObject): string {
  const { properties = {} } = (parentSchema ?? {}) as Schema
  const known = Object.keys(properties)
  const meant = nearest(fieldname, known, 1)
  return meant === undefined ? `it may have ${known.join(', ')}` : `did you mean ${meant}?`
}

/** The rule of the schema that a part of a request breaks, with an example. */
function expectedBy(error: ErrorObject, [example] = examplesOf(error)): string {
  const words = wordsOf(error)
  if (words.length > 0) return `must be one of ${words.join(', ')}`
  return ruleOf(error) + (example === undefined ? '' : `, for example ${JSON.stringify(example)}`)
}

const examplesOf = ({ parentSchema }: ErrorObject): readonly unknown[] =>
  ((parentSchema ?? {}) as Schema).examples ?? []

/** The rule that is broken; the words of the validator, where there are no better ones. */
function ruleOf({ keyword, params, message = 'is wrong' }: ErrorObject): string {
  const rule = LIMITS[keyword]
  if (rule !== undefined) return rule((params as { limit: number }).limit)
  return message.replace(/^must be (?=\w+$)/, (be) => be + (/ [aio]\w+$/.test(message) ? 'an ' : 'a '))
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
  minLength: (limit) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minItems: (limit) => `must have at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `must have at most ${counted(limit, 'item')}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  pattern: () => 'must have another form',
}

/** The place of a finding in the body, as JavaScript would write it. */
const placeOf = ({ instancePath }: ErrorObject): string =>
  instancePath
    .slice(BODY.length)
    .split('/')
    .slice(1)
    .map(unescapePointer)
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : /^\w+$/.test(key) ? `.${key}` : `["${shown(key)}"]`))
    .join('')
    .replace(/^\./, '')

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
  const found = classes.find((errorClass) => errorClass !== undefined)
  return found === 'MalformedPayload' ? ofAnotherShape(error) : found && new ServiceError(found)
}

interface Schema {
  readonly 'x-invalid-class'?: 'TInvalidPolicy' | 'MalformedPayload' | 'UnsupportedJSONType'
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
}

function ofAnotherShape(error: ErrorObject | undefined): ServiceError {
  const where = error === undefined ? '' : placeOf(error)
  const expected = error === undefined ? 'must be an object' : expectedBy(error)
  return malformedPayload(
    `the payload is JSON of the wrong shape: ${where === '' ? 'it' : where} ${expected}`,
  )
}

/** The error for arguments that the contract refuses: a missing one comes before a bad one. */
function invalidArgument(errors: readonly ErrorObject[], operation: ContractOperation): ServiceError {
  const missing = errors.find((error) => error.keyword === 'required')
  if (missing !== undefined) {
    const name = String(missing.params['missingProperty'])
    const isList = parameterOf(operation, name)?.schema.type === 'array'
    const hint = isList ? `add ${name}=... to the query string, once for each, without brackets` : undefined
    return new ServiceError('MissingArgument', { argument: name }, { hint })
  }
  const [wrong] = errors
  const argument = wrong?.instancePath.split('/')[2] ?? ''
  const parameter = parameterOf(operation, argument)
  return parameter?.['x-invalid-class'] === 'TBadRequest'
    ? badRequest(`there is no such ${argument} here: use one of ${wordsOf(wrong).join(', ')}`)
    : badArgument(argument, wrong && `it ${expectedBy(wrong, formsOf(wrong, parameter))}`)
}

/** Examples of the form that an argument must have. */
const formsOf = ({ keyword }: ErrorObject, { examples = {} }: Partial<Parameter> = {}): readonly unknown[] =>
  keyword === 'pattern' ? Object.values(examples).map(({ value }) => value) : []

/** The words that the enumeration has to which a value does not belong. */
const wordsOf = (error: ErrorObject | undefined): readonly unknown[] =>
  (error?.params as { allowedValues?: readonly unknown[] } | undefined)?.allowedValues ?? []

const parameterOf = ({ parameters = [] }: ContractOperation, wanted: string): Parameter | undefined =>
  parameters.find(({ name }) => name === wanted)
