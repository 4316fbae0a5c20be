/** Queries a database directly, with the fastest functions of its driver. */
import Database from 'better-sqlite3'
import { createConnection, createPool, type Connection, type RowDataPacket } from 'mysql2'
import { WRITTEN } from './store.ts'
import { Encoded } from '../src/data/values/encoding.ts'
import { parsePrimitive } from '../src/model/tag-value.ts'
import { dialectOf, type Target } from './sql-forms.ts'
import type { Work } from './works.ts'

/** The result of a statement. */
export interface Given {
  readonly count: number
  /** Ids of 16 bytes each, if the statement returns ids. */
  bytes(): Buffer
}

/** A database queried by hand. */
export interface ByHand {
  readonly target: Target
  /** Runs a form of a work; a change is one durable transaction. */
  run(gives: Work['gives'], form: readonly string[]): Promise<Given>
  /** The rows of a statement with these values bound, each a list of its columns. */
  rows(text: string, values?: readonly (number | Buffer)[]): Promise<unknown[][]>
  /** Tries a form; undefined if the database has stopped it after `limitMs`, which not every database can. */
  attempt(gives: Work['gives'], form: readonly string[], limitMs: number): Promise<Given | undefined>
  /** Runs other statements with the limits of `attempt`. */
  within<T>(limitMs: number, work: () => Promise<T>): Promise<T | undefined>
  /** The content of one value. */
  readValue(tagId: number, object: Buffer): Promise<Buffer | undefined>
  /** Sets one value, durably. */
  writeValue(tagId: number, object: Buffer, json: string): Promise<void>
  close(): void
}

export const openByHand = (url: string): Promise<ByHand> =>
  url.startsWith('sqlite:') ? sqliteByHand(url.slice('sqlite:'.length)) : mysqlByHand(url)

const given = (count: number, bytes: () => Buffer = () => Buffer.alloc(0)): Given => ({ count, bytes })

const READ_VALUE = 'SELECT content FROM tag_values WHERE tag_id = ? AND object_id = ?'
const COLUMNS = ['type', 'sort_key', 'content', 'size', 'content_type', 'updated_at', 'user_id']

const writeStatement = (target: Target): string =>
  `INSERT INTO tag_values (tag_id, object_id, ${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, 1)
  ${target.dialect.overwrite(['tag_id', 'object_id'], COLUMNS).text}`

function writeValues(tagId: number, object: Buffer, json: string): (number | Buffer)[] {
  const { type, sortKey, content } = new Encoded(parsePrimitive(json))
  return [tagId, object, type, sortKey, content, content.length, Date.now() * 1000]
}

const lookUp =
  (ids: ReadonlyMap<string, number>) =>
  (path: string): number => {
    const id = ids.get(path)
    if (id === undefined) throw new Error(`no tag ${path} in the store`)
    return id
  }

/** An SQLite database with the settings of the service. */
export function asByService(db: Database): Database {
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'cache_size = -65536',
    'wal_autocheckpoint = 10000',
  ]) {
    db.pragma(pragma)
  }
  return db
}

async function sqliteByHand(file: string): Promise<ByHand> {
  const db = asByService(new Database(file))
  const rows = db.prepare('SELECT path, id FROM tags').all() as { path: Buffer; id: number }[]
  const target = {
    dialect: dialectOf('sqlite'),
    tagId: lookUp(new Map(rows.map(({ path, id }) => [path.toString(), id]))),
  }
  const prepared = new Map<string, ReturnType<Database['prepare']>>()
  const prepare = (text: string): ReturnType<Database['prepare']> => {
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const read = prepare(READ_VALUE)
  const write = prepare(writeStatement(target))
  const run = (gives: Work['gives'], [statement = '', ...more]: readonly string[]): Given => {
    if (gives === 'ids') {
      // SQLite returns one value many times faster than a million rows.
      const row = prepare(`SELECT CAST(group_concat(object_id, '') AS BLOB) AS ids FROM (${statement})`).get()
      const { ids } = row as { ids: Buffer | null }
      return given((ids?.length ?? 0) / 16, () => ids ?? Buffer.alloc(0))
    }
    if (gives === 'count') return given((prepare(statement).get() as { n: number }).n)
    if (gives === 'values') return given(prepare(statement).raw().all().length)
    db.exec('BEGIN IMMEDIATE')
    const changed = [statement, ...more].reduce((sum, each) => sum + prepare(each).run().changes, 0)
    db.exec('COMMIT')
    return given(changed)
  }
  /** SQLite can stop a statement only between two rows. */
  const attempt = (gives: Work['gives'], form: readonly string[], limitMs: number): Given | undefined => {
    if (gives !== 'ids') return run(gives, form)
    const begin = performance.now()
    let count = 0
    const rows = prepare(form[0] ?? '')
      .raw()
      .iterate()
    for (; rows.next().done !== true; count++) {
      if (count % 256 !== 0 || performance.now() - begin <= limitMs) continue
      rows.return?.()
      return undefined
    }
    return given(count)
  }
  return {
    target,
    run: async (gives, form) => run(gives, form),
    rows: async (text, values = []) =>
      prepare(text)
        .raw()
        .all(...values) as unknown[][],
    attempt: async (gives, form, limitMs) => attempt(gives, form, limitMs),
    within: (_limitMs, work) => work(),
    readValue: async (tagId, object) => (read.get(tagId, object) as { content: Buffer } | undefined)?.content,
    writeValue: async (tagId, object, json) => {
      write.run(...writeValues(tagId, object, json))
    },
    close: () => {
      db.close()
    },
  }
}

const POOL = 16

/** The codes of statements that exceeded their time limit, in MariaDB and in MySQL. */
const TIMEOUTS = [1969, 3024]

/** Runs a statement; returns the number of changed rows. */
const execute = (connection: Connection, sql: string): Promise<number> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error, result) => {
      if (error !== null) reject(error)
      else resolve('affectedRows' in result ? result.affectedRows : 0)
    })
  })

