/**
 * From a request to its answer. The checks run in this order; the first that fails determines the answer:
 *
 *  1. credentials, given only once, if there are some (`authenticate.ts`) and they count (`ambient-credentials.ts`); those that were right
 *     before are looked at again where the answer depends on who asks, and before any error
 *  2. the request line and `Host` (`request.ts`), the JSONP arguments (`jsonp.ts`), the base URL (`base-url.ts`)
 *  3. path and method (`router.ts`); OPTIONS, the root and the console are answered here
 *  4. the length of the body by its headers: that there is one, or none, and that it is no longer than the limit (`body.ts`)
 *  5. credentials, if no anonymous user may ever do what the operation does
 *  6. the body, of which nothing is read before: checksum, encoding, content type, syntax (`body.ts`)
 *  7. each argument: given only once, valid UTF-8, an integer where required (`arguments.ts`)
 *  8. the fields of the body and then the arguments, against the contract (`library.ts`, `invalid.ts`)
 *  9. `Accept`, if the operation answers with JSON (`accept.ts`)
 * 10. the handler's own checks: the syntax of paths and queries, existence, permission, preconditions
 * 11. `Accept` and JSONP, if the answer is a tag value or a document (`send.ts`)
 *
 * A client that expects to be told that it may send its body (`Expect: 100-continue`) is told so between 5 and 6.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import type { Asker } from '../data/permissions/askers.ts'
import type { Console } from '../documents/on-demand.ts'
import { using } from '../usage.ts'
import { ServiceError, serviceErrorOf } from '../errors.ts'
import { begun, follow, type AnsweredRequest, type Course } from './answered.ts'
import { knownArguments } from './arguments.ts'
import { countingAuthorization } from './ambient-credentials.ts'
import type { Authenticate } from './authenticate.ts'
import { baseUrlOf, findBaseUrl } from './base-url.ts'
import { checkLength, readBody } from './body.ts'
import { needsCredentials } from './contract.ts'
import { findCredentials } from './credentials.ts'
import { sendOptions, setCorsHeaders } from './cross-origin.ts'
import { checkVerb, plainRequest } from './jsonp.ts'
import { createLibrary, type Library } from './library.ts'
import { ALL_METHODS } from './methods.ts'
import { confirmsItself, perform, type Called } from './perform.ts'
import { wayFinder, type Way } from './proxies.ts'
import { checkOnce, checkRequestLine, isExpectant, readRequest, type Incoming } from './request.ts'
import { Room, Share } from './room.ts'
import { ContractRouter } from './router.ts'
import { sendError } from './send-error.ts'
import { send } from './send.ts'
import { isForPeople, isInConsole, sendPage } from './console.ts'
import { setDescriptionLinks } from './success-headers.ts'

/** The dependencies of the pipeline. */
interface DispatchOptions extends Called {
  readonly config: Config
  readonly authenticate: Authenticate
  readonly console: Console
  /** Receives faults of the service. */
  readonly report: (message: string, error: unknown, expected?: boolean) => void
  /** Receives requests that have their answers. */
  readonly answered: (request: AnsweredRequest) => void
}

/** A request, before anybody knows who sends it. */
interface Arrived {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly way: Way
  readonly sent: Incoming
  readonly course: Course
}

/** Creates the one listener: it takes every request from arrival to answer, and is the one place that catches errors. */
export async function createDispatch(options: DispatchOptions): Promise<RequestListener> {
  const { config, report, answered } = options
  const answer = await createPipeline(options)
  const wayOf = wayFinder(config.trustProxy)
  const answerOrFail = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const way = wayOf(req)
    const requestId = randomUUID()
    const course = begun(requestId)
    follow(req, res, { course, answered })
    try {
      await using(course.usage, () => answer(req, res, way, course))
    } catch (error) {
      // Nobody is left to answer.
      if (res.destroyed) return
      const known = serviceErrorOf(error)
      course.errorClass = known.errorClass
      // Only a claim, which was wrong.
      if (known.errorClass === 'WrongCredentials') delete course.username
      if (known.status >= 500)
        report(`${known.errorClass}, request ${requestId}`, known.cause, known.status === 503)
      // An answer that has begun can only be cut off.
      if (res.headersSent) res.destroy()
      else sendError(res, known, { requestId, realm: config.serviceName, baseUrl: findBaseUrl(way, config) })
    }
  }
  return (req, res) => {
    answerOrFail(req, res).catch((error: unknown) => {
      report('answering with an error', error)
      res.destroy()
    })
  }
}

