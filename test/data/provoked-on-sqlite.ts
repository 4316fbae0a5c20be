/** What provokes each error that SQLite can be made to say, in a folder of its own. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { executor, open } from '../../src/data/database/sqlite/sqlite.ts'
import type { SqliteDatabase } from '../../src/data/database/sqlite/sqlite-file.ts'
import type { Provocation, Provoked } from './provoking.ts'

const SQLITE: readonly Provoked[] = ['SQLite']

type Provoke = (folder: string) => Promise<void>

const run = (db: SqliteDatabase, text: string): unknown => executor(db)({ do: 'run', text, values: [] })

/** Does something with a file that has a table. */
const onFile =
  (work: (db: SqliteDatabase, url: string) => void): Provoke =>
  // `async`, so that an exception becomes a rejection.
  async (folder) => {
    const url = `sqlite:${join(folder, 'gloss.db')}`
    const db = open(url, 'migrate')
    try {
      run(db, 'CREATE TABLE t (a INTEGER PRIMARY KEY, b)')
      work(db, url)
    } finally {
      db.close()
    }
  }

const busy = onFile((db, url) => {
  const other = open(url, 'write')
  try {
    run(db, 'BEGIN IMMEDIATE')
    run(other, 'BEGIN IMMEDIATE')
  } finally {
    other.close()
  }
})

/** Each SELECT of a view shows what was there at its beginning, which other writers have changed since. */
const snapshot = onFile((db, url) => {
  const other = open(url, 'write')
  try {
    run(other, 'BEGIN')
    executor(other)({ do: 'all', text: 'SELECT * FROM t', values: [] })
    run(db, 'INSERT INTO t VALUES (1, 1)')
    run(other, 'INSERT INTO t VALUES (2, 2)')
  } finally {
    other.close()
  }
})

const twice = onFile((db) => {
  for (let i = 0; i < 2; i++) run(db, 'INSERT INTO t VALUES (1, 1)')
})

const full = onFile((db) => {
  db.pragma('max_page_count = 1')
  run(db, 'INSERT INTO t VALUES (1, zeroblob(100000))')
})

const large = onFile((db) => run(db, 'INSERT INTO t VALUES (1, zeroblob(1000000001))'))

const queryOnly = onFile((db) => {
  db.pragma('query_only = 1')
  run(db, 'INSERT INTO t VALUES (1, 1)')
})

const unwritable = onFile((_db, url) => {
  chmodSync(url.slice('sqlite:'.length), 0o400)
  open(url, 'write').close()
})

const missing: Provoke = async (folder) => {
  open(`sqlite:${join(folder, 'missing.db')}`, 'read').close()
}

export const ON_SQLITE: readonly Provocation<string>[] = [
  [SQLITE, undefined, 'SQLITE_BUSY', 'conflict', 'back', busy],
  [SQLITE, undefined, 'SQLITE_BUSY_SNAPSHOT', 'conflict', 'back', snapshot],
  [SQLITE, undefined, 'SQLITE_CONSTRAINT_PRIMARYKEY', 'conflict', 'back', twice],
  [SQLITE, undefined, 'SQLITE_READONLY', 'unavailable', 'back', queryOnly],
  [SQLITE, undefined, 'SQLITE_READONLY', 'unavailable', 'back', unwritable],
  [SQLITE, undefined, 'SQLITE_CANTOPEN', 'unavailable', 'back', missing],
  [SQLITE, undefined, 'SQLITE_FULL', 'unavailable', 'back', full],
  [SQLITE, undefined, 'SQLITE_TOOBIG', 'too large', 'back', large],
]
