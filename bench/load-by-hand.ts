/**
 * Loads cities with hand-written SQL, as a separate process: it stores the same rows as `PUT /values`, prepared before
 * the measurement, in one transaction and in key order.
 *
 * Run with a database URL whose store has the tags. Sends 'ready' when it is.
 */
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { cities, elementOf, OWNER } from '../demo/cities.ts'
import { idBytes, newObjectId } from '../src/data/database/ids/ids.ts'
import type { Bindable } from '../src/data/database/connection/sql.ts'
import { termBytes } from '../src/data/values/terms.ts'
import { ABOUT_VALUES, SERVICE_USER, SYSTEM_TAGS, TAG_VALUES, TERMS } from '../src/data/store/tables.ts'
import { Encoded, sha256 } from '../src/data/values/encoding.ts'
import { columnsOf } from '../src/data/rows/value-parts.ts'
import { parsePrimitive, stringValue } from '../src/model/tag-value.ts'
import { asByService } from './by-hand-database.ts'
import { rowsOf } from './rows.ts'

/** A message to the process: make the rows of that many cities from this one on, or store them. */
export type LoadTask =
  | { readonly number: number; readonly from: number; readonly count: number }
  | { readonly number: number; readonly store: true }

/** The answer, with the time of the store operation in milliseconds. */
export interface Loaded {
  readonly number: number
  readonly ms: number
  readonly error?: string
}

interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, Bindable>>[]
}

const databaseUrl = process.argv[2] ?? ''
const tagIds = new Map(
  (await rowsOf(databaseUrl, 'SELECT path, id FROM tags')).map(({ path, id }) => [String(path), Number(id)]),
)
const users = await rowsOf(databaseUrl, 'SELECT username, id FROM users')
const ownerId = Number(users.find(({ username }) => String(username) === OWNER)?.id)
const insert = databaseUrl.startsWith('sqlite:') ? intoSqlite() : await intoMysql()
let made: readonly Rows[] = []

/** The rows of cities, sorted by the key of each table. */
function rowsFor(from: number, count: number): Rows[] {
  const values: Rows['rows'][number][] = []
  const terms: Rows['rows'][number][] = []
  const abouts: Rows['rows'][number][] = []
  const now = Date.now() * 1000
  for (const city of cities.slice(from, from + count)) {
    const [query, settings] = elementOf(city)
    const about = JSON.parse(query.slice(query.indexOf('"'))) as string
    const id = idBytes(newObjectId())
    const add = (tagId: number, value: Encoded, userId: number): void => {
      values.push({ tag_id: tagId, object_id: id, ...columnsOf(value, now, userId) })
      for (const term of new Set(value.terms(true))) {
        terms.push({ tag_id: tagId, term: termBytes(term), object_id: id })
      }
    }
    abouts.push({ about_hash: sha256(about), object_id: id })
    add(SYSTEM_TAGS.about.id, new Encoded(stringValue(about)), SERVICE_USER.id)
    for (const [path, { value }] of Object.entries(settings)) {
      add(tagIds.get(path) as number, new Encoded(parsePrimitive(JSON.stringify(value))), ownerId)
    }
  }
  return [
    { table: ABOUT_VALUES.name, columns: ABOUT_VALUES.columns, rows: inOrder(abouts, ABOUT_VALUES.key) },
    { table: TAG_VALUES.name, columns: TAG_VALUES.columns, rows: inOrder(values, TAG_VALUES.key) },
    { table: TERMS.name, columns: TERMS.columns, rows: inOrder(terms, TERMS.key) },
  ]
}

const inOrder = (rows: Rows['rows'], key: readonly string[]): Rows['rows'] =>
  rows.toSorted((a, b) => key.reduce((order, column) => order || compared(a[column], b[column]), 0))

const compared = (a: unknown, b: unknown): number =>
  Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.compare(b) : Number(a) - Number(b)

type Insert = (tables: readonly Rows[]) => Promise<void>

function intoSqlite(): Insert {
  const db = asByService(new Database(databaseUrl.slice('sqlite:'.length)))
  const places = (columns: readonly string[]): string => columns.map(() => '?').join(', ')
  const statements = new Map(
    [ABOUT_VALUES, TAG_VALUES, TERMS].map(({ name, columns }) => [
      name,
      db.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places(columns)})`),
    ]),
  )
  return async (tables) => {
    db.exec('BEGIN IMMEDIATE')
    for (const { table, columns, rows } of tables) {
      const statement = statements.get(table)
      for (const row of rows) statement?.run(...columns.map((column) => row[column]))
    }
    db.exec('COMMIT')
  }
}

/** The number of rows in a statement. */
const AT_ONCE = 1_000

async function intoMysql(): Promise<Insert> {
  const connection = await createConnection({ uri: databaseUrl, charset: 'utf8mb4' })
  return async (tables) => {
    await connection.query('START TRANSACTION')
    for (const { table, columns, rows } of tables) {
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = rows.slice(at, at + AT_ONCE).map((row) => columns.map((column) => row[column]))
        await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [some])
      }
    }
    await connection.query('COMMIT')
  }
}

async function answer(task: LoadTask): Promise<Loaded> {
  if ('from' in task) {
    made = rowsFor(task.from, task.count)
    return { number: task.number, ms: 0 }
  }
  const begin = performance.now()
  await insert(made)
  return { number: task.number, ms: performance.now() - begin }
}

process.on('message', (task: LoadTask) => {
  answer(task).then(
    (loaded) => process.send?.(loaded),
    (error: unknown) => process.send?.({ number: task.number, ms: 0, error: String(error) }),
  )
})
process.on('disconnect', () => {
  process.exit()
})
process.send?.('ready')
