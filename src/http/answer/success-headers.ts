/**
 * The headers of successes. Every success has `Link` and, unless it answers OPTIONS, `Cache-Control`. In addition, a
 * tag value has `ETag`, `Last-Modified`, `X-Service-Type` and `setValueHeaders`, a document `ETag` and
 * `setDocumentHeaders`, a description, permission or user `ETag`, and something newly created `Location` (`send.ts`). CORS is
 * in `cross-origin.ts`.
 */
import type { ServerResponse } from 'node:http'
import { contractLink } from './contract-link.ts'

/**
 * Links to the contract and the reference (RFC 8631). A client that has only the URL of an object or a value
 * finds the description of the service through them.
 */
export function setDescriptionLinks(res: ServerResponse, baseUrl: string): void {
  res.setHeader('Link', `${contractLink(baseUrl)}, <${baseUrl}/docs>; rel="service-doc"`)
}

/** The longest URL in a link, in characters: proxies take no more than a few kilobytes of headers. */
const MAX_LINK = 2048

/** Adds the link to the following page, unless it is too long for a header. */
export function addNextLink(res: ServerResponse, url: string): void {
  if (url.length <= MAX_LINK) res.setHeader('Link', `${String(res.getHeader('Link'))}, <${url}>; rel="next"`)
}

/** Makes caches revalidate before they answer: any answer may change at any moment. */
export function setCacheControl(res: ServerResponse): void {
  res.setHeader('Cache-Control', 'no-cache')
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const CSP = 'Content-Security-Policy'

/** Makes browsers take content as what its type says. */
export function setNoSniffing(res: ServerResponse): void {
  res.setHeader('X-Content-Type-Options', 'nosniff')
}

/**
 * Sets the headers of a document: it loads nothing from elsewhere, sends no referrer, cannot be framed, a page that
 * opens it gets no hold of it, and it may be compressed. A 304 has them as well, so that caches renew what they keep.
 */
export function setDocumentHeaders(res: ServerResponse): void {
  res.setHeader(CSP, POLICY.join('; '))
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  res.setHeader('Referrer-Policy', 'no-referrer')
  // Every answer varies by Origin (cross-origin.ts).
  res.setHeader('Vary', 'Origin, Accept-Encoding')
  setNoSniffing(res)
}

/**
 * Sets the headers that keep what users stored from being a page of the service: an opaque value is shown without
 * scripts, forms and an origin (docs/decisions/0052-ambient-credentials.md). A 304 has them as well.
 */
export function setValueHeaders(res: ServerResponse, type: string): void {
  setNoSniffing(res)
  if (type === 'opaque') res.setHeader(CSP, 'sandbox')
}
