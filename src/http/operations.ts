/**
 * The operations of the contract. openapi-backend finds the operation of a request, asks for credentials, validates and calls the
 * handler; its hooks put the checks that it does not know in their places.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'
import { OpenAPIBackend, type Context, type Request } from 'openapi-backend'
import type { Config } from '../settings/config.ts'
import type { FinishedSearch } from '../data/search/search.ts'
import { partyOf } from '../data/store/views.ts'
import type { Documents } from '../documents/on-demand.ts'
import { ServiceError, unsupportedMethod } from '../model/errors.ts'
import { checkAcceptsJson } from './message/accept.ts'
import { knownArguments } from './request/arguments.ts'
import { absoluteUrl } from './base-url.ts'
import { checkLength, NO_BODY, noticeOf, readBody, type Body } from './request/body.ts'
import { answersJson, deniesByPermission, type ContractOperation } from './contract/contract.ts'
import type { Args, Body as BodyOf, Call, Handlers, OperationId, Service } from './handler.ts'
import { invalid } from './contract/invalid.ts'
import { checkVerb } from './jsonp.ts'
import type { Locals, Middleware } from './middleware.ts'
import type { Reply } from './answer/reply.ts'
import { Reservation, type MemoryBudget } from './answer/memory-budget.ts'
import { ContractRouter, matchBy } from './contract/router.ts'
import { send } from './answer/send.ts'
import { operationsOf, validationOptions } from './contract/validation.ts'

/** The parts of the service that the operations need. */
interface OperationsOptions {
  readonly config: Config
  readonly service: Service
  readonly handlers: Handlers
  readonly documents: Documents
  readonly budget: MemoryBudget
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
}

/** A request on its way through the library, which gives it to each of its handlers. */
interface Exchange {
  readonly locals: Locals
  readonly res: Response<unknown, Locals>
  /** The request that the library validates; its body and arguments are added when they have been read. */
  readonly request: Request
  readonly reservation: Reservation
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  body: Body
}

/** The middleware that answers requests for operations, and the methods of a path. */
interface Operations {
  readonly middleware: Middleware
  /** Throws `NoSuchResource`. */
  readonly methodsOf: (rawPath: string) => readonly string[]
}

/** Sets up the operations of the contract. */
export async function createOperations(options: OperationsOptions): Promise<Operations> {
  const api = await new OpenAPIBackend(validationOptions()).init()
  const routes = new ContractRouter(operationsOf(api))
  matchBy(routes, api)
  const methodsOf = (rawPath: string): readonly string[] => routes.methods(rawPath)

  api.registerSecurityHandler('basic', isAllowed)
  api.register({
    ...operationHandlers(options),
    notFound: ({ request }) => methodsOf(request.path),
    methodNotAllowed: ({ request }) => {
      throw unsupportedMethod(methodsOf(request.path))
    },
    postRoutingHandler: (context, exchange: Exchange) => {
      checkRouted(context, exchange, { methodsOf, config: options.config })
    },
    postSecurityHandler: (context, exchange: Exchange) => readRequestOf(context, exchange, options.config),
    unauthorizedHandler: () => {
      throw new ServiceError('TUnauthorized')
    },
    validationFail: ({ operation, validation }, { body }: Exchange) => {
      throw invalid(validation.errors ?? [], operation as ContractOperation, body.json?.value)
    },
    preOperationHandler: ({ operation }, { locals }: Exchange) => {
      if (answersJson(operation as ContractOperation)) checkAcceptsJson(locals.incoming.header('accept'))
    },
    postResponseHandler: ({ response }, { res, locals }: Exchange) =>
      send(res, response as Reply, locals.incoming),
  })

  return {
    methodsOf,
    middleware: async (req, res) => {
      const exchange = exchangeOf(req.headers, res, options.budget)
      await api.handleRequest(exchange.request, exchange)
    },
  }
}

