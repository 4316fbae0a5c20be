/** Makes a method for each operation of the contract. */
import { OPERATIONS, type Operations } from '../../generated/operations.ts'
import type { Exact, Given, Requests } from './contract.ts'

export { contractVersion } from '../../generated/operations.ts'

/** What every method takes beside the arguments of its operation. */
export interface RequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** The condition of a write. The service answers 412 `TPreconditionFailed` if it does not hold. */
export interface WriteOptions extends RequestOptions {
  /** Write only if this is still the entity tag. */
  readonly ifMatch?: string | undefined
  /** With `*`, write only if there is nothing yet. */
  readonly ifNoneMatch?: string | undefined
}

/** A part of the arguments; a part that an operation lacks is `undefined` in the generated types. */
type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>
type ContentOf<T> = T extends { readonly content: { readonly 'application/json': infer C } } ? C : never
type BodyOf<O> = O extends { readonly requestBody: infer B }
  ? { readonly body: ContentOf<B> }
  : O extends { readonly requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? unknown
      : { readonly body?: ContentOf<NonNullable<B>> }
    : unknown
type Flat<T> = { [K in keyof T]: T[K] }

/** The arguments of an operation: those in its path and its query, and its body, with their names in the contract. */
export type Arguments<K extends keyof Operations> = Flat<
  Given<
    Part<Operations[K]['parameters']['path']> &
      Part<Operations[K]['parameters']['query']> &
      BodyOf<Operations[K]>
  >
>

/** The JSON with which an operation answers; undefined if it answers with none. */
type AnswerOf<R, C = ContentOf<R[keyof R & (200 | 201)]>> = [C] extends [never] ? undefined : Exact<C>

type OptionsOf<K extends keyof Operations> =
  Record<'If-Match', string> extends NonNullable<Operations[K]['parameters']['header']>
    ? WriteOptions
    : RequestOptions

type Method<K extends keyof Operations, R = Promise<AnswerOf<Operations[K]['responses']>>> =
  object extends Arguments<K>
    ? (args?: Arguments<K>, options?: OptionsOf<K>) => R
    : (args: Arguments<K>, options?: OptionsOf<K>) => R

/** A method for each operation of the contract. */
export type Methods = { readonly [K in keyof Operations]: Method<K> }

/** Makes the methods, on requests by path. */
export function methodsOn(requests: Requests): Methods {
  const made = Object.entries(OPERATIONS).map(([name, [method, path]]) => {
    const send = requests[method] as (path: string, init: object) => Promise<{ data: unknown }>
    const call = async (
      args: Readonly<Record<string, unknown>> = {},
      options?: WriteOptions,
    ): Promise<unknown> => {
      const { body, ...others } = args
      const isInPath = (key: string): boolean => path.includes(`{${key}}`)
      const parts = Object.entries(others)
      const params = {
        path: Object.fromEntries(parts.filter(([key]) => isInPath(key))),
        query: Object.fromEntries(parts.filter(([key]) => !isInPath(key))),
      }
      return (await send(path, { params, body, ...initOf(options) })).data
    }
    return [name, call] as const
  })
  return Object.fromEntries(made) as unknown as Methods
}

/** The options as those of openapi-fetch. */
export function initOf({ signal, headers, ifMatch, ifNoneMatch }: WriteOptions = {}): {
  signal?: AbortSignal
  headers: Record<string, string>
} {
  return {
    ...(signal && { signal }),
    headers: {
      ...headers,
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    },
  }
}