/** Reads row by row, which is several times faster than reading an array of rows. */
const eachRow = (connection: Connection, sql: string, take: (row: unknown[]) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    connection
      .query(sql)
      .on('result', (row) => {
        take(row as unknown as unknown[])
      })
      .on('error', reject)
      .on('end', resolve)
  })

async function mysqlByHand(url: string): Promise<ByHand> {
  const options = { uri: url, charset: 'utf8mb4', rowsAsArray: true }
  const connection = createConnection(options)
  const pool = createPool({ ...options, connectionLimit: POOL }).promise()
  const [rows] = await pool.query<RowDataPacket[][]>('SELECT path, id FROM tags')
  const ids = rows.map(
    ([path, id]) => [(path as unknown as Buffer).toString(), id as unknown as number] as const,
  )
  const target = { dialect: dialectOf('mysql'), tagId: lookUp(new Map(ids)) }
  const write = writeStatement(target)
  const [[version]] = await pool.query<RowDataPacket[][]>('SELECT version()')
  const limit = (ms: number): string =>
    (version?.[0] as unknown as Buffer).includes('MariaDB')
      ? `SET SESSION max_statement_time = ${ms / 1000}`
      : `SET SESSION max_execution_time = ${Math.ceil(ms)}`
  const run = async (gives: Work['gives'], form: readonly string[]): Promise<Given> => {
    const [statement = ''] = form
    let count = 0
    if (gives === 'change') {
      await execute(connection, 'START TRANSACTION')
      for (const sql of form) count += await execute(connection, sql)
      await execute(connection, 'COMMIT')
      return given(count)
    }
    let packed = Buffer.allocUnsafe(gives === 'ids' ? 16 * 1024 : 0)
    await eachRow(connection, statement, ([first]) => {
      if (gives === 'count') count = first as number
      else if (gives === 'values') count++
      else {
        if (count * 16 === packed.length) packed = Buffer.concat([packed], packed.length * 2)
        ;(first as Buffer).copy(packed, 16 * count++)
      }
    })
    return given(count, () => packed.subarray(0, 16 * count))
  }
  const within: ByHand['within'] = async (limitMs, work) => {
    try {
      await execute(connection, limit(limitMs))
      return await work()
    } catch (error) {
      if (TIMEOUTS.includes((error as { errno?: number }).errno ?? 0)) return undefined
      throw error
    } finally {
      await execute(connection, limit(0))
    }
  }
  return {
    target,
    run,
    async rows(text, values) {
      if (values === undefined) {
        const rows: unknown[][] = []
        await eachRow(connection, text, (row) => rows.push(row))
        return rows
      }
      const [found] = await pool.execute<RowDataPacket[][]>(text, [...values])
      return found
    },
    attempt: (gives, form, limitMs) => within(limitMs, () => run(gives, form)),
    within,
    async readValue(tagId, object) {
      const [found] = await pool.execute<RowDataPacket[][]>(READ_VALUE, [tagId, object])
      return found[0]?.[0] as Buffer | undefined
    },
    async writeValue(tagId, object, json) {
      await pool.execute(write, writeValues(tagId, object, json))
    },
    close: () => {
      connection.destroy()
      void pool.end()
    },
  }
}

/** The tag for single values of the hand-written SQL. */
export const writtenByHand = (target: Target): number => target.tagId(WRITTEN.byHand)
