/** Tags: creating them with their missing ancestors, describing them, and deleting them with all their values. */
import { invalidPath, ServiceError } from '../../errors.ts'
import { childPath, findPath, nameOf, parentOf, splitPath, type Path } from '../../paths.ts'
import { idBytes, idText, type ObjectId } from '../database/ids.ts'
import { insert, sql } from '../database/sql.ts'
import { findWritableTags, permitCreation, permitTagValues } from '../permissions/permissions.ts'
import {
  deletePolicies,
  inheritedPolicies,
  insertExceptions,
  openActions,
  type Policies,
} from '../permissions/policies.ts'
import type { Permitted, PermittedTags } from '../permissions/rights.ts'
import { nonexistentNamespace, nonexistentTag } from '../permissions/rule.ts'
import { permitObjectCreation, type UserCreation } from '../permissions/user-rights.ts'
import { ID_TAG, TAGS } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { deleteSystemValues, readSystemValue, writeSystemValue } from '../values/system-values.ts'
import { ensureNamespace } from './namespaces.ts'
import { objectAbout } from './objects.ts'

/** A tag, as visible to everybody. */
export interface Tag {
  readonly objectId: ObjectId
  readonly indexed: boolean
}

const aboutTag = (path: Path): string => `Object for the attribute ${path}`

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
  const made = await makeTag(tx, tag, nonexistentNamespace(parent))
  if (made === undefined) throw new ServiceError('TTagAlreadyExists', { path: childPath(parent, name) })
  return made
}

/** Creates a tag; undefined if one exists by now. */
async function makeTag<V>(
  tx: WriteTx<V>,
  {
    parent,
    name,
    description,
    indexed,
  }: { parent: string; name: string; description?: string; indexed: boolean },
  missing: ServiceError,
): Promise<{ path: Path; objectId: ObjectId } | undefined> {
  const ancestor = await permitCreation(tx, parent, missing)
  const path = childPath(parent, name)
  const namespaceId = await ensureNamespace(tx, ancestor, parentOf(path))
  // The virtual tag has no row, and no row may hide it.
  if (path === ID_TAG.path) return undefined
  const existing = await tx.one(sql`SELECT id FROM tags WHERE path = ${path} ${tx.lock}`)
  if (existing !== undefined) return undefined
  const policies = await inheritedPolicies(tx, 'tags', namespaceId)
  const tag = { path, namespaceId, description: description ?? aboutTag(path), indexed, policies }
  return { path, objectId: await insertTag(tx, ancestor, tag) }
}

interface NewTag {
  readonly id?: number
  readonly path: Path
  readonly namespaceId: number
  readonly description: string
  readonly indexed: boolean
  readonly policies: Policies
}

/** Stores a tag in a namespace in which the caller may create, or as one of the service's own tags. */
export async function insertTag<V>(
  tx: WriteTx<V>,
  _right: Permitted<'namespaces.create', V> | UserCreation<V>,
  tag: NewTag,
): Promise<ObjectId> {
  const { path, namespaceId, description, indexed, policies } = tag
  const id = tag.id ?? (await tx.newId('tags'))
  const objectId = await objectAbout(tx, permitObjectCreation(tx), aboutTag(path))
  await tx.run(
    insert(TAGS, [
      {
        id,
        path,
        namespace_id: namespaceId,
        name: nameOf(path),
        object_id: idBytes(objectId),
        indexed: indexed ? 1 : 0,
        open_actions: openActions(policies),
      },
    ]),
  )
  await insertExceptions(tx, id, policies)
  await writeSystemValue(tx, objectId, 'tagPath', path)
  await writeSystemValue(tx, objectId, 'tagDescription', description)
  return objectId
}

/**
 * The tags at `paths`, for writing values; missing tags are created, indexed, where the caller may create them. Throws
 * `TPathPermissionDenied`, `TInvalidPath`, and `TNonexistentTag` if the top-level namespace is missing.
 */
export async function ensureTags<V>(
  tx: WriteTx<V>,
  paths: readonly string[],
): Promise<PermittedTags<'tag-values.write', V>> {
  const found = await findWritableTags(tx, paths)
  const missing = paths.filter((path) => !found.has(path))
  for (const path of missing) {
    const { parent, name } = splitPath(path)
    if (parent === '') throw invalidPath(path)
    await makeTag(tx, { parent, name, indexed: true }, nonexistentTag(path))
  }
  return missing.length === 0 ? found : permitTagValues(tx, 'write', paths)
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
