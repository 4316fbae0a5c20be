/** A backup has everything, on whatever database it is restored, and a restore does all or nothing. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { compareStores } from '../../scripts/drill/compare.ts'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { copyOf, CopyFault, recordsIn, verifyCopy } from '../../src/copy/copy-file.ts'
import type { BackupRecord } from '../../src/copy/records.ts'
import { checkStore, isSound } from '../../src/data/maintenance/check-store.ts'
import { requireKeptStore } from '../../src/data/maintenance/kept.ts'
import { writeNewFile } from '../../src/data/maintenance/new-file.ts'
import { NotEmpty, restore, verifiedBackup } from '../../src/data/maintenance/restore.ts'
import { raw, sql, type Sql } from '../../src/data/database/connection/sql.ts'
import { SCHEMA } from '../../src/data/store/versions.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { PART_BYTES } from '../../src/data/values/encoding.ts'
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { freshDatabase, PATIENT, type FreshDatabase } from '../support/database.ts'
import { startAnother, type Service } from '../support/service.ts'
import { startFilledService } from './kept-fixture.ts'
import { numberOf, onSqlite, rowsOf } from './open.ts'

let service: Service
let folder = ''
let file = ''

beforeAll(async () => {
  service = await startFilledService()
  folder = await mkdtemp(join(tmpdir(), 'gloss-backup-'))
  file = join(folder, 'whole.gz')
  await backUp(service.store, file)
}, 120_000)
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const opened: { readonly store: Store; readonly database: FreshDatabase }[] = []

/** A new store with nothing in it. */
async function emptyStore(kind?: 'sqlite' | 'mysql'): Promise<Store> {
  const database = await freshDatabase(kind)
  const store = createStore(database.url)
  opened.push({ store, database })
  await store.migrate()
  return store
}
afterEach(async () => {
  for (const { store, database } of opened.splice(0)) {
    await store.close()
    await database.drop()
  }
})

const restoreFrom = async (store: Store, from: string, anew = false): Promise<void> =>
  restore(store, await verifiedBackup(from), anew)

const NEXT = { users: 3, namespaces: 3, tags: 3 }

/** Writes a backup with these records. */
const writeBackup = (name: string, records: AsyncIterable<BackupRecord>, schema = SCHEMA): Promise<void> =>
  writeNewFile(name, copyOf(records, { schema, next: NEXT }))

const nothing = async function* (): AsyncGenerator<BackupRecord> {
  // A file without records is whole.
}

const USER: BackupRecord = {
  ...{ user: 'other', role: 'user', hash: null, number: 1 },
  id: '00000000-0000-4000-8000-000000000000',
}

/** A store that is restored from the backup, to be damaged. */
async function copy(): Promise<Store> {
  const store = await emptyStore()
  await restoreFrom(store, file)
  return store
}

/** Runs statements, each of which must change something. */
const run = (store: Store, ...statements: readonly Sql[]): Promise<void> =>
  store.write(SERVICE, async (tx) => {
    for (const statement of statements) expect(await tx.run(statement)).toBeGreaterThan(0)
  })

/** A member of an object with private ones. */
function bound(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target)
  return typeof member === 'function' ? (member.bind(target) as unknown) : member
}

/** SQL for the number of a tag. */
const tagAt = (path: string): Sql => sql`(SELECT id FROM tags WHERE path = ${path})`

const TABLES = ['users', 'namespaces', 'tags', 'permission_exceptions', 'about_values', 'tag_values']
const rowsIn = async (store: Store): Promise<number[]> =>
  Promise.all(
    [...TABLES, 'value_parts', 'terms'].map((table) =>
      numberOf(store, sql`SELECT count(*) AS n FROM ${raw(table)}`),
    ),
  )

