/** A check of the store finds what somebody broke, by the rule that it breaks, and a repair mends what it can. */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { checkStore, isSound, repairStore } from '../../src/data/maintenance/check-store.ts'
import { RULES, type Finding, type Rule } from '../../src/data/maintenance/findings.ts'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { createStore } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import type { Service } from '../support/service.ts'
import { startFilledService } from './kept-fixture.ts'
import { onSqlite, openStores, rowsOf } from './open.ts'

let service: Service

beforeAll(async () => {
  service = await startFilledService()
}, 120_000)
afterAll(() => service.stop())

const idOf = async (path: string, table = 'tags'): Promise<number> =>
  (await rowsOf<{ id: number }>(service.store, sql`SELECT id FROM ${raw(table)} WHERE path = ${path}`))[0]
    ?.id ?? 0

/** The object of a thing, or the one with values of most tags. */
async function objectOf(path: string, table = 'tags'): Promise<Buffer> {
  const [row] = await rowsOf<{ object_id: Buffer }>(
    service.store,
    sql`SELECT object_id FROM ${raw(table)} WHERE path = ${path}`,
  )
  return row?.object_id ?? Buffer.alloc(16)
}

const run = (...statements: readonly Sql[]): Promise<undefined> =>
  service.store.write(SERVICE, async (tx) => {
    for (const statement of statements) expect(await tx.run(statement)).toBeGreaterThan(0)
    return undefined
  })

/** All tables but for when values were written, since a repair writes some again. */
async function dump(): Promise<Record<string, string[]>> {
  const tables: Record<string, string> = {
    users: 'id, username, role, password_hash, object_id',
    namespaces: 'id, path, parent_id, name, object_id, open_actions',
    tags: 'id, path, namespace_id, name, object_id, indexed, open_actions',
    permission_exceptions: 'target_id, permission, user_id',
    about_values: 'about_hash, object_id',
    tag_values: 'tag_id, object_id, type, sort_key, content, size, content_type, user_id',
    value_parts: 'tag_id, object_id, part, content',
    terms: 'tag_id, term, object_id',
    tag_purges: 'tag_id',
  }
  const dumped: Record<string, string[]> = {}
  for (const [table, columns] of Object.entries(tables)) {
    const rows = await rowsOf<object>(service.store, sql`SELECT ${raw(columns)} FROM ${raw(table)}`)
    const text = (cell: unknown): string => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell))
    dumped[table] = rows.map((row) => Object.values(row).map(text).join(' | ')).sort()
  }
  return dumped
}

const brokenIn = (found: readonly Finding[]): Partial<Record<Rule, number>> =>
  Object.fromEntries(found.filter(({ broken }) => broken > 0).map(({ rule, broken }) => [rule, broken]))

const findingOf = (found: readonly Finding[], rule: Rule): Finding => {
  const finding = found.find((one) => one.rule === rule)
  if (finding === undefined) throw new Error(`nothing was said of ${rule}`)
  return finding
}

test('a store that was used for everything keeps all rules, and each rule was held against something', async () => {
  const found = await checkStore(service.store)
  expect(found.flatMap(({ examples }) => examples)).toEqual([])
  expect(isSound(found)).toBe(true)
  expect(found.filter(({ checked }) => checked === 0)).toEqual([])
  expect(found.map(({ rule }) => rule)).toEqual(Object.keys(RULES))
  expect(findingOf(found, 'purges').remains).toBe(2)
})

test('a check and a repair of such a store change nothing', async () => {
  const before = await dump()
  await checkStore(service.store)
  await repairStore(service.store)
  expect(await dump()).toEqual(before)
})

test('a check while others write sees one state of the store', async () => {
  let [writing, writes] = [true, 0]
  const write = async (): Promise<void> => {
    for (; writing; writes++) {
      const path = `/about/busy:${String(writes % 7)}/carol/tag-${String(writes % 5)}`
      const primitive = JSON.stringify(`words of ${String(writes)}`)
      await service.ok('PUT', path, { as: 'carol', primitive })
      if (writes % 9 === 0)
        await service.ok('DELETE', `/tags/carol/tag-${String(writes % 5)}`, { as: 'carol' })
    }
  }
  const writer = write()
  for (let checks = 0; checks < 3; checks++) {
    const before = writes
    while (writes < before + 5) await new Promise((resolve) => setImmediate(resolve))
    expect((await checkStore(service.store)).flatMap(({ examples }) => examples)).toEqual([])
  }
  writing = false
  await writer
})

