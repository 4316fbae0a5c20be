/** Records the requests of the console for users who want to see them. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** A request and its answer. */
export interface Sent {
  readonly id: string
  /** Without passwords. */
  readonly request: Request
  /** The user of its credentials. */
  readonly user: string | undefined
  /** Undefined while there is no answer, and 0 after a failure. */
  readonly status: number | undefined
  /** Milliseconds until the headers of the answer; before that, the time of the request. */
  readonly took: number
  /** The octets of the body, from the headers of the answer. */
  readonly size: number | undefined
  /** The service is busy; the console repeats the request after that many seconds. */
  readonly wait: number | undefined
  /** Whether the console has aborted the request. */
  readonly givenUp: boolean
}

/** The number of recorded requests. */
const KEPT = 50

const all = signal<readonly Sent[]>([])

/** The latest requests, the last one first. */
export const requests: ReadonlySignal<readonly Sent[]> = all

/** Records that a user's request begins. */
export async function noteSent(id: string, request: Request, user: string | undefined): Promise<void> {
  const noted = await withoutPasswords(request)
  const sent = {
    id,
    request: noted,
    user,
    status: undefined,
    size: undefined,
    wait: undefined,
    givenUp: false,
  }
  all.value = [{ ...sent, took: performance.now() }, ...all.value].slice(0, KEPT)
}

/** Deletes all requests, because the next user may be another person. */
export function forgetRequests(): void {
  all.value = []
}

/**
 * The displayable form of a request: without credentials, and with a placeholder for the password in bodies about users.
 */
async function withoutPasswords(request: Request): Promise<Request> {
  request.headers.delete('Authorization')
  if (request.body === null || !/\/users(?:\/|$)/.test(new URL(request.url).pathname)) return request
  const fields = JSON.parse(await request.text()) as object
  const body = JSON.stringify('password' in fields ? { ...fields, password: 'NEW-PASSWORD' } : fields)
  return new Request(request.url, { method: request.method, headers: request.headers, body })
}

/** Records that the console will repeat a request after that many seconds. */
export const noteWait = (id: string, wait: number): void => {
  change(id, () => ({ wait }))
}

/** Records the answer to a request. */
export function noteAnswered(id: string, { status, headers }: Response): void {
  const length = headers.get('content-length')
  change(id, ({ took }) => ({
    ...{ status, took: performance.now() - took, wait: undefined },
    size: length === null ? undefined : Number(length),
  }))
}

/** Records that a request gets no answer: it failed or was aborted. */
export function noteLost(id: string, givenUp: boolean): void {
  change(id, ({ took }) => ({ status: 0, givenUp, took: performance.now() - took, wait: undefined }))
}

function change(id: string, changes: (before: Sent) => Partial<Sent>): void {
  all.value = all.value.map((one) =>
    one.id === id && one.status === undefined ? { ...one, ...changes(one) } : one,
  )
}
