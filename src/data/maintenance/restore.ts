/** Restores a backup into an empty store; derived rows are made anew, by the rules of this version. */
import { CopyFault, recordsIn, verifyCopy, type BackupHead } from '../../copy/copy-file.ts'
import type { BackupRecord, Counts } from '../../copy/records.ts'
import { raw, sql, type Sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import {
  ABOUT_VALUES,
  NAMESPACES,
  PERMISSION_EXCEPTIONS,
  RESTORING,
  TAG_VALUES,
  TAGS,
  TERMS,
  USERS,
  VALUE_PARTS,
} from '../store/tables.ts'
import { raise } from '../store/value-bounds.ts'
import { MIGRATION_NAMES } from '../store/versions.ts'
import type { WriteTx } from '../store/views.ts'
import { lockFilling } from '../entities/bootstrap.ts'
import { SERVICE } from '../entities/users.ts'
import { firstIn } from './kept.ts'
import { insertPortion, Portion, Records } from './restored-records.ts'

/** The store has data, so the restore did not begin. */
export class NotEmpty extends Error {}

/** A backup that was read as a whole: it is intact, and this version can restore it. */
export interface VerifiedBackup extends BackupHead {
  readonly file: string
  readonly counts: Readonly<Counts>
}

/** Reads a whole backup. Throws a `CopyFault` if a version with the migrations `known` cannot restore it. */
export async function verifiedBackup(file: string, known = MIGRATION_NAMES): Promise<VerifiedBackup> {
  const { head, counts } = await verifyCopy(file)
  const { schema, next } = head
  if (schema === undefined || next === undefined) {
    throw new CopyFault(
      `'${file}' is an archive, without passwords and ids: gloss import makes a store of it`,
    )
  }
  if (known.includes(schema)) return { file, counts, schema, next }
  throw new CopyFault(`'${file}' was made by a later version of Gloss (${schema})`)
}

/**
 * Restores a backup into an empty store, and makes its schema. If this fails, it empties the store again. If the process is
 * killed, the service does not start on the store until a restore with `anew` has emptied and filled it. Throws `NotEmpty`,
 * and changes nothing, if the store has any data.
 */
export async function restore(store: Store, backup: VerifiedBackup, anew = false): Promise<void> {
  // Before the migration: a store in use may belong to another version.
  await hasRemains((statement) => firstIn(store, statement), anew)
  await store.migrate()
  await store.write(SERVICE, (tx) => begin(tx, anew))
  try {
    const values = await load(store, recordsIn(backup.file) as AsyncIterable<BackupRecord>)
    await finish(store, values, backup.next)
  } catch (error) {
    await store.write(SERVICE, async (tx) => {
      await empty(tx)
      await tx.run(sql`DELETE FROM id_blocks WHERE kind = ${RESTORING}`)
    })
    throw error
  }
}

/** The tables that a restore fills. */
const FILLED = [USERS, NAMESPACES, TAGS, PERMISSION_EXCEPTIONS, ABOUT_VALUES, TAG_VALUES, VALUE_PARTS, TERMS]

const TABLES = [...FILLED.map(({ name }) => name), 'tag_purges']

async function begin<V>(tx: WriteTx<V>, anew: boolean): Promise<void> {
  await lockFilling(tx)
  if (await hasRemains((statement) => tx.one(statement), anew)) await empty(tx)
  else await tx.run(sql`INSERT INTO id_blocks (kind, next_id) VALUES (${RESTORING}, 0)`)
}

/**
 * Whether a store has only the remains of an earlier restore, which a restore with `anew` may delete. Throws `NotEmpty` if
 * there is any other data. `first` returns the first row of a statement.
 */
async function hasRemains(first: (statement: Sql) => Promise<unknown>, anew: boolean): Promise<boolean> {
  const unfinished = await first(sql`SELECT kind FROM id_blocks WHERE kind = ${RESTORING}`)
  if (unfinished !== undefined) {
    if (anew) return true
    throw new NotEmpty(
      'an earlier restore into this store has not ended. If it is not running any more, --anew deletes what it left, and begins again',
    )
  }
  for (const table of TABLES) {
    const row = await first(sql`SELECT 1 AS found FROM ${raw(table)} LIMIT 1`)
    if (row !== undefined) throw new NotEmpty(`the store is not empty (${table}). Nothing was changed`)
  }
  return false
}

async function empty<V>(tx: WriteTx<V>): Promise<void> {
  // A cluster would refuse one transaction that deletes all rows.
  const emptying = raw(tx.dialect.name === 'mysql' ? 'TRUNCATE TABLE' : 'DELETE FROM')
  for (const table of TABLES) await tx.run(sql`${emptying} ${raw(table)}`)
}

/** How many rows, and how many octets of contents, one transaction stores, unless a single value has more. */
const [ROWS_AT_ONCE, OCTETS_AT_ONCE] = [1_000, 4 * 1024 * 1024]

/** Stores records. Returns how many values each tag has. */
async function load(
  store: Store,
  records: AsyncIterable<BackupRecord>,
): Promise<ReadonlyMap<number, number>> {
  const all = new Records()
  let portion = new Portion()
  const flush = async (): Promise<void> => {
    await store.write(SERVICE, (tx) => insertPortion(tx, portion))
    portion = new Portion()
  }
  for await (const record of records) {
    all.add(record, portion)
    if (portion.rows >= ROWS_AT_ONCE || portion.octets >= OCTETS_AT_ONCE) await flush()
  }
  await flush()
  return all.values
}

/** Stores the bounds of tags and the next numbers; from then on the store can be used. */
async function finish(
  store: Store,
  values: ReadonlyMap<number, number>,
  next: BackupHead['next'],
): Promise<void> {
  const bounds = [...values].map(([tagId, by]) => ({ tagId, by }))
  for (let at = 0; at < bounds.length; at += ROWS_AT_ONCE)
    await store.write(SERVICE, (tx) => raise(tx, bounds.slice(at, at + ROWS_AT_ONCE)))
  await store.write(SERVICE, async (tx) => {
    for (const [kind, id] of Object.entries(next)) {
      await tx.run(sql`
        INSERT INTO id_blocks (kind, next_id) VALUES (${kind}, ${id})
        ${tx.dialect.overwrite(['kind'], ['next_id'])}`)
    }
    await tx.run(sql`DELETE FROM id_blocks WHERE kind = ${RESTORING}`)
  })
}
