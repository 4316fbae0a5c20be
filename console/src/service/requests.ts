/** The requests that the console has sent, for those who want to know what it does. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** A request and what came of it. */
export interface Sent {
  readonly id: string
  readonly request: Request
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

/** Notes that a request leaves. */
export function noteSent(id: string, request: Request): void {
  const sent = { id, request, status: undefined, size: undefined, wait: undefined, givenUp: false }
  all.value = [{ ...sent, took: performance.now() }, ...all.value].slice(0, KEPT)
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