interface Damage {
  readonly rule: Rule
  readonly what: string
  /** Breaks one row, and returns how to undo it if no repair can. */
  readonly breaks: () => Promise<readonly Sql[] | undefined>
  /** How many are found broken. */
  readonly found?: number
}

const thing = async (): Promise<Buffer> => {
  const [row] = await rowsOf<{ object_id: Buffer }>(
    service.store,
    sql`SELECT object_id FROM tag_values WHERE tag_id = ${await idOf('alice/large')}`,
  )
  return row?.object_id ?? Buffer.alloc(16)
}

const of = async (path: string): Promise<Sql> =>
  sql`tag_id = ${await idOf(path)} AND object_id = ${await thing()}`

const NEW_OBJECT = Buffer.alloc(16, 7)

/** Damage that a repair mends completely: afterwards each row is as it was. */
const MENDED: readonly Damage[] = [
  {
    rule: 'namespaces',
    what: 'another parent',
    breaks: async () => run(sql`UPDATE namespaces SET parent_id = 4 WHERE path = ${'alice/deep/er'}`),
  },
  {
    rule: 'namespaces',
    what: 'another name',
    breaks: async () => run(sql`UPDATE namespaces SET name = ${'x'} WHERE path = ${'alice/deep'}`),
  },
  {
    rule: 'tags',
    what: 'another namespace',
    breaks: async () => run(sql`UPDATE tags SET namespace_id = 4 WHERE path = ${'alice/large'}`),
  },
  {
    rule: 'tags',
    what: 'another name',
    breaks: async () => run(sql`UPDATE tags SET name = ${'x'} WHERE path = ${'bob/number'}`),
  },
  {
    rule: 'exceptions',
    what: 'one of a tag that does not exist',
    breaks: async () =>
      run(sql`INSERT INTO permission_exceptions (target_id, permission, user_id) VALUES (99999, 8, 1)`),
  },
  {
    rule: 'exceptions',
    what: 'one for a user whom there never was',
    breaks: async () =>
      run(sql`INSERT INTO permission_exceptions (target_id, permission, user_id)
        VALUES (${await idOf('alice/plain')}, 8, 99999)`),
  },
  {
    rule: 'orphans',
    what: 'a part without a value',
    breaks: async () =>
      run(sql`INSERT INTO value_parts (tag_id, object_id, part, content)
        VALUES (${await idOf('alice/large')}, ${NEW_OBJECT}, 0, ${'part'})`),
  },
  {
    rule: 'contents',
    what: 'another type',
    breaks: async () => run(sql`UPDATE tag_values SET type = 3 WHERE ${await of('alice/deep/er/int')}`),
  },
  {
    rule: 'sizes',
    what: 'another size',
    breaks: async () =>
      run(sql`UPDATE tag_values SET size = size + 1 WHERE ${await of('alice/deep/er/int')}`),
  },
  {
    rule: 'sizes',
    what: 'a part of a short value',
    breaks: async () =>
      run(sql`INSERT INTO value_parts (tag_id, object_id, part, content)
        VALUES (${await idOf('alice/short')}, ${await thing()}, 0, ${'part'})`),
  },
  {
    rule: 'sort keys',
    what: 'another sort key',
    breaks: async () =>
      run(sql`UPDATE tag_values SET sort_key = ${'x'} WHERE ${await of('alice/deep/er/list')}`),
  },
  {
    rule: 'sort keys',
    what: 'another sort key of a long value',
    breaks: async () =>
      run(sql`UPDATE tag_values SET sort_key = ${'x'} WHERE ${await of('alice/deep/er/huge')}`),
  },
  {
    rule: 'bounds',
    what: 'a bound that is too low',
    breaks: async () => run(sql`UPDATE tags SET value_bound = 119 WHERE path = ${'bob/number'}`),
  },
  {
    rule: 'terms',
    what: 'no word',
    breaks: async () =>
      run(sql`DELETE FROM terms WHERE ${await of('alice/deep/er/word')} AND term = ${'wdune'}`),
  },
  {
    rule: 'terms',
    what: 'none of a long value, and one too many',
    breaks: async () =>
      run(
        sql`DELETE FROM terms WHERE ${await of('alice/deep/er/huge')}`,
        sql`INSERT INTO terms (tag_id, term, object_id)
          VALUES (${await idOf('alice/deep/er/huge')}, ${'wother'}, ${await thing()})`,
      ),
  },
  {
    rule: 'terms',
    what: 'none of any value of a tag',
    found: 120,
    breaks: async () => run(sql`DELETE FROM terms WHERE tag_id = ${await idOf('bob/text')}`),
  },
  {
    rule: 'terms',
    what: 'a word of an object without a value',
    breaks: async () =>
      run(sql`INSERT INTO terms (tag_id, term, object_id)
        VALUES (${await idOf('bob/text')}, ${'wstray'}, ${NEW_OBJECT})`),
  },
  {
    rule: 'terms',
    what: 'a word under a tag that is not indexed',
    breaks: async () =>
      run(sql`INSERT INTO terms (tag_id, term, object_id)
        VALUES (${await idOf('alice/plain')}, ${'wwords'}, ${await thing()})`),
  },
  {
    rule: 'about values',
    what: 'an object without its about value',
    breaks: async () => run(sql`DELETE FROM about_values WHERE object_id = ${await thing()}`),
  },
  {
    rule: 'about values',
    what: 'an about value of another object',
    found: 2,
    breaks: async () =>
      run(sql`UPDATE about_values SET object_id = ${NEW_OBJECT} WHERE object_id = ${await thing()}`),
  },
  {
    rule: 'system values',
    what: 'a tag without its path',
    breaks: async () => {
      const object = await objectOf('alice/large')
      await run(
        sql`DELETE FROM tag_values WHERE tag_id = 4 AND object_id = ${object}`,
        sql`DELETE FROM terms WHERE tag_id = 4 AND object_id = ${object}`,
      )
      return undefined
    },
  },
  {
    rule: 'system values',
    what: 'a description of what is no namespace',
    breaks: async () => {
      const object = await objectOf('alice/deep', 'namespaces')
      await run(
        sql`INSERT INTO tag_values (tag_id, object_id, type, sort_key, content, size, updated_at, user_id)
          SELECT tag_id, ${NEW_OBJECT}, type, sort_key, content, size, updated_at, user_id
          FROM tag_values WHERE tag_id = 3 AND object_id = ${object}`,
        sql`INSERT INTO terms (tag_id, term, object_id)
          SELECT tag_id, term, ${NEW_OBJECT} FROM terms WHERE tag_id = 3 AND object_id = ${object}`,
      )
      return undefined
    },
  },
]