/** What all requests have in common. */
interface Pipeline {
  readonly options: DispatchOptions
  readonly library: Library
  readonly router: ContractRouter
  readonly room: Room
}

/** Steps 1 to 8, and 11. */
async function createPipeline(
  options: DispatchOptions,
): Promise<(req: IncomingMessage, res: ServerResponse, way: Way, course: Course) => Promise<void>> {
  const { config, authenticate, service } = options
  const library = await createLibrary()
  const pipeline = { options, library, router: new ContractRouter(library.operations), room: new Room() }

  return async (req, res, way, course) => {
    setCorsHeaders(res, config.credentialOrigins)
    checkOnce(req, 'Authorization')
    const sent = readRequest(req, config)
    // 1. Credentials, before revealing anything else.
    const counts = !isInConsole(sent)
    const authorization = counts ? countingAuthorization(req, sent, way, config) : undefined
    const address = (): string => way.ip ?? ''
    if (counts && authorization === undefined && req.headers.authorization !== undefined) {
      const username = findCredentials(req.headers.authorization)?.username ?? ''
      service.note({ event: 'credentials not counted', username, address: address() })
    }
    const asker = await authenticate(authorization, address)
    course.username = asker.username
    await orWrongCredentials(asker, respond(pipeline, asker, { req, res, way, sent, course }))
  }
}

/** Steps 2 to 8, and 11. */
async function respond(
  { options, library, router, room }: Pipeline,
  asker: Asker,
  { req, res, way, sent, course }: Arrived,
): Promise<void> {
  const { config } = options
  // 2. Request line, JSONP, base URL.
  checkRequestLine(req, config)
  const incoming = plainRequest(sent, config)
  const baseUrl = baseUrlOf(way, config)
  setDescriptionLinks(res, baseUrl)
  // 3. Path and method.
  const { method, rawPath } = incoming
  if (method === 'OPTIONS') {
    await asker.confirmed()
    sendOptions(res, methodsOf(router, rawPath))
    return
  }
  if (isForPeople(incoming)) {
    await asker.confirmed()
    if (await sendPage(res, incoming, baseUrl, options.console)) return
  }
  const match = router.match(method, rawPath)
  course.operationId = match.handledBy.operationId
  checkVerb(incoming, sent.method, config.jsonp, () => router.methods(rawPath))
  // 4. The length of the body.
  checkLength(incoming, match.operation)
  // 5. Credentials, if the operation requires them.
  if (asker.isAnonymous && needsCredentials(match.handledBy)) throw new ServiceError('TUnauthorized')
  if (!confirmsItself(match) || isExpectant(req)) await asker.confirmed()
  const { share, signal } = shareOf(room, asker, res)
  const waitForRoom = share.wait
  // 6. Body.
  const { maxJsonDepth } = config
  const body = await readBody(incoming, match.operation, { maxJsonDepth, waitForRoom })
  // 7. Arguments.
  const exchange = { asker, incoming, match, body, baseUrl, course, signal, waitForRoom }
  // 8. The contract; then 9 and 10.
  const reply = await share.replyFrom(async () => {
    // The library changes the arguments.
    const query = knownArguments(match.operation, incoming.args)
    const request = { match, headers: req.headers, query, json: body.json?.value }
    return perform(await library.validate(request), exchange, options)
  })
  // 11. The answer.
  await send(res, reply, incoming)
}

/** The share of the room that a request has until it is answered, and what aborts when its client is gone before. */
function shareOf(room: Room, { party }: Asker, res: ServerResponse): { share: Share; signal: AbortSignal } {
  const gone = new AbortController()
  const share = new Share(room, party, gone.signal)
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
    share.leave()
  })
  return { share, signal: gone.signal }
}

/** Waits for an answer. If it fails, whoever can no longer sign in gets to know nothing but that. */
async function orWrongCredentials(asker: Asker, answered: Promise<void>): Promise<void> {
  try {
    await answered
  } catch (error) {
    // That the store is not there says nothing of what is in it; to ask it once more would take as long again.
    if (serviceErrorOf(error).errorClass !== 'ServiceUnavailable') await asker.confirmed()
    throw error
  }
}

const methodsOf = (router: ContractRouter, rawPath: string): readonly string[] =>
  rawPath === '*' ? ALL_METHODS : router.methods(rawPath)
