/**
 * Writers that share one commit: SQLite allows one writer at a time, and a durable commit costs far more than a write.
 */
import type { Connection } from './connection/connection.ts'
import type { Load, Pool } from './pool.ts'
import { raw, type Sql } from './connection/sql.ts'
import { borrowed, transaction, type Work } from './transactions.ts'
import { asNow, beginWait, forNobody } from '../../scheduling/usage.ts'

/** A writer's turn: it does its work on the connection, inside the shared transaction, and returns how to finish. */
type Turn = Work<Ended>

/** What a writer does once the shared transaction is committed. */
type Ended = () => void

interface Waiting {
  readonly turn: Turn
  /** Whether it is a single statement. The next turn need not wait for it: a connection runs statements in order. */
  readonly single: boolean
  readonly reject: (error: unknown) => void
}

const MAX_TURNS_A_COMMIT = 100

/** Two ways to write durably. */
export interface Writing {
  /** Runs `work` entirely or not at all; resolves once it is durable. `patient`: whether it may take long. */
  transaction<T>(work: Work<T>, patient: boolean): Promise<T>
  /** Runs one statement; resolves with the number of rows once it is durable. */
  alone(statement: Sql): Promise<number>
  load(): Load
}

/** Makes all waiting writes share the next commit; they resolve after it. */
export function groupCommit(writers: Pool): Writing {
  const waiting: Waiting[] = []
  let running = false

  const runTogether = async (group: readonly Waiting[]): Promise<void> => {
    const progress: Progress = { ended: [], others: [] }
    const takeTurns: Work<void> = (connection) => allInTurn(group, connection, progress)
    try {
      // The database runs a single statement as its own transaction.
      if (group.length === 1 && group[0]?.single === true) await borrowed(writers, takeTurns)
      else await transaction(writers, takeTurns)
    } catch (error) {
      for (const { reject } of group.slice(0, group.length - progress.others.length)) reject(error)
      waiting.unshift(...progress.others)
      return
    }
    for (const end of progress.ended) end()
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) await runTogether(waiting.splice(0, MAX_TURNS_A_COMMIT))
    running = false
  }

  const queue = <T>(work: Work<T>, single: boolean): Promise<T> => {
    const result = Promise.withResolvers<T>()
    const waited = beginWait()
    const turn = asNow(async (connection: Connection) => {
      waited()
      const value = await work(connection)
      return () => {
        result.resolve(value)
      }
    })
    waiting.push({ turn, single, reject: result.reject })
    if (!running) void forNobody(drain)
    return result.promise
  }

  return {
    transaction: (work) => queue(work, false),
    alone: (statement) => queue(async (connection) => connection.run(statement), true),
    load: () => ({ ...writers.load(), waiting: waiting.length }),
  }
}

/** The progress of a group. */
interface Progress {
  ended: readonly Ended[]
  /** The writers that have done nothing so far, and can still run if the transaction fails. */
  others: readonly Waiting[]
}

/** Runs the turns of a group. If the first one fails, so does the transaction: a savepoint would double SQLite's writes. */
async function allInTurn(
  group: readonly Waiting[],
  connection: Connection,
  progress: Progress,
): Promise<void> {
  const [first, ...others] = group
  if (first === undefined || first.single) {
    progress.ended = await inTurn(group, connection)
    return
  }
  progress.others = others
  const end = await first.turn(connection)
  progress.others = []
  progress.ended = [end, ...(await inTurn(others, connection))]
}

/** Runs the turns of writers one after the other. If a turn fails, its writer gets the error, and its changes are undone. */
async function inTurn(group: readonly Waiting[], connection: Connection): Promise<Ended[]> {
  const ended: Promise<Ended>[] = []
  for (const { turn, single, reject } of group) {
    const done = single ? turn(connection) : inSavepoint(connection, turn)
    const end = done.catch((error: unknown) => () => {
      reject(error)
    })
    ended.push(end)
    if (!single) await end
  }
  return Promise.all(ended)
}

/**
 * Does one writer's work inside the open transaction; if the work fails, its changes are undone. This uses no nested
 * transaction of Knex: Knex would give each savepoint another name, and SQLite would prepare each anew.
 */
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
