/** From a request to its answer: authenticate, match, validate by the contract, call the handler, send. */
import { randomUUID } from 'node:crypto'
import ajvFormats from 'ajv-formats'
import type { Request, Response } from 'express'
import { OpenAPIBackend, type Context, type Document, type Request as OpenApiRequest } from 'openapi-backend'
import type { Config } from '../config.ts'
import type { Accounts } from '../data/accounts.ts'
import type { Caller, Store } from '../data/store.ts'
import { badRequest, ServiceError, serviceErrorOf, unsupportedMethod } from '../errors.ts'
import type { DocumentName, Documents } from '../documents/documents.ts'
import type { Handlers, OperationId, Call } from '../handlers/handler.ts'
import {
  needsCredentials,
  ContractRouter,
  readContract,
  type ContractOperation,
  type Match,
} from './contract.ts'
import { invalid } from './invalid.ts'
import {
  ALL_METHODS,
  CROSS_DOMAIN,
  sendCrossDomainPolicy,
  sendOptions,
  setCorsHeaders,
} from './cross-origin.ts'
import { authorizationOf, type Authenticate } from './authenticate.ts'
import { setDescriptionLinks } from './document.ts'
import { checkAcceptsJson, send, sendError, type Reply } from './reply.ts'
import { knownArguments, readBody, readRequest, type Body, type Incoming } from './request.ts'

/** What the pipeline works with. */
export interface DispatchOptions {
  readonly config: Config
  readonly store: Store
  readonly accounts: Accounts
  readonly handlers: Handlers
  readonly documents: Documents
  readonly authenticate: Authenticate
  readonly hashPassword: (password: string) => Promise<string>
  /** Where faults of the service go. */
  readonly report: (message: string, error: unknown) => void
}

/** A request as it goes through openapi-backend: already matched and parsed. */
interface Matched extends Omit<OpenApiRequest, 'params'>, Match {
  readonly caller: Caller
  readonly incoming: Incoming
  readonly parsedBody: Body
  /** What absolute addresses begin with. */
  readonly base: string
  /** Says that the client is gone. */
  readonly signal: AbortSignal
}

/** Makes the one middleware: every request's way from arrival to answer, and the one place that catches. */
export async function createDispatch(
  options: DispatchOptions,
): Promise<(req: Request, res: Response) => Promise<void>> {
  const { config, authenticate, report } = options
  const api = createApi(options)
  await api.init()
  api.validator.preCompileRequestValidators()
  const router = new ContractRouter(api.router.getOperations() as unknown as ContractOperation[])
  // Matching and parsing are done before the library sees the request, and done once.
  const operations = new Map(
    api.router.getOperations().map((operation) => [operation.operationId, operation]),
  )
  api.router.matchOperation = (req) => operations.get((req as Matched).operation.operationId) as never
  api.router.parseRequest = (req) => req as never

  const methodsOf = (rawPath: string): readonly string[] => {
    if (rawPath === '*') return ALL_METHODS
    return rawPath === CROSS_DOMAIN.path ? CROSS_DOMAIN.methods : router.methods(rawPath)
  }

  const run = async (req: Request, res: Response): Promise<void> => {
    setCorsHeaders(res, config.credentialOrigins)
    const caller = await authenticate(authorizationOf(req.headers), req.ip ?? '')
    const incoming = readRequest(req, config)
    const base = baseOf(req, config)
    setDescriptionLinks(res, base)
    const { method, rawPath } = incoming
    if (method === 'OPTIONS') {
      sendOptions(res, methodsOf(rawPath))
      return
    }
    if (rawPath === CROSS_DOMAIN.path) {
      if (method !== 'GET' && method !== 'HEAD') throw unsupportedMethod(CROSS_DOMAIN.methods)
      sendCrossDomainPolicy(res)
      return
    }
    const match = router.match(method, rawPath)
    const parsedBody = await readBody(incoming, match.operation, config.maxJsonDepth)
    const matched: Matched = {
      ...match,
      method,
      path: rawPath,
      headers: req.headers as Record<string, string>,
      query: knownArguments(match.operation, incoming.args),
      body: parsedBody.json?.value,
      caller,
      incoming,
      parsedBody,
      base,
      signal: signalOf(res),
    }
    const prepared = Object.assign(matched, { requestBody: parsedBody.json?.value, cookies: {} })
    await send(res, (await api.handleRequest(prepared)) as Reply, incoming, config.idleTimeoutMs)
  }

  return async (req, res) => {
    try {
      await run(req, res)
    } catch (error) {
      // Nobody is left to answer, or the answer has begun and can only be cut off.
      if (res.destroyed || res.headersSent) {
        res.destroy()
        return
      }
      const requestId = randomUUID()
      const known = serviceErrorOf(error)
      if (known.status >= 500) report(`${known.errorClass}, request ${requestId}`, known.cause)
      sendError(res, known, { requestId, realm: config.serviceName })
    }
  }
}

