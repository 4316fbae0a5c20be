/** Transactions: how one begins, ends and is tried again on each kind of database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../errors.ts'
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
  // Nothing waits for the beginning: a connection does its statements in their order.
  const begun = connection.run(connection.dialect.name === 'sqlite' ? BEGIN : START_SNAPSHOT)
  begun.catch(() => undefined)
  try {
    const result = await work(connection)
    await begun
    return result
  } finally {
    // Nor for the end, which changes nothing.
    void end(pool, connection)
  }
}

async function end(pool: Pool, connection: Connection): Promise<void> {
  await pool.release(connection, await isRollbackLost(connection))
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

/** Runs `work`, one statement, without any transaction around it. */
export async function borrowed<T>(pool: Pool, work: Work<T>): Promise<T> {
  const connection = await pool.acquire()
  let broken = false
  try {
    return await work(connection)
  } catch (error) {
    broken = failureOf(error) === 'lost'
    throw error
  } finally {
    await pool.release(connection, broken)
  }
}

/** Runs one statement by itself, durably. When the connection is lost meanwhile nobody knows the outcome. */
export function alone(pool: Pool, statement: Sql): Promise<number> {
  return borrowed(pool, (connection) =>
    connection.run(statement).catch((error: unknown) => {
      throw failureOf(error) === 'lost' ? new ServiceError('ServiceUnavailable', {}, { cause: error }) : error
    }),
  )
}

/** A writer's turn: given the connection inside the common transaction, it does its part, and knows how to end it. */
type Turn = (connection: Connection) => Promise<Ended>

/** What is done when the common transaction is committed. */
type Ended = () => void

interface Waiting {
  readonly turn: Turn
  /** Whether it is one statement, for which the next one need not wait: a connection does them in their order. */
  readonly single: boolean
  readonly reject: (error: unknown) => void
}

const MOST_TURNS_A_COMMIT = 100

/** Writers that share a transaction and its commit. */
export interface GroupCommit {
  /** Runs `work` whole or not at all; answers when it is durable. */
  transaction<T>(work: Work<T>): Promise<T>
  /** Runs one statement; answers with the number of rows when it is durable. */
  alone(statement: Sql): Promise<number>
}

/**
 * SQLite has one writer, and a durable commit costs it far more than a write: all writes that wait share the
 * next commit, and are answered after it.
 */
export function groupCommit(writers: Pool): GroupCommit {
  const waiting: Waiting[] = []
  let running = false

  const runTogether = async (group: readonly Waiting[]): Promise<void> => {
    let ended: Ended[] = []
    const takeTurns: Work<void> = async (connection) => {
      ended = await inTurn(group, connection)
    }
    try {
      // A statement by itself is a transaction.
      if (group.length === 1 && group[0]?.single === true) await borrowed(writers, takeTurns)
      else await within(writers, await writers.acquire(), BEGIN_IMMEDIATE, takeTurns)
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    for (const end of ended) end()
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) await runTogether(waiting.splice(0, MOST_TURNS_A_COMMIT))
    running = false
  }

  const queue = <T>(work: Work<T>, single: boolean): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const turn: Turn = async (connection) => {
      try {
        const value = await work(connection)
        return () => {
          resolve(value)
        }
      } catch (error) {
        return () => {
          reject(error)
        }
      }
    }
    waiting.push({ turn, single, reject })
    if (!running) void drain()
    return promise
  }

  return {
    transaction: (work) => queue((connection) => inSavepoint(connection, work), false),
    alone: (statement) => queue((connection) => connection.run(statement), true),
  }
}

async function inTurn(group: readonly Waiting[], connection: Connection): Promise<Ended[]> {
  const ended: Promise<Ended>[] = []
  for (const { turn, single } of group) {
    const end = turn(connection)
    ended.push(end)
    if (!single) await end
  }
  return Promise.all(ended)
}

/** Does one writer's work inside the open transaction; what fails leaves no trace in it. */
async function inSavepoint<T>(connection: Connection, work: Work<T>): Promise<T> {
  await connection.run(raw('SAVEPOINT work'))
  try {
    const value = await work(connection)
    await connection.run(raw('RELEASE work'))
    return value
  } catch (error) {
    await connection.run(raw('ROLLBACK TO work'))
    await connection.run(raw('RELEASE work'))
    throw error
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
