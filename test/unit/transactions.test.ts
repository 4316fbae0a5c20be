/** What becomes of the connection of a view, by what fails in it. */
import { expect, test } from '@jest/globals'
import { Connection } from '../../src/data/database/connection/connection.ts'
import { MYSQL } from '../../src/data/database/connection/dialects.ts'
import type { Fate } from '../../src/data/database/connection/failures.ts'
import type { Pool } from '../../src/data/database/pool.ts'
import { raw } from '../../src/data/database/connection/sql.ts'
import { snapshot } from '../../src/data/database/transactions.ts'

test.each([
  // A primary that was frozen, and hears now that the others have elected another.
  ['ER_GRP_TRX_CONSISTENCY_BEFORE', 'demoted', []],
  ['ER_SERVER_SHUTDOWN', 'broken', []],
  ['ER_NO_SUCH_TABLE', 'back', ['ROLLBACK']],
])('after %s it is %s', async (code, fate, then) => {
  const told: unknown[] = []
  const connection = new Connection(
    MYSQL,
    (command) => {
      if (command.do === 'all') return Promise.reject(Object.assign(new Error(code), { code }))
      told.push('text' in command ? command.text : command.do)
      return Promise.resolve(0)
    },
    () => Promise.resolve(),
  )
  const released = Promise.withResolvers<Fate | undefined>()
  const pool: Pick<Pool, 'acquire' | 'release'> = {
    acquire: () => Promise.resolve(connection),
    release: (_, given) => {
      released.resolve(given)
      return Promise.resolve()
    },
  }
  const view = snapshot(pool as Pool, (within) => within.all(raw('SELECT 1')))
  await expect(view).rejects.toMatchObject({ code })
  expect(await released.promise).toBe(fate)
  expect(told).toEqual(then)
})
