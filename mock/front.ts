/**
 * The server in front of Prism. The service's own code reads requests and sends answers, so paths, headers, JSONP and
 * errors are those of the service; only the content of answers comes from Prism.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { readConfig } from '../src/config.ts'
import { ERRORS, ServiceError, serviceErrorOf, type ErrorClass } from '../src/errors.ts'
import { checkAcceptsJson } from '../src/http/accept.ts'
import { knownArguments } from '../src/http/arguments.ts'
import { readBody, type Body } from '../src/http/body.ts'
import { readContract } from '../src/http/contract.ts'
import { sendOptions, setCorsHeaders } from '../src/http/cross-origin.ts'
import { plainRequest } from '../src/http/jsonp.ts'
import { readOperations } from '../src/http/library.ts'
import { ALL_METHODS } from '../src/http/methods.ts'
import type { Reply } from '../src/http/reply.ts'
import { checkRequestLine, readRequest, type Incoming } from '../src/http/request.ts'
import { ContractRouter, type Match } from '../src/http/router.ts'
import { sendError } from '../src/http/send-error.ts'
import { send } from '../src/http/send.ts'
import { createHttpServer } from '../src/http/server.ts'
import { parsePrimitive, PRIMITIVE_MEDIA_TYPE } from '../src/tag-value.ts'

/** The limits and the realm are the service's defaults. */
const config = readConfig({})

/** What URLs in examples begin with. */
const [{ url: exampleBase }] = (readContract() as { servers: [{ url: string }] }).servers

/** Whoever builds applications need not be protected from themselves. */
const waitForRoom = (): Promise<void> => Promise.resolve()

/** Creates a server, not listening yet, that answers as the service would with examples from Prism at `prismUrl`. */
export async function createFront(prismUrl: string): Promise<Server> {
  const router = new ContractRouter(await readOperations())
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    setCorsHeaders(res, config.credentialOrigins)
    checkRequestLine(req, config)
    const incoming = plainRequest(readRequest(req, config), config)
    const { method, rawPath } = incoming
    if (method === 'OPTIONS') {
      sendOptions(res, rawPath === '*' ? ALL_METHODS : router.methods(rawPath))
      return
    }
    const match = router.match(method, rawPath)
    const body = await readBody(incoming, match.operation, { maxJsonDepth: config.maxJsonDepth, waitForRoom })
    if (match.answersJson) checkAcceptsJson(incoming.header('accept'))
    const example = await fetch(prismUrl + targetOf(match, incoming), requestOf(match, incoming, body))
    const base = `http://${req.headers.host ?? ''}`
    const text = (await example.text()).replaceAll(exampleBase, base)
    await send(res, replyOf(example, text, base), incoming)
  }
  return createHttpServer(config, (req, res) => {
    answer(req, res).catch((error: unknown) => {
      const known = serviceErrorOf(error)
      if (known.status >= 500) console.error(known.cause ?? known)
      sendError(res, known, { requestId: randomUUID(), realm: config.serviceName })
    })
  })
}

/** The path in the only form that Prism reads, with each parameter as one segment, and the arguments. */
function targetOf({ operation, handledBy, params }: Match, incoming: Incoming): string {
  const path = handledBy.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const query = Object.entries(knownArguments(operation, incoming.args)).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return `${path}?${new URLSearchParams(query).toString()}`
}

const ANY = '*/*'

/** The headers that Prism reads. */
const READ_BY_PRISM = ['accept', 'authorization', 'prefer']

/** Whether the contract names a range for what it does not list: who accepts anything gets that from Prism. */
const answersAny = ({ responses }: Match['handledBy']): boolean => ANY in (responses['200']?.content ?? {})

function requestOf({ handledBy }: Match, incoming: Incoming, { json, value }: Body): RequestInit {
  const headers = new Headers()
  for (const name of READ_BY_PRISM) {
    const text = incoming.header(name)
    if (text !== undefined) headers.set(name, text)
  }
  if (answersAny(handledBy) && (headers.get('accept') ?? ANY) === ANY) {
    headers.set('accept', PRIMITIVE_MEDIA_TYPE)
  }
  const method = handledBy.method.toUpperCase()
  if (json !== undefined) {
    headers.set('content-type', 'application/json')
    return { method, headers, body: JSON.stringify(json.value) }
  }
  if (value === undefined) return { method, headers }
  // Prism parses every body with a JSON type and never answers if it is malformed; to the service, it is opaque.
  const opaque = value.type === 'opaque'
  headers.set('content-type', opaque ? 'application/octet-stream' : PRIMITIVE_MEDIA_TYPE)
  // It takes `null`, `false`, `0` and empty bodies for no body at all. What is in it has been checked, and is not looked at.
  return { method, headers, body: '"a value"' }
}

/** The example as a reply of the service. An example of an error is thrown as that error. */
function replyOf({ status, headers }: Response, text: string, base: string): Reply {
  if (status >= 400) throw errorOf(status, headers)
  const contentType = headers.get('content-type')
  const modified = headers.get('last-modified')
  const location = headers.get('location')?.replace(exampleBase, base)
  if (contentType === null) return { status }
  if (modified === null) {
    return { status, json: JSON.parse(text), ...(location === undefined ? {} : { location }) }
  }
  const primitive = contentType === PRIMITIVE_MEDIA_TYPE
  const ownType = contentType === ANY ? 'application/octet-stream' : contentType
  const content = Buffer.from(text)
  const value = {
    type: primitive ? parsePrimitive(text).type : ('opaque' as const),
    contentType: primitive ? undefined : ownType,
    content,
    sizeBytes: content.length,
    updatedAt: Date.parse(modified) * 1000,
  }
  return { status, value }
}

/** The error whose example Prism sent, with only the facts of its class; or the failure of Prism itself. */
function errorOf(status: number, headers: Headers): ServiceError {
  if (headers.get('content-type') === 'application/problem+json') {
    return status === 406
      ? new ServiceError('NotAcceptable')
      : new ServiceError('InternalServerError', {}, { cause: `Prism answered ${status}` })
  }
  const errorClass = (headers.get('x-service-error-class') ?? 'WrongCredentials') as ErrorClass
  const facts = ERRORS[errorClass].facts.map((fact) => [fact, headers.get(`x-service-${fact}`) ?? ''])
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new ServiceError(errorClass, Object.fromEntries(facts) as never, {
    status,
    ...(Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds }),
  })
}
