/** What answers say of the service's own documents: where they are, and what a browser may do with them. */
import type { ServerResponse } from 'node:http'

/**
 * Names the contract and the reference (RFC 8631). Every success does so: whoever comes upon the address of an object
 * or a value can find out what it is part of.
 */
export function setDescriptionLinks(res: ServerResponse, base: string): void {
  res.setHeader('Link', `<${base}/openapi.json>; rel="service-desc", <${base}/docs>; rel="service-doc"`)
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

/** The headers of every document: it loads nothing from elsewhere, tells nobody where it was, and is never framed. */
export const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
