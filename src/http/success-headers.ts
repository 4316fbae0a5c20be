/**
 * The headers of successes. Every one has `Link` and, unless it answers OPTIONS, `Cache-Control`. Beside these, a tag
 * value has `ETag`, `Last-Modified` and `X-Service-Type`, a document `ETag` and `DOCUMENT_HEADERS`, and what was created
 * `Location` (`send.ts`). CORS is in `cross-origin.ts`.
 */
import type { ServerResponse } from 'node:http'

/**
 * Says where the contract and the reference are (RFC 8631). Whoever comes upon the URL of an object or a value can find
 * out what it is part of.
 */
export function setDescriptionLinks(res: ServerResponse, baseUrl: string): void {
  res.setHeader('Link', `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`)
}

/** Has caches ask before they answer: what the service says may be another thing in the next moment. */
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

/** The headers of every document: it loads nothing from elsewhere, sends no referrer, and is never framed. */
export const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
