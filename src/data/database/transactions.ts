/** Transactions of Knex, and their retries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, unavailable } from '../../model/errors.ts'
import type { Connection } from './connection/connection.ts'
import { failureOf } from './connection/failures.ts'
import { inView } from './past-knex.ts'
import type { Pool, PooledConnection } from './pool.ts'
import { withUnknownOutcome } from './raw-connection.ts'
import type { Sql } from './connection/sql.ts'
import { noteRetry } from '../../scheduling/usage.ts'

/** For how long a transaction that loses to other writers is run again, and the longest pause before a try, in milliseconds. */
const CONFLICTS_MS = 10_000
const LONGEST_PAUSE_MS = 250
const FIRST_PAUSE_MS = 10
/** At least as many, however long each takes. */
const TRIES = 8

/** Work to do on one connection inside a transaction. */
export type Work<T> = (connection: Connection) => Promise<T>

/** Runs `work` in one consistent view, on a connection from a pool for views. */
export const snapshot = <T>(pool: Pool, work: Work<T>): Promise<T> =>
  borrowed(pool, (connection) => inView(connection.raw, () => work(connection)))

/** Runs `work` in one transaction. `patient`: whether its statements may take long. */
export const transaction = <T>(pool: Pool, work: Work<T>, patient = false): Promise<T> =>
  borrowed(pool, (connection) => {
    connection.raw.onlyReads = false
    connection.raw.patient = patient
    connection.patient = patient
    return pool.knex.transaction(
      async (trx) => {
        // Knex goes on after a BEGIN that failed, and rejects only statements that `trx` makes.
        if (trx.isCompleted()) throw new Error('the transaction could not begin')
        return work(connection)
      },
      { connection: connection.raw, doNotRejectOnRollback: false },
    )
  })

/** Runs `work`, a single statement, without a transaction around it. */
export async function borrowed<T>(
  pool: Pool,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire()
  try {
    return await work(connection)
  } finally {
    pool.release(connection)
  }
}

/** Runs one statement by itself, durably. Throws `ServiceUnavailable` if the connection is lost: the outcome is unknown. */
export const alone = (pool: Pool, statement: Sql): Promise<number> =>
  borrowed(pool, (connection) =>
    connection.run(statement).catch((error: unknown) => {
      throw withUnknownOutcome(error)
    }),
  )

/**
 * Runs `attempt` again, after a pause of random length, as long as the database aborts it in favour of another writer.
 * Throws `ServiceUnavailable` if it still does after 10 s, or if the database cannot be reached, cannot write, or refuses
 * the connection or the command. Throws `PayloadTooLarge` if the database accepts no change of that size.
 */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ServiceError) throw error
      const failure = failureOf(error)
      if (failure === 'other' || failure === 'unknown setting') throw error
      if (failure === 'too large') throw new ServiceError('PayloadTooLarge', {}, { cause: error })
      if (failure === 'unavailable' || failure === 'refused' || isOver(tries, began)) throw unavailable(error)
      noteRetry(failure)
      await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * Math.random())
    }
  }
}

const isOver = (tries: number, began: number): boolean =>
  tries >= TRIES && performance.now() - began > CONFLICTS_MS
