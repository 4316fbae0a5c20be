/** Statements whose answers are lost: what may have written does not run again, and what only reads does. */
import { expect, test } from '@jest/globals'
import type { BoundStatement, Connection, Execute } from '../../src/data/database/connection/connection.ts'
import { MYSQL, SQLITE } from '../../src/data/database/connection/dialects.ts'
import { ENGINE_ERRORS } from '../../src/data/database/connection/engine-errors.ts'
import { groupCommit } from '../../src/data/database/group-commit.ts'
import type { Pool } from '../../src/data/database/pool.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { alone, borrowed, retried, snapshot, transaction } from '../../src/data/database/transactions.ts'
import { poolOf } from './pool-of.ts'

/** Every error after which it is unknown whether a statement was run. */
const LOST = [
  ...new Set(
    ENGINE_ERRORS.filter(({ failure, text }) => failure === 'lost' && text === undefined).map(
      ({ code }) => code,
    ),
  ),
]
const WRITE = raw('UPDATE tag_values SET type = 0')

interface Losing {
  readonly pool: Pool
  /** The statements that were run. */
  readonly ran: string[]
}

/** A pool of connections that run a statement and then, the first time, are lost before its answer. */
function losing(lost: string, code: string, dialect = MYSQL): Losing {
  const ran: string[] = []
  let answers = false
  const execute: Execute = (command) => {
    const { text } = command as BoundStatement
    ran.push(text)
    if (answers || text !== lost) return Promise.resolve(command.do === 'all' ? [] : 1)
    answers = true
    return Promise.reject(Object.assign(new Error('lost on purpose'), { code }))
  }
  return { pool: poolOf(execute, dialect).pool, ran }
}

const times = ({ ran }: Losing, text: string): number => ran.filter((one) => one === text).length
const UNAVAILABLE = { errorClass: 'ServiceUnavailable', status: 503 }

test('there are such errors', () => {
  expect(LOST).toContain('PROTOCOL_CONNECTION_LOST')
})

test.each(LOST)('a write alone, after %s', async (code) => {
  const losingOne = losing(WRITE.text, code)
  await expect(retried(() => alone(losingOne.pool, WRITE))).rejects.toMatchObject(UNAVAILABLE)
  expect(times(losingOne, WRITE.text)).toBe(1)
})

test.each(LOST)('a commit, after %s', async (code) => {
  const losingOne = losing('COMMIT', code)
  const work = (connection: Connection): Promise<number> => connection.run(WRITE)
  await expect(retried(() => transaction(losingOne.pool, work))).rejects.toMatchObject(UNAVAILABLE)
  expect([times(losingOne, WRITE.text), times(losingOne, 'COMMIT')]).toEqual([1, 1])
})

test.each(LOST)('the commit that several writers share, after %s', async (code) => {
  const losingOne = losing('COMMIT', code, SQLITE)
  const writing = groupCommit(losingOne.pool)
  const writers = Array.from({ length: 3 }, () => retried(() => writing.alone(WRITE)))
  const all = await Promise.allSettled(writers)
  // The first one has nobody to share with: its statement is a transaction by itself.
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(times(losingOne, WRITE.text)).toBe(3)
})

test.each(LOST)(
  'a statement within a transaction, after %s: nothing was committed, so all of it runs again',
  async (code) => {
    const losingOne = losing(WRITE.text, code)
    const work = (connection: Connection): Promise<number> => connection.run(WRITE)
    expect(await retried(() => transaction(losingOne.pool, work))).toBe(1)
    expect([times(losingOne, WRITE.text), times(losingOne, 'COMMIT')]).toEqual([2, 1])
  },
)

test.each(LOST)('what only reads runs again, after %s', async (code) => {
  const read = 'SELECT 1'
  const work = (connection: Connection): Promise<unknown> => connection.all(raw(read))
  for (const find of [borrowed, snapshot]) {
    const losingOne = losing(read, code)
    await retried(() => find(losingOne.pool, work))
    expect(times(losingOne, read)).toBe(2)
  }
})
