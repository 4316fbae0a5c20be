/** An error that a write is about to tell is told only if what it rests on still holds. */
import { expect, jest, test } from '@jest/globals'
import knexFactory from 'knex'
import { Connection } from '../../src/data/database/connection/connection.ts'
import { MYSQL, SQLITE, type Dialect } from '../../src/data/database/connection/dialects.ts'
import { Outdated } from '../../src/data/database/connection/failures.ts'
import { MysqlClient } from '../../src/data/database/knex-clients.ts'
import { WritingView } from '../../src/data/store/writing-view.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { ServiceError } from '../../src/model/errors.ts'

const NO_INSTANCE = new ServiceError('TNoSuchUser', { name: 'bob' })

/** A view in which a right was read, which `recheck` looks at again. */
function viewWith(recheck: () => Promise<void>, dialect: Dialect = MYSQL): WritingView {
  const connection = new Connection(
    knexFactory({ client: MysqlClient }),
    dialect,
    () => Promise.resolve([]),
    () => Promise.resolve(),
  )
  const ends = { signal: undefined, timeLeft: { ms: 60_000 } }
  const view = new WritingView(connection, SERVICE, ends, () => Promise.resolve([]))
  view.holdUntilCommit(recheck)
  return view
}

test('an error of the service is not told if a right that was read no longer holds', async () => {
  const outdated = new Outdated('the permission has changed')
  const view = viewWith(() => Promise.reject(outdated))
  await expect(view.finish(Promise.reject(NO_INSTANCE))).rejects.toBe(outdated)
})

test('it is told if the right still holds', async () => {
  const recheck = jest.fn(() => Promise.resolve())
  await expect(viewWith(recheck).finish(Promise.reject(NO_INSTANCE))).rejects.toBe(NO_INSTANCE)
  expect(recheck).toHaveBeenCalledTimes(1)
})

test('what went well is looked at again by what commits it', async () => {
  const recheck = jest.fn(() => Promise.resolve())
  const view = viewWith(recheck)
  expect(await view.finish(Promise.resolve('done'))).toBe('done')
  expect(recheck).not.toHaveBeenCalled()
  await view.recheck()
  expect(recheck).toHaveBeenCalledTimes(1)
})

test('on SQLite nobody else writes in between', async () => {
  const recheck = jest.fn(() => Promise.resolve())
  await viewWith(recheck, SQLITE).recheck()
  expect(recheck).not.toHaveBeenCalled()
})
