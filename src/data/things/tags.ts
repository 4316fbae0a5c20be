/** Tags: creating them with their missing ancestors, describing them, and deleting them with all their values. */
import { invalidPath, ServiceError } from '../../errors.ts'
import { childPath, findPath, nameOf, parentOf, splitPath, TWO_NAMES, type Path } from '../../paths.ts'
import { mapInTurns } from '../../turns.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { list, portionsOf, sql } from '../database/sql.ts'
import { permitCreationIn } from '../permissions/namespace-permissions.ts'
import { findWritableTags, permitTagValues } from '../permissions/permissions.ts'
import {
  deletePolicies,
  exceptionsOf,
  inheritedPolicies,
  insertExceptions,
  openActions,
  type NoteExceptions,
  type Policies,
} from '../permissions/policies.ts'
import type { Permitted, PermittedTags } from '../permissions/rights.ts'
import { nonexistentNamespace, nonexistentTag, noUserOf } from '../permissions/rule.ts'
import { permitObjectCreation, type UserCreation } from '../permissions/user-rights.ts'
import { ID_TAG, TAGS } from '../store/tables.ts'
import { allFor } from '../database/connection.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { deleteSystemValues, readSystemValue, writeSystemValue } from '../values/system-values.ts'
import { ensureNamespaces, type Holder } from './namespaces.ts'
import { objectsAbout, THINGS_AT_ONCE, type AboutObject } from './objects.ts'

/** A tag, as visible to everybody. */
export interface Tag {
  readonly objectId: ObjectId
  readonly indexed: boolean
}

/** What the object of a tag is about. */
export const aboutTag = (path: Path): string => `Object for the attribute ${path}`

/** The tag at `path`; needs no permission. Throws `TNonexistentTag`. */
export async function getTag<V>(tx: ReadTx<V>, path: string): Promise<Tag> {
  const row = await tx.one<{ object_id: Buffer; indexed: number }>(
    sql`SELECT object_id, indexed FROM tags WHERE path = ${findPath(path, 2) ?? null}`,
  )
  if (row === undefined) throw nonexistentTag(path)
  return { objectId: idText(row.object_id), indexed: row.indexed === 1 }
}

/** The description of a tag. */
export const describeTag = async <V>(tx: ReadTx<V>, tag: Tag): Promise<string> =>
  (await readSystemValue(tx, tag.objectId, 'tagDescription')) ?? ''

/**
 * Creates the tag `name` in the namespace `parent`, and any missing namespaces. Throws `TNonexistentNamespace` (no such
 * top-level namespace), `TPathPermissionDenied` (no CREATE on the nearest existing one), `TTagAlreadyExists`,
 * `TInvalidPath`.
 */
export async function createTag<V>(
  tx: WriteTx<V>,
  tag: { parent: string; name: string; description: string; indexed: boolean },
): Promise<{ path: Path; objectId: ObjectId }> {
  const { parent, name } = tag
  const permit = await permitCreationIn(tx, [parent])
  const ancestor = permit(parent, () => nonexistentNamespace(parent, noUserOf(parent)))
  const path = childPath(parent, name)
  const objectId = (await makeTags(tx, [{ ...tag, path, ancestor }])).get(path)
  if (objectId === undefined) throw new ServiceError('TTagAlreadyExists', { path })
  return { path, objectId }
}

/** A tag to create, and the nearest existing namespace, in which the caller may create. */
interface WantedTag<V> {
  readonly path: Path
  readonly ancestor: Permitted<'namespaces.create', V>
  readonly description?: string
  readonly indexed: boolean
}

/** Creates those of the tags that do not exist by now, and their missing namespaces; returns their objects. */
async function makeTags<V>(
  tx: WriteTx<V>,
  wanted: readonly WantedTag<V>[],
  noteExceptions?: NoteExceptions,
): Promise<ReadonlyMap<Path, ObjectId>> {
  const parents = new Map(wanted.map(({ path, ancestor }) => [parentOf(path) as Path, ancestor]))
  const { holders } = await ensureNamespaces(tx, parents, { noteExceptions })
  const rows = await allFor<{ path: Buffer }, Path>(
    tx,
    wanted.map(({ path }) => path).sort(),
    (some) => sql`SELECT path FROM tags WHERE path IN (${list(some)}) ${tx.lock}`,
  )
  // The virtual tag has no row, and no row may hide it.
  const taken = new Set([ID_TAG.path, ...rows.map(({ path }) => path.toString())])
  const missing = new Map(wanted.filter(({ path }) => !taken.has(path)).map((tag) => [tag.path, tag]))
  const ids = await tx.newIds('tags', missing.size)
  const policiesIn = new Map(
    [...new Set(holders.values())].map((holder) => [holder, inheritedPolicies('tags', holder.policies)]),
  )
  const made = [...missing.values()].map(({ path, ancestor, description, indexed }, i) => {
    const holder = holders.get(parentOf(path) as Path) as Holder
    return {
      id: ids[i] as number,
      path,
      namespaceId: holder.id,
      description: description ?? aboutTag(path),
      indexed,
      policies: policiesIn.get(holder) as Policies,
      right: ancestor,
    }
  })
  for (const one of made) noteExceptions?.(exceptionsOf(one.policies))
  return insertTags(tx, made)
}