async function expectSame(store: Store): Promise<void> {
  const comparison = await compareStores(service.store, store)
  expect(comparison.filter(({ differences }) => differences > 0)).toEqual([])
  expect(comparison.filter(({ rows }) => rows === 0)).toEqual([])
  const found = await checkStore(store)
  expect(found.flatMap(({ examples }) => examples)).toEqual([])
}

describe('a backup', () => {
  test('restored into an empty store makes the same store, row by row', async () => {
    const store = await emptyStore()
    await restoreFrom(store, file)
    await expectSame(store)
    // A service finds it complete.
    await bootstrap(store)
    await expectSame(store)
  })

  test('restored gives each tag a bound of as many values as it has', async () => {
    const store = await copy()
    const bounds = await rowsOf<{ bound: number; n: number }>(
      store,
      sql`SELECT value_bound AS bound, (SELECT count(*) FROM tag_values v WHERE v.tag_id = t.id) AS n FROM tags t`,
    )
    expect(bounds.filter(({ bound, n }) => bound !== n)).toEqual([])
    expect(Math.max(...bounds.map(({ n }) => n))).toBeGreaterThan(100)
  })

  test('restored takes few statements for the bounds of many tags', async () => {
    const store = await emptyStore()
    const updates: string[] = []
    const write: Store['write'] = (caller, work, signal) =>
      store.write(
        caller,
        (tx) => {
          const run: typeof tx.run = (statement) => {
            if (statement.text.includes('UPDATE tags')) updates.push(statement.text)
            return tx.run(statement)
          }
          return work(new Proxy(tx, { get: (target, name) => (name === 'run' ? run : bound(target, name)) }))
        },
        signal,
      )
    await restore({ ...store, write }, await verifiedBackup(file))
    expect(updates).toHaveLength(1)
  })

  if (!onSqlite) {
    test('goes from MySQL to SQLite and back', async () => {
      const sqlite = await emptyStore('sqlite')
      await restoreFrom(sqlite, file)
      await expectSame(sqlite)
      const back = join(folder, 'back.gz')
      await backUp(sqlite, back)
      const store = await emptyStore()
      await restoreFrom(store, back)
      await expectSame(store)
    })
  }

  test('is for its owner alone, and is no half of one under its name', async () => {
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
    await expect(stat(`${file}.unfinished`)).rejects.toThrow('ENOENT')
  })

  test('overwrites nothing', async () => {
    const before = await readFile(file)
    await expect(backUp(service.store, file)).rejects.toThrow('overwrites nothing')
    expect(before.equals(await readFile(file))).toBe(true)
    const other = join(folder, 'other.gz')
    await writeFile(`${other}.unfinished`, 'of another process')
    await expect(backUp(service.store, other)).rejects.toThrow('EEXIST')
    expect(await readFile(`${other}.unfinished`, 'utf8')).toBe('of another process')
  })

  test('leaves nothing behind if it fails', async () => {
    const broken = join(folder, 'broken.gz')
    const records = async function* (): AsyncGenerator<BackupRecord> {
      yield USER
      throw new Error('the connection was lost')
    }
    await expect(writeBackup(broken, records())).rejects.toThrow('the connection was lost')
    await expect(stat(`${broken}.unfinished`)).rejects.toThrow('ENOENT')
    await expect(stat(broken)).rejects.toThrow('ENOENT')
  })

  test('is restored, too, after it was unpacked', async () => {
    const unpacked = join(folder, 'unpacked')
    await writeFile(unpacked, gunzipSync(await readFile(file)))
    const store = await emptyStore()
    await restoreFrom(store, unpacked)
    await expectSame(store)
  })

  test('has no value of deleted tags, and no term', async () => {
    const text = gunzipSync(await readFile(file)).toString()
    expect(text).toContain('book:Dune again')
    expect(text).not.toContain('value of a deleted tag')
    expect(text).not.toContain('wdune')
  })

  test('has everything that was acknowledged before it began, while others write', async () => {
    const busy = join(folder, 'busy.gz')
    let [writing, written] = [true, 0]
    const write = async (): Promise<void> => {
      for (; writing; written++) {
        await service.ok('PUT', `/about/busy:${String(written)}/carol/number`, {
          as: 'carol',
          primitive: String(written),
        })
      }
    }
    const writer = write()
    while (written < 20) await new Promise((resolve) => setImmediate(resolve))
    const acknowledged = written
    await backUp(service.store, busy)
    writing = false
    await writer
    const store = await emptyStore()
    await restoreFrom(store, busy)
    const restored = await numberOf(
      store,
      sql`SELECT count(*) AS n FROM tag_values v JOIN tags t ON t.id = v.tag_id WHERE t.path = ${'carol/number'}`,
    )
    expect(restored).toBeGreaterThanOrEqual(acknowledged)
    expect(isSound(await checkStore(store))).toBe(true)
    await service.ok('DELETE', '/tags/carol/number', { as: 'carol' })
    await rm(file)
    await backUp(service.store, file)
  })
})

