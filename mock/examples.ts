/** The examples of the contract as replies of the service. Prism picks them, or makes some up. */
import { ERRORS, ServiceError, type ErrorClass } from '../src/model/errors.ts'
import {
  answersJson,
  readContract,
  type ContractOperation,
  type Parameter,
} from '../src/http/contract/contract.ts'
import type { Reply } from '../src/http/answer/reply.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { findNamed, type Preference } from './preferences.ts'

/** Which example is wanted. */
export interface Wanted {
  readonly operation: ContractOperation
  readonly preference: Preference
  /** The header `Accept` as sent. */
  readonly accept: string | undefined
  /** What URLs in the answer begin with. */
  readonly base: string
}

/** Gives an example of a success, and throws one of an error. */
export type FindExample = (wanted: Wanted) => Promise<Reply>

/** What URLs in examples begin with. */
const [{ url: exampleBase }] = (readContract() as { servers: [{ url: string }] }).servers

/** Finds examples by asking Prism, once it runs. */
export const examplesFrom =
  (prism: Promise<{ readonly url: string }>): FindExample =>
  async (wanted) => {
    const target = (await prism).url + targetOf(wanted.operation)
    const negotiated = await fetch(target, requestOf(wanted))
    // What `Accept` rules out, the service refuses by itself once it has the answer.
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
 * The path and the required arguments, all as the contract shows them. What was sent has been checked by the service's own
 * code; Prism would check it by rules that are not quite the same.
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

/** Any credentials: who may do what has been checked. */
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

/** The preference in Prism's terms: it knows errors only by their codes. */
function pickedBy({ operation, preference }: Wanted): Preference {
  const named = findNamed(operation, preference)
  if (named === undefined) return preference
  const { example, ...others } = preference
  return { ...others, code: named.code, ...(named.mediaType !== undefined && { example }) }
}

const ANY = '*/*'

/** What Prism negotiates. What the service's own code has negotiated, and the content type of a named example, are settled. */
function acceptOf({ operation, preference, accept = ANY }: Wanted): string {
  const settled = findNamed(operation, preference)?.mediaType
  if (settled !== undefined) return settled
  if (answersJson(operation)) return 'application/json'
  // Where the contract names a range for what it does not list, whoever accepts anything would get that from Prism.
  const range = ANY in (operation.responses['200']?.content ?? {})
  return range && accept === ANY ? PRIMITIVE_MEDIA_TYPE : accept
}

function replyOf({ status, headers }: Response, text: string, { base }: Wanted): Reply {
  const contentType = headers.get('content-type')
  const modified = headers.get('last-modified')
  const location = headers.get('location')?.replace(exampleBase, base)
  if (contentType === null) return { status }
  if (modified === null) {
    return { status, json: JSON.parse(text), ...(location === undefined ? {} : { location }) }
  }
  const primitive = contentType === PRIMITIVE_MEDIA_TYPE
  const ownType = contentType === ANY ? 'application/octet-stream' : contentType
  const content = Buffer.from(text)
  const value = {
    type: primitive ? parsePrimitive(text).type : ('opaque' as const),
    contentType: primitive ? undefined : ownType,
    content,
    sizeBytes: content.length,
    // What Prism makes up is no time.
    updatedAt: (Date.parse(modified) || 0) * 1000,
  }
  return { status, value }
}

/** Whether Prism speaks for itself. */
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
