/** Calls the API with fetch, as an application does, and checks what every answer must have. */
import { expect } from '@jest/globals'
import type { Base } from './bases.ts'

export const VALUE = 'application/vnd.service.value+json'
export const JSON_TYPE = 'application/json'
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A request beyond its method and path. */
export interface Call extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Whose credentials are sent; without any, the caller is the anonymous user. */
  readonly as?: 'alice' | 'bob' | 'mallory' | 'service'
  /** The `Prefer` header: which of the operation's answers the mock gives. */
  readonly prefer?: string
  readonly json?: unknown
  /** The JSON text of a primitive value. */
  readonly value?: string
}

/** Calls the API. */
export function ask(base: Base, method: string, path: string, options: Call): Promise<Response> {
  const { as, prefer, json, value, ...init } = options
  const body = json === undefined ? value : JSON.stringify(json)
  const headers = {
    ...(as === undefined ? {} : { authorization: `Basic ${btoa(`${as}:${base.password}`)}` }),
    ...(prefer === undefined ? {} : { prefer }),
    ...(json === undefined ? {} : { 'content-type': JSON_TYPE }),
    ...(value === undefined ? {} : { 'content-type': VALUE }),
    ...init.headers,
  }
  return fetch(base.url + path, { method, ...init, headers, ...(body === undefined ? {} : { body }) })
}

export const typeOf = (response: Response): string | null => response.headers.get('content-type')

/** The JSON of a successful answer. */
export async function jsonOf(response: Response): Promise<unknown> {
  expect([response.status, typeOf(response)]).toEqual([200, JSON_TYPE])
  expect(response.headers.get('cache-control')).toBe('no-cache')
  return response.json()
}

/** What an application needs when something fails: the status and the class. Also checks the request id. */
export async function failure(response: Response): Promise<unknown[]> {
  expect([await response.text(), response.headers.get('content-length')]).toEqual(['', '0'])
  expect(response.headers.get('x-service-request-id')).toMatch(UUID)
  return [response.status, response.headers.get('x-service-error-class')]
}

/** Expects a 204 without a body. */
export async function nothing(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([204, ''])
  expect(response.headers.get('cache-control')).toBe('no-cache')
}
