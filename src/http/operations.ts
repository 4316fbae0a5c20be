/** From a valid request to the handler of its operation: steps 9 and 10 of `dispatch.ts`. */
import type { Asker } from '../data/permissions/askers.ts'
import type { FinishedSearch } from '../data/search/search.ts'
import type { Documents } from '../documents/on-demand.ts'
import { checkAcceptsJson } from './accept.ts'
import { absoluteUrl } from './base-url.ts'
import type { Course } from './answered.ts'
import { noticeOf, type Body } from './body.ts'
import {
  CONFIRMING,
  type Args,
  type Asking,
  type Body as BodyOf,
  type Handlers,
  type OperationId,
  type Question,
  type ReplyOf,
  type Service,
} from './handler.ts'
import type { Validated } from './library.ts'
import type { Reply } from './reply.ts'
import type { Incoming } from './request.ts'
import type { WaitForRoom } from './room.ts'
import type { Match } from './router.ts'

/** A request between the steps. */
export interface Exchange {
  readonly asker: Asker
  readonly incoming: Incoming
  readonly match: Match
  readonly body: Body
  readonly baseUrl: string
  readonly course: Course
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  readonly waitForRoom: WaitForRoom
}

/** What the handlers are, and what they are given. */
export interface Called {
  readonly service: Service
  readonly handlers: Handlers
  readonly documents: Documents
  /** Receives searches that have ended, each with the id of its request. */
  readonly observe: (search: FinishedSearch, requestId: string) => void
}

/** Steps 9 and 10. */
export async function perform(validated: Validated, exchange: Exchange, options: Called): Promise<Reply> {
  const { match, incoming, body } = exchange
  // 9. Accept.
  if (match.answersJson) checkAcceptsJson(incoming.header('accept'))
  // 10. The handler.
  const reply: Reply = await callHandler(operationIdOf(match), validated, exchange, options)
  const message = body.value && noticeOf(body.value)
  return message === undefined ? reply : { ...reply, message }
}

const operationIdOf = ({ handledBy }: Match): OperationId => handledBy.operationId as OperationId

/** Whether an operation confirms by itself who asks. */
export const confirmsItself = (match: Match): boolean => isConfirming(operationIdOf(match))

const isConfirming = (operationId: OperationId): boolean =>
  (CONFIRMING as readonly OperationId[]).includes(operationId)

/** Calls the handler of an operation. The casts are safe because arguments and body have been validated. */
async function callHandler<K extends OperationId>(
  operationId: K,
  { args, json }: Validated,
  { asker, incoming, body, baseUrl, course, signal, waitForRoom }: Exchange,
  { handlers, service, documents, observe }: Called,
): Promise<ReplyOf<K>> {
  const asking = (isConfirming(operationId) ? { asker } : { caller: await asker.confirmed() }) as Asking<K>
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
    waitForRoom,
    observe: (search) => {
      if (search.matches !== undefined) course.matches = (course.matches ?? 0) + search.matches
      observe(search, course.requestId)
    },
    absoluteUrl: (path) => absoluteUrl(baseUrl, path),
    document: (name) => documents(name, baseUrl),
    reply: (reply) => reply,
  }
  return handlers[operationId](Object.assign(question, asking))
}
