/** From a request to its answer: authenticate, match, validate by the contract, call the handler, send. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ErrorObject } from 'ajv'
import ajvFormats from 'ajv-formats'
import type { Request, Response } from 'express'
import { OpenAPIBackend, type Context, type Document, type Request as OpenApiRequest } from 'openapi-backend'
import type { Config } from '../config.ts'
import type { Caller, Store } from '../data/store.ts'
import { ServiceError, serviceErrorOf } from '../errors.ts'
import type { Handlers, OperationId, Call } from '../handlers/handler.ts'
import {
  answersJson,
  needsCredentials,
  ContractRouter,
  readContract,
  type ContractOperation,
  type Match,
} from './contract.ts'
import { invalidBody, invalidParameter } from './invalid.ts'
import { checkAcceptsJson, send, sendError, type Reply } from './reply.ts'
import { knownArguments, parseQueryString, readBody, readTarget, type Body } from './request.ts'

/** What the pipeline works with. */
export interface DispatchOptions {
  readonly config: Config
  readonly store: Store
  readonly handlers: Handlers
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly hashPassword: (password: string) => Promise<string>
  /** Where faults of the service go. */
  readonly report: (message: string, error: unknown) => void
}

/** A request as it goes through openapi-backend: already matched and parsed. */
interface Matched extends Omit<OpenApiRequest, 'params'>, Match {
  readonly caller: Caller
  readonly parsedBody: Body
  readonly request: Request
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

  const run = async (req: Request, res: Response): Promise<void> => {
    const caller = await authenticate(req.headers.authorization)
    const { rawPath, queryString } = readTarget(req, config.maxUrlBytes)
    const match = router.match(req.method, rawPath)
    const parsedBody = await readBody(req, match.operation, config.maxBodyBytes)
    const query = knownArguments(match.operation, parseQueryString(queryString))
    const matched: Matched = {
      ...match,
      method: req.method,
      path: rawPath,
      headers: req.headers as Record<string, string>,
      query,
      body: parsedBody.json?.value,
      caller,
      parsedBody,
      request: req,
    }
    const reply = (await api.handleRequest(
      Object.assign(matched, { requestBody: parsedBody.json?.value, cookies: {} }),
    )) as Reply
    send(res, reply, {
      method: req.method,
      ...(req.headers.accept !== undefined && { accept: req.headers.accept }),
      ...(req.headers['if-none-match'] !== undefined && { ifNoneMatch: req.headers['if-none-match'] }),
    })
  }

  return async (req, res) => {
    try {
      await run(req, res)
    } catch (error) {
      const requestId = randomUUID()
      if (res.headersSent) {
        res.destroy()
        return
      }
      const known = serviceErrorOf(error)
      if (known.status >= 500) report(`${known.errorClass}, request ${requestId}`, known.cause)
      sendError(res, known, { requestId, realm: config.serviceName })
    }
  }
}

type Ajv = ReturnType<NonNullable<ConstructorParameters<typeof OpenAPIBackend>[0]['customizeAjv']>>

function createApi({ store, handlers, config, hashPassword }: DispatchOptions): OpenAPIBackend {
  const call = (context: Context): Promise<Reply> => {
    const { handledBy, caller, parsedBody, request } = context.request as unknown as Matched
    // Here and not by the library, which would tell it before it has looked at arguments and body.
    if (needsCredentials(handledBy) && caller.role === 'anonymous') throw new ServiceError('TUnauthorized')
    if (answersJson(handledBy)) checkAcceptsJson(request.headers.accept)
    const handler = handlers[handledBy.operationId as OperationId] as unknown as (
      call: Call<OperationId>,
    ) => Promise<Reply>
    const { params, query, requestBody } = context.request as unknown as Record<string, object | undefined>
    return handler({
      args: { ...params, ...query },
      body: parsedBody.value ?? requestBody,
      numberText: (holder: object, key: string) => parsedBody.json?.numberText(holder, key),
      preconditions: {
        ifMatch: request.headers['if-match'],
        ifNoneMatch: request.headers['if-none-match'],
      },
      caller,
      store,
      hashPassword,
      address: (path: string) => baseOf(request, config) + encodePath(path),
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
        throw invalid(context.validation.errors ?? [], context.request as unknown as Matched)
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

/** The error for what the contract refuses: the body's before the arguments'. */
function invalid(errors: readonly ErrorObject[], { operation, body }: Matched): ServiceError {
  const ofBody = errors.filter((error) => error.instancePath.startsWith('/requestBody'))
  return ofBody.length > 0 ? invalidBody(ofBody, body) : invalidParameter(errors, operation)
}

/** The configured base URL, else what the trusted proxies or the client say. */
function baseOf(request: Request & IncomingMessage, { baseUrl }: Config): string {
  return baseUrl ?? `${request.protocol}://${request.host || 'localhost'}`
}

/** A path with each segment percent-encoded, its slashes literal. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
