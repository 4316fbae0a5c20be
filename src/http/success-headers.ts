/**
 * The headers of successes. Every success has `Link` and, unless it answers OPTIONS, `Cache-Control`. In addition, a
 * tag value has `ETag`, `Last-Modified` and `X-Service-Type`, a document `ETag` and `DOCUMENT_HEADERS`, and something
 * newly created `Location` (`send.ts`). CORS is in `cross-origin.ts`.
 */
import type { ServerResponse } from 'node:http'

/**
 * Links to the contract and the reference (RFC 8631). Whoever comes across the URL of an object or a value can find out
 * what it is part of.
 */
export function setDescriptionLinks(res: ServerResponse, baseUrl: string): void {
  res.setHeader('Link', `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`)
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

/** The headers of every document: it loads nothing from elsewhere, sends no referrer, and cannot be framed. */
export const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
