/** The absolute URLs of this service, in the form that the client must use. */
import type { Config } from '../settings/config.ts'
import { badRequest } from '../model/errors.ts'
import type { Middleware } from './middleware.ts'
import { setDescriptionLinks } from './answer/success-headers.ts'

/** Where a request was sent to, as Express finds out from it and from the proxies that are trusted. */
interface Address {
  readonly protocol: string
  /** With the port. */
  readonly host?: string
}

/** A name is at most as long as names in the DNS are: URLs with this host are in the headers of every answer. */
const HOST = /^(?:[\w.~%-]{1,253}|\[[0-9A-Fa-f:.]{1,45}\])(?::\d{1,5})?$/

/** The beginning of absolute URLs: the configured base, or else the address that trusted proxies or the client report. */
export function findBaseUrl(
  { protocol, host = 'localhost' }: Address,
  { baseUrl }: Config,
): string | undefined {
  if (baseUrl !== undefined) return baseUrl
  const base = `${protocol}://${host}`
  if ((protocol !== 'http' && protocol !== 'https') || !HOST.test(host) || !URL.canParse(base))
    return undefined
  return base
}

/**
 * The middleware that sets the base URL and the links that begin with it. Throws `TBadRequest` for a host or a scheme that does
 * not form a URL.
 */
export const baseUrl =
  (config: Config): Middleware =>
  (req, res, next) => {
    const base = findBaseUrl(req, config)
    if (base === undefined)
      throw badRequest(
        'the host or the scheme of the request is malformed: check Host and what proxies forward',
      )
    res.locals.baseUrl = base
    setDescriptionLinks(res, base)
    next()
  }

/**
 * Whether an origin is the service's own: that of the configured base, or the one at which the request arrived. A page
 * cannot choose the latter, as the browser takes `Host` from the URL.
 */
export function isOwnOrigin(
  origin: string,
  { protocol, host = '' }: Address,
  { baseUrl = '' }: Config,
): boolean {
  const urls = [baseUrl, `${protocol}://${host}`]
  return urls.some((url) => URL.canParse(url) && new URL(url).origin === origin)
}

/** The absolute URL of a path; its segments are percent-encoded, its slashes are kept. */
export const absoluteUrl = (base: string, path: string): string =>
  base + path.split('/').map(encodeURIComponent).join('/')
