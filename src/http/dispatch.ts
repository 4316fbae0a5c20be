/**
 * From a request to its answer. The checks run in this order; the first that fails determines the answer:
 *
 *  1. credentials, if there are some (`authenticate.ts`) and they count (`ambient-credentials.ts`)
 *  2. the request line and `Host` (`request.ts`), the JSONP arguments (`jsonp.ts`), the base URL (`base-url.ts`)
 *  3. path and method (`router.ts`); OPTIONS and the policy file for Flash are answered here
 *  4. the body: length, size, checksum, encoding, content type, syntax (`body.ts`)
 *  5. each argument: given only once, valid UTF-8, an integer where required (`arguments.ts`)
 *  6. the fields of the body and then the arguments, against the contract (`library.ts`, `invalid.ts`)
 *  7. credentials, if the operation requires them
 *  8. `Accept`, if the operation answers with JSON (`accept.ts`)
 *  9. the handler's own checks: the syntax of paths and queries, existence, permission, preconditions
 * 10. `Accept` and JSONP, if the answer is a tag value or a document (`send.ts`)
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Config } from '../config.ts'
import type { FinishedSearch } from '../data/search/search.ts'
import type { Caller } from '../data/store/views.ts'
import type { Documents } from '../documents/documents.ts'
import { ServiceError, serviceErrorOf } from '../errors.ts'
import type { Args, Body as BodyOf, Handlers, OperationId, ReplyOf, Service } from './handler.ts'
import { checkAcceptsJson } from './accept.ts'
import { knownArguments } from './arguments.ts'
import { countingAuthorization } from './ambient-credentials.ts'
import type { Authenticate } from './authenticate.ts'
import { absoluteUrl, baseUrlOf } from './base-url.ts'
import { readBody, type Body } from './body.ts'
import { needsCredentials } from './contract.ts'
import { CROSS_DOMAIN, sendCrossDomainPolicy, sendOptions, setCorsHeaders } from './cross-origin.ts'
import { checkVerb, plainRequest } from './jsonp.ts'
import { createLibrary, type Validated } from './library.ts'
import { ALL_METHODS } from './methods.ts'
import { discard, heldBy, type Reply } from './reply.ts'
import { checkRequestLine, readRequest, type Incoming } from './request.ts'
import { Room } from './room.ts'
import { ContractRouter, type Match } from './router.ts'
import { sendError } from './send-error.ts'
import { send } from './send.ts'
import { setDescriptionLinks } from './success-headers.ts'

/** The dependencies of the pipeline. */
interface DispatchOptions {
  readonly config: Config
  readonly service: Service
  readonly handlers: Handlers
  readonly documents: Documents
  readonly authenticate: Authenticate
  /** Receives faults of the service. */
  readonly report: (message: string, error: unknown) => void
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
}

