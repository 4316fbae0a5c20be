/** Finds what a proxy in front of a service changes in requests: 13 checks, each with requests that change no data. */
import { silenceOf } from '../../connection/no-answer.ts'
import { arrivalChecks } from './arrival-checks.ts'
import { failure, KIB, ok, unknown, warning, type Finding } from './finding.ts'
import { isLoopback } from './loopback.ts'
import { sender, type Send } from './sending.ts'

const DOCUMENT = '/openapi.json'

/** The checks, in their order. */
const CHECKS: readonly (readonly [name: string, look: (name: string, send: Send) => Promise<Finding>])[] = [
  ['%2F in paths', slashes],
  ['.. in paths', (name, send) => keptPath(name, send, DOTS)],
  ['// in paths', (name, send) => keptPath(name, send, DOUBLES)],
  ['chunked bodies', chunks],
  ['long URLs', longUrl],
  ['long headers', longHeaders],
  ['HEAD', head],
  ['conditions', conditions],
  ['compression', compression],
]

/** Runs the checks on the service at a URL. */
export async function proxyChecks(url: string): Promise<Finding[]> {
  const send = sender(new URL(url))
  const found = await reached(url, send)
  const findings = [
    found,
    ...(await arrivalChecks(new URL(url), found.state === 'failure' ? undefined : send)),
  ]
  for (const [name, look] of CHECKS) {
    findings.push(
      found.state === 'failure'
        ? unknown(name, 'the service is not reached')
        : await look(name, send).catch((error: unknown) =>
            failure(name, {
              what: `the connection ends: ${(error as Error).message}`,
              remedy: 'look at the limits and the log of what is in front',
            }),
          ),
    )
  }
  return findings
}

/** Checks that the URL leads to a Gloss service, over a connection that third parties cannot read. */
async function reached(url: string, send: Send): Promise<Finding> {
  const { protocol, hostname } = new URL(url)
  try {
    const { status, body } = await send(DOCUMENT)
    if (status !== 200 || !body.includes('X-Service-Error-Class')) {
      return failure('url', {
        what: `what answers at ${url} is not Gloss: ${DOCUMENT} has the status ${status}`,
        remedy: 'look at the URL, and where the proxy sends requests',
      })
    }
  } catch (error) {
    return failure('url', silenceOf(url, error))
  }
  return protocol === 'https:' || isLoopback(hostname)
    ? ok('url', `Gloss answers at ${url}`)
    : warning('url', `${url} is not encrypted: passwords can be read on the way`, 'serve it by https')
}

/** An object that each store has, with a slash in its about value. */
const WITH_SLASH = '/about/Object%20for%20the%20namespace%20service%2Fusers'

async function slashes(name: string, send: Send): Promise<Finding> {
  const { status } = await send(WITH_SLASH)
  return status === 200
    ? ok(name, 'they arrive as they are')
    : failure(name, {
        what: `they do not arrive: the answer has the status ${status}`,
        remedy:
          'nginx: proxy_pass without a path; Apache: AllowEncodedSlashes NoDecode and nocanon; HAProxy: no normalize-uri',
      })
}

/** A change that proxies make in paths, and the remedy. */
interface Habit {
  /** The text in the path. */
  readonly text: string
  readonly does: string
  readonly remedy: string
}

const DOTS: Habit = {
  text: 'a/../b',
  does: 'resolves',
  remedy: 'nginx: proxy_pass without a path; HAProxy: no normalize-uri; Apache: nocanon',
}

const DOUBLES: Habit = {
  text: 'a//b',
  does: 'merges',
  remedy: 'nginx: merge_slashes off, and proxy_pass without a path; HAProxy: no normalize-uri',
}

