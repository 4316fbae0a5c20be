/** The type of a handler: its arguments and answers are those of the contract's operation of the same name. */
import type { operations } from '../../generated/openapi.d.ts'
import type { Observe } from '../data/search/search.ts'
import type { Store } from '../data/store/store.ts'
import type { Caller } from '../data/store/views.ts'
import type { Document } from '../documents/document.ts'
import type { DocumentName, Selection } from '../documents/documents.ts'
import type { Preconditions } from './answer/preconditions.ts'
import type { ValueAnswer } from './answer/reply.ts'
import type { RawJson } from './answer/raw-json.ts'
import type { Reserve } from './request/request.ts'
import type { SecurityEvent } from './credentials/security-events.ts'
import type { QueryLimits } from '../query/lexer.ts'
import type { ParsedJson } from '../model/json.ts'
import type { PRIMITIVE_MEDIA_TYPE, TagValue } from '../model/tag-value.ts'

/** The operations that have their own handlers; the handler of GET also answers HEAD. */
export type OperationId = Exclude<keyof operations, `head${string}`>

type Flat<T> = { [Key in keyof T]: T[Key] }
type Parameters<K extends OperationId, In extends 'path' | 'query'> = operations[K]['parameters'] extends {
  [key in In]?: infer P
}
  ? [NonNullable<P>] extends [never]
    ? object
    : NonNullable<P>
  : object

/** The arguments with a default in the contract: the validation fills it in, which the generated types do not know. */
export const DEFAULTED = [
  'bins',
  'count',
  'limit',
  'scale',
  'sort',
  'text',
  'top',
  'returnDescription',
  'returnNamespaces',
  'returnTags',
  'showAbout',
] as const

type Filled<P> = P & Required<Pick<P, keyof P & (typeof DEFAULTED)[number]>>

/** Path parameters and query arguments of an operation, decoded, checked and with the defaults of the contract. */
export type Args<K extends OperationId> = Flat<Parameters<K, 'path'> & Filled<Parameters<K, 'query'>>>

type PrimitiveMediaType = typeof PRIMITIVE_MEDIA_TYPE
type Content<B> = NonNullable<B> extends { content: infer C } ? C : never
type BodyOf<B> = [Content<B>] extends [never]
  ? undefined
  : Content<B> extends Record<PrimitiveMediaType, unknown>
    ? TagValue
    : Content<B> extends { 'application/json': infer J }
      ? J | (undefined extends B ? undefined : never)
      : never

/** The body of an operation: its JSON, or the tag value. */
export type Body<K extends OperationId> = BodyOf<operations[K]['requestBody']>

type Success = 200 | 201 | 204
type Location<R> = R extends { headers: { Location: string } } ? { location: string } : object
type Answer<R> = R extends { content: infer C }
  ? C extends Record<PrimitiveMediaType, unknown>
    ? { value: ValueAnswer }
    : R extends { headers: { ETag: string } }
      ? { document: Document }
      : C extends { 'application/json': infer J }
        ? J extends { next?: string }
          ? { json: J | RawJson<J>; next?: string | undefined }
          : { json: J | RawJson<J> }
        : object
  : object
type ReplyWith<S, R> = Flat<{ status: S } & Answer<R> & Location<R>>

/** The answers that the contract allows for an operation, except errors. */
export type ReplyOf<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: ReplyWith<S, operations[K]['responses'][S]>
}[keyof operations[K]['responses'] & Success]

/** The parts of a call that come from the client. */
interface Asked<K extends OperationId> {
  readonly args: Args<K>
  readonly body: Body<K>
  /** The literal of a number in a JSON body; see `ParsedJson`. */
  readonly numberText: ParsedJson['numberText']
  readonly preconditions: Preconditions
  /** Aborts when the client is gone, so that long work can stop. */
  readonly signal: AbortSignal
  /** Receives a search that has ended. */
  readonly observe: Observe
}

/** What the service provides to every call. */
export interface Service {
  readonly store: Store
  /** The limits of the query language, as configured. */
  readonly queryLimits: QueryLimits
  /** How many octets of values one PUT `/values` may write. */
  readonly maxWriteBytes: number
  readonly hashPassword: (password: string) => Promise<string>
  /** The least length of a new password, in characters. */
  readonly minPasswordLength: number
  /** Receives what belongs into the security log. */
  readonly note: (event: SecurityEvent) => void
}

/** The functions by which a handler builds its answer. */
interface Answering<K extends OperationId> {
  /** To be called before a large answer is made, if its size is known by then. */
  readonly reserve: Reserve
  /** The absolute URL of a path of this service. */
  readonly absoluteUrl: (path: string) => string
  /** One of the service's own documents, with the URLs that this client must use. */
  readonly document: (name: DocumentName, selection?: Selection) => Promise<Document>
  /** Returns its argument, and makes the compiler check it against the contract, including for surplus fields. */
  readonly reply: (reply: ReplyOf<K>) => ReplyOf<K>
}

/** One call of an operation. */
export interface Call<K extends OperationId> extends Asked<K>, Service, Answering<K> {
  readonly caller: Caller
}

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<ReplyOf<K>>

/** A handler for each operation of the contract. */
export type Handlers = { readonly [K in OperationId]: Handler<K> }
