/** knex's lock on migrations, which on MySQL would stay closed for ever once the process that holds it dies. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'

const TABLE = 'knex_migrations_lock'

/** How often the process that holds the lock counts it up, in milliseconds. */
const BEAT_MS = 1000
/** For how long others must have seen it stand still before they doubt it, and before they open it, in milliseconds. */
const STILL_MS = 10_000

const ignore = (): void => undefined

/**
 * A view of the lock: 0 if it is open, a count if it is held, and the negative count if somebody doubts that its holder
 * lives. A holder that lives counts on, and so ends the doubt; a doubt that stands was written after the last sign of life,
 * even where a long statement keeps all others from writing, as in Galera (docs/decisions/0090-lock-on-migrations.md).
 */
export class MigrationLock {
  readonly #knex: Knex
  #seen = 0
  #since = 0

  constructor(knex: Knex) {
    this.#knex = knex
  }

  /** Counts the lock up while `work` lasts, from when it calls `taken`. */
  async held<T>(work: (taken: () => void) => Promise<T>): Promise<T> {
    const ended = new AbortController()
    let beats: Promise<void> | undefined
    try {
      return await work(() => {
        beats = this.#beatUntil(ended.signal)
      })
    } finally {
      ended.abort()
      await beats
    }
  }

  async #beatUntil(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal }).catch(ignore)
      if (signal.aborted) return
      // Where this fails, so will the work.
      await this.#knex(TABLE)
        .whereNot({ is_locked: 0 })
        .update({ is_locked: this.#knex.raw('ABS(is_locked) + 1') })
        .catch(ignore)
    }
  }

  /** Looks at the lock, which somebody else holds, and opens it if that process must have died. */
  async look(): Promise<void> {
    if (!(await this.#knex.schema.hasTable(TABLE))) return
    const [first, ...others] = await this.#knex<{ index: number; is_locked: number }>(TABLE).orderBy('index')
    if (first === undefined) return
    // Two processes that create knex's tables at the same moment both insert a row, and with two it never opens.
    if (others.length > 0) await this.#knex(TABLE).where('index', '>', first.index).del()
    const { index, is_locked } = first
    if (is_locked !== this.#seen) {
      this.#seen = is_locked
      this.#since = performance.now()
    } else if (is_locked !== 0 && performance.now() - this.#since >= STILL_MS) {
      const next = is_locked > 0 ? -is_locked : 0
      // Only if nobody has changed it meanwhile.
      await this.#knex(TABLE).where({ index, is_locked }).update({ is_locked: next })
    }
  }
}
