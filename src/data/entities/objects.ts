/** Objects: every id is an object, and each about value belongs to at most one object. */
import { badArgument, ServiceError, shown } from '../../model/errors.ts'
import { runYielding, mapYielding } from '../../scheduling/yielding.ts'
import { idBytes, idText, newObjectId, type ObjectId } from '../database/ids/ids.ts'
import { portionsOf, sql, type RowOf } from '../database/connection/sql.ts'
import { allowed } from '../permissions/rule.ts'
import type { ObjectCreation } from '../permissions/user-rights.ts'
import { ABOUT_VALUES, SYSTEM_TAGS, type SystemTag } from '../store/tables.ts'
import { allFor } from '../database/connection/connection.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { sha256, sha256Text } from '../values/encoding.ts'
import {
  readSystemValue,
  writeSystemValues,
  type SystemTexts,
  type SystemValues,
} from '../rows/system-values.ts'

const MAX_ABOUT_BYTES = 65_535

/** How many objects have all their stored data in memory at once. */
const OBJECTS_AT_ONCE = 5_000

/**
 * Returns `about` if it is valid for a new object: 1 to 65,535 octets in UTF-8, without NUL. Otherwise throws `TBadArgument`
 * naming `argument`, the argument that held it.
 */
export function readAboutValue(about: string, argument: string): string {
  if (about !== '' && Buffer.byteLength(about) <= MAX_ABOUT_BYTES && !about.includes('\0')) return about
  throw badArgument(argument, 'an about value has 1 to 65,535 bytes of UTF-8, and no NUL')
}

/** The object with that about value, or undefined. */
export async function findObjectAbout<V>(tx: ReadTx<V>, about: string): Promise<ObjectId | undefined> {
  const row = await tx
    .table('about_values')
    .where({ about_hash: sha256(about) })
    .first('object_id')
  return row === undefined ? undefined : idText(row.object_id)
}

/** The object with that about value. Throws `NoSuchObject`. */
export async function getObjectAbout<V>(tx: ReadTx<V>, about: string): Promise<ObjectId> {
  const object = await findObjectAbout(tx, about)
  if (object === undefined) throw new ServiceError('NoSuchObject', {}, { hint: hintAbout(about) })
  return object
}

/** A hint for a URL that the client did not encode in a path: such a URL ends at its first slash. */
const hintAbout = (about: string): string | undefined =>
  about.endsWith(':') ? `it was read as "${shown(about)}"; percent-encode the slashes in it` : undefined

/**
 * The object with that about value, which `readAboutValue` must have accepted; creates the object if it does not exist.
 * `texts` are the further values that the service sets on it.
 */
export async function objectAbout<V>(
  tx: WriteTx<V>,
  right: ObjectCreation<V>,
  about: string,
  texts: SystemTexts = {},
): Promise<ObjectId> {
  const objects = await objectsAbout(tx, right, [about], { textsOf: () => texts })
  return (objects.get(about) as AboutObject).object
}

/** An object with an about value. */
export interface AboutObject {
  readonly object: ObjectId
  /** Whether it was just made, and so has only the values of the service. */
  readonly isNew: boolean
}

/** What the objects of things get besides an about value. */
interface Things {
  /** The further values that the service sets on the object with an about value. */
  readonly textsOf: (about: string) => SystemTexts
  /**
   * The tag with the paths of such things, if they move. The object of one that has moved away keeps its about value, so a
   * new thing at the old path gets an object without one.
   */
  readonly named?: 'namespacePath' | 'tagPath'
}

/** The objects with these about values; creates the missing ones. */
export async function objectsAbout<V>(
  tx: WriteTx<V>,
  _right: ObjectCreation<V>,
  abouts: readonly string[],
  { textsOf, named }: Partial<Things> = {},
): Promise<Map<string, AboutObject>> {
  const wanted = await mapYielding([...new Set(abouts)], wantedOf)
  // All lookups come before the first insert: a later one would wait until the database has stored the rows before it.
  const [known, made] = await findOrMake(tx, wanted)
  const taken = named === undefined ? NONE : await objectsWith(tx, named, [...known.values()])
  const objects = new Map<string, AboutObject>()
  // In the order of `wanted`, which is the order of the new ids.
  for (const some of portionsOf(wanted, OBJECTS_AT_ONCE)) {
    const values: SystemValues[] = []
    for (const one of some) {
      const { about } = one
      const { object, isNew, isAbout } = chosen(one, { known, made, taken })
      objects.set(about, { object, isNew })
      const texts = { ...(isNew && isAbout && { about }), ...textsOf?.(about) }
      if (Object.keys(texts).length > 0) values.push({ object, isNew, texts })
    }
    await writeSystemValues(tx, values)
  }
  return objects
}

const NONE: ReadonlySet<ObjectId> = new Set()

