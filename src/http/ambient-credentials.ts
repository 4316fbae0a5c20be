/**
 * Which credentials count. A browser adds those that it remembers to requests that other people's pages make, and the
 * service cannot see who meant them; so it goes by what else the browser says of a request (Fetch Metadata,
 * docs/decisions/0052-ambient-credentials.md).
 */
import type { Request } from 'express'
import type { Config } from '../settings/config.ts'
import { isOwnOrigin } from './base-url.ts'
import { methodFromQuery } from './jsonp.ts'
import { isRead } from './message/methods.ts'
import type { Incoming } from './request/request.ts'

/** The parts of a request that decide whether its credentials count; headers are as sent. */
export interface Asked {
  /** The method, or the one that the query string asks for. */
  readonly method: string
  /** Whether `callback` or `verb` makes the request: any page can send such a GET, without a pre-flight. */
  readonly fromQuery: boolean
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly origin: string | undefined
  readonly userAgent: string | undefined
}

/** Which origins are told apart. */
export interface Origins {
  /** The service's own. */
  readonly isOwn: (origin: string) => boolean
  /** Those that the operator trusts with ambient credentials. */
  readonly trusted: readonly string[]
}

/** Whether the credentials of a request count (the contract's "Credentials that a browser adds"). */
export function credentialsCount(asked: Asked, origins: Origins): boolean {
  const { method, fromQuery, fetchSite, userAgent = '' } = asked
  switch (fetchSite) {
    case 'same-origin':
      return true
    case 'none':
      return !fromQuery || isRead(method)
    case undefined:
      return !userAgent.startsWith('Mozilla/') || countWithoutMetadata(asked, origins)
    default:
      return countFromElsewhere(asked, origins)
  }
}

/** `same-site`, `cross-site` and any other value of the header. */
function countFromElsewhere({ method, fromQuery, fetchMode, origin }: Asked, { trusted }: Origins): boolean {
  if (origin !== undefined && trusted.includes(origin)) return true
  if (fromQuery) return false
  return fetchMode === 'cors' || (fetchMode === 'navigate' && (method === 'GET' || method === 'HEAD'))
}

/** Over plain HTTP, browsers send no fetch metadata to most hosts. */
function countWithoutMetadata({ method, fromQuery, origin }: Asked, { isOwn, trusted }: Origins): boolean {
  if (fromQuery) return false
  return isRead(method) || (origin !== undefined && (trusted.includes(origin) || isOwn(origin)))
}

/** The `Authorization` header, if there is one that counts. */
export function countingAuthorization(
  req: Pick<Request, 'headers' | 'protocol' | 'host'>,
  sent: Incoming,
  config: Config,
): string | undefined {
  const { authorization, origin, 'user-agent': userAgent } = req.headers
  if (authorization === undefined) return undefined
  const fromQuery = methodFromQuery(sent, config.jsonp)
  const asked = {
    method: fromQuery ?? sent.method,
    fromQuery: fromQuery !== undefined,
    fetchSite: sent.header('sec-fetch-site'),
    fetchMode: sent.header('sec-fetch-mode'),
    origin,
    userAgent,
  }
  const origins = {
    isOwn: (one: string) => isOwnOrigin(one, req, config),
    trusted: config.credentialOrigins,
  }
  return credentialsCount(asked, origins) ? authorization : undefined
}
