/** Objects: an id is enough to be one, and each about value belongs to at most one object. */
import { badArgument, ServiceError } from '../../errors.ts'
import { idBytes, idText, newObjectId, type ObjectId } from '../database/ids.ts'
import { insert, list, portionsOf, sql } from '../database/sql.ts'
import { permitEveryTagValue } from '../permissions/permissions.ts'
import type { ObjectCreation } from '../permissions/user-rights.ts'
import { ABOUT_VALUES } from '../store/tables.ts'
import { allFor, type ReadTx, type WriteTx } from '../store/views.ts'
import { sha256 } from '../values/encoding.ts'
import { readSystemValue, writeSystemValues } from '../values/system-values.ts'

const MAX_ABOUT_BYTES = 65_535

/**
 * The about value `about`, for an object to be created: 1 to 65,535 octets in UTF-8, without NUL. Throws `TBadArgument`
 * naming `argument`, the argument that held it.
 */
export function readAboutValue(about: string, argument: string): string {
  if (about !== '' && Buffer.byteLength(about) <= MAX_ABOUT_BYTES && !about.includes('\0')) return about
  throw badArgument(argument)
}

/** The object with that about value, or undefined. */
export async function findObjectAbout<V>(tx: ReadTx<V>, about: string): Promise<ObjectId | undefined> {
  const row = await tx.one<{ object_id: Buffer }>(
    sql`SELECT object_id FROM about_values WHERE about_hash = ${sha256(about)}`,
  )
  return row === undefined ? undefined : idText(row.object_id)
}

/** The object with that about value. Throws `NoSuchObject`. */
export async function getObjectAbout<V>(tx: ReadTx<V>, about: string): Promise<ObjectId> {
  const object = await findObjectAbout(tx, about)
  if (object === undefined) throw new ServiceError('NoSuchObject')
  return object
}

/** The object with that about value, which `readAboutValue` must have accepted; created if it does not exist. */
export async function objectAbout<V>(
  tx: WriteTx<V>,
  right: ObjectCreation<V>,
  about: string,
): Promise<ObjectId> {
  return (await objectsAbout(tx, right, [about])).get(about) as ObjectId
}

/** The objects with these about values; missing ones are created. */
export async function objectsAbout<V>(
  tx: WriteTx<V>,
  _right: ObjectCreation<V>,
  abouts: readonly string[],
): Promise<Map<string, ObjectId>> {
  const wanted = new Map(abouts.map((about) => [about, sha256(about)]))
  const hashes = [...wanted.values()].sort((a, b) => Buffer.compare(a, b))
  const known = await objectsByHash(tx, hashes)
  const missing = hashes.filter((hash) => !known.has(hash.toString('hex')))
  const rows = missing.map((hash) => ({ about_hash: hash, object_id: idBytes(newObjectId()) }))
  const ours = new Map(rows.map((row) => [row.about_hash.toString('hex'), idText(row.object_id)]))
  for (const some of portionsOf(rows)) {
    await tx.run(insert(ABOUT_VALUES, some, tx.dialect.ignoreExisting(ABOUT_VALUES.key)))
  }
  // Another writer may have created some of them at the same time; theirs are kept.
  const made = missing.length === 0 ? new Map<string, ObjectId>() : await objectsByHash(tx, missing)
  const texts = new Map<ObjectId, string>()
  const objects = new Map<string, ObjectId>()
  for (const [about, hash] of wanted) {
    const key = hash.toString('hex')
    const object = known.get(key) ?? made.get(key)
    if (object === undefined) throw new Error('an about value that was just stored is not there')
    objects.set(about, object)
    if (ours.get(key) === object) texts.set(object, about)
  }
  await writeSystemValues(tx, 'about', texts)
  return objects
}

async function objectsByHash<V>(tx: WriteTx<V>, hashes: readonly Buffer[]): Promise<Map<string, ObjectId>> {
  const rows = await allFor<{ about_hash: Buffer; object_id: Buffer }, Buffer>(
    tx,
    hashes,
    (some) => sql`SELECT about_hash, object_id FROM about_values WHERE about_hash IN (${list(some)})`,
  )
  return new Map(rows.map((row) => [row.about_hash.toString('hex'), idText(row.object_id)]))
}

/** The about value of an object; undefined if it has none. */
export const readAbout = <V>(tx: ReadTx<V>, object: ObjectId): Promise<string | undefined> =>
  readSystemValue(tx, object, 'about')

/** The paths of the tags that an object has and that the caller may read, in code-point order. */
export async function readTagPaths<V>(tx: ReadTx<V>, object: ObjectId): Promise<string[]> {
  const rows = await tx.all<{ path: Buffer }>(sql`
    SELECT t.path
    FROM tag_values v ${tx.dialect.useIndex('tag_values_by_object')}
    ${tx.dialect.thenJoin} tags t ON t.id = v.tag_id
    WHERE v.object_id = ${idBytes(object)} AND ${permitEveryTagValue(tx, 'read').restriction} ORDER BY t.path`)
  return rows.map((row) => row.path.toString())
}
