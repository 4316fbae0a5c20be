/** Tags: creating them with their missing ancestors, describing them, and deleting them with all their values. */
import { invalidPath, ServiceError } from '../../model/errors.ts'
import {
  childPath,
  findPath,
  baseName,
  parentOf,
  splitPath,
  hintForOneName,
  type Path,
} from '../../model/paths.ts'
import { mapYielding } from '../../scheduling/yielding.ts'
import { idBytes, idText, type ObjectId } from '../database/ids/ids.ts'
import type { RowOf } from '../database/connection/sql.ts'
import { permitCreationIn, permitNewTag } from '../permissions/namespace-permissions.ts'
import { findWritableTags, tagAt } from '../permissions/permissions.ts'
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
import type { ReadTx, WriteTx } from '../store/views.ts'
import {
  deleteSystemValues,
  readSystemValue,
  writeSystemValue,
  type SystemTexts,
} from '../rows/system-values.ts'
import { ensureNamespaces, type Holder } from './namespaces.ts'
import { objectsAbout, type AboutObject } from './objects.ts'

/** The public part of a tag, which every caller may see. */
export interface Tag {
  readonly objectId: ObjectId
  readonly indexed: boolean
}

/** The about value of a tag's object. */
export const aboutTag = (path: Path): string => `Object for the attribute ${path}`

/** The tag at `path`; needs no permission. Throws `TNonexistentTag`. */
export async function getTag<V>(tx: ReadTx<V>, path: string): Promise<Tag> {
  const row = await tx
    .table('tags')
    .where('path', findPath(path, 2) ?? null)
    .first('object_id', 'indexed')
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
  if (await isTaken(tx, path)) throw new ServiceError('TTagAlreadyExists', { path })
  const made = await makeTags(tx, [{ ...tag, path, ancestor }])
  return { path, objectId: tagAt(made, path).objectId }
}

/** Whether there is a tag at `path`, whose row is locked then. The virtual tag has no row, and no row may hide it. */
export async function isTaken<V>(tx: WriteTx<V>, path: Path): Promise<boolean> {
  if (path === ID_TAG.path) return true
  return (await tx.table('tags').where('path', path).first('id').forUpdate()) !== undefined
}

/** A tag to create, and the nearest existing namespace, in which the caller may create. */
interface WantedTag<V> {
  readonly path: Path
  readonly ancestor: Permitted<'namespaces.create', V>
  readonly description?: string
  readonly indexed: boolean
}

/** Creates tags, none of which exists, and their missing namespaces. */
async function makeTags<V>(
  tx: WriteTx<V>,
  wanted: readonly WantedTag<V>[],
  noteExceptions?: NoteExceptions,
): Promise<PermittedTags<'tag-values.write', V>> {
  const parents = new Map(wanted.map(({ path, ancestor }) => [parentOf(path) as Path, ancestor]))
  const { holders } = await ensureNamespaces(tx, parents, { noteExceptions })
  const tags = [...new Map(wanted.map((tag) => [tag.path, tag])).values()]
  const ids = await tx.newIds('tags', tags.length)
  const policiesIn = new Map(
    [...new Set(holders.values())].map((holder) => [holder, inheritedPolicies('tags', holder.policies)]),
  )
  const made = tags.map(({ path, ancestor, description, indexed }, i) => {
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
  const objects = await insertTags(tx, made)
  const grant = ({ right, id, path, indexed }: (typeof made)[number]) =>
    [path, permitNewTag(right, { id, path, objectId: objects.get(path) as ObjectId, indexed })] as const
  return new Map(await mapYielding(made, grant))
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

/** Stores any number of tags in few statements; returns their objects. */
export async function insertTags<V>(
  tx: WriteTx<V>,
  tags: readonly NewTag<V>[],
): Promise<ReadonlyMap<Path, ObjectId>> {
  const byAbout = new Map(await mapYielding(tags, (tag) => [aboutTag(tag.path), tag]))
  const textsOf = (about: string): SystemTexts => {
    const { path, description } = byAbout.get(about) as NewTag<V>
    return { tagPath: path, tagDescription: description }
  }
  const objects = await objectsAbout(tx, permitObjectCreation(tx), [...byAbout.keys()], {
    textsOf,
    named: 'tagPath',
  })
  const ofTag = ({ path }: NewTag<V>): ObjectId => (objects.get(aboutTag(path)) as AboutObject).object
  await tx.insert(TAGS, rowsOf(tags, ofTag))
  await insertExceptions(tx, new Map(tags.map(({ id, policies }) => [id, policies])))
  return new Map(await mapYielding(tags, (tag) => [tag.path, ofTag(tag)]))
}

function* rowsOf<V>(
  tags: readonly NewTag<V>[],
  ofTag: (tag: NewTag<V>) => ObjectId,
): Generator<RowOf<typeof TAGS>> {
  for (const tag of tags) {
    yield {
      id: tag.id,
      path: tag.path,
      namespace_id: tag.namespaceId,
      name: baseName(tag.path),
      object_id: idBytes(ofTag(tag)),
      indexed: tag.indexed ? 1 : 0,
      open_actions: openActions(tag.policies),
    }
  }
}

/**
 * The tags at `paths`, for writing values. Creates missing tags, indexed, where the caller may create them. Throws
 * `TPathPermissionDenied`, `TInvalidPath`, and `TNonexistentTag` if the top-level namespace is missing. Calls
 * `noteExceptions` before it stores new tags and namespaces, with the number of exceptions that they copy from above.
 */
export async function ensureTags<V>(
  tx: WriteTx<V>,
  paths: readonly string[],
  noteExceptions?: NoteExceptions,
): Promise<PermittedTags<'tag-values.write', V>> {
  const found = await findWritableTags(tx, paths)
  const absent = paths.filter((path) => !found.has(path))
  if (absent.length === 0) return found
  const permit = await permitCreationIn(tx, [...new Set(absent.map((path) => splitPath(path).parent))])
  // The namespaces are locked now, so other writers of these tags have committed.
  const others = await findWritableTags(tx, tx.dialect.writersOverlap ? absent : [])
  const missing = absent.filter((path) => !others.has(path))
  const want = (path: string): readonly [string, WantedTag<V>] => {
    const { parent, name } = splitPath(path)
    if (parent === '') throw invalidPath(path, hintForOneName(path))
    const ancestor = permit(parent, () => nonexistentTag(path, noUserOf(path)))
    return [path, { path: childPath(parent, name), ancestor, indexed: true }]
  }
  const wanted = await mapYielding(missing, want)
  const made = await makeTags(
    tx,
    wanted.map(([, tag]) => tag),
    noteExceptions,
  )
  const own = wanted.map(([sent, { path }]) => [sent, tagAt(made, path)] as const)
  return new Map([...found, ...others, ...own])
}

/** Changes the description of a tag. */
export const updateTag = <V>(
  tx: WriteTx<V>,
  tag: Permitted<'tags.update', V>,
  description: string,
): Promise<void> => writeSystemValue(tx, tag.objectId, 'tagDescription', description)

/**
 * Deletes a tag and all its values, any number, at once: without the tag's row no query finds them, and a new tag at the
 * same path gets another id. `purge` frees their space later.
 */
export async function deleteTag<V>(tx: WriteTx<V>, tag: Permitted<'tags.delete', V>): Promise<void> {
  await deletePolicies(tx, tag, 'tags')
  await deleteSystemValues(tx, tag.objectId, ['tagPath', 'tagDescription'])
  await tx.table('tag_purges').insert({ tag_id: tag.id, deleted_at: tx.now })
  await tx.table('tags').where('id', tag.id).del()
}