function exchangeOf(
  headers: IncomingHttpHeaders,
  res: Response<unknown, Locals>,
  budget: MemoryBudget,
): Exchange {
  const { locals } = res
  const { method, rawPath } = locals.incoming
  const gone = new AbortController()
  const reservation = new Reservation(budget, partyOf(locals.caller), gone.signal)
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
    reservation.release()
  })
  const request = { method, path: rawPath, headers: headers as Request['headers'] }
  return { locals, res, request, reservation, signal: gone.signal, body: NO_BODY }
}

/** Whether the operation lets a request in. Where a permission refuses the anonymous user, the handler names that permission. */
const isAllowed = ({ operation }: Context, { locals }: Exchange): boolean =>
  locals.caller.role !== 'anonymous' || deniesByPermission(operation as ContractOperation)

/** Checks what is known once the operation is. Throws what `checkVerb` and `checkLength` throw. */
function checkRouted(
  { operation }: Partial<Context>,
  { locals }: Exchange,
  { methodsOf, config }: Pick<Operations, 'methodsOf'> & { readonly config: Config },
): void {
  if (operation === undefined) return
  const { incoming, sent, record } = locals
  record.operationId = (operation as ContractOperation).operationId
  checkVerb(incoming, sent.method, config.jsonp, () => methodsOf(incoming.rawPath))
  checkLength(incoming, operation as ContractOperation, config)
}

/** Reads the body and the arguments of a request that is allowed. Throws what `readBody` and `knownArguments` throw. */
async function readRequestOf(
  { operation, security }: Context,
  exchange: Exchange,
  { maxJsonDepth }: Config,
): Promise<void> {
  if (security['authorized'] !== true) return
  const { request, reservation, locals } = exchange
  const { incoming } = locals
  exchange.body = await readBody(incoming, operation as ContractOperation, {
    maxJsonDepth,
    reserve: reservation.wait,
  })
  request.body = exchange.body.json?.value
  request.query = knownArguments(operation as ContractOperation, incoming.args)
}

type OperationHandler = (context: Context, exchange: Exchange) => Promise<Reply>

/** Any handler: each is called with what its own operation takes. */
type AnyHandler = (call: Call<OperationId>) => Promise<Reply>

/** For each operation, the function that calls its handler. */
const operationHandlers = (options: OperationsOptions): Record<string, OperationHandler> =>
  Object.fromEntries(
    Object.entries(options.handlers as object as Readonly<Record<OperationId, AnyHandler>>).map(
      ([operationId, handler]) => [operationId, calling(handler, options)],
    ),
  )

/** Calls a handler, and adds to its reply what the client should know about the body. */
const calling =
  (handler: AnyHandler, options: OperationsOptions): OperationHandler =>
  async (context, exchange) => {
    const call = callOf(context, exchange, options)
    const reply = await exchange.reservation.replyFrom(() => handler(call))
    const { value } = exchange.body
    const message = value && noticeOf(value)
    return message === undefined ? reply : { ...reply, message }
  }

/** The argument of a handler. The casts are safe because arguments and body have been validated. */
function callOf(
  { request }: Context,
  { locals, body, reservation, signal }: Exchange,
  { service, documents, observe }: OperationsOptions,
): Call<OperationId> {
  const { incoming, caller, baseUrl, record } = locals
  return {
    ...service,
    caller,
    args: { ...request.params, ...request.query } as Args<OperationId>,
    body: (body.value ?? body.json?.value) as BodyOf<OperationId>,
    numberText: (holder, key) => body.json?.numberText(holder, key),
    preconditions: {
      ifMatch: incoming.header('if-match'),
      ifNoneMatch: incoming.header('if-none-match'),
    },
    signal,
    reserve: reservation.wait,
    observe: (search) => {
      if (search.matches !== undefined) record.matches = (record.matches ?? 0) + search.matches
      observe(search, record.requestId)
    },
    absoluteUrl: (path) => absoluteUrl(baseUrl, path),
    document: (name, selection) => documents(name, baseUrl, selection),
    reply: (reply) => reply,
  }
}
