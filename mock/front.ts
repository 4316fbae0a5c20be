/**
 * The service without its data. Its own code parses and checks requests and sends answers, so the mock refuses the same
 * requests if the check needs no data. Instead of data, answers contain examples of the contract.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { createApp } from '../src/app.ts'
import type { Config } from '../src/settings/config.ts'
import { ANONYMOUS, SERVICE } from '../src/data/entities/users.ts'
import type { Documents } from '../src/documents/on-demand.ts'
import { ServiceError } from '../src/model/errors.ts'
import { handlers } from '../src/handlers/index.ts'
import type { Authenticate } from '../src/http/credentials/authenticate.ts'
import type { ContractOperation } from '../src/http/contract/contract.ts'
import { readCredentials } from '../src/http/credentials/credentials.ts'
import type { Call, Handlers, OperationId } from '../src/http/handler.ts'
import { readOperations } from '../src/http/contract/validation.ts'
import { discard, type Reply } from '../src/http/answer/reply.ts'
import type { Log } from '../src/observing/log.ts'
import { findUsername } from '../src/model/paths.ts'
import type { FindExample } from './examples.ts'
import { checkPreference, prefersSuccess, type Preference } from './preferences.ts'
import { provide, provideCaller } from './provide.ts'
import type { Application } from './server.ts'
import type { World } from './world.ts'

/** The origin of responses, for the log. */
const WHOSE = new WeakMap<object, 'example'>()

/** The origin of a response: an example of the contract, or the service itself. */
export const whoseAnswer = (res: object): string => WHOSE.get(res) ?? 'service'

/** A request to a handler. */
interface Asked {
  readonly accept: string | undefined
  readonly preference: Preference
  readonly res: ServerResponse
}

/** The dependencies of the handlers. */
interface Dependencies {
  readonly world: World
  readonly findExample: FindExample
}

/** Creates the application. */
export async function createFront(
  config: Config,
  { documents, log, ...dependencies }: Dependencies & { readonly documents: Documents; readonly log: Log },
): Promise<Application> {
  const asked = new AsyncLocalStorage<Asked>()
  const app = await createApp(config, dependencies.world.store, log, {
    authenticate: believe,
    documents,
    handlers: handlersOn({ ...dependencies, asked }, await readOperations()),
  })
  return async (req, res, preference) => {
    asked.run({ accept: req.headers.accept, preference, res }, () => {
      app(req, res)
    })
  }
}

/** Accepts any password of any user name that may have an account. */
const believe: Authenticate = async (authorization) => {
  if (authorization === undefined) return ANONYMOUS
  const username = findUsername(readCredentials(authorization).username)
  if (username === undefined || username === ANONYMOUS.username) throw new ServiceError('WrongCredentials')
  return username === SERVICE.username ? SERVICE : { userId: NOBODY, username, role: 'user' }
}

/** The id of the caller before `provideCaller` has run. */
const NOBODY = -1

/** Any handler. The service calls each one with the arguments of its operation. */
type AnyHandler = (call: Call<OperationId>) => Promise<Reply>

type Asking = Dependencies & { readonly asked: AsyncLocalStorage<Asked> }

function handlersOn(dependencies: Asking, operations: readonly ContractOperation[]): Handlers {
  const mocked = Object.entries(handlers as object as Readonly<Record<string, AnyHandler>>).map(
    ([operationId, handler]) => {
      const operation = operations.find((one) => one.operationId === operationId)
      if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
      return [operationId, answering(dependencies, operation, handler)]
    },
  )
  return Object.fromEntries(mocked) as Handlers
}

/** Answers with an example if the service's handler accepts the request; documents come from the service. */
function answering(
  { world, findExample, asked }: Asking,
  operation: ContractOperation,
  handler: AnyHandler,
): AnyHandler {
  return async (call) => {
    const { accept, preference, res } = asked.getStore() as Asked
    const own = await world.inPassing(() => accepted(operation.operationId, handler, call))
    checkPreference(preference, operation)
    if (own?.document !== undefined && prefersSuccess(operation, preference)) return own
    WHOSE.set(res, 'example')
    return findExample({ operation, preference, accept, base: call.absoluteUrl('') })
  }
}

/**
 * The reply of the service's handler on a store that has all things that the call names. Throws if the handler refuses
 * the call.
 */
async function accepted(
  operationId: string,
  handler: AnyHandler,
  call: Call<OperationId>,
): Promise<Reply | undefined> {
  const caller = await provideCaller(call.store, call.caller)
  await provide(call.store, operationId, call)
  try {
    const reply = await handler({
      ...call,
      caller,
      // The mock has no current value to compare with the version that the client has seen.
      preconditions: { ifMatch: undefined, ifNoneMatch: undefined },
    })
    await discard(reply)
    return reply
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass === 'TNoInstanceOnObject') return undefined
    throw error
  }
}
