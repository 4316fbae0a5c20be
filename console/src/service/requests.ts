/** The requests that the console has sent, for those who want to know what it does. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** A request and what came of it. */
export interface Sent {
  readonly id: string
  readonly request: Request
  /** Undefined while there is no answer, and 0 if there will be none. */
  readonly status: number | undefined
  /** Milliseconds until the headers of the answer. */
  readonly took: number
}

/** So many are kept. */
const KEPT = 50

const all = signal<readonly Sent[]>([])

/** The latest requests, the last one first. */
export const requests: ReadonlySignal<readonly Sent[]> = all

/** Notes that a request leaves. */
export function noteSent(id: string, request: Request): void {
  all.value = [{ id, request, status: undefined, took: performance.now() }, ...all.value].slice(0, KEPT)
}

/** Notes what a request was answered with. */
export function noteAnswered(id: string, status: number): void {
  all.value = all.value.map((one) =>
    one.id === id && one.status === undefined ? { ...one, status, took: performance.now() - one.took } : one,
  )
}
