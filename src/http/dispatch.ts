/**
 * From a request to its answer. The checks run in this order; the first that fails determines the answer:
 *
 *  1. credentials, if there are some (`authenticate.ts`) and they count (`ambient-credentials.ts`); those that were right
 *     before are looked at again where the answer depends on who asks, and before any error
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
import type { Asker } from '../data/permissions/askers.ts'
import type { Documents } from '../documents/documents.ts'
import { ServiceError, serviceErrorOf } from '../errors.ts'
import {
  SINGLE_VALUES,
  type Args,
  type Asking,
  type Body as BodyOf,
  type Handlers,
  type OperationId,
  type Question,
  type ReplyOf,
  type Service,
} from './handler.ts'
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
import type { Reply } from './reply.ts'
import { checkRequestLine, readRequest, type Incoming } from './request.ts'
import { replyWithRoom, Room } from './room.ts'
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

/** A request, before anybody knows who sends it. */
interface Arrived {
  readonly req: Request
  readonly res: Response
  readonly sent: Incoming
  readonly requestId: string
}

/** A request between the steps. */
interface Exchange {
  readonly asker: Asker
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
  const room = new Room()

  return async (req, res, requestId) => {
    setCorsHeaders(res, config.credentialOrigins)
    const sent = readRequest(req, config)
    // 1. Credentials, before revealing anything else.
    const asker = await authenticate(countingAuthorization(req, sent, config), req.ip ?? '')
    await orWrongCredentials(asker, respond(asker, { req, res, sent, requestId }))
  }

  async function respond(asker: Asker, { req, res, sent, requestId }: Arrived): Promise<void> {
    // 2. Request line, JSONP, base URL.
    checkRequestLine(req, config)
    const incoming = plainRequest(sent, config)
    const baseUrl = baseUrlOf(req, config)
    setDescriptionLinks(res, baseUrl)
    // 3. Path and method.
    const { method, rawPath } = incoming
    if (method === 'OPTIONS') {
      await asker.confirmed()
      sendOptions(res, methodsOf(router, rawPath))
      return
    }
    if (rawPath === CROSS_DOMAIN.path) {
      await asker.confirmed()
      sendCrossDomainPolicy(res, method)
      return
    }
    const match = router.match(method, rawPath)
    checkVerb(incoming, sent.method, config.jsonp, () => router.methods(rawPath))
    if (!isSingleValue(operationIdOf(match))) await asker.confirmed()
    // 4. Body.
    const body = await readBody(incoming, match.operation, config.maxJsonDepth)
    // 5. Arguments.
    const signal = signalOf(res)
    const exchange = { asker, incoming, match, body, baseUrl, requestId, signal }
    // 6. The contract; then 7 to 9.
    const handle = (): Promise<Reply> => {
      // The library changes the arguments.
      const query = knownArguments(match.operation, incoming.args)
      return library.handle({ match, headers: req.headers, query, json: body.json?.value }, exchange)
    }
    const { reply, leave } = await replyWithRoom(room, asker.party, { make: handle, signal })
    res.once('close', leave)
    if (res.closed) leave()
    // 10. The answer.
    await send(res, reply, incoming)
  }
}

/** Waits for an answer. If it fails, whoever can no longer sign in gets to know nothing but that. */
async function orWrongCredentials(asker: Asker, answered: Promise<void>): Promise<void> {
  try {
    await answered
  } catch (error) {
    await asker.confirmed()
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
  const { match, asker, incoming } = exchange
  // 7. Credentials, if the operation requires them. The library would check them before the arguments and the body.
  if (needsCredentials(match.handledBy) && asker.isAnonymous) {
    throw new ServiceError('TUnauthorized')
  }
  // 8. Accept.
  if (match.answersJson) checkAcceptsJson(incoming.header('accept'))
  // 9. The handler.
  return callHandler(operationIdOf(match), validated, exchange, options)
}

const operationIdOf = ({ handledBy }: Match): OperationId => handledBy.operationId as OperationId

const isSingleValue = (operationId: OperationId): boolean =>
  (SINGLE_VALUES as readonly OperationId[]).includes(operationId)

/** Calls the handler of an operation. The casts are safe because arguments and body have been validated. */
async function callHandler<K extends OperationId>(
  operationId: K,
  { args, json }: Validated,
  { asker, incoming, body, baseUrl, requestId, signal }: Exchange,
  { handlers, service, documents, observe }: DispatchOptions,
): Promise<ReplyOf<K>> {
  const asking = (isSingleValue(operationId) ? { asker } : { caller: await asker.confirmed() }) as Asking<K>
  const question: Question<K> = {
    ...service,
    args: args as Args<K>,
    body: (body.value ?? json) as BodyOf<K>,
    numberText: (holder, key) => body.json?.numberText(holder, key),
    preconditions: {
      ifMatch: incoming.header('if-match'),
      ifNoneMatch: incoming.header('if-none-match'),
    },
    signal,
    observe: (search) => {
      observe(search, requestId)
    },
    absoluteUrl: (path) => absoluteUrl(baseUrl, path),
    document: (name) => documents(name, baseUrl),
    reply: (reply) => reply,
  }
  return handlers[operationId](Object.assign(question, asking))
}