describe('is found by its rule alone, and mended', () => {
  test.each(MENDED.map((damage) => [damage.rule, damage.what, damage] as const))(
    '%s: %s',
    async (rule, _what, { breaks, found: count = 1 }) => {
      const before = await dump()
      await breaks()
      const damaged = await dump()
      const found = await checkStore(service.store)
      expect(brokenIn(found)).toEqual({ [rule]: count })
      expect(findingOf(found, rule).examples.length).toBeGreaterThan(0)
      // A check changes nothing.
      expect(await dump()).toEqual(damaged)
      const repaired = await repairStore(service.store)
      expect([...repaired]).toEqual([[rule, expect.any(Number)]])
      expect(brokenIn(await checkStore(service.store))).toEqual({})
      expect(await dump()).toEqual(before)
    },
  )

  test('orphans: each part without a value counts as one', async () => {
    const id = await idOf('alice/large')
    const part = (number: number): Sql =>
      sql`INSERT INTO value_parts (tag_id, object_id, part, content) VALUES (${id}, ${NEW_OBJECT}, ${number}, ${'part'})`
    await run(part(0), part(1))
    expect([...(await repairStore(service.store))]).toEqual([['orphans', 2]])
    expect(brokenIn(await checkStore(service.store))).toEqual({})
  })

  test('ids: a next number that is in use', async () => {
    await run(sql`UPDATE id_blocks SET next_id = 101 WHERE kind = ${'tags'}`)
    expect(brokenIn(await checkStore(service.store))).toEqual({ ids: 1 })
    await repairStore(service.store)
    expect(brokenIn(await checkStore(service.store))).toEqual({})
    const [row] = await rowsOf<{ next_id: number; most: number }>(
      service.store,
      sql`SELECT next_id, (SELECT MAX(tag_id) FROM tag_purges) AS most FROM id_blocks WHERE kind = ${'tags'}`,
    )
    expect(row?.next_id).toBeGreaterThan(row?.most ?? Infinity)
  })

  test('orphans: values of a tag that there is not, which are left to the purge', async () => {
    const [row] = await rowsOf<{ n: number }>(service.store, sql`SELECT MAX(tag_id) AS n FROM tag_purges`)
    const gone = row?.n ?? 0
    await run(sql`DELETE FROM tag_purges WHERE tag_id = ${gone}`)
    expect(brokenIn(await checkStore(service.store))).toEqual({ orphans: 1 })
    await repairStore(service.store)
    const found = await checkStore(service.store)
    expect(brokenIn(found)).toEqual({})
    expect(findingOf(found, 'orphans').remains).toBeGreaterThan(0)
  })
})

