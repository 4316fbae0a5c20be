/** The console's service and current user. Both exist only in memory. */
import { computed, signal } from '@preact/signals'
import { createClient, type Client } from '../../../packages/client/client.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'
import { forgetRequests, noteAnswered, noteLost, noteSent, noteWait } from './requests.ts'

/** The current user. */
export interface User {
  readonly name: string
  readonly isSuperuser: boolean
}

interface Session {
  readonly client: Client
  readonly user: User | undefined
}

/** The address of the service, without a slash at its end; the console is directly below it. */
export const base = new URL('..', location.href.replace(/#.*/s, '')).href.replace(/\/$/, '')

const session = signal<Session>({ client: clientOf(), user: undefined })

/** The signed-in user; undefined while requests are anonymous. */
export const user = computed(() => session.value.user)

/** The client with that user's credentials. Its methods throw a `ServiceError` if the service refuses the request. */
export const client = (): Client => session.value.client

/** The client for anonymous requests. */
export const anonymous = clientOf()

/**
 * Signs in. Throws a `ServiceError` if the credentials are wrong, or the reason of the signal, and changes nothing then.
 */
export async function signIn(name: string, password: string, signal?: AbortSignal): Promise<void> {
  const asked = clientOf(name, password)
  const { data: role } = await asked.GET('/about/{about_value}/{tag_path}', {
    params: { path: { about_value: `@${name.toLowerCase()}`, tag_path: 'service/users/role' } },
    ...(signal && { signal }),
  })
  signal?.throwIfAborted()
  if (name.toLowerCase() !== user.value?.name) forgetRequests()
  session.value = { client: asked, user: { name: name.toLowerCase(), isSuperuser: role === 'superuser' } }
}

/** Signs out. */
export function signOut(): void {
  forgetRequests()
  session.value = { client: clientOf(), user: undefined }
}

/** The number of retries after answers of a service without room or without a database. */
const AGAIN = 4

/** The longest automatic delay of a retry, in seconds; after that, users can retry themselves. */
const LONGEST_WAIT = 10

function clientOf(name?: string, password?: string): Client {
  // The page shows requests that take long or are repeated, and users stop them.
  const made = createClient(base, { username: name, password, timeout: false, retry: false })
  made.use({
    async onRequest({ request, id }) {
      // If the browser managed credentials, it would open its own password prompt.
      const sent = new Request(request, { credentials: 'omit' })
      await noteSent(id, sent.clone(), name)
      return sent
    },
    async onResponse({ request, response, id }) {
      try {
        const answer = request.method === 'GET' ? await again(request, response, id) : response
        noteAnswered(id, answer)
        return answer
      } catch (error) {
        noteLost(id, request.signal.aborted)
        throw error
      }
    },
    onError({ request, id, error }) {
      noteLost(id, request.signal.aborted)
      return error instanceof Error ? error : new Error(String(error))
    },
  })
  return made
}

/** Repeats a read after a 503, at the time in the answer. */
async function again(request: Request, first: Response, id: string): Promise<Response> {
  let answer = first
  for (let left = AGAIN; left > 0 && answer.status === 503; left -= 1) {
    const seconds = Number(answer.headers.get('retry-after') ?? 1)
    if (!(seconds <= LONGEST_WAIT)) return answer
    noteWait(id, seconds)
    await pause(seconds, request.signal)
    answer = await fetch(request)
  }
  return answer
}

/** Waits some seconds; rejects when the request is aborted. */
const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('Nobody waits any more', 'AbortError'))
    })
  })

/** Returns whether an error answer has one of these classes. */
export const isRefusal = (error: unknown, ...classes: readonly string[]): error is ServiceError =>
  error instanceof ServiceError && classes.includes(error.errorClass ?? 'WrongCredentials')
