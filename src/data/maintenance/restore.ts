/** Restores a backup into an empty store; derived rows are made anew, by the rules of this version. */
import type { TagValue } from '../../model/tag-value.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
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
import { Encoded, typeCode } from '../values/encoding.ts'
import {
  BackupFault,
  KINDS,
  readBackupFile,
  verifyBackupFile,
  type Counts,
  type Kind,
  type Line,
  type ValueLine,
} from './backup-file.ts'
import { placeText } from './findings.ts'
import { firstIn } from './kept.ts'
import { insertThings, insertValues, type ReadValue } from './restored-rows.ts'
import { valueOf } from './stored-values.ts'

/** The result of a restore. */
export interface Restored {
  readonly counts: Counts
  /** The values that were left out, because their content is not canonical for their type. */
  readonly leftOut: readonly string[]
}

/** The store has data, so the restore did not begin. */
export class NotEmpty extends Error {}

/** A backup that was read as a whole: it is intact, and this version can restore it. */
export interface VerifiedBackup {
  readonly file: string
}

/** Reads a whole backup. Throws a `BackupFault` if a version with the migrations `known` cannot restore it. */
export async function verifiedBackup(file: string, known = MIGRATION_NAMES): Promise<VerifiedBackup> {
  const { schema } = await verifyBackupFile(file)
  if (known.includes(schema)) return { file }
  throw new BackupFault(`'${file}' was made by a later version of Gloss (${schema})`)
}

/**
 * Restores a backup into an empty store, and makes its schema. If this fails, it empties the store again. If the process is
 * killed, the service does not start on the store until a restore with `anew` has emptied and filled it. Throws `NotEmpty`,
 * and changes nothing, if the store has any data.
 */
export async function restore(store: Store, { file }: VerifiedBackup, anew = false): Promise<Restored> {
  // Before the migration: a store in use may belong to another version.
  await hasRemains((statement) => firstIn(store, statement), anew)
  await store.migrate()
  await store.write(SERVICE, (tx) => begin(tx, anew))
  const loading = new Loading(store)
  try {
    for await (const item of itemsIn(file)) await loading.add(item)
    return await loading.finish()
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

/** A line of a backup; a value comes with its whole content. */
type Item =
  { readonly thing: Exclude<Line, ValueLine> } | { readonly value: ValueLine; readonly content: Buffer }

async function* itemsIn(file: string): AsyncGenerator<Item> {
  let long: { readonly value: ValueLine; readonly parts: Buffer[] } | undefined
  for await (const line of readBackupFile(file)) {
    if ('schema' in line) continue
    if (line[0] === 'part') {
      long?.parts.push(Buffer.from(line[1], 'base64'))
    } else if (line[0] !== 'value') {
      yield { thing: line }
    } else if (typeof line[7] === 'string') {
      yield { value: line, content: Buffer.from(line[7], line[3] === 'opaque' ? 'base64' : 'utf8') }
    } else {
      long = { value: line, parts: [] }
    }
    if (long === undefined || long.parts.length < Number(long.value[7])) continue
    yield { value: long.value, content: Buffer.concat(long.parts) }
    long = undefined
  }
}

/** How many rows, and how many octets of contents, one transaction stores, unless a single value has more. */
const [ROWS_AT_ONCE, OCTETS_AT_ONCE] = [1_000, 4 * 1024 * 1024]

/** A running restore. */
class Loading {
  readonly #store: Store
  readonly #counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  readonly #leftOut: string[] = []
  readonly #nextIds: (readonly [kind: string, id: number])[] = []
  readonly #tags = new Map<number, { readonly indexed: boolean; values: number }>()
  #things: Line[] = []
  #values: ReadValue[] = []
  #octets = 0

  constructor(store: Store) {
    this.#store = store
  }

  async add(item: Item): Promise<void> {
    if ('thing' in item) this.#addThing(item.thing)
    else this.#addValue(item.value, item.content)
    if (this.#things.length + this.#values.length >= ROWS_AT_ONCE || this.#octets >= OCTETS_AT_ONCE)
      await this.#flush()
  }

  /** Stores the remaining rows; from then on the store can be used. */
  async finish(): Promise<Restored> {
    await this.#flush()
    const bounds = [...this.#tags]
      .map(([tagId, { values }]) => ({ tagId, by: values }))
      .filter(({ by }) => by > 0)
    for (let at = 0; at < bounds.length; at += ROWS_AT_ONCE)
      await this.#store.write(SERVICE, (tx) => raise(tx, bounds.slice(at, at + ROWS_AT_ONCE)))
    await this.#store.write(SERVICE, async (tx) => {
      for (const [kind, next] of this.#nextIds) {
        await tx.run(sql`
          INSERT INTO id_blocks (kind, next_id) VALUES (${kind}, ${next})
          ${tx.dialect.overwrite(['kind'], ['next_id'])}`)
      }
      await tx.run(sql`DELETE FROM id_blocks WHERE kind = ${RESTORING}`)
    })
    return { counts: this.#counts, leftOut: this.#leftOut }
  }

  #addThing(line: Exclude<Line, ValueLine>): void {
    this.#counts[line[0]] += 1
    if (line[0] === 'tag') this.#tags.set(line[1], { indexed: line[5] === 1, values: 0 })
    if (line[0] === 'next') this.#nextIds.push([line[1], line[2]])
    else this.#things.push(line)
  }

  #addValue([kind, tagId, on, type, contentType, updatedAt, userId]: ValueLine, content: Buffer): void {
    this.#counts[kind] += 1
    const object = on as ObjectId
    const id = idBytes(object)
    const row = {
      type: type === 'opaque' ? typeCode('opaque') : typeCode('null'),
      content_type: contentType === null ? null : Buffer.from(contentType),
    }
    const value: TagValue | undefined = valueOf(row, content)
    if (value === undefined) {
      this.#leftOut.push(placeText(tagId, id))
      return
    }
    const known = this.#tags.get(tagId)
    if (known !== undefined) known.values += 1
    const tag = { id: tagId, indexed: known?.indexed === true }
    this.#values.push({ tag, object, id, value: new Encoded(value), updatedAt, userId })
    this.#octets += content.length
  }

  async #flush(): Promise<void> {
    const [things, values] = [this.#things, this.#values]
    ;[this.#things, this.#values, this.#octets] = [[], [], 0]
    await this.#store.write(SERVICE, async (tx) => {
      await insertThings(tx, things)
      await insertValues(tx, values)
    })
  }
}