const VALUES = sql`UPDATE tag_values SET`

/** What makes a value one that a backup cannot keep: where, what is said of it, and the damage. */
const DAMAGES: Readonly<Record<string, readonly [path: string, why: string, ...damage: Sql[]]>> = {
  'a short value is not UTF-8': [
    'alice/deep/er/word',
    'its content is not one of its type',
    // Read as text, these are as many octets, and canonical.
    sql`${VALUES} content = ${Buffer.from('"book:\xf0\x9f\x98e again"', 'latin1')} WHERE TRUE`,
  ],
  'a long value is not UTF-8': [
    'alice/deep/er/huge',
    'its content is not one of its type',
    sql`UPDATE value_parts SET content = ${Buffer.from('\xf0\x9f\x98"', 'latin1')} WHERE part = 1`,
    sql`${VALUES} size = ${PART_BYTES + 4} WHERE TRUE`,
  ],
  'a content type is not UTF-8': [
    'alice/short',
    'its content is not one of its type',
    sql`${VALUES} content_type = ${Buffer.of(0x61, 0xff)} WHERE TRUE`,
  ],
  'a part is missing': [
    'alice/large',
    'parts of it are missing',
    sql`DELETE FROM value_parts WHERE part = 1`,
  ],
}

describe('a backup leaves out a value, and says so, when', () => {
  test.each(Object.entries(DAMAGES))('%s', async (_what, [path, why, ...damage]) => {
    const [store, other] = [await copy(), await emptyStore()]
    await run(store, ...damage.map((statement) => sql`${statement} AND tag_id = ${tagAt(path)}`))
    const damaged = join(folder, `without-${path.replaceAll('/', '-')}.gz`)
    const { leftOut, counts } = await backUp(store, damaged)
    const all = await verifiedBackup(file)
    expect(counts.values + counts.opaque).toBe(all.counts.values + all.counts.opaque - 1)
    expect(leftOut).toEqual([expect.stringMatching(`^tag [0-9]+, object [-0-9a-f]+: ${why}$`)])
    expect(isSound(await checkStore(store))).toBe(false)
    await restoreFrom(other, damaged)
    expect(isSound(await checkStore(other))).toBe(true)
  })
})

test('a store in which two objects have the same about value is restored, and found to be damaged', async () => {
  const [store, other] = [await copy(), await emptyStore()]
  const columns = 'type, sort_key, content, size, updated_at, user_id'
  const about = sql`tag_id = 1 AND content = ${'"thing"'}`
  const twin = Buffer.alloc(16, 7)
  await run(
    store,
    sql`INSERT INTO tag_values (tag_id, object_id, ${raw(columns)})
      SELECT tag_id, ${twin}, ${raw(columns)} FROM tag_values WHERE ${about}`,
  )
  const twins = join(folder, 'twins.gz')
  await backUp(store, twins)
  await restoreFrom(other, twins)
  expect(await numberOf(other, sql`SELECT count(*) AS n FROM tag_values WHERE ${about}`)).toBe(2)
  const broken = (await checkStore(other)).filter((finding) => finding.broken > 0)
  expect(broken.map((finding) => [finding.rule, finding.broken])).toEqual([['about values', 1]])
})

