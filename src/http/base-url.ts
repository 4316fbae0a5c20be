/** The absolute URLs of this service, in the form that the client must use. */
import type { Config } from '../config.ts'
import { badRequest } from '../errors.ts'

/** A name is at most as long as names in the DNS are: URLs with this host are in the headers of every answer. */
const HOST = /^(?:[\w.~%-]{1,253}|\[[0-9A-Fa-f:.]{1,45}\])(?::\d{1,5})?$/

/**
 * The start of absolute URLs: the configured base, else what the trusted proxies or the client report. Throws
 * `TBadRequest` for a host or a scheme that does not form a URL.
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

/**
 * Whether an origin is the service's own: that of the configured base, or the one at which the request arrived. A page
 * cannot choose the latter, as the browser takes `Host` from the URL.
 */
export function isOwnOrigin(
  origin: string,
  { protocol, host = '' }: { readonly protocol: string; readonly host?: string },
  { baseUrl = '' }: Config,
): boolean {
  const urls = [baseUrl, `${protocol}://${host}`]
  return urls.some((url) => URL.canParse(url) && new URL(url).origin === origin)
}

/** The absolute URL of a path; its segments are percent-encoded, its slashes are kept. */
export const absoluteUrl = (baseUrl: string, path: string): string =>
  baseUrl + path.split('/').map(encodeURIComponent).join('/')