/** Says that the connection was closed before the answer was sent. */
function signalOf(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

type Ajv = ReturnType<NonNullable<ConstructorParameters<typeof OpenAPIBackend>[0]['customizeAjv']>>

function createApi({
  store,
  accounts,
  handlers,
  documents,
  config,
  hashPassword,
}: DispatchOptions): OpenAPIBackend {
  const call = (context: Context): Promise<Reply> => {
    const matched = context.request as unknown as Matched
    const { handledBy, caller, parsedBody, incoming, base, signal } = matched
    // Here and not by the library, which would tell it before it has looked at arguments and body.
    if (needsCredentials(handledBy) && caller.role === 'anonymous') throw new ServiceError('TUnauthorized')
    if (matched.answersJson) checkAcceptsJson(incoming.header('accept'))
    const handler = handlers[handledBy.operationId as OperationId] as unknown as (
      call: Call<OperationId>,
    ) => Promise<Reply>
    const { params, query, requestBody } = context.request as unknown as Record<string, object | undefined>
    return handler({
      args: { ...params, ...query },
      body: parsedBody.value ?? requestBody,
      numberText: (holder: object, key: string) => parsedBody.json?.numberText(holder, key),
      preconditions: {
        ifMatch: incoming.header('if-match'),
        ifNoneMatch: incoming.header('if-none-match'),
      },
      caller,
      store,
      signal,
      accounts,
      queryLimits: config.queryLimits,
      hashPassword,
      address: (path: string) => base + encodePath(path),
      document: (name: DocumentName) => documents(name, base),
      reply: (reply: unknown) => reply,
    } as unknown as Call<OperationId>)
  }
  const definition = readContract() as Document
  const shared = new Map<string, Ajv>()
  const api = new OpenAPIBackend({
    definition,
    // The library checks documents against OpenAPI 3.0 alone; ours is linted when it is built.
    quick: true,
    strict: true,
    coerceTypes: true,
    ajvOpts: { allErrors: true, useDefaults: true, verbose: true, strict: false },
    // One validator a context serves all operations: a new one for each costs a second at the start.
    customizeAjv: (ajv, _options, validationContext) => {
      const known = shared.get(validationContext) ?? withFormats(ajv)
      shared.set(validationContext, known)
      return known
    },
    // Who the caller is was found out before the library saw the request.
    securityHandlers: { basic: () => true },
    handlers: {
      validationFail: (context) => {
        const { operation, body } = context.request as unknown as Matched
        throw invalid(context.validation.errors ?? [], operation, body)
      },
      ...Object.fromEntries(operationIds(definition).map((operationId) => [operationId, call])),
    },
  })
  return api
}

function withFormats(ajv: Ajv): Ajv {
  ajvFormats.default(ajv)
  return ajv
}

function operationIds({ paths = {} }: Document): string[] {
  const items = Object.values(paths) as Record<string, { operationId?: string }>[]
  return items.flatMap((item) => Object.values(item).flatMap((operation) => operation.operationId ?? []))
}

const HOST = /^(?:[\w.~%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/**
 * The configured base URL, else what the trusted proxies or the client say. Throws `TBadRequest` for a host or a
 * scheme that would make no address.
 */
function baseOf(request: Request, { baseUrl }: Config): string {
  if (baseUrl !== undefined) return baseUrl
  const { protocol, host = 'localhost' } = request as { protocol: string; host?: string }
  const base = `${protocol}://${host}`
  if ((protocol === 'http' || protocol === 'https') && HOST.test(host) && URL.canParse(base)) return base
  throw badRequest('the host or the scheme of the request is malformed')
}

/** A path with each segment percent-encoded, its slashes literal. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