type Change = (line: string) => string

/** A backup with another first or last line, and the checksum that fits. */
function rewritten(whole: Buffer, { head = String, end = String }: { head?: Change; end?: Change }): Buffer {
  const [first = '', ...lines] = gunzipSync(whole).toString().trimEnd().split('\n')
  const last = lines.pop() ?? ''
  const before = `${[head(first), ...lines].join('\n')}\n`
  const sha256 = createHash('sha256').update(before).digest('hex')
  const changed = end(last.replace(/[0-9a-f]{64}/, sha256))
  expect([head(first), changed]).not.toEqual([first, last])
  return gzipSync(`${before}${changed}\n`)
}

const counting =
  (counts: string): Change =>
  (line) =>
    line.replace(/\{"users".*?\}/, counts)

describe('a restore changes nothing', () => {
  test('in a store that is not empty', async () => {
    const store = await emptyStore()
    await bootstrap(store)
    const before = await rowsIn(store)
    await expect(restoreFrom(store, file)).rejects.toThrow(NotEmpty)
    await expect(restoreFrom(store, file, true)).rejects.toThrow(NotEmpty)
    expect(await rowsIn(store)).toEqual(before)
  })

  const damaged: Readonly<Record<string, (whole: Buffer) => Buffer | Promise<Buffer>>> = {
    'an octet was changed': (whole) => {
      const other = Buffer.from(whole)
      const at = other.length >> 1
      other[at] = (other[at] ?? 0) ^ 1
      return other
    },
    'the end is missing': (whole) => whole.subarray(0, whole.length - 100),
    'a line is missing': (whole) =>
      gzipSync(
        gunzipSync(whole)
          .toString()
          .split('\n')
          .filter((_, i) => i !== 9)
          .join('\n'),
      ),
    'a line was changed': (whole) => gzipSync(gunzipSync(whole).toString().replace('book:Dune', 'book:Dude')),
    'the last line is missing': (whole) =>
      gzipSync(`${gunzipSync(whole).toString().split('\n').slice(0, -2).join('\n')}\n`),
    'it is of another format': (whole) =>
      gzipSync(gunzipSync(whole).toString().replace('"gloss-copy":1', '"gloss-copy":2')),
    'it is something else': () => gzipSync('{"a": 1}\n'),
    'it is an archive': async () => Buffer.from((await Array.fromAsync(copyOf(nothing()))).join('')),
    'it is empty': () => Buffer.alloc(0),
    'its last line is no JSON': (whole) => rewritten(whole, { end: (line) => line.slice(0, -1) }),
    'it has no counts': (whole) => rewritten(whole, { end: counting('null') }),
    'it lacks a count': (whole) => rewritten(whole, { end: counting('{"users":1}') }),
    'a count is no number': (whole) =>
      rewritten(whole, { end: (line) => line.replace(/"opaque":\d+/, '"opaque":"1"') }),
    'a next number is no number': (whole) =>
      rewritten(whole, { head: (line) => line.replace(/"tags":\d+/, '"tags":"1"') }),
    'a next number is missing': (whole) =>
      rewritten(whole, { head: (line) => line.replace(/"next":.*\}/, '"next":{}}') }),
    'it has no next numbers': (whole) =>
      rewritten(whole, { head: (line) => line.replace(/"next":.*\}/, '"next":null}') }),
  }

  test.each(Object.entries(damaged))('when %s', async (_what, damage) => {
    const other = join(folder, 'damaged.gz')
    await writeFile(other, await damage(await readFile(file)))
    const store = await emptyStore()
    await expect(restoreFrom(store, other)).rejects.toThrow(CopyFault)
    expect(new Set(await rowsIn(store))).toEqual(new Set([0]))
    await restoreFrom(store, file)
    await expectSame(store)
  })

  test('when a line is longer than any that a backup has', async () => {
    const long = join(folder, 'long.gz')
    await writeFile(long, gzipSync(`{"gloss-copy":1,"made":"${'x'.repeat(200_000)}`))
    await expect(verifyCopy(long, 100_000)).rejects.toThrow('one of its lines is too long')
    const { counts } = await verifyCopy(file)
    expect(counts.users).toBeGreaterThan(0)
  })

  test('when there is no such file', async () => {
    const store = await emptyStore()
    await expect(restoreFrom(store, join(folder, 'nowhere.gz'))).rejects.toThrow('there is no file')
  })

  test('when a later version has made the file', async () => {
    const later = join(folder, 'later.gz')
    await writeBackup(later, nothing(), '9999-later')
    const store = await emptyStore()
    await expect(restoreFrom(store, later)).rejects.toThrow('a later version of Gloss (9999-later)')
    await bootstrap(store)
  })

  test('when it fails on the way', async () => {
    const records = async function* (): AsyncGenerator<BackupRecord> {
      yield* recordsIn(file) as AsyncIterable<BackupRecord>
      // A second user of that number.
      yield USER
    }
    const twice = join(folder, 'twice.gz')
    await writeBackup(twice, records())
    const store = await emptyStore()
    await expect(restoreFrom(store, twice)).rejects.toThrow('ServiceUnavailable')
    expect(new Set(await rowsIn(store))).toEqual(new Set([0]))
    await bootstrap(store)
  })
})

