/** Replies with examples of the contract. Prism selects or generates them. */
import { ERRORS, ServiceError, type ErrorClass } from '../src/model/errors.ts'
import { answersJson, type ContractOperation } from '../src/http/contract/contract.ts'
import type { Reply } from '../src/http/answer/reply.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { findNamed, type Preference } from './preferences.ts'
import { openPrism, type Example, type Prism } from './prism.ts'

/** Identifies the requested example. */
export interface Wanted {
  readonly operation: ContractOperation
  readonly preference: Preference
  /** The header `Accept` as sent. */
  readonly accept: string | undefined
  /** The base of the URLs in the answer. */
  readonly base: string
}

/** Returns an example of a success, or throws an example of an error. */
export type FindExample = (wanted: Wanted) => Promise<Reply>

/** Finds examples of a contract through Prism. */
export async function examplesOf(contract: object): Promise<FindExample> {
  const [{ url: exampleBase }] = (contract as { servers: [{ url: string }] }).servers
  const prism = await openPrism(contract)
  return async (wanted) => {
    const { operationId } = wanted.operation
    const accept = acceptOf(wanted)
    const negotiated = prism(operationId, pickedBy(wanted, accept))
    // The service checks `Accept` itself after it has the answer.
    const example = await negotiated.catch(() =>
      prism(operationId, pickedBy(wanted, acceptOf({ ...wanted, accept: ANY }))),
    )
    return example.status >= 400
      ? Promise.reject(errorOf(example, wanted))
      : replyOf(example, (text) => text.replaceAll(exampleBase, wanted.base))
  }
}

/** Translates the preference for Prism, which knows errors only by their status codes. */
function pickedBy({ operation, preference }: Wanted, accept: string): Parameters<Prism>[1] {
  const named = findNamed(operation, preference)
  const code = named?.code ?? preference.code
  const { example, dynamic, seed } = preference
  return {
    mediaTypes: accept.split(','),
    dynamic: dynamic === 'true',
    ...(code !== undefined && { code: Number(code) }),
    ...(named?.mediaType !== undefined && example !== undefined && { exampleKey: example }),
    ...(seed !== undefined && { seed }),
  }
}

const ANY = '*/*'

/**
 * The media types that Prism may choose from. The code of the service has already negotiated, and a named example
 * determines its content type.
 */
function acceptOf({ operation, preference, accept = ANY }: Wanted): string {
  const settled = findNamed(operation, preference)?.mediaType
  if (settled !== undefined) return settled
  if (answersJson(operation)) return 'application/json'
  // If the contract has a range for unlisted media types, Prism would send that range to a client that accepts
  // everything.
  const range = ANY in (operation.responses['200']?.content ?? {})
  return range && accept === ANY ? PRIMITIVE_MEDIA_TYPE : accept
}

function replyOf({ status, headers, body }: Example, rebased: (text: string) => string): Reply {
  if (body === undefined) return { status }
  const { 'content-type': contentType, 'last-modified': modified, location } = headers
  const asJson = JSON.stringify(body)
  if (modified === undefined) {
    const json = JSON.parse(rebased(asJson)) as unknown
    return { status, json, ...(location === undefined ? {} : { location: rebased(location) }) }
  }
  const primitive = contentType === PRIMITIVE_MEDIA_TYPE
  const text = !primitive && typeof body === 'string' ? body : asJson
  const ownType = contentType === ANY ? 'application/octet-stream' : contentType
  const content = Buffer.from(rebased(text))
  const value = {
    type: primitive ? parsePrimitive(text).type : ('opaque' as const),
    contentType: primitive ? undefined : ownType,
    content,
    sizeBytes: content.length,
    // Prism generates strings that are not times.
    updatedAt: (Date.parse(modified) || 0) * 1000,
  }
  return { status, value }
}

/** The error whose example Prism selected, with the facts of its class. */
function errorOf({ status, headers }: Example, { operation, preference }: Wanted): ServiceError {
  const shown = findNamed(operation, preference)?.name ?? headers['x-service-error-class']
  const errorClass = shown !== undefined && shown in ERRORS ? (shown as ErrorClass) : 'WrongCredentials'
  const facts = ERRORS[errorClass].facts.map((fact) => [fact, String(headers[`x-service-${fact}`] ?? '')])
  const retryAfterSeconds = Number(headers['retry-after'] ?? Number.NaN)
  return new ServiceError(errorClass, Object.fromEntries(facts) as never, {
    status,
    ...(Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds }),
  })
}
