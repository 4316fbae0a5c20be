/** Transactions: how one begins, ends and is tried again on each kind of database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import { failureOf, type Connection, type Pool } from './connections.ts'
import { raw, type Sql } from './sql.ts'

const TRIES = 8
const FIRST_PAUSE_MS = 5

/** What is done on one connection inside a transaction. */
export type Work<T> = (connection: Connection) => Promise<T>

const BEGIN = raw('BEGIN')
const BEGIN_IMMEDIATE = raw('BEGIN IMMEDIATE')
const START_TRANSACTION = raw('START TRANSACTION')
const START_SNAPSHOT = raw('START TRANSACTION WITH CONSISTENT SNAPSHOT')
const COMMIT = raw('COMMIT')
const ROLLBACK = raw('ROLLBACK')

/** Runs `work` in one consistent view. */
export async function snapshot<T>(pool: Pool, work: Work<T>): Promise<T> {
  const connection = await pool.acquire()
  return within(pool, connection, connection.dialect.name === 'sqlite' ? BEGIN : START_SNAPSHOT, work)
}

/** Runs `work` in one transaction. */
export async function transaction<T>(pool: Pool, work: Work<T>): Promise<T> {
  return within(pool, await pool.acquire(), START_TRANSACTION, work)
}

async function within<T>(pool: Pool, connection: Connection, begin: Sql, work: Work<T>): Promise<T> {
  let begun = false
  let broken = false
  try {
    await connection.run(begin)
    begun = true
    const result = await work(connection)
    await commit(connection)
    return result
  } catch (error) {
    broken = begun ? await isRollbackLost(connection) : failureOf(error) !== 'conflict'
    throw error
  } finally {
    await pool.release(connection, broken)
  }
}

const isRollbackLost = (connection: Connection): Promise<boolean> =>
  connection.run(ROLLBACK).then(
    () => false,
    () => true,
  )

/** Commits. When the connection is lost meanwhile nobody knows the outcome, so the work must not run again. */
async function commit(connection: Connection): Promise<void> {
  try {
    await connection.run(COMMIT)
  } catch (error) {
    throw failureOf(error) === 'lost' ? new ServiceError('ServiceUnavailable', {}, { cause: error }) : error
  }
}

interface Job {
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

const MOST_JOBS_A_COMMIT = 100

/**
 * SQLite has one writer, and a durable commit costs it far more than a write: all writes that wait share the
 * next commit, each in a savepoint of its own, and are answered after it.
 */
export function groupCommit(writers: Pool): (work: Work<unknown>) => Promise<unknown> {
  const waiting: Job[] = []
  let running = false

  const runTogether = async (jobs: readonly Job[]): Promise<void> => {
    const answers: (() => void)[] = []
    try {
      const connection = await writers.acquire()
      await within(writers, connection, BEGIN_IMMEDIATE, async () => {
        for (const job of jobs) answers.push(await inSavepoint(connection, job))
      })
    } catch (error) {
      for (const job of jobs) job.reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) await runTogether(waiting.splice(0, MOST_JOBS_A_COMMIT))
    running = false
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject })
      if (!running) void drain()
    })
}

/** Runs one job inside the open transaction; what it returns answers the job once that is committed. */
async function inSavepoint(connection: Connection, job: Job): Promise<() => void> {
  await connection.run(raw('SAVEPOINT job'))
  try {
    const value = await job.work(connection)
    await connection.run(raw('RELEASE job'))
    return () => {
      job.resolve(value)
    }
  } catch (error) {
    await connection.run(raw('ROLLBACK TO job'))
    await connection.run(raw('RELEASE job'))
    return () => {
      job.reject(error)
    }
  }
}

/**
 * Runs `attempt` again, after a pause of random length, while the database gives it up for another writer.
 * Throws `ServiceUnavailable` when that does not help or the database cannot be reached.
 */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ServiceError) throw error
      const failure = failureOf(error)
      if (failure === 'other') throw error
      if (failure === 'unavailable' || tries === TRIES)
        throw new ServiceError('ServiceUnavailable', {}, { cause: error })
      await sleep(FIRST_PAUSE_MS * 2 ** tries * Math.random())
    }
  }
}
