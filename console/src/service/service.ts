/** The service that the console belongs to, and as whom it asks. Both are in memory alone. */
import { computed, signal } from '@preact/signals'
import { createClient, type Client } from '../../../packages/client/client.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'
import { forgetRequests, noteAnswered, noteLost, noteSent, noteWait } from './requests.ts'

/** Who asks. */
export interface User {
  readonly name: string
  readonly isSuperuser: boolean
}

interface Session {
  readonly client: Client
  readonly user: User | undefined
}

/** The address of the service, without a slash at its end: the console is directly below it. */
export const base = new URL('..', location.href.replace(/#.*/s, '')).href.replace(/\/$/, '')

const session = signal<Session>({ client: clientOf(), user: undefined })

/** The user who has signed in; undefined while requests are anonymous. */
export const user = computed(() => session.value.user)

/** What sends requests as that user. Its methods throw a `ServiceError` for what the service refuses. */
export const client = (): Client => session.value.client

/** What sends requests as nobody. */
export const anonymous = clientOf()

/** Signs in. Throws a `ServiceError` if that is wrong, or whatever ends the signal, and changes nothing then. */
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

/** Forgets who has signed in. */
export function signOut(): void {
  forgetRequests()
  session.value = { client: clientOf(), user: undefined }
}

/** How often a request is sent again that the service had no room for, or no database. */
const AGAIN = 4

/** What is to be sent again later than after so many seconds, people may send again themselves. */
const LONGEST_WAIT = 10

function clientOf(name?: string, password?: string): Client {
  const made = createClient(base, name, password)
  made.use({
    async onRequest({ request, id }) {
      // With credentials of its own, the browser would ask for a password in a window of its own.
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

/** Reads once more, as late as it is told to, what is answered with 503. */
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

/** Waits some seconds, or throws once nobody wants to any more. */
const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('Nobody waits any more', 'AbortError'))
    })
  })

/** Whether the service refused with one of these classes. */
export const isRefusal = (error: unknown, ...classes: readonly string[]): error is ServiceError =>
  error instanceof ServiceError && classes.includes(error.errorClass ?? 'WrongCredentials')