test('a repair that turns out to be impossible is not counted as one', async () => {
  const columns = raw('type, sort_key, content, size, updated_at, user_id')
  await run(
    sql`INSERT INTO tag_values (tag_id, object_id, ${columns})
      SELECT tag_id, ${NEW_OBJECT}, ${columns} FROM tag_values WHERE tag_id = 1 AND object_id = ${await thing()}`,
    sql`INSERT INTO terms (tag_id, term, object_id)
      SELECT tag_id, term, ${NEW_OBJECT} FROM terms WHERE tag_id = 1 AND object_id = ${await thing()}`,
  )
  // Two objects are about the same: nobody can tell which of them it is.
  expect(findingOf(await checkStore(service.store), 'about values')).toMatchObject({
    broken: 1,
    repairable: 1,
  })
  expect([...(await repairStore(service.store))]).toEqual([])
  await run(
    sql`DELETE FROM tag_values WHERE object_id = ${NEW_OBJECT}`,
    sql`DELETE FROM terms WHERE object_id = ${NEW_OBJECT}`,
  )
})

/** Damage that nothing in the store tells how to mend. */
const HOPELESS: readonly Damage[] = [
  {
    rule: 'users',
    what: 'no anonymous user',
    found: 2,
    breaks: async () => {
      await run(sql`UPDATE users SET id = 77 WHERE id = 2`)
      return [sql`UPDATE users SET id = 2 WHERE id = 77`]
    },
  },
  {
    rule: 'tags',
    what: 'policies that tags do not have',
    breaks: async () => {
      await run(sql`UPDATE tags SET open_actions = open_actions + 1 WHERE path = ${'bob/number'}`)
      return [sql`UPDATE tags SET open_actions = open_actions - 1 WHERE path = ${'bob/number'}`]
    },
  },
  {
    rule: 'things and objects',
    what: 'a namespace with the object of something else',
    breaks: async () => {
      const object = await objectOf('alice/deep', 'namespaces')
      const move = (from: Buffer, to: Buffer): Sql[] => [
        sql`UPDATE namespaces SET object_id = ${to} WHERE object_id = ${from}`,
        sql`UPDATE tag_values SET object_id = ${to} WHERE tag_id IN (2, 3) AND object_id = ${from}`,
        sql`UPDATE terms SET object_id = ${to} WHERE tag_id IN (2, 3) AND object_id = ${from}`,
      ]
      // It has an about value, but that of a tag.
      const other = await objectOf('alice/plain')
      await run(...move(object, other))
      return move(other, object)
    },
  },
  {
    rule: 'purges',
    what: 'the purge of a tag that exists',
    breaks: async () => {
      const id = await idOf('alice/plain')
      await run(sql`INSERT INTO tag_purges (tag_id, deleted_at) VALUES (${id}, 1)`)
      return [sql`DELETE FROM tag_purges WHERE tag_id = ${id}`]
    },
  },
  {
    rule: 'contents',
    what: 'a string that does not end',
    breaks: async () => {
      const where = await of('alice/deep/er/word')
      await run(sql`UPDATE tag_values SET content = ${'"book:Dune again '} WHERE ${where}`)
      return [sql`UPDATE tag_values SET content = ${'"book:Dune again"'} WHERE ${where}`]
    },
  },
  {
    rule: 'contents',
    what: 'octets that are no UTF-8, and as text as many and canonical',
    breaks: async () => {
      const where = await of('alice/deep/er/word')
      const octets = Buffer.from('"book:\xf0\x9f\x98e again"', 'latin1')
      await run(sql`UPDATE tag_values SET content = ${octets} WHERE ${where}`)
      return [sql`UPDATE tag_values SET content = ${'"book:Dune again"'} WHERE ${where}`]
    },
  },
  {
    rule: 'contents',
    what: 'opaque octets without a content type',
    breaks: async () => {
      const where = await of('alice/short')
      await run(sql`UPDATE tag_values SET content_type = NULL WHERE ${where}`)
      return [sql`UPDATE tag_values SET content_type = ${'application/x-thing; of="a kind"'} WHERE ${where}`]
    },
  },
  {
    rule: 'sizes',
    what: 'a long value without its second part',
    breaks: async () => {
      const where = await of('alice/large')
      await run(sql`UPDATE value_parts SET part = 9 WHERE ${where} AND part = 1`)
      return [sql`UPDATE value_parts SET part = 1 WHERE ${where} AND part = 9`]
    },
  },
  {
    rule: 'about values',
    what: 'an object that is about what nobody knows',
    breaks: async () => {
      await run(
        sql`INSERT INTO about_values (about_hash, object_id) VALUES (${Buffer.alloc(32, 9)}, ${NEW_OBJECT})`,
      )
      return [sql`DELETE FROM about_values WHERE object_id = ${NEW_OBJECT}`]
    },
  },
  {
    rule: 'system values',
    what: 'a user without an address',
    breaks: async () => {
      const bob = sql`tag_id = 8 AND object_id = (SELECT object_id FROM users WHERE username = ${'bob'})`
      const [row] = await rowsOf<{ object_id: Buffer; sort_key: Buffer; updated_at: number }>(
        service.store,
        sql`SELECT object_id, sort_key, updated_at FROM tag_values WHERE ${bob}`,
      )
      await run(sql`DELETE FROM tag_values WHERE ${bob}`)
      return [
        sql`INSERT INTO tag_values (tag_id, object_id, type, sort_key, content, size, updated_at, user_id)
          VALUES (8, ${row?.object_id ?? null}, 4, ${row?.sort_key ?? null}, ${'""'}, 2, ${row?.updated_at ?? null}, 1)`,
      ]
    },
  },
]

