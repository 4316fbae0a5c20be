/** Namespaces: creating them with their missing ancestors, describing, listing and deleting them. */
import { ServiceError } from '../../model/errors.ts'
import { childPath, baseName, parentOf, type Path } from '../../model/paths.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import type { RowOf } from '../database/connection/sql.ts'
import { permitCreationIn } from '../permissions/namespace-permissions.ts'
import {
  deletePolicies,
  exceptionsOf,
  inheritedPolicies,
  insertExceptions,
  namespacePolicies,
  openActions,
  type NoteExceptions,
  type Policies,
} from '../permissions/policies.ts'
import type { Permitted } from '../permissions/rights.ts'
import { nonexistentNamespace, noUserOf } from '../permissions/rule.ts'
import { permitObjectCreation, type UserCreation } from '../permissions/user-rights.ts'
import { NAMESPACES } from '../store/tables.ts'
import { touch } from '../store/touching.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import {
  deleteSystemValues,
  readSystemValue,
  writeSystemValue,
  type SystemTexts,
} from '../rows/system-values.ts'
import { objectsAbout, type AboutObject } from './objects.ts'

/** The id of a namespace and the id of its object. */
export interface NamespaceIds {
  readonly id: number
  readonly objectId: ObjectId
}

/** The about value of a namespace's object. */
export const aboutNamespace = (path: Path): string => `Object for the namespace ${path}`

/**
 * Creates the namespace `name` in `parent`, and any missing ancestors. Throws `TNonexistentNamespace` (no such
 * top-level namespace), `TPathPermissionDenied` (no CREATE on the nearest existing one), `TNamespaceAlreadyExists`,
 * `TInvalidPath`.
 */
export async function createNamespace<V>(
  tx: WriteTx<V>,
  parent: string,
  name: string,
  description: string,
): Promise<{ path: Path; objectId: ObjectId }> {
  const permit = await permitCreationIn(tx, [parent])
  const ancestor = permit(parent, () => nonexistentNamespace(parent, noUserOf(parent)))
  const path = childPath(parent, name)
  if ((await findNamespace(tx, path)) !== undefined)
    throw new ServiceError('TNamespaceAlreadyExists', { path })
  const descriptions = new Map([[path, description]])
  const { objects } = await ensureNamespaces(tx, new Map([[path, ancestor]]), { descriptions })
  return { path, objectId: objects.get(path) as ObjectId }
}

/** A namespace in which something is about to be created. */
export interface Holder {
  readonly id: number
  readonly policies: Policies
}

/** Options for creating namespaces. */
interface Making {
  /** The descriptions that differ from the usual one. */
  readonly descriptions?: ReadonlyMap<Path, string>
  readonly noteExceptions?: NoteExceptions | undefined
}

/**
 * The namespaces at these paths, each given with the nearest existing one, in which the caller may create. Creates all
 * missing namespaces, any number, in few statements. `objects` of the result has the objects of the created namespaces.
 */
export async function ensureNamespaces<V>(
  tx: WriteTx<V>,
  wanted: ReadonlyMap<Path, Permitted<'namespaces.create', V>>,
  { descriptions, noteExceptions }: Making = {},
): Promise<{ holders: ReadonlyMap<Path, Holder>; objects: ReadonlyMap<Path, ObjectId> }> {
  const ancestors = new Map([...wanted.values()].map((ancestor) => [ancestor.id, ancestor]))
  // So that no other transaction deletes them as empty meanwhile.
  await touch(tx, 'namespaces', [...ancestors.keys()])
  const policies = await namespacePolicies(tx, [...ancestors.keys()])
  const holders = new Map<Path, Holder>()
  for (const { id, path } of ancestors.values()) holders.set(path, { id, policies: policies.get(id) ?? {} })
  const missing = missingBelow(wanted)
  const ids = await tx.newIds('namespaces', missing.size)
  const made = [...missing].map(([path, right], i) => {
    // Its parent is an existing ancestor, or was made before it.
    const parent = holders.get(parentOf(path) as Path) as Holder
    const holder = { id: ids[i] as number, policies: inheritedPolicies('namespaces', parent.policies) }
    holders.set(path, holder)
    const description = descriptions?.get(path) ?? aboutNamespace(path)
    return { ...holder, path, parentId: parent.id, description, right }
  })
  for (const one of made) noteExceptions?.(exceptionsOf(one.policies))
  return { holders, objects: await insertNamespaces(tx, made) }
}

/** The paths that are missing, parents first, each with the right to create it. */
function missingBelow<V>(
  wanted: ReadonlyMap<Path, Permitted<'namespaces.create', V>>,
): Map<Path, Permitted<'namespaces.create', V>> {
  const missing = new Map<Path, Permitted<'namespaces.create', V>>()
  for (const [path, ancestor] of wanted) {
    for (let at = path; at !== ancestor.path && !missing.has(at); at = parentOf(at) as Path)
      missing.set(at, ancestor)
  }
  // A parent's path is a part of its child's.
  return new Map([...missing].sort(([a], [b]) => a.length - b.length))
}