/** The service returns in a header the path that it received. */
async function keptPath(name: string, send: Send, { text, does, remedy }: Habit): Promise<Finding> {
  const { headers, status } = await send(`/tags/gloss-doctor/${text}`)
  const arrived = headers['x-service-path']
  if (arrived === `gloss-doctor/${text}`) return ok(name, 'they arrive as they are')
  const what =
    arrived === undefined
      ? `such a path is answered with ${status}`
      : `something in front ${does} them: ${text} arrives as ${String(arrived).replace('gloss-doctor/', '')}`
  return failure(name, { what, remedy })
}

/** The service refuses a body without a length, and changes nothing. */
async function chunks(name: string, send: Send): Promise<Finding> {
  const { status } = await send('/users/gloss-doctor', { method: 'PUT', body: '{}' })
  return status === 411
    ? ok(name, 'they arrive in chunks, and are refused with 411')
    : warning(
        name,
        `something in front gives them a length: the answer is ${status} rather than 411`,
        'nothing breaks: nginx does so with short bodies, and with proxy_request_buffering off not with long ones',
      )
}

const LONG_URL = 60 * KIB

async function longUrl(name: string, send: Send): Promise<Finding> {
  const { status, headers } = await send(`/about/${'a'.repeat(LONG_URL)}`)
  return headers['x-service-error-class'] === 'NoSuchObject'
    ? ok(name, '60 KiB arrive')
    : failure(name, {
        what: `a URL of 60 KiB is answered with ${status}`,
        remedy: 'nginx: large_client_header_buffers 4 80k; HAProxy: tune.bufsize 98304; or MAX_URL_BYTES',
      })
}

const LONG_HEADER = 4 * KIB
const HEADERS = 15

async function longHeaders(name: string, send: Send): Promise<Finding> {
  const headers = Object.fromEntries(
    Array.from({ length: HEADERS }, (_, i) => [`x-gloss-doctor-${i}`, 'a'.repeat(LONG_HEADER)]),
  )
  const { status } = await send('/users/service', { headers })
  return status === 200
    ? ok(name, '60 KiB in all arrive')
    : failure(name, {
        what: `60 KiB of headers are answered with ${status}`,
        remedy: 'nginx: large_client_header_buffers 4 80k; HAProxy: tune.bufsize 98304; or MAX_HEADER_BYTES',
      })
}

async function head(name: string, send: Send): Promise<Finding> {
  const { status, headers, body } = await send(DOCUMENT, { method: 'HEAD' })
  const fits = status === 200 && body.length === 0 && Number(headers['content-length']) > 0
  return fits
    ? ok(name, 'it has the headers of GET, and no body')
    : warning(
        name,
        `it is answered with ${status}, Content-Length ${headers['content-length'] ?? 'none'}`,
        'let what is in front pass HEAD on, and answer nothing itself',
      )
}

/** A value that each store has and that every user may read. */
const VALUE = '/about/Object%20for%20the%20namespace%20service/service/namespaces/path'

async function conditions(name: string, send: Send): Promise<Finding> {
  const { etag = 'none' } = (await send(VALUE)).headers
  const { status } = await send(VALUE, { headers: { 'if-none-match': etag } })
  return status === 304 && etag.startsWith('"')
    ? ok(name, 'entity tags arrive, and If-None-Match is answered with 304')
    : failure(name, {
        what: `the entity tag of a value arrives as ${etag}, and If-None-Match with it is answered with ${status}`,
        remedy: 'let what is in front pass ETag and conditions on, and neither cache nor compress',
      })
}

/** The service compresses its documents and no other response. */
async function compression(name: string, send: Send): Promise<Finding> {
  const headers = { 'accept-encoding': 'gzip, br' }
  const { headers: answered } = await send(VALUE, { headers })
  const { 'content-encoding': coding } = answered
  return coding === undefined
    ? ok(name, 'what the service sends arrives as it is')
    : failure(name, {
        what: `something in front compresses answers (${coding}), which changes values and their entity tags`,
        remedy: 'nginx: gzip off; Apache: no mod_deflate; others: no compression for this service',
      })
}
