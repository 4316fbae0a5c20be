/** The absolute URLs of this service, as the client is to use them. */
import type { Config } from '../config.ts'
import { badRequest } from '../errors.ts'

const HOST = /^(?:[\w.~%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/**
 * What absolute URLs begin with: the configured base, else what the trusted proxies or the client say. Throws
 * `TBadRequest` for a host or a scheme that makes no URL.
 */
export function baseUrlOf(
  { protocol, host = 'localhost' }: { readonly protocol: string; readonly host?: string },
  { baseUrl }: Config,
): string {
  if (baseUrl !== undefined) return baseUrl
  const base = `${protocol}://${host}`
  if ((protocol === 'http' || protocol === 'https') && HOST.test(host) && URL.canParse(base)) return base
  throw badRequest('the host or the scheme of the request is malformed')
}

/** The absolute URL of a path, each segment of which is percent-encoded while its slashes stay. */
export const absoluteUrl = (baseUrl: string, path: string): string =>
  baseUrl + path.split('/').map(encodeURIComponent).join('/')
