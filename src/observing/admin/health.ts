/** Whether the process is alive, and whether a load balancer may send requests to this instance. */
import { NOT_KNOWN, type StoreCheck, type StoreFindings } from '../../data/store/store-check.ts'
import { plain, type AdminAnswer } from './server.ts'

/** The findings of an instance that is stopping: it does not check the store any more. */
const NOT_ASKED = 'not asked'

/** The checks; each is a reason for which an instance may not be ready. */
export const REASONS = ['start', 'processes', 'drain', 'database', 'schema'] as const

type Reason = (typeof REASONS)[number]

/** What the checks have found. */
interface State {
  readonly ready: boolean
  /** The result of each check: `ok`, or the failure. */
  readonly checks: Readonly<Record<Reason, string>>
  /** The checks that fail, without those whose result depends on another one that fails. */
  readonly failing: readonly Reason[]
  /** When the certificate of the database ends, in milliseconds since 1970, if there is one. */
  readonly certificateEnds: number | undefined
}

const NO_FAILURE = new Set(['ok', NOT_ASKED, NOT_KNOWN])

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
    const { ready, checks } = await this.look()
    return {
      status: ready ? 200 : 503,
      contentType: 'application/json',
      text: `${JSON.stringify({ ready, ...this.#running, checks }, undefined, 2)}\n`,
    }
  }

  /** Runs all checks, in about two seconds at most. */
  async look(): Promise<State> {
    const { database, schema } = this.#draining
      ? { database: NOT_ASKED, schema: NOT_ASKED }
      : await this.#lookAtStore()
    const checks = {
      start: this.#listening === undefined ? 'it has not finished' : 'ok',
      processes: this.#listening?.() === 0 ? 'none listens' : 'ok',
      drain: this.#draining ? 'the instance is stopping' : 'ok',
      database,
      schema,
    }
    return {
      ready: REASONS.every((reason) => checks[reason] === 'ok'),
      checks,
      failing: REASONS.filter((reason) => !NO_FAILURE.has(checks[reason])),
      certificateEnds: this.#store.certificateEnds(),
    }
  }

  /** Concurrent callers share one check. */
  #lookAtStore(): Promise<StoreFindings> {
    this.#looking ??= this.#store.look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }
}
