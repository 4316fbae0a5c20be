/** Whether the process is alive, and whether a load balancer may send requests to this instance. */
import type { StoreCheck, StoreFindings } from '../../data/store/store-check.ts'
import { plain, type AdminAnswer } from './server.ts'

/** The findings of an instance that is stopping: it does not check the store any more. */
const NOT_ASKED: StoreFindings = { database: 'not asked', schema: 'not asked' }

/** What an instance runs: its version, and the schema that this version works on. */
export interface Running {
  readonly version: string
  readonly schema: string
}

/** The state of an instance, from its start to its end. */
export class Health {
  readonly #running: Running
  readonly #store: StoreCheck
  /** How many processes listen; undefined until the start has finished. */
  #listening: (() => number) | undefined
  #draining = false
  #looking: Promise<StoreFindings> | undefined

  constructor(running: Running, store: StoreCheck) {
    this.#running = running
    this.#store = store
  }

  /** The start has finished; `listening` says how many processes listen. */
  started(listening: () => number): void {
    this.#listening = listening
  }

  /** From now on the instance is not ready. */
  draining(): void {
    this.#draining = true
  }

  close(): void {
    this.#store.close()
  }

  /** 200, as long as the event loop turns. */
  readonly live = (): AdminAnswer => plain(200, 'ok')

  /** 200, or 503 with the checks that fail. */
  readonly ready = async (): Promise<AdminAnswer> => {
    const store = this.#draining ? NOT_ASKED : await this.#look()
    const checks = {
      start: this.#listening === undefined ? 'it has not finished' : 'ok',
      processes: this.#listening?.() === 0 ? 'none listens' : 'ok',
      drain: this.#draining ? 'the instance is stopping' : 'ok',
      ...store,
    }
    const ready = Object.values(checks).every((finding) => finding === 'ok')
    return {
      status: ready ? 200 : 503,
      contentType: 'application/json',
      text: `${JSON.stringify({ ready, ...this.#running, checks }, undefined, 2)}\n`,
    }
  }

  /** Concurrent callers share one check. */
  #look(): Promise<StoreFindings> {
    this.#looking ??= this.#store.look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }
}
