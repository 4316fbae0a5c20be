/**
 * Compares an answer with the contract (status, headers, media type, body), and finds the facts of the contract that it
 * shows.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { ERRORS } from '../../src/model/errors.ts'
import { VERSION } from '../../src/settings/version.ts'
import { meaningOf, operationAt, OPERATIONS, type TestedOperation } from './operations.ts'

/** The method and target of a request, and its answer; header names are in lower case. */
export interface Exchange {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly headers: IncomingHttpHeaders | OutgoingHttpHeaders
  readonly body: Buffer
}

/** A part of an answer that the contract does not declare, or declares differently. */
export interface Fault {
  readonly kind: Kind
  readonly text: string
}

/** The parts of an answer that operations declare. */
export type Kind = 'status' | 'error class' | 'header' | 'media type' | 'body'

/** A fact that an operation declares and an answer can show. */
export interface Fact {
  readonly operation: string
  readonly status: string
  readonly kind: Kind
  /** The name of the error class, header or media type. */
  readonly name?: string
}

interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly format?: string } }>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajvFormats.default(ajv)
const validators = new Map<object, ValidateFunction>()

/** Headers that HTTP, CORS and proxies add to any answer and that no operation declares. */
const TRANSPORT = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
]

/** All facts that the contract declares. */
export const DECLARED: readonly Fact[] = OPERATIONS.flatMap(
  ({ operationId: operation, responses, 'x-error-classes': classes }) =>
    Object.entries(responses as Record<string, DeclaredResponse>).flatMap(([status, response]): Fact[] => [
      { operation, status, kind: 'status' },
      ...named({ operation, status, kind: 'error class' }, classes[status]),
      ...named({ operation, status, kind: 'header' }, Object.keys(response.headers ?? {})),
      ...named({ operation, status, kind: 'media type' }, Object.keys(response.content ?? {})),
    ]),
)

function named(fact: Fact, names: readonly string[] = []): Fact[] {
  return names.map((name) => ({ ...fact, name }))
}

/** The violations of the contract in an answer, in words. */
export const violations = (exchange: Exchange): string[] => judge(exchange).faults.map(({ text }) => text)

/**
 * The violations of the contract in an answer, and the facts that it shows (none for an answer outside all operations).
 */
export function judge(sent: Exchange): { faults: Fault[]; facts: Fact[] } {
  const { exchange, operation } = meaningOfExchange(sent)
  if (operation === undefined) return { faults: outsideFaults(exchange), facts: [] }
  const { operationId } = operation
  const status = String(exchange.status)
  const declared = (operation.responses as Record<string, DeclaredResponse>)[status]
  const where = `${operationId} ${status}`
  if (declared === undefined) {
    return { faults: [{ kind: 'status', text: `${where}: the status is not declared` }], facts: [] }
  }
  const faults = [
    ...classFaults(operation, exchange),
    ...headerFaults(declared, exchange, sent.method),
    ...mediaTypeFaults(declared, exchange),
    ...bodyFaults(declared, exchange),
  ].map(({ kind, text }): Fault => ({ kind, text: `${where}: ${text}` }))
  return { faults, facts: factsOf(operationId, declared, exchange) }
}

/** The exchange without its JSONP wrapping, and its operation. */
function meaningOfExchange(sent: Exchange): { exchange: Exchange; operation: TestedOperation | undefined } {
  const [path = '', ...query] = sent.target.replace(/^https?:\/\/[^/?#]*/i, '').split('?')
  const args = new URLSearchParams(query.join('?'))
  const verb = args.get('verb')?.toUpperCase() ?? 'GET'
  const script = String(sent.headers['content-type']).startsWith('text/javascript')
  // If the operator disables JSONP, its arguments have no effect: with a callback, a success would be a script.
  const ignored = args.has('callback') && sent.status < 300 && !script
  const method = sent.method === 'GET' && VERBS.includes(verb) && !ignored ? verb : sent.method
  const rawPath = path.startsWith('/') ? path : `/${path}`
  // If the operator limits JSONP to reading, the service treats an operation in `verb` as an unknown method of the path.
  if (sent.status === 405 && method !== sent.method) return { exchange: sent, operation: undefined }
  // An empty last parameter looks like a trailing slash.
  const operation = operationAt(method, meaningOf(rawPath) === undefined ? `${rawPath}/` : rawPath)
  const exchange = { ...sent, method }
  const wrapped = script && args.has('callback')
  return { exchange: wrapped && operation ? unwrapped(exchange, operation) : exchange, operation }
}

const VERBS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']

/** The plain answer in a JSONP answer: JSONP sends a 204 as 200, and wraps the body in a call. */
function unwrapped(exchange: Exchange, { responses }: TestedOperation): Exchange {
  const text = exchange.body.toString()
  const status = exchange.status === 200 && !('200' in responses) ? 204 : exchange.status
  const declared = (responses as Record<string, DeclaredResponse>)[status]
  const [mediaType] = Object.keys(declared?.content ?? {})
  const headers: Record<string, unknown> = { ...exchange.headers, 'content-type': mediaType }
  // JSONP adds this header to every answer; documents declare it themselves.
  if (!('X-Content-Type-Options' in (declared?.headers ?? {}))) delete headers['x-content-type-options']
  return {
    ...exchange,
    status,
    headers: headers as Exchange['headers'],
    body: Buffer.from(text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))),
  }
}