describe('is found by its rule alone, and left as it is', () => {
  test.each(HOPELESS.map((damage) => [damage.rule, damage.what, damage] as const))(
    '%s: %s',
    async (rule, _what, { breaks, found: count = 1 }) => {
      const undo = (await breaks()) ?? []
      const damaged = await dump()
      const found = await checkStore(service.store)
      await repairStore(service.store)
      const left = await dump()
      await run(...undo)
      expect(brokenIn(found)).toEqual({ [rule]: count })
      expect(findingOf(found, rule).repairable).toBe(0)
      expect(left).toEqual(damaged)
      expect(brokenIn(await checkStore(service.store))).toEqual({})
    },
  )

  test('indexes: one that is missing', async () => {
    const on = onSqlite ? raw('') : raw('ON tag_values')
    const ddl = (statement: Sql): Promise<unknown> => service.store.write(SERVICE, (tx) => tx.run(statement))
    await ddl(sql`DROP INDEX tag_values_by_user ${on}`)
    expect(brokenIn(await checkStore(service.store))).toEqual({ indexes: 1 })
    await ddl(sql`CREATE INDEX tag_values_by_user ON tag_values (user_id, tag_id, updated_at)`)
    expect(brokenIn(await checkStore(service.store))).toEqual({})
  })
})

/** The parts of the driver that are used here. */
interface Sqlite {
  exec(text: string): void
  unsafeMode(): void
  close(): void
}

if (onSqlite) {
  test('indexes: one that has lost a row, which is still in the table', async () => {
    const opened = await openStores()
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Sqlite
    const db = new Database(opened.url.slice('sqlite:'.length))
    // SQLite makes an index without some rows, and is then told that it has all.
    db.unsafeMode()
    db.exec(`DROP INDEX tag_values_by_value;
      CREATE INDEX tag_values_by_value ON tag_values (tag_id, sort_key, object_id) WHERE tag_id <> 6;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, ' WHERE tag_id <> 6', '') WHERE name = 'tag_values_by_value'`)
    db.close()
    const reopened = createStore(opened.url)
    expect(brokenIn(await checkStore(reopened))).toEqual({ indexes: 1 })
    await reopened.close()
    await opened.close()
  })
}