/** A request between the steps. */
interface Exchange {
  readonly caller: Caller
  readonly incoming: Incoming
  readonly match: Match
  readonly body: Body
  readonly baseUrl: string
  /** The id of the request in the log and, if its answer is an error, in the answer. */
  readonly requestId: string
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/**
 * Creates the one middleware: it takes every request from arrival to answer, and is the one place that catches errors.
 */
export async function createDispatch(
  options: DispatchOptions,
): Promise<(req: Request, res: Response) => Promise<void>> {
  const { config, report } = options
  const answer = await createPipeline(options)
  return async (req, res) => {
    const requestId = randomUUID()
    try {
      await answer(req, res, requestId)
    } catch (error) {
      // Nobody is left to answer, or the answer has already begun and can only be cut off.
      if (res.destroyed || res.headersSent) {
        res.destroy()
        return
      }
      const known = serviceErrorOf(error)
      if (known.status >= 500) report(`${known.errorClass}, request ${requestId}`, known.cause)
      sendError(res, known, { requestId, realm: config.serviceName })
    }
  }
}

/** Steps 1 to 6, and 10. */
async function createPipeline(
  options: DispatchOptions,
): Promise<(req: Request, res: Response, requestId: string) => Promise<void>> {
  const { config, authenticate } = options
  const library = await createLibrary<Exchange>((validated, exchange) =>
    perform(validated, exchange, options),
  )
  const router = new ContractRouter(library.operations)
  const room = new Room(ROOM_BYTES, ROOM_WAIT_MS)

  return async (req, res, requestId) => {
    setCorsHeaders(res, config.credentialOrigins)
    const sent = readRequest(req, config)
    // 1. Credentials, before revealing anything else.
    const caller = await authenticate(countingAuthorization(req, sent, config), req.ip ?? '')
    // 2. Request line, JSONP, base URL.
    checkRequestLine(req, config)
    const incoming = plainRequest(sent, config)
    const baseUrl = baseUrlOf(req, config)
    setDescriptionLinks(res, baseUrl)
    // 3. Path and method.
    const { method, rawPath } = incoming
    if (method === 'OPTIONS') {
      sendOptions(res, methodsOf(router, rawPath))
      return
    }
    if (rawPath === CROSS_DOMAIN.path) {
      sendCrossDomainPolicy(res, method)
      return
    }
    const match = router.match(method, rawPath)
    checkVerb(incoming, sent.method, config.jsonp, () => router.methods(rawPath))
    // 4. Body.
    const body = await readBody(incoming, match.operation, config.maxJsonDepth)
    // 5. Arguments.
    const signal = signalOf(res)
    const exchange = { caller, incoming, match, body, baseUrl, requestId, signal }
    // 6. The contract; then 7 to 9.
    const handle = (): Promise<Reply> => {
      // The library changes the arguments.
      const query = knownArguments(match.operation, incoming.args)
      return library.handle({ match, headers: req.headers, query, json: body.json?.value }, exchange)
    }
    const { reply, leave } = await withRoom(room, callerKey(caller, req), { handle, signal })
    res.once('close', leave)
    if (res.closed) leave()
    // 10. The answer.
    await send(res, reply, incoming)
  }
}

/**
 * How many octets of large answers may be under way. What the store reads and what is not collected yet add as much again:
 * together that is less than 300 MB (docs/decisions/0053-what-connections-hold.md).
 */
const ROOM_BYTES = 128 * 1024 * 1024
const ROOM_WAIT_MS = 30_000

/** Who shares room: a user, or the address of somebody anonymous. */
const callerKey = ({ role, username }: Caller, { ip = '' }: Request): string =>
  role === 'anonymous' ? ip : `${username}@`

/**
 * A reply, and room for it. If there is none, the reply is dropped and made again later: replies that waited in memory
 * would take the very room that they wait for. Only reads have large replies.
 */
async function withRoom(
  room: Room,
  caller: string,
  { handle, signal }: { readonly handle: () => Promise<Reply>; readonly signal: AbortSignal },
): Promise<{ reply: Reply; leave: () => void }> {
  const reply = await handle()
  const held = heldBy(reply)
  const leave = room.take(caller, held)
  if (leave !== undefined) return { reply, leave }
  await discard(reply)
  const leaveLater = await room.wait(caller, held, signal)
  try {
    return { reply: await handle(), leave: leaveLater }
  } catch (error) {
    leaveLater()
    throw error
  }
}

function methodsOf(router: ContractRouter, rawPath: string): readonly string[] {
  if (rawPath === '*') return ALL_METHODS
  return rawPath === CROSS_DOMAIN.path ? CROSS_DOMAIN.methods : router.methods(rawPath)
}

/** Aborts when the connection closes before the answer is sent. */
function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Steps 7 to 9. */
function perform(validated: Validated, exchange: Exchange, options: DispatchOptions): Promise<Reply> {
  const { match, caller, incoming } = exchange
  // 7. Credentials, if the operation requires them. The library would check them before the arguments and the body.
  if (needsCredentials(match.handledBy) && caller.role === 'anonymous') {
    throw new ServiceError('TUnauthorized')
  }
  // 8. Accept.
  if (match.answersJson) checkAcceptsJson(incoming.header('accept'))
  // 9. The handler.
  return callHandler(match.handledBy.operationId as OperationId, validated, exchange, options)
}

/** Calls the handler of an operation. The casts are safe because arguments and body have been validated. */
function callHandler<K extends OperationId>(
  operationId: K,
  { args, json }: Validated,
  { caller, incoming, body, baseUrl, requestId, signal }: Exchange,
  { handlers, service, documents, observe }: DispatchOptions,
): Promise<ReplyOf<K>> {
  return handlers[operationId]({
    ...service,
    args: args as Args<K>,
    body: (body.value ?? json) as BodyOf<K>,
    numberText: (holder, key) => body.json?.numberText(holder, key),
    preconditions: {
      ifMatch: incoming.header('if-match'),
      ifNoneMatch: incoming.header('if-none-match'),
    },
    caller,
    signal,
    observe: (search) => {
      observe(search, requestId)
    },
    absoluteUrl: (path) => absoluteUrl(baseUrl, path),
    document: (name) => documents(name, baseUrl),
    reply: (reply) => reply,
  })
}