/** The existing objects, those that were made, and those that other things have. */
interface Choice {
  readonly known: ByHash
  readonly made: ByHash
  readonly taken: ReadonlySet<ObjectId>
}

/** The object for an about value, and whether it has that about value. */
function chosen({ hash, newId }: Wanted, { known, made, taken }: Choice): AboutObject & { isAbout: boolean } {
  const found = known.get(hash)
  if (found === undefined) return { object: made.get(hash) as ObjectId, isNew: true, isAbout: true }
  return taken.has(found)
    ? { object: newId, isNew: true, isAbout: false }
    : { object: found, isNew: false, isAbout: true }
}

/** Those of some objects that have a value of a system tag. */
async function objectsWith<V>(
  tx: WriteTx<V>,
  tag: SystemTag,
  objects: readonly ObjectId[],
): Promise<ReadonlySet<ObjectId>> {
  const rows = await allFor(objects, (some) =>
    tx
      .table('tag_values')
      .where('tag_id', SYSTEM_TAGS[tag].id)
      .whereIn('object_id', some.map(idBytes))
      .select('object_id'),
  )
  return new Set(rows.map((row) => idText(row.object_id)))
}

/** An about value, and its SHA-256 as text. */
interface Wanted {
  readonly about: string
  readonly hash: string
  /** The id that the object gets if it does not exist yet. */
  readonly newId: ObjectId
}

const wantedOf = (about: string): Wanted => ({
  about,
  hash: sha256Text(about),
  newId: newObjectId(),
})

/** Objects by the hashes of their about values. */
type ByHash = ReadonlyMap<string, ObjectId>

/** The existing objects with these about values, and the objects that this function makes. */
async function findOrMake<V>(
  tx: WriteTx<V>,
  wanted: readonly Wanted[],
): Promise<[known: ByHash, made: ByHash]> {
  const inOrder = await runYielding(inOrderOfHashes(wanted))
  const known = await objectsByHash(tx, inOrder)
  const missing = inOrder.filter(({ hash }) => !known.has(hash))
  await tx.insert(ABOUT_VALUES, aboutRows(missing), tx.dialect.ignoreExisting(ABOUT_VALUES.key))
  const made = new Map(missing.map(({ hash, newId }) => [hash, newId]))
  if (missing.length === 0 || !tx.dialect.writersOverlap) return [known, made]
  // Another writer may have made some at the same time.
  for (const [hash, object] of await objectsByHash(tx, missing)) {
    if (made.get(hash) === object) continue
    made.delete(hash)
    known.set(hash, object)
  }
  return [known, made]
}

/** Sorts about values by their hashes, which are evenly distributed. Yields in between. */
function* inOrderOfHashes(wanted: readonly Wanted[]): Generator<undefined, Wanted[]> {
  const parts = Map.groupBy(wanted, ({ hash }) => hash.charCodeAt(0))
  const sorted: Wanted[] = []
  for (const [, part] of [...parts].sort(([a], [b]) => a - b)) {
    sorted.push(...part.sort((a, b) => (a.hash < b.hash ? -1 : 1)))
    yield
  }
  return sorted
}

function* aboutRows(missing: readonly Wanted[]): Generator<RowOf<typeof ABOUT_VALUES>> {
  for (const { hash, newId } of missing) yield { about_hash: digestOf(hash), object_id: idBytes(newId) }
}

const digestOf = (hash: string): Buffer => Buffer.from(hash, 'latin1')

/** The existing objects with these about values. */
async function objectsByHash<V>(tx: WriteTx<V>, wanted: readonly Wanted[]): Promise<Map<string, ObjectId>> {
  const rows = await allFor(wanted, (some) => {
    const digests = some.map(({ hash }) => digestOf(hash))
    return tx.table('about_values').whereIn('about_hash', digests).select('about_hash', 'object_id')
  })
  return new Map(rows.map((row) => [row.about_hash.toString('latin1'), idText(row.object_id)]))
}

/** The about value of an object; undefined if it has none. */
export const readAbout = <V>(tx: ReadTx<V>, object: ObjectId): Promise<string | undefined> =>
  readSystemValue(tx, object, 'about')

/** An object, by its id or by its about value. */
export type ObjectLocator = { readonly id: ObjectId } | { readonly about: string }

/** The paths of the tags that an object has and that the caller may read, in code-point order. */
export async function readTagPaths<V>(tx: ReadTx<V>, object: ObjectId): Promise<string[]> {
  const { dialect, caller } = tx
  const rows = await tx.all<{ path: Buffer }>(sql`
    SELECT t.path FROM tag_values v ${dialect.useIndex('tag_values_by_object')}
    ${dialect.thenJoin} tags t ON t.id = v.tag_id
    WHERE v.object_id = ${idBytes(object)} AND ${allowed(caller, 'tag-values.read', 't')} ORDER BY t.path`)
  return rows.map(({ path }) => path.toString())
}
