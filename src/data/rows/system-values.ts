/** The values that the service keeps about its own data: about values, paths, descriptions and users' names. */
import { stringValue } from '../../model/tag-value.ts'
import { mapYielding } from '../../scheduling/yielding.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import { sql } from '../database/connection/sql.ts'
import { SERVICE_USER, SYSTEM_TAGS, type SystemTag } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { Encoded } from '../values/encoding.ts'
import { contentOf, VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'
import type { StoredTag } from './value-parts.ts'
import { deleteRows, writeRows } from './rows.ts'

const STORED_TAGS = Object.fromEntries(
  Object.entries(SYSTEM_TAGS).map(([tag, { id }]) => [tag, { id, indexed: true }]),
) as Readonly<Record<SystemTag, StoredTag>>

/** The string of a system tag on an object; undefined if it has none. */
export async function readSystemValue<V>(
  tx: ReadTx<V>,
  object: ObjectId,
  tag: SystemTag,
): Promise<string | undefined> {
  const row = await tx.one<ValueRow>(sql`
    SELECT ${VALUE_COLUMNS} FROM tag_values v
    WHERE v.tag_id = ${SYSTEM_TAGS[tag].id} AND v.object_id = ${idBytes(object)}`)
  return row === undefined ? undefined : stringFrom(await contentOf(tx, row))
}

/** The string in the content of a system tag. */
const stringFrom = (content: Buffer): string => JSON.parse(content.toString()) as string

/** Sets a system tag's string on an object. */
export async function writeSystemValue<V>(
  tx: WriteTx<V>,
  object: ObjectId,
  tag: SystemTag,
  text: string,
): Promise<void> {
  await writeSystemValues(tx, [{ object, texts: { [tag]: text } }])
}

/** The strings of system tags on an object. */
export type SystemTexts = Readonly<Partial<Record<SystemTag, string>>>

/** Strings of system tags for an object, and whether it is known to have none so far. */
export interface SystemValues {
  readonly object: ObjectId
  readonly isNew?: boolean
  readonly texts: SystemTexts
}

/** Sets system tags' strings on many objects. */
export async function writeSystemValues<V>(tx: WriteTx<V>, objects: readonly SystemValues[]): Promise<void> {
  // Most descriptions repeat the about value.
  const encoded = new Map<string, Encoded>()
  const encode = (text: string): Encoded => {
    const value = encoded.get(text) ?? new Encoded(stringValue(text))
    encoded.set(text, value)
    return value
  }
  const values = await mapYielding(objects, ({ object, isNew, texts }) => {
    const id = idBytes(object)
    return Object.entries(texts).map(([tag, text]) => ({
      tag: STORED_TAGS[tag as SystemTag],
      object,
      id,
      isNew,
      value: encode(text),
    }))
  })
  await writeRows(tx, values.flat(), { userId: SERVICE_USER.id })
}

/** Deletes the values of system tags from the object of a deleted thing; returns how many there were. */
export async function deleteSystemValues<V>(
  tx: WriteTx<V>,
  object: ObjectId,
  tags: readonly SystemTag[],
): Promise<number> {
  return deleteRows(
    tx,
    tags.map((tag) => ({ tag: STORED_TAGS[tag], object })),
  )
}
