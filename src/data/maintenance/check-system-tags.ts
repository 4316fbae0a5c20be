/** Checks about values and the values of the other system tags against the objects, users, namespaces and tags. */
import { idText } from '../database/ids/ids.ts'
import { list, portionsOf, raw, sql } from '../database/connection/sql.ts'
import { ABOUT_VALUES, SYSTEM_TAGS, type SystemTag } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { sha256 } from '../values/encoding.ts'
import { contentOf, VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'
import { deleteSystemValues, writeSystemValue } from '../rows/system-values.ts'
import { rowsIn } from './cursor.ts'
import { compareRows, type DerivedRows, type RowText, type TakeRow } from './derived-rows.ts'
import { placeText, type Findings, type Repair } from './findings.ts'
import { StoredValues, valueOf } from './stored-values.ts'
import { THINGS, type ThingKind } from './things.ts'

/** Checks about values and system values. */
export async function checkSystemValues<V>(tx: ReadTx<V>, findings: Findings): Promise<void> {
  await compareRows(findings, aboutRows(tx))
  for (const thing of THINGS) {
    await compareRows(findings, namingRows(tx, thing, thing.named, thing.column))
    if (thing.kind === 'users') await compareRows(findings, namingRows(tx, thing, 'userRole', 'role'))
    for (const tag of thing.told) await compareRows(findings, toldRows(tx, thing, tag))
  }
}

/** Calls `take` for each value of a system tag with its text; `skip` where the text cannot be read. */
async function texts<V>(
  tx: ReadTx<V>,
  tag: SystemTag,
  take: (object: Buffer, text: string) => void,
  skip: (object: Buffer) => void = () => undefined,
): Promise<void> {
  const { id } = SYSTEM_TAGS[tag]
  const stored = await StoredValues.open(tx, id)
  for await (const { row, content } of stored.of(id)) {
    const value = content === undefined ? undefined : valueOf(row, content)
    if (value?.type === 'string') take(row.object_id, value.value)
    else skip(row.object_id)
  }
}

const octets = (text: string): RowText => Buffer.from(text).toString('latin1')

/** The rows of `about_values`. */
const aboutRows = <V>(tx: ReadTx<V>): DerivedRows => ({
  rule: 'about values',
  expected: (take, skip) =>
    texts(
      tx,
      'about',
      (object, about) => {
        take(object, sha256(about).toString('latin1'))
      },
      skip,
    ),
  async stored(take) {
    const { name: table, columns, key } = ABOUT_VALUES
    const rows = rowsIn<{ about_hash: Buffer; object_id: Buffer }, V>(tx, { table, columns, key })
    for await (const row of rows) take(row.object_id, row.about_hash.toString('latin1'))
  },
  name: (object, { missing, surplus }) =>
    `object ${idText(object)}: ${String(missing.size)} missing, ${String(surplus.length)} too many`,
  // An about value of which only the hash is left cannot be restored.
  repair: (object, { missing, surplus }) =>
    missing.size === 0 ? undefined : repairingAbout(object, surplus),
})

const repairingAbout =
  (object: Buffer, surplus: readonly RowText[]): Repair =>
  async (tx) => {
    const about = await readText(tx, object, 'about')
    if (about === undefined) return false
    const hash = sha256(about)
    const found = await tx.one<{ object_id: Buffer }>(
      sql`SELECT object_id FROM about_values WHERE about_hash = ${hash} ${tx.lock}`,
    )
    const other = found?.object_id ?? object
    // Two objects have the same about value: nothing tells which of them is right.
    if (!other.equals(object) && (await readText(tx, other, 'about')) === about) return false
    await tx.run(sql`DELETE FROM about_values WHERE about_hash = ${hash}`)
    // Other about values that rows give to the object: deleted by hash, since there is no index by object.
    for (const some of portionsOf(surplus.map((row) => Buffer.from(row, 'latin1'))))
      await tx.run(
        sql`DELETE FROM about_values WHERE about_hash IN (${list(some)}) AND object_id = ${object}`,
      )
    await tx.insert(ABOUT_VALUES, [{ about_hash: hash, object_id: object }])
    return true
  }

/** The string of a system tag on an object; undefined if it has none that can be read. */
async function readText<V>(tx: ReadTx<V>, object: Buffer, tag: SystemTag): Promise<string | undefined> {
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v WHERE v.tag_id = ${SYSTEM_TAGS[tag].id} AND v.object_id = ${object}`)
  const value = row === undefined ? undefined : valueOf(row, await contentOf(tx, row))
  return value?.type === 'string' ? value.value : undefined
}

interface NamedRow {
  readonly id: number
  readonly text: Buffer
  readonly object_id: Buffer
}

/** Calls `take` for the object of each thing of a kind, with the text of a column. */
async function things<V>(tx: ReadTx<V>, { kind }: ThingKind, column: string, take: TakeRow): Promise<void> {
  const columns = ['id', `${column} AS text`, 'object_id']
  const rows = rowsIn<NamedRow, V>(tx, { table: kind, columns, key: ['id'] })
  for await (const row of rows) take(row.object_id, row.text.toString('latin1'), row.id)
}

/** The values of a system tag that repeat a column of things. */
const namingRows = <V>(
  tx: ReadTx<V>,
  thing: ThingKind,
  tag: SystemTag,
  column: 'username' | 'path' | 'role',
): DerivedRows => ({
  rule: 'system values',
  expected: (take) => things(tx, thing, column, take),
  stored: (take) =>
    texts(tx, tag, (object, text) => {
      take(object, octets(text))
    }),
  name: (object) => placeText(SYSTEM_TAGS[tag].id, object),
  repair: (object, { things: ids }) => {
    const [id] = ids
    if (id === undefined) return removing(thing, tag, object)
    // If two things share an object, nothing tells which of them is right.
    return ids.length === 1 ? naming({ thing, tag, column }, object, id) : undefined
  },
})

/** A system tag, and the column of things that its values repeat. */
interface Naming {
  readonly thing: ThingKind
  readonly tag: SystemTag
  readonly column: 'username' | 'path' | 'role'
}

/** Writes a thing's column as its system value. If the thing was deleted meanwhile, its values were, too. */
const naming =
  ({ thing, tag, column }: Naming, object: Buffer, id: number): Repair =>
  async (tx) => {
    const row = await tx.one<{ text: Buffer }>(sql`
      SELECT ${raw(column)} AS text FROM ${raw(thing.kind)} WHERE id = ${id} AND object_id = ${object}`)
    if (row === undefined) return false
    await writeSystemValue(tx, idText(object), tag, row.text.toString())
    return true
  }

/** Deletes a system value of an object that belongs to no thing, unless a thing has been created for it meanwhile. */
const removing =
  (thing: ThingKind, tag: SystemTag, object: Buffer): Repair =>
  async (tx) => {
    const name = await readText(tx, object, thing.named)
    const known = await tx.one(sql`
      SELECT id FROM ${raw(thing.kind)} WHERE ${raw(thing.column)} = ${name ?? null} AND object_id = ${object}`)
    if (known !== undefined) return false
    return (await deleteSystemValues(tx, idText(object), [tag])) > 0
  }

/** The values of a system tag that no column repeats: each thing has one, and no other object has. */
const toldRows = <V>(tx: ReadTx<V>, thing: ThingKind, tag: SystemTag): DerivedRows => ({
  rule: 'system values',
  expected: (take) =>
    things(tx, thing, thing.column, (object, _name, id) => {
      take(object, '', id)
    }),
  stored: (take) =>
    texts(tx, tag, (object) => {
      take(object, '')
    }),
  name: (object) => placeText(SYSTEM_TAGS[tag].id, object),
  repair: (object, { missing }) => (missing.size > 0 ? undefined : removing(thing, tag, object)),
})
