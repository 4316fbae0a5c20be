/** Replies with examples of the contract. Prism selects or generates them. */
import { ERRORS, ServiceError, type ErrorClass } from '../src/model/errors.ts'
import { answersJson, type ContractOperation } from '../src/http/contract/contract.ts'
import { stateTag } from '../src/http/answer/preconditions.ts'
import type { Reply } from '../src/http/answer/reply.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { findNamed, type Preference } from './preferences.ts'
import type { Example, Prism } from './prism.ts'

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

/** Finds examples of a contract: successes through Prism, which `prism` opens, and errors without it. */
export const examplesOf = (contract: object, prism: () => Promise<Prism>): FindExample => {
  const [{ url: exampleBase }] = (contract as { servers: [{ url: string }] }).servers
  return async (wanted) => {
    const { operation, preference } = wanted
    const named = findNamed(operation, preference)
    const code = named?.code ?? preference.code ?? '200'
    if (Number(code) >= 400) throw exampleError(operation, code, named?.name)
    const find = await prism()
    const negotiated = find(operation.operationId, pickedBy(wanted, acceptOf(wanted)))
    // The service checks `Accept` itself after it has the answer.
    const example = await negotiated.catch(() =>
      find(operation.operationId, pickedBy(wanted, acceptOf({ ...wanted, accept: ANY }))),
    )
    return replyOf(example, (text) => text.replaceAll(exampleBase, wanted.base))
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
  const { 'content-type': contentType, 'last-modified': modified } = headers
  const asJson = JSON.stringify(body)
  if (modified === undefined) {
    const json = JSON.parse(rebased(asJson)) as unknown
    return { status, json, ...headed(headers, asJson, rebased) }
  }
  const primitive = contentType === PRIMITIVE_MEDIA_TYPE
  const text = !primitive && typeof body === 'string' ? body : asJson
  const ownType = contentType === ANY ? 'application/octet-stream' : contentType
  const content = Buffer.from(rebased(text))
  const value = {
    tagId: 0,
    type: primitive ? parsePrimitive(text).type : ('opaque' as const),
    contentType: primitive ? undefined : ownType,
    content,
    sizeBytes: content.length,
    // Prism generates strings that are not times.
    updatedAt: (Date.parse(modified) || 0) * 1000,
  }
  return { status, value }
}

/** The headers of an answer in JSON. Prism generates strings that are no entity tags. */
const headed = (
  { location, etag }: Example['headers'],
  asJson: string,
  rebased: (text: string) => string,
): Pick<Reply, 'location' | 'etag'> => ({
  ...(location !== undefined && { location: rebased(location) }),
  ...(etag !== undefined && { etag: stateTag([asJson]) }),
})

/** A header or the like, with an example. */
export interface Exemplary {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  readonly schema?: Exemplary
}

export const exampleOf = ({ example, examples, schema }: Exemplary): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value ?? (schema === undefined ? undefined : exampleOf(schema))

/** The error of an operation with a status, and of a class if it is given, with the facts of the contract's examples. */
export function exampleError(operation: ContractOperation, code: string, named?: string): ServiceError {
  const { headers = {} } = operation.responses[code] as { headers?: Readonly<Record<string, Exemplary>> }
  const shown = (name: string): string | number | undefined => {
    const [, header] = Object.entries(headers).find(([one]) => one.toLowerCase() === name) ?? []
    return header && (exampleOf(header) as string | number | undefined)
  }
  const name = named ?? String(shown('x-service-error-class'))
  const errorClass = name in ERRORS ? (name as ErrorClass) : 'WrongCredentials'
  const facts = ERRORS[errorClass].facts.map((fact) => [fact, String(shown(`x-service-${fact}`) ?? '')])
  const retryAfter = shown('retry-after')
  return new ServiceError(errorClass, Object.fromEntries(facts) as never, {
    status: Number(code),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
  })
}
