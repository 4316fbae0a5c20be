/** What lets pages of other origins in: CORS, the answer to OPTIONS, and the policy for Flash (S 1, S 4.0 rule 8). */
import type { ServerResponse } from 'node:http'

/** What a page may read of an answer. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'Retry-After',
  'X-Service-Error-Class',
  'X-Service-Request-Id',
  'X-Service-Action',
  'X-Service-Argument',
  'X-Service-Category',
  'X-Service-Fieldname',
  'X-Service-Message',
  'X-Service-Name',
  'X-Service-Path',
  'X-Service-Query',
  'X-Service-Rangetype',
  'X-Service-Type',
].join(', ')

/**
 * Opens the answer to pages of any origin: they sign in themselves, so nothing that a browser would add by itself is
 * let in, except for the origins that the operator has listed.
 */
export function setCorsHeaders(res: ServerResponse, credentialOrigins: readonly string[]): void {
  const origin = res.req.headers.origin
  const trusted = origin !== undefined && credentialOrigins.includes(origin)
  res.setHeader('Access-Control-Allow-Origin', trusted ? origin : '*')
  if (trusted) res.setHeader('Access-Control-Allow-Credentials', 'true')
  if (credentialOrigins.length > 0) res.setHeader('Vary', 'Origin')
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

const PREFLIGHT_SECONDS = 86_400
const SENDABLE = 'Accept, Authorization, Content-Type, Content-MD5, If-Match, If-None-Match'

/** What `OPTIONS *` asks for. */
export const ALL_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'] as const

/** Sends the answer to OPTIONS: the methods of a path, and for a pre-flight what a page may send. */
export function sendOptions(res: ServerResponse, methods: readonly string[]): void {
  res.statusCode = 204
  res.setHeader('Allow', methods.join(', '))
  if (res.req.headers.origin !== undefined) {
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '))
    res.setHeader('Access-Control-Allow-Headers', SENDABLE)
    res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS)
  }
  res.end()
}

/** Where Flash and Silverlight look for the policy, which is no operation of the contract, and how. */
export const CROSS_DOMAIN = { path: '/crossdomain.xml', methods: ['GET', 'HEAD', 'OPTIONS'] } as const

const CROSS_DOMAIN_POLICY = `<?xml version="1.0"?>
<!DOCTYPE cross-domain-policy SYSTEM "http://www.adobe.com/xml/dtds/cross-domain-policy.dtd">
<cross-domain-policy>
  <allow-access-from domain="*" secure="false"/>
  <allow-http-request-headers-from domain="*" headers="*" secure="false"/>
</cross-domain-policy>
`

/** Sends the policy: pages of any domain may send any header. */
export function sendCrossDomainPolicy(res: ServerResponse): void {
  res.setHeader('Cache-Control', 'no-cache')
  res.setHeader('Content-Type', 'text/x-cross-domain-policy')
  res.setHeader('Content-Length', Buffer.byteLength(CROSS_DOMAIN_POLICY))
  res.end(res.req.method === 'HEAD' ? undefined : CROSS_DOMAIN_POLICY)
}
