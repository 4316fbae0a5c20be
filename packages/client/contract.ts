/** The types of the contract, as they are for requests and answers in TypeScript. */
import type { Client as FetchClient, FetchOptions, FetchResponse, ParseAs } from 'openapi-fetch'
import type { components, paths } from '../../generated/openapi.d.ts'
import type { Float } from './json.ts'

type PrimitiveValue = components['schemas']['PrimitiveValue']

/** The types of answers: an int of 64 bits may be a bigint, and with `floats: 'wrapped'` a float is a `Float`. */
export type Exact<T> = [PrimitiveValue] extends [T]
  ? T | bigint | Float
  : T extends object
    ? { [K in keyof T]: Exact<T[K]> }
    : T

/** The types of arguments: with bigints and floats, too, and with arrays that may be readonly. */
export type Given<T> = [PrimitiveValue] extends [T]
  ? Exclude<T, string[]> | readonly string[] | bigint | Float
  : T extends object
    ? { readonly [K in keyof T]: Given<T[K]> }
    : T

/** The schemas of the contract, as answers have them. */
export type Schemas = Exact<components['schemas']>

type Method = 'get' | 'put' | 'post' | 'delete'

/** The paths of the contract that have this method. */
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]

type OperationAt<P extends keyof paths, M extends Method> = paths[P][M & keyof paths[P]] extends infer O
  ? O extends { responses: infer R }
    ? Given<Omit<O, 'responses'>> & { responses: Exact<R> }
    : never
  : never

/** What the methods take: the parameters in `params`, `body`, `headers`, `signal`, `parseAs`, … */
type Init<T> = object extends T ? [init?: T] : [init: T]

type Media = `${string}/${string}`
type DataOf<F> = F extends { readonly data: infer D; readonly error?: never } ? D : never

/** An answer. Errors are thrown, so `data` is there; it is undefined where the contract has no body. */
export interface Answer<D> {
  readonly data: [D] extends [never] ? undefined : D
  readonly response: Response
}

type Send<M extends Method> = <P extends PathWith<M>, A extends ParseAs = 'json'>(
  path: P,
  ...init: Init<FetchOptions<OperationAt<P, M>> & { readonly parseAs?: A }>
) => Promise<Answer<DataOf<FetchResponse<OperationAt<P, M>, { parseAs: A }, Media>>>>

/** The methods of openapi-fetch, one for each HTTP method; they take the paths of the contract. */
export interface Requests extends Pick<FetchClient<paths>, 'use' | 'eject'> {
  readonly GET: Send<'get'>
  readonly PUT: Send<'put'>
  readonly POST: Send<'post'>
  readonly DELETE: Send<'delete'>
  /** Takes what GET takes, and answers with the headers alone. */
  readonly HEAD: <P extends PathWith<'get'>>(
    path: P,
    ...init: Init<FetchOptions<OperationAt<P, 'get'>>>
  ) => Promise<Answer<undefined>>
}
