/** Knex's lock on migrations. On MySQL it would stay closed for ever if the process that holds it dies. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'

const TABLE = 'knex_migrations_lock'

/** How often the process that holds the lock increments it, in milliseconds. */
export const BEAT_MS = 1000
/** How long the lock must be unchanged before another process doubts it, and again before it opens it, in milliseconds. */
const STILL_MS = 10_000

const ignore = (): void => undefined

/**
 * A view of the lock: 0 if it is open, a positive count if it is held, the negative count if another process doubts that its
 * holder lives. A living holder goes on counting, which ends the doubt. A doubt that remains is later than the holder's last
 * sign of life, even if a long statement blocks all other writes, as in Galera (docs/decisions/0090-lock-on-migrations.md).
 */
export class MigrationLock {
  readonly #knex: Knex
  #seen = 0
  #since = 0

  constructor(knex: Knex) {
    this.#knex = knex
  }

  /** Increments the lock while `work` lasts, from its call of `taken` on. */
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
      // If this fails, the work fails, too.
      await this.#knex(TABLE)
        .whereNot({ is_locked: 0 })
        .update({ is_locked: this.#knex.raw('ABS(is_locked) + 1') })
        .catch(ignore)
    }
  }

  /** Checks the lock, which another process holds, and opens it if that process must have died. */
  async look(): Promise<void> {
    if (!(await this.#knex.schema.hasTable(TABLE))) return
    const [first, ...others] = await this.#knex<{ index: number; is_locked: number }>(TABLE).orderBy('index')
    if (first === undefined) return
    // Two processes that create Knex's tables at the same moment both insert a row; with two rows the lock never opens.
    if (others.length > 0) await this.#knex(TABLE).where('index', '>', first.index).del()
    const { index, is_locked } = first
    if (is_locked !== this.#seen) {
      this.#seen = is_locked
      this.#since = performance.now()
    } else if (is_locked !== 0 && performance.now() - this.#since >= STILL_MS) {
      const next = is_locked > 0 ? -is_locked : 0
      // Only if no other process has changed it meanwhile.
      await this.#knex(TABLE).where({ index, is_locked }).update({ is_locked: next })
    }
  }
}
