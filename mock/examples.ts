/** Replies with examples of the contract. Prism selects or generates them. */
import { ERRORS, ServiceError, type ErrorClass } from '../src/model/errors.ts'
import {
  answersJson,
  readContract,
  type ContractOperation,
  type Parameter,
} from '../src/http/contract/contract.ts'
import { stateTag } from '../src/http/answer/preconditions.ts'
import type { Reply } from '../src/http/answer/reply.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { findNamed, type Preference } from './preferences.ts'

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

/** The base of the URLs in the examples. */
const [{ url: exampleBase }] = (readContract() as { servers: [{ url: string }] }).servers

/** Finds examples through Prism. */
export const examplesFrom =
  (prism: Promise<{ readonly url: string }>): FindExample =>
  async (wanted) => {
    const target = (await prism).url + targetOf(wanted.operation)
    const negotiated = await fetch(target, requestOf(wanted))
    // The service checks `Accept` itself after it has the answer.
    const answer = isProblem(negotiated, 406)
      ? await fetch(target, requestOf({ ...wanted, accept: ANY }))
      : negotiated
    const text = (await answer.text()).replaceAll(exampleBase, wanted.base)
    return answer.status >= 400 ? Promise.reject(errorOf(answer, wanted)) : replyOf(answer, text, wanted)
  }

/** A parameter, or the content of a body. */
interface Exemplary {
  readonly required?: boolean
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

const exampleOf = ({ example, examples = {} }: Exemplary): unknown =>
  example ?? Object.values(examples)[0]?.value

/**
 * The path and the required arguments, with the values of the contract's examples. The code of the service has already
 * checked the real request; the checks of Prism differ slightly.
 */
function targetOf({ path, parameters = [] }: ContractOperation): string {
  const query = new URLSearchParams()
  let target = path
  for (const parameter of parameters as readonly (Parameter & Exemplary)[]) {
    const value = exampleOf(parameter)
    if (parameter.in === 'path') {
      target = target.replace(`{${parameter.name}}`, encodeURIComponent(String(value)))
    } else if (parameter.in === 'query' && parameter.required === true) {
      for (const one of [value].flat()) query.append(parameter.name, String(one))
    }
  }
  return `${target}?${query.toString()}`
}

/** Any credentials will do, because the permissions are already checked. */
const SOMEBODY = `Basic ${btoa('somebody:something')}`

function requestOf(wanted: Wanted): RequestInit {
  const { operation } = wanted
  const headers = new Headers({ authorization: SOMEBODY, accept: acceptOf(wanted) })
  const prefer = Object.entries(pickedBy(wanted)).map(([name, value]) => `${name}="${value}"`)
  if (prefer.length > 0) headers.set('prefer', prefer.join(', '))
  const method = operation.method.toUpperCase()
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return { method, headers }
  headers.set('content-type', type)
  return { method, headers, body: JSON.stringify(exampleOf(media as Exemplary)) }
}

/** Translates the preference for Prism, which knows errors only by their status codes. */
function pickedBy({ operation, preference }: Wanted): Preference {
  const named = findNamed(operation, preference)
  if (named === undefined) return preference
  const { example, ...others } = preference
  return { ...others, code: named.code, ...(named.mediaType !== undefined && { example }) }
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

function replyOf({ status, headers }: Response, text: string, { base }: Wanted): Reply {
  const contentType = headers.get('content-type')
  const modified = headers.get('last-modified')
  if (contentType === null) return { status }
  if (modified === null) {
    const location = headers.get('location')?.replace(exampleBase, base)
    const headed = { ...(location !== undefined && { location }), ...tagged(headers, text) }
    return { status, json: JSON.parse(text), ...headed }
  }
  const primitive = contentType === PRIMITIVE_MEDIA_TYPE
  const ownType = contentType === ANY ? 'application/octet-stream' : contentType
  const content = Buffer.from(text)
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

/** The entity tag of JSON that has one. Prism generates strings that are none. */
const tagged = (headers: Headers, text: string): Pick<Reply, 'etag'> =>
  headers.has('etag') ? { etag: stateTag([text]) } : {}

/** Returns whether the answer is an error of Prism itself. */
const isProblem = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  code: number = status,
): boolean => status === code && headers.get('content-type') === 'application/problem+json'

/** The error whose example Prism sent, with the facts of its class; or the failure of Prism itself. */
function errorOf({ status, headers }: Response, { operation, preference }: Wanted): ServiceError {
  if (isProblem({ status, headers })) {
    return new ServiceError('InternalServerError', {}, { cause: `Prism answered ${String(status)}` })
  }
  const shown = findNamed(operation, preference)?.name ?? headers.get('x-service-error-class')
  const errorClass = shown !== null && shown in ERRORS ? (shown as ErrorClass) : 'WrongCredentials'
  const facts = ERRORS[errorClass].facts.map((fact) => [fact, headers.get(`x-service-${fact}`) ?? ''])
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new ServiceError(errorClass, Object.fromEntries(facts) as never, {
    status,
    ...(Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds }),
  })
}
