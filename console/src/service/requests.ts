/** The requests that the console has sent, for those who want to know what it does. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** A request and what came of it. */
export interface Sent {
  readonly id: string
  /** Without passwords. */
  readonly request: Request
  /** As whom it was sent. */
  readonly user: string | undefined
  /** Undefined while there is no answer, and 0 if there will be none. */
  readonly status: number | undefined
  /** Milliseconds until the headers of the answer; before them, when the request left. */
  readonly took: number
  /** The octets of the body of the answer, as its headers say. */
  readonly size: number | undefined
  /** The service is busy: so many seconds after its answer the request is sent again. */
  readonly wait: number | undefined
  /** Whether nobody wants the answer any more. */
  readonly givenUp: boolean
}

/** So many are kept. */
const KEPT = 50

const all = signal<readonly Sent[]>([])

/** The latest requests, the last one first. */
export const requests: ReadonlySignal<readonly Sent[]> = all

/** Notes that a request of a user is about to leave. */
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

/** Forgets all requests: the next user may be somebody else. */
export function forgetRequests(): void {
  all.value = []
}

/** A request as it may be shown: passwords are in its credentials, and in bodies about users. */
async function withoutPasswords(request: Request): Promise<Request> {
  request.headers.delete('Authorization')
  if (request.body === null || !/\/users(?:\/|$)/.test(new URL(request.url).pathname)) return request
  const fields = JSON.parse(await request.text()) as object
  const body = JSON.stringify('password' in fields ? { ...fields, password: 'NEW-PASSWORD' } : fields)
  return new Request(request.url, { method: request.method, headers: request.headers, body })
}

/** Notes that a request will be sent again after so many seconds. */
export const noteWait = (id: string, wait: number): void => {
  change(id, () => ({ wait }))
}

/** Notes what a request was answered with. */
export function noteAnswered(id: string, { status, headers }: Response): void {
  const length = headers.get('content-length')
  change(id, ({ took }) => ({
    ...{ status, took: performance.now() - took, wait: undefined },
    size: length === null ? undefined : Number(length),
  }))
}

/** Notes that there will be no answer to a request: none came, or nobody wants it. */
export function noteLost(id: string, givenUp: boolean): void {
  change(id, ({ took }) => ({ status: 0, givenUp, took: performance.now() - took, wait: undefined }))
}

function change(id: string, changes: (before: Sent) => Partial<Sent>): void {
  all.value = all.value.map((one) =>
    one.id === id && one.status === undefined ? { ...one, ...changes(one) } : one,
  )
}