/** The number of the namespace at `path`, locked; undefined if there is none. */
export async function findNamespace<V>(tx: WriteTx<V>, path: Path): Promise<number | undefined> {
  return (await tx.table('namespaces').where('path', path).first('id').forUpdate())?.id
}

interface NewNamespace {
  readonly id?: number
  readonly path: Path
  readonly parentId: number
  readonly description: string
  readonly policies: Policies
}

/** Stores a namespace under one in which the caller may create, or as a new user's top-level namespace. */
export async function insertNamespace<V>(
  tx: WriteTx<V>,
  right: Permitted<'namespaces.create', V> | UserCreation<V>,
  namespace: NewNamespace,
): Promise<NamespaceIds> {
  const id = namespace.id ?? (await tx.newId('namespaces'))
  const made = await insertNamespaces(tx, [{ ...namespace, id, right }])
  return { id, objectId: made.get(namespace.path) as ObjectId }
}

interface PermittedNamespace<V> extends NewNamespace {
  readonly id: number
  readonly right: Permitted<'namespaces.create', V> | UserCreation<V>
}

/** Stores namespaces, each with the right to create it; returns their objects. */
async function insertNamespaces<V>(
  tx: WriteTx<V>,
  namespaces: readonly PermittedNamespace<V>[],
): Promise<Map<Path, ObjectId>> {
  const byAbout = new Map(namespaces.map((namespace) => [aboutNamespace(namespace.path), namespace]))
  const textsOf = (about: string): SystemTexts => {
    const { path, description } = byAbout.get(about) as PermittedNamespace<V>
    return { namespacePath: path, namespaceDescription: description }
  }
  const objects = await objectsAbout(tx, permitObjectCreation(tx), [...byAbout.keys()], {
    textsOf,
    named: 'namespacePath',
  })
  const made = new Map(
    [...byAbout].map(([about, { path }]) => [path, (objects.get(about) as AboutObject).object]),
  )
  await tx.insert(NAMESPACES, rowsOf(namespaces, made))
  await insertExceptions(tx, new Map(namespaces.map(({ id, policies }) => [id, policies])))
  return made
}

function* rowsOf(
  namespaces: readonly (NewNamespace & { readonly id: number })[],
  objects: ReadonlyMap<Path, ObjectId>,
): Generator<RowOf<typeof NAMESPACES>> {
  for (const { id, path, parentId, policies } of namespaces) {
    yield {
      id,
      path,
      parent_id: parentId,
      name: baseName(path),
      object_id: idBytes(objects.get(path) as ObjectId),
      open_actions: openActions(policies),
    }
  }
}

/** The description of a namespace. */
export async function describeNamespace<V>(
  tx: ReadTx<V>,
  namespace: Permitted<'namespaces.list', V>,
): Promise<string> {
  return (await readSystemValue(tx, namespace.objectId, 'namespaceDescription')) ?? ''
}

/** The names of the namespaces or of the tags directly in a namespace, in code-point order. */
export async function listNamespace<V>(
  tx: ReadTx<V>,
  namespace: Permitted<'namespaces.list', V>,
  children: 'namespaces' | 'tags',
): Promise<string[]> {
  const found =
    children === 'namespaces'
      ? await tx.table('namespaces').where('parent_id', namespace.id).select('name').orderBy('name')
      : await tx.table('tags').where('namespace_id', namespace.id).select('name').orderBy('name')
  return found.map(({ name }) => name.toString())
}

/** Changes the description of a namespace. */
export const updateNamespace = <V>(
  tx: WriteTx<V>,
  namespace: Permitted<'namespaces.update', V>,
  description: string,
): Promise<void> => writeSystemValue(tx, namespace.objectId, 'namespaceDescription', description)

/** Deletes a namespace. Throws `TNamespaceNotEmpty` if it contains namespaces or tags. */
export async function deleteNamespace<V>(
  tx: WriteTx<V>,
  namespace: Permitted<'namespaces.delete', V>,
): Promise<void> {
  const child =
    (await tx.table('namespaces').where('parent_id', namespace.id).first('id')) ??
    (await tx.table('tags').where('namespace_id', namespace.id).first('id'))
  if (child !== undefined) throw new ServiceError('TNamespaceNotEmpty', { path: namespace.path })
  await deletePolicies(tx, namespace, 'namespaces')
  await deleteSystemValues(tx, namespace.objectId, ['namespacePath', 'namespaceDescription'])
  await tx.table('namespaces').where('id', namespace.id).del()
}