interface NewTag<V> {
  readonly id: number
  readonly path: Path
  readonly namespaceId: number
  readonly description: string
  readonly indexed: boolean
  readonly policies: Policies
  /** The right to create it, in a namespace or as one of the service's own tags. */
  readonly right: Permitted<'namespaces.create', V> | UserCreation<V>
}

/** Stores tags, however many, in few statements; returns their objects. */
export async function insertTags<V>(
  tx: WriteTx<V>,
  tags: readonly NewTag<V>[],
): Promise<ReadonlyMap<Path, ObjectId>> {
  const objects = new Map<Path, ObjectId>()
  for (const some of portionsOf(tags, THINGS_AT_ONCE)) {
    const texts = new Map(
      some.map(({ path, description }) => [aboutTag(path), { tagPath: path, tagDescription: description }]),
    )
    const byAbout = await objectsAbout(tx, permitObjectCreation(tx), [...texts.keys()], texts)
    for (const { path } of some) objects.set(path, (byAbout.get(aboutTag(path)) as AboutObject).object)
    const rows = await mapInTurns(some, ({ id, path, namespaceId, indexed, policies }) => ({
      id,
      path,
      namespace_id: namespaceId,
      name: nameOf(path),
      object_id: idBytes(objects.get(path) as ObjectId),
      indexed: indexed ? 1 : 0,
      open_actions: openActions(policies),
    }))
    await tx.insert(TAGS, rows)
    await insertExceptions(tx, new Map(some.map(({ id, policies }) => [id, policies])))
  }
  return objects
}

/**
 * The tags at `paths`, for writing values; missing tags are created, indexed, where the caller may create them. Throws
 * `TPathPermissionDenied`, `TInvalidPath`, and `TNonexistentTag` if the top-level namespace is missing. `noteExceptions` is
 * told how many exceptions new tags and namespaces copy from those above them, before they are stored.
 */
export async function ensureTags<V>(
  tx: WriteTx<V>,
  paths: readonly string[],
  noteExceptions?: NoteExceptions,
): Promise<PermittedTags<'tag-values.write', V>> {
  const found = await findWritableTags(tx, paths)
  const missing = paths.filter((path) => !found.has(path)).map((path) => ({ path, ...splitPath(path) }))
  if (missing.length === 0) return found
  const permit = await permitCreationIn(tx, [...new Set(missing.map(({ parent }) => parent))])
  const wanted = await mapInTurns(missing, ({ path, parent, name }) => {
    if (parent === '') throw invalidPath(path, TWO_NAMES)
    const ancestor = permit(parent, () => nonexistentTag(path, noUserOf(path)))
    return { path: childPath(parent, name), ancestor, indexed: true }
  })
  await makeTags(tx, wanted, noteExceptions)
  return permitTagValues(tx, 'write', paths)
}

/** Changes the description of a tag. */
export const updateTag = <V>(
  tx: WriteTx<V>,
  tag: Permitted<'tags.update', V>,
  description: string,
): Promise<void> => writeSystemValue(tx, tag.objectId, 'tagDescription', description)

/**
 * Deletes a tag and all its values. However many there are, they are gone at once: without the tag's row nothing leads
 * to them, and a new tag at the same path gets another id. Their space is freed later (`purge`).
 */
export async function deleteTag<V>(tx: WriteTx<V>, tag: Permitted<'tags.delete', V>): Promise<void> {
  await deletePolicies(tx, tag, 'tags')
  await deleteSystemValues(tx, tag.objectId, ['tagPath', 'tagDescription'])
  await tx.run(sql`INSERT INTO tag_purges (tag_id, deleted_at) VALUES (${tag.id}, ${tx.now})`)
  await tx.run(sql`DELETE FROM tags WHERE id = ${tag.id}`)
}