/** The faults of an answer outside all operations: OPTIONS, the root, the console, or an error. */
function outsideFaults({ method, target, status, headers, body }: Exchange): Fault[] {
  if (method === 'OPTIONS' && status === 204) return []
  if (/^(?:https?:\/\/[^/?#]*)?\/?(?:\?|$)/i.test(target) && [200, 303].includes(status)) return []
  if (target.startsWith('/console') && [200, 303, 304].includes(status)) return []
  return errorFaults({ status, headers, body }).map((fault) => ({
    kind: 'status',
    text: `${method} ${target}, which is not an operation: ${fault}`,
  }))
}

/** The `Link` of an error, whose URLs begin with `base`. */
export const errorLink = (base: string, errorClass: string): string =>
  `<${base}/docs#error-${errorClass}>; rel="help", <${base}/openapi.json>; rel="service-desc"; title="Gloss ${VERSION}"`

const hasErrorLink = (link: string, errorClass: string): boolean =>
  link === errorLink(/^<(.*?)\/docs#/.exec(link)?.[1] ?? '', errorClass)

/** The faults of an error outside all operations, which must have the form of every error. */
export function errorFaults({
  status,
  headers,
  body,
}: Pick<Exchange, 'status' | 'headers' | 'body'>): string[] {
  const kept = headers['cache-control'] === 'no-store' ? [] : ['no Cache-Control: no-store']
  const error = String(headers['x-service-error-class'] ?? '')
  if (status === 401 && error === '' && headers['www-authenticate'] !== undefined) return kept
  const known = error in ERRORS ? ERRORS[error as keyof typeof ERRORS] : undefined
  return [
    ...kept,
    ...(known?.status === status ? [] : [`${String(status)} with the class '${error}'`]),
    ...(headers['x-service-request-id'] === undefined ? ['no request id'] : []),
    ...(headers['x-service-message'] === undefined ? ['no message'] : []),
    ...(hasErrorLink(String(headers.link), error) ? [] : ['no links to help and contract']),
    ...(body.length > 0 ? ['a body'] : []),
  ]
}

function classFaults(
  { 'x-error-classes': classes }: TestedOperation,
  { status, headers }: Exchange,
): Fault[] {
  const { 'x-service-error-class': name } = headers
  if (name === undefined || classes[status]?.includes(String(name)) === true) return []
  return [{ kind: 'error class', text: `the class ${String(name)} is not declared` }]
}

function headerFaults(
  { headers = {} }: DeclaredResponse,
  { headers: received }: Exchange,
  sentMethod: string,
): Fault[] {
  const declared = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]))
  // For a HEAD in `verb` the service sends a GET's answer, whose Content-Length is that of the empty body.
  const waived = sentMethod === 'GET' ? ['content-length'] : []
  const missing = [...declared].filter(
    ([name, { required }]) => required === true && received[name] === undefined && !waived.includes(name),
  )
  const surplus = Object.keys(received).filter((name) => !declared.has(name) && !TRANSPORT.includes(name))
  return [
    ...missing.map(([name]): Fault => ({ kind: 'header', text: `the header ${name} is missing` })),
    ...surplus.map((name): Fault => ({ kind: 'header', text: `the header ${name} is not declared` })),
  ]
}

/** The wildcard for media types that a response does not name. */
const ANY = '*/*'

/** Returns whether an answer is an opaque value: any media type, without the header for the type of other values. */
const isOpaque = ({ content = {} }: DeclaredResponse, { headers }: Exchange): boolean =>
  headers['x-service-type'] === undefined && ANY in content

function mediaTypeFaults(declared: DeclaredResponse, exchange: Exchange): Fault[] {
  const { 'content-type': received } = exchange.headers
  const types = Object.keys(declared.content ?? {})
  if (exchange.method === 'HEAD' || isOpaque(declared, exchange)) return []
  if (received === undefined ? types.length === 0 : types.includes(received)) return []
  return [{ kind: 'media type', text: `the media type ${received ?? 'nothing'} is not declared` }]
}

function bodyFaults(declared: DeclaredResponse, exchange: Exchange): Fault[] {
  const { method, body, headers } = exchange
  const { content = {} } = declared
  if (method === 'HEAD' || Object.keys(content).length === 0) {
    return body.length === 0 ? [] : [{ kind: 'body', text: 'a body where none is declared' }]
  }
  const mediaType = String(headers['content-type'])
  const schema = content[mediaType]?.schema
  if (schema === undefined || isOpaque(declared, exchange)) return []
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  const text = decoded(body, headers['content-encoding']?.toString()).toString()
  return validate(/\bjson$/.test(mediaType) ? JSON.parse(text) : text)
    ? []
    : [{ kind: 'body', text: ajv.errorsText(validate.errors) }]
}

/** Decodes the content coding of a body. Throws for invalid octets, and for a coding that the service lacks. */
export function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined) return body
  if (coding === 'gzip') return gunzipSync(body)
  if (coding === 'br') return brotliDecompressSync(body)
  throw new Error(`the content coding ${coding}`)
}

function factsOf(
  operation: string,
  declared: DeclaredResponse,
  { method, status: code, headers: received }: Exchange,
): Fact[] {
  const status = String(code)
  const headers = Object.keys(declared.headers ?? {}).filter(
    (name) => received[name.toLowerCase()] !== undefined,
  )
  const declaredTypes = Object.keys(declared.content ?? {})
  const exact = declaredTypes.filter((name) => received['content-type'] === name)
  const types = exact.length > 0 || method === 'HEAD' ? exact : declaredTypes.filter((name) => name === ANY)
  const { 'x-service-error-class': errorClass } = received
  return [
    { operation, status, kind: 'status' },
    ...named(
      { operation, status, kind: 'error class' },
      errorClass === undefined ? [] : [String(errorClass)],
    ),
    ...named({ operation, status, kind: 'header' }, headers),
    ...named({ operation, status, kind: 'media type' }, types),
  ]
}
