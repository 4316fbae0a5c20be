/** What becomes of the connection of a view, by what fails in it. */
import { expect, jest, test } from '@jest/globals'
import { Demotion } from '../../src/data/database/demotion.ts'
import { MYSQL, SQLITE } from '../../src/data/database/connection/dialects.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { snapshot, transaction } from '../../src/data/database/transactions.ts'
import { poolOf } from './pool-of.ts'

test.each([
  // A primary that was frozen, and hears now that the others have elected another.
  ['ER_GRP_TRX_CONSISTENCY_BEFORE', { usable: false, demoted: true, told: [] }],
  ['ER_SERVER_SHUTDOWN', { usable: false, demoted: false, told: [] }],
  ['ER_NO_SUCH_TABLE', { usable: true, demoted: false, told: ['ROLLBACK'] }],
])('after %s it is %s', async (code, expected) => {
  const told: unknown[] = []
  const demotion = new Demotion()
  const { pool, raw: connection } = poolOf(
    (command) => {
      if (command.do === 'all') return Promise.reject(Object.assign(new Error(code), { code }))
      told.push('text' in command ? command.text : command.do)
      return Promise.resolve(0)
    },
    MYSQL,
    demotion,
  )
  const before = performance.now()
  const view = snapshot(pool, (within) => within.all(raw('SELECT 1')))
  await expect(view).rejects.toMatchObject({ code, message: code })
  await connection.ended
  expect({ usable: connection.isUsable, demoted: demotion.isSince(before), told }).toEqual(expected)
})

test('the next transaction on a connection waits for the end of a view, and its result does not', async () => {
  const ended = Promise.withResolvers<number>()
  const { pool, raw: connection } = poolOf(
    (command) => (command.do === 'all' ? Promise.resolve([{ one: 1 }]) : ended.promise),
    MYSQL,
  )
  expect(await snapshot(pool, (within) => within.one(raw('SELECT 1 AS one')))).toEqual({ one: 1 })
  let isFree = false
  const free = connection.ended.then(() => (isFree = true))
  await new Promise(setImmediate)
  expect(isFree).toBe(false)
  ended.resolve(0)
  await free
})

test('a connection that cannot roll back is not used again, and the first error is told', async () => {
  const { pool, raw: connection } = poolOf(
    (command) =>
      Promise.reject(
        Object.assign(new Error(command.do), { code: command.do === 'all' ? 'ER_NO_SUCH_TABLE' : 'X' }),
      ),
    MYSQL,
  )
  const work = transaction(pool, (within) => within.all(raw('SELECT 1')))
  await expect(work).rejects.toThrow('all')
  expect(connection.isUsable).toBe(false)
})

test('where a transaction cannot begin, nothing of it is done', async () => {
  const told: unknown[] = []
  const { pool } = poolOf((command) => {
    told.push('text' in command ? command.text : command.do)
    return Promise.reject(Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }))
  }, SQLITE)
  const work = jest.fn(() => Promise.resolve())
  await expect(transaction(pool, work)).rejects.toMatchObject({ code: 'SQLITE_BUSY', message: 'locked' })
  await new Promise(setImmediate)
  expect(work).not.toHaveBeenCalled()
  expect(told).toEqual(['BEGIN IMMEDIATE'])
})

test.each([true, false])(
  'COMMIT may take as long as the statements of its transaction: %s',
  async (patient) => {
    const told: unknown[] = []
    const { pool } = poolOf((command) => {
      told.push(['text' in command ? command.text : command.do, command.patient === true])
      return Promise.resolve(1)
    }, MYSQL)
    await transaction(pool, (connection) => connection.run({ text: 'UPDATE a', values: [] }), patient)
    expect(told).toEqual([
      ['UPDATE a', patient],
      ['COMMIT', patient],
    ])
  },
)
