/** The absolute URLs of this service, in the form that the client must use. */
import type { Config } from '../config.ts'
import { badRequest } from '../errors.ts'
import type { Way } from './proxies.ts'

/** A name is at most as long as names in the DNS are: URLs with this host are in the headers of every answer. */
const HOST = /^(?:[\w.~%-]{1,253}|\[[0-9A-Fa-f:.]{1,45}\])(?::\d{1,5})?$/

/** What absolute URLs begin with: the configured base, else what the trusted proxies or the client report. */
export function findBaseUrl({ protocol, host = 'localhost' }: Way, { baseUrl }: Config): string | undefined {
  if (baseUrl !== undefined) return baseUrl
  const base = `${protocol}://${host}`
  if (base === latest) return base
  if ((protocol !== 'http' && protocol !== 'https') || !HOST.test(host) || !URL.canParse(base))
    return undefined
  latest = base
  return base
}

/** The latest one that clients or proxies reported and that is a URL: most clients use the same. */
let latest: string | undefined

/** Like `findBaseUrl`; throws `TBadRequest` for a host or a scheme that does not form a URL. */
export function baseUrlOf(way: Way, config: Config): string {
  const base = findBaseUrl(way, config)
  if (base !== undefined) return base
  throw badRequest('the host or the scheme of the request is malformed: check Host and what proxies forward')
}

/**
 * Whether an origin is the service's own: that of the configured base, or the one at which the request arrived. A page
 * cannot choose the latter, as the browser takes `Host` from the URL.
 */
export function isOwnOrigin(origin: string, { protocol, host = '' }: Way, { baseUrl = '' }: Config): boolean {
  const urls = [baseUrl, `${protocol}://${host}`]
  return urls.some((url) => URL.canParse(url) && new URL(url).origin === origin)
}

/** The absolute URL of a path; its segments are percent-encoded, its slashes are kept. */
export const absoluteUrl = (baseUrl: string, path: string): string =>
  baseUrl + path.split('/').map(encodeURIComponent).join('/')
