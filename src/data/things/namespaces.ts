/** Namespaces: creating them with their missing ancestors, describing, listing and deleting them. */
import { ServiceError } from '../../errors.ts'
import { childPath, nameOf, parentOf, type Path } from '../../paths.ts'
import { idBytes, type ObjectId } from '../database/ids.ts'
import { insert, sql } from '../database/sql.ts'
import { permitCreation } from '../permissions/permissions.ts'
import {
  deletePolicies,
  inheritedPolicies,
  insertExceptions,
  openActions,
  type Policies,
} from '../permissions/policies.ts'
import type { Permitted } from '../permissions/rights.ts'
import { nonexistentNamespace } from '../permissions/rule.ts'
import { permitObjectCreation, type UserCreation } from '../permissions/user-rights.ts'
import { NAMESPACES } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { deleteSystemValues, readSystemValue, writeSystemValue } from '../values/system-values.ts'
import { objectAbout } from './objects.ts'

/** The id of a namespace and the id of its object. */
export interface NamespaceIds {
  readonly id: number
  readonly objectId: ObjectId
}

const aboutNamespace = (path: Path): string => `Object for the namespace ${path}`

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
  const ancestor = await permitCreation(tx, parent, nonexistentNamespace(parent))
  const path = childPath(parent, name)
  if ((await findNamespace(tx, path)) !== undefined)
    throw new ServiceError('TNamespaceAlreadyExists', { path })
  const parentId = await ensureNamespace(tx, ancestor, parentOf(path))
  const policies = await inheritedPolicies(tx, 'namespaces', parentId)
  const { objectId } = await insertNamespace(tx, ancestor, { path, parentId, description, policies })
  return { path, objectId }
}

/** The id of the namespace at `path`; creates it and whatever is missing between `ancestor` and it. */
export async function ensureNamespace<V>(
  tx: WriteTx<V>,
  ancestor: Permitted<'namespaces.create', V>,
  path: Path | undefined,
): Promise<number> {
  if (path === undefined || path === ancestor.path) return ancestor.id
  const parentId = await ensureNamespace(tx, ancestor, parentOf(path))
  const policies = await inheritedPolicies(tx, 'namespaces', parentId)
  const made = { path, parentId, description: aboutNamespace(path), policies }
  return (await insertNamespace(tx, ancestor, made)).id
}

async function findNamespace<V>(tx: WriteTx<V>, path: Path): Promise<number | undefined> {
  return (await tx.one<{ id: number }>(sql`SELECT id FROM namespaces WHERE path = ${path} ${tx.lock}`))?.id
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
  _right: Permitted<'namespaces.create', V> | UserCreation<V>,
  namespace: NewNamespace,
): Promise<NamespaceIds> {
  const { path, parentId, description, policies } = namespace
  const id = namespace.id ?? (await tx.newId('namespaces'))
  const objectId = await objectAbout(tx, permitObjectCreation(tx), aboutNamespace(path))
  await tx.run(
    insert(NAMESPACES, [
      {
        id,
        path,
        parent_id: parentId,
        name: nameOf(path),
        object_id: idBytes(objectId),
        open_actions: openActions(policies),
      },
    ]),
  )
  await insertExceptions(tx, id, policies)
  await writeSystemValue(tx, objectId, 'namespacePath', path)
  await writeSystemValue(tx, objectId, 'namespaceDescription', description)
  return { id, objectId }
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
  const names =
    children === 'namespaces'
      ? sql`SELECT name FROM namespaces WHERE parent_id = ${namespace.id} ORDER BY name`
      : sql`SELECT name FROM tags WHERE namespace_id = ${namespace.id} ORDER BY name`
  return (await tx.all<{ name: Buffer }>(names)).map((child) => child.name.toString())
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
  const child = await tx.one(sql`
    SELECT 1 AS found FROM namespaces WHERE parent_id = ${namespace.id}
    UNION ALL SELECT 1 FROM tags WHERE namespace_id = ${namespace.id} LIMIT 1`)
  if (child !== undefined) throw new ServiceError('TNamespaceNotEmpty', { path: namespace.path })
  await deletePolicies(tx, namespace, 'namespaces')
  await deleteSystemValues(tx, namespace.objectId, ['namespacePath', 'namespaceDescription'])
  await tx.run(sql`DELETE FROM namespaces WHERE id = ${namespace.id}`)
}
