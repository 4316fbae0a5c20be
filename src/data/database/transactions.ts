/** Transactions: how they begin, end and are retried on each kind of database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, unavailable } from '../../model/errors.ts'
import type { Connection } from './connection/connection.ts'
import { failureOf, fateAfter, type Fate } from './connection/failures.ts'
import type { Pool } from './pool.ts'
import { raw, type Sql } from './connection/sql.ts'
import { noteRetry } from '../../scheduling/usage.ts'

const TRIES = 8
const FIRST_PAUSE_MS = 5

/** Work to do on one connection inside a transaction. */
export type Work<T> = (connection: Connection) => Promise<T>

const BEGIN = raw('BEGIN')
const COMMIT = raw('COMMIT')
const ROLLBACK = raw('ROLLBACK')

/** Runs `work` in one consistent view, on a connection of a pool that is for views. */
export async function snapshot<T>(pool: Pool, work: Work<T>): Promise<T> {
  const connection = await pool.acquire()
  // On MySQL the first statement begins it. Nor need SQLite's BEGIN be waited for: a connection runs its statements in order.
  const begun = connection.dialect.name === 'sqlite' ? connection.run(BEGIN) : undefined
  begun?.catch(() => undefined)
  let fate: Fate = 'back'
  try {
    const result = await work(connection)
    await begun
    return result
  } catch (error) {
    fate = fateAfter(error)
    throw error
  } finally {
    // Nor for the end, which changes nothing.
    const end = fate === 'back' ? rolledBack(connection) : Promise.resolve(fate)
    void end.then((known) => pool.release(connection, known))
  }
}

/** Runs `work` in one transaction on MySQL. `patient`: whether its statements may take long. */
export async function transaction<T>(pool: Pool, work: Work<T>, patient = false): Promise<T> {
  const connection = await pool.acquire()
  connection.patient = patient
  return within(pool, connection, undefined, work)
}

/**
 * Runs `work` between `begin` and a commit on a connection that was already acquired, and then returns the connection.
 * Without `begin`, the first statement begins the transaction.
 */
export async function within<T>(
  pool: Pool,
  connection: Connection,
  begin: Sql | undefined,
  work: Work<T>,
): Promise<T> {
  let begun = begin === undefined
  let fate: Fate = 'back'
  try {
    if (begin !== undefined) await connection.run(begin)
    begun = true
    const result = await work(connection)
    await commit(connection)
    return result
  } catch (error) {
    fate = fateAfter(error)
    if (fate === 'back' && begun) fate = await rolledBack(connection)
    else if (fate === 'back' && failureOf(error) !== 'conflict') fate = 'broken'
    throw error
  } finally {
    await pool.release(connection, fate)
  }
}

/** Rolls back, and says what then becomes of the connection. */
function rolledBack(connection: Connection): Promise<Fate> {
  connection.patient = false
  return connection.run(ROLLBACK).then(
    () => 'back',
    () => 'broken',
  )
}

/** Commits. If the connection is lost meanwhile, nobody knows the outcome, so the work must not run again. */
async function commit(connection: Connection): Promise<void> {
  try {
    await connection.run(COMMIT)
  } catch (error) {
    throw withUnknownOutcome(error)
  }
}

/** An error of what may have been done all the same: one that does not have it done again. */
const withUnknownOutcome = (error: unknown): unknown =>
  failureOf(error) === 'lost' ? unavailable(error) : error

/** Runs `work`, a single statement, without a transaction around it. */
export async function borrowed<T>(pool: Pool, work: Work<T>): Promise<T> {
  const connection = await pool.acquire()
  let fate: Fate = 'back'
  try {
    return await work(connection)
  } catch (error) {
    fate = fateAfter(error)
    throw error
  } finally {
    await pool.release(connection, fate)
  }
}

/** Runs one statement by itself, durably. If the connection is lost meanwhile, nobody knows the outcome. */
export async function alone(pool: Pool, statement: Sql): Promise<number> {
  const connection = await pool.acquire()
  let fate: Fate = 'back'
  try {
    return await connection.run(statement)
  } catch (error) {
    fate = fateAfter(error)
    throw withUnknownOutcome(error)
  } finally {
    await pool.release(connection, fate)
  }
}

/**
 * Runs `attempt` again, after a pause of random length, as long as the database aborts it in favour of another writer.
 * Throws `ServiceUnavailable` if that does not help, or if the database cannot be reached, cannot write, or does not let
 * us, and `PayloadTooLarge` if it takes no change of that size.
 */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ServiceError) throw error
      const failure = failureOf(error)
      if (failure === 'other' || failure === 'unknown setting') throw error
      if (failure === 'too large') throw new ServiceError('PayloadTooLarge', {}, { cause: error })
      if (failure === 'unavailable' || failure === 'refused' || tries === TRIES) throw unavailable(error)
      noteRetry(failure)
      await sleep(FIRST_PAUSE_MS * 2 ** tries * Math.random())
    }
  }
}
