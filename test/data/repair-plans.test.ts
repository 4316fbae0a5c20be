/** How a repair finds what it changes: on a large store, it may not read whole tables for each object. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkStore, repairStore } from '../../src/data/maintenance/check-store.ts'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import type { Store } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { onSqlite, openStores, rowsOf, type Opened } from './open.ts'

let opened: Opened

beforeAll(async () => {
  opened = await openStores()
})
afterAll(() => opened.close())

interface Noted {
  readonly statements: Sql[]
  /** For each transaction, whether its statements may take long. */
  readonly patient: boolean[]
}

/** A store that notes what its writes do. */
function noting(store: Store, { statements, patient }: Noted): Store {
  const write: Store['write'] = (caller, work, signal) => {
    patient.push(signal !== undefined)
    const noted = <T extends object>(tx: T): T =>
      new Proxy(tx, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target)
          if (typeof member !== 'function') return member
          return (...args: unknown[]): unknown => {
            if (['all', 'one', 'run'].includes(String(name))) statements.push(args[0] as Sql)
            return Reflect.apply(member, target, args) as unknown
          }
        },
      })
    return store.write(caller, (tx) => work(noted(tx)), signal)
  }
  return { ...store, write }
}

const OTHER = Buffer.alloc(16, 7)

const brokenIn = async (): Promise<(readonly [rule: string, broken: number])[]> =>
  (await checkStore(opened.store))
    .filter(({ broken }) => broken > 0)
    .map(({ rule, broken }) => [rule, broken])

test('a repair of about values and system values finds rows by keys, and may take long', async () => {
  const columns = raw('type, sort_key, content, size, updated_at, user_id')
  const of = (table: string, id: number): Sql => sql`(SELECT object_id FROM ${raw(table)} WHERE id = ${id})`
  await opened.store.write(SERVICE, async (tx) => {
    // Without its about value, with that of another, without a path, with another role, and a description of nothing.
    await tx.run(sql`DELETE FROM about_values WHERE object_id = ${of('tags', 1)}`)
    await tx.run(sql`UPDATE about_values SET object_id = ${of('tags', 2)} WHERE object_id = ${of('tags', 3)}`)
    await tx.run(sql`DELETE FROM terms WHERE tag_id = 4 AND object_id = ${of('tags', 4)}`)
    await tx.run(sql`DELETE FROM tag_values WHERE tag_id = 4 AND object_id = ${of('tags', 4)}`)
    await tx.run(sql`UPDATE users SET role = ${'user'} WHERE id = 1`)
    await tx.run(sql`
      INSERT INTO tag_values (tag_id, object_id, ${columns})
      SELECT 3, ${OTHER}, ${columns} FROM tag_values WHERE tag_id = 3 AND object_id = ${of('namespaces', 1)}`)
    await tx.run(sql`
      INSERT INTO terms (tag_id, term, object_id)
      SELECT 3, term, ${OTHER} FROM terms WHERE tag_id = 3 AND object_id = ${of('namespaces', 1)}`)
  })
  expect(await brokenIn()).toEqual([
    ['about values', 3],
    ['system values', 3],
  ])
  const noted: Noted = { statements: [], patient: [] }
  const repaired = await repairStore(noting(opened.store, noted))
  expect(Object.fromEntries(repaired)).toEqual({ 'about values': 2, 'system values': 3 })
  expect(await brokenIn()).toEqual([])
  expect(new Set(noted.patient)).toEqual(new Set([true]))
  if (onSqlite) expect(await scansIn(noted.statements)).toEqual([])
})

/** The plans of statements that read a whole table. */
async function scansIn(statements: readonly Sql[]): Promise<string[]> {
  expect(statements.length).toBeGreaterThan(10)
  const plans: string[] = []
  for (const statement of statements) {
    const rows = await rowsOf<{ detail: string }>(opened.store, sql`EXPLAIN QUERY PLAN ${statement}`)
    plans.push(...rows.map(({ detail }) => detail))
  }
  return plans.filter((plan) => /^SCAN (?:users|namespaces|tags|about_values|tag_values)\b/.test(plan))
}