describe('a restore that was killed', () => {
  let store: Store
  beforeEach(async () => {
    store = await emptyStore()
    await restoreFrom(store, file)
    await store.write(SERVICE, async (tx) => {
      await tx.run(sql`INSERT INTO id_blocks (kind, next_id) VALUES (${'restoring'}, 0)`)
      await tx.run(sql`DELETE FROM users WHERE id > 2`)
    })
  })

  test('leaves a store that is not served, checked or backed up', async () => {
    await expect(bootstrap(store)).rejects.toThrow('restored only in part')
    await expect(requireKeptStore(store, 'check')).rejects.toThrow('restored only in part')
  })

  test('is begun again only if it is asked for, and then done', async () => {
    const before = await rowsIn(store)
    await expect(restoreFrom(store, file)).rejects.toThrow('--anew')
    expect(await rowsIn(store)).toEqual(before)
    await restoreFrom(store, file, true)
    await expectSame(store)
    await requireKeptStore(store, 'check')
  })
})

/** What has an entity tag of its state, and the users who see it. */
const STATES: readonly (readonly [path: string, ...readers: string[]])[] = [
  ['/namespaces/alice/deep', 'alice'],
  ['/namespaces/alice/deep?returnNamespaces=true', 'alice'],
  ['/tags/alice/plain', 'alice'],
  ['/users/alice', 'alice', 'service'],
  ['/permissions/namespaces/alice/deep?action=list', 'alice'],
  ['/permissions/tags/alice/plain?action=delete', 'alice'],
  ['/permissions/tag-values/alice/plain?action=read', 'alice'],
]

test('states have the same entity tags at another instance, and in a restored store', async () => {
  const tagsAt = (asked: Service): Promise<unknown[]> =>
    Promise.all(
      STATES.flatMap(([path, ...readers]) =>
        readers.map(async (as) => (await asked.ok('GET', path, { as })).headers.etag),
      ),
    )
  const tags = await tagsAt(service)
  expect(tags).not.toContain(undefined)
  await copy()
  for (const url of [service.databaseUrl, ...opened.map(({ database }) => database.url)]) {
    const other = await startAnother(url, PATIENT)
    expect(await tagsAt(other)).toEqual(tags)
    await other.stop()
  }
})
