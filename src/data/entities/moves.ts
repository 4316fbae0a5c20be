/** Moves a tag, or a namespace with all that is below it, to another path in its top-level namespace. */
import { invalidPath, ServiceError } from '../../model/errors.ts'
import { baseName, findPath, foldPath, parentOf, readPath, topOf, type Path } from '../../model/paths.ts'
import { idText } from '../database/ids/ids.ts'
import { raw, sql, type RowOf } from '../database/connection/sql.ts'
import { permitNamespace, requireNamespaces } from '../permissions/namespace-permissions.ts'
import { permitTag, requireTags } from '../permissions/permissions.ts'
import type { Permitted } from '../permissions/rights.ts'
import { denied, refuseForbidden } from '../permissions/rule.ts'
import { writeSystemValues } from '../rows/system-values.ts'
import { BUILT_IN_NAMESPACES, NAMESPACES, TAGS } from '../store/tables.ts'
import { touch } from '../store/touching.ts'
import type { WriteTx } from '../store/views.ts'
import { findNamespace } from './namespaces.ts'
import { isTaken } from './tags.ts'

/** How many names may be below a namespace that moves: all their rows change in one transaction. */
export const MAX_MOVED_NAMES = 10_000

/**
 * Moves the tag at `from` to the path `to`. Throws `TNonexistentTag`, `TNonexistentNamespace` (of the new parent),
 * `TPathPermissionDenied` (no DELETE on the tag, or no CREATE on the new parent), `TInvalidPath`, `TTagAlreadyExists`.
 */
export async function moveTag<V>(tx: WriteTx<V>, from: string, to: string): Promise<void> {
  refuseForbidden(tx, 'tags.delete', from)
  await requireTags(tx, [from])
  const place = placeOf(from, to)
  await requireNamespaces(tx, parentsOf(place))
  const tag = await permitTag(tx, 'delete', from)
  const { path, parent } = await permitPlace(tx, place)
  if (await isTaken(tx, path)) throw new ServiceError('TTagAlreadyExists', { path })
  const columns = { path, name: baseName(path), namespace_id: parent.id }
  await tx.table('tags').where('id', tag.id).update(columns)
  await writeSystemValues(tx, [{ object: tag.objectId, texts: { tagPath: path } }])
}

/**
 * Moves the namespace at `from` to the path `to`. Throws `TNonexistentNamespace`, `TPathPermissionDenied` (no DELETE on the
 * namespace, or no CREATE on the new parent), `TInvalidPath`, `TNamespaceAlreadyExists`, and `TooManyObjects` for more than
 * `MAX_MOVED_NAMES` below it.
 */
export async function moveNamespace<V>(tx: WriteTx<V>, from: string, to: string): Promise<void> {
  refuseForbidden(tx, 'namespaces.delete', from)
  const place = isBelow(foldPath(to), foldPath(from)) ? invalidPath(to, IN_ITSELF) : placeOf(from, to)
  await requireNamespaces(tx, [from, ...parentsOf(place)])
  const namespace = await permitNamespace(tx, 'delete', from)
  if (BUILT_IN_NAMESPACES.some(({ id }) => id === namespace.id)) throw denied('namespaces.delete', from)
  const { path, parent } = await permitPlace(tx, place)
  if ((await findNamespace(tx, path)) !== undefined)
    throw new ServiceError('TNamespaceAlreadyExists', { path })
  const columns = { path, name: baseName(path), parent_id: parent.id }
  await tx.table('namespaces').where('id', namespace.id).update(columns)
  await writeSystemValues(tx, [{ object: namespace.objectId, texts: { namespacePath: path } }])
  await moveBelow(tx, namespace.path, path)
}

const IN_ITSELF = 'a namespace cannot move below itself'

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}/`)

/** Where something moves to: a path, or the error if nothing can move there, whatever the store holds. */
type Place = Path | ServiceError

function placeOf(from: string, to: string): Place {
  const top = topOf(foldPath(from))
  if (topOf(foldPath(to)) !== top) return invalidPath(to, `it stays in the top-level namespace ${top}`)
  if (!to.includes('/')) return invalidPath(to, 'it cannot become a top-level namespace')
  try {
    return readPath(to, 2)
  } catch (error) {
    return error as ServiceError
  }
}

const parentsOf = (place: Place): readonly Path[] =>
  place instanceof ServiceError ? [] : [parentOf(place) as Path]

/** A new path, and the namespace that it is in, in which the caller may create. */
interface Target<V> {
  readonly path: Path
  readonly parent: Permitted<'namespaces.create', V>
}

/** Throws what `place` is if it is an error, and `TPathPermissionDenied`. */
async function permitPlace<V>(tx: WriteTx<V>, place: Place): Promise<Target<V>> {
  if (place instanceof ServiceError) throw place
  const parent = await permitNamespace<'create', V>(tx, 'create', parentOf(place) as Path)
  // So that no other transaction deletes or moves it meanwhile.
  await touch(tx, 'namespaces', [parent.id])
  return { path: place, parent }
}

async function moveBelow<V>(tx: WriteTx<V>, from: Path, to: Path): Promise<void> {
  // First the namespaces, parents before children: writers lock a namespace before they create something in it.
  const namespaces = await rowsBelow<RowOf<typeof NAMESPACES>, V>(tx, 'namespaces', from)
  const tags = await rowsBelow<RowOf<typeof TAGS>, V>(tx, 'tags', from)
  if (namespaces.length + tags.length > MAX_MOVED_NAMES) {
    const hint = `${from} holds more than ${MAX_MOVED_NAMES} names; move what is in it in several requests`
    throw new ServiceError('TooManyObjects', {}, { hint })
  }
  const movedNamespaces = namespaces.map((row) => moved(row, from, to))
  const movedTags = tags.map((row) => moved(row, from, to))
  await tx.insert(NAMESPACES, movedNamespaces, tx.dialect.overwrite(NAMESPACES.key, ['path']))
  await tx.insert(TAGS, movedTags, tx.dialect.overwrite(TAGS.key, ['path']))
  await writeSystemValues(tx, [
    ...movedNamespaces.map(({ object_id: object, path: namespacePath }) => ({
      object: idText(object),
      texts: { namespacePath },
    })),
    ...movedTags.map(({ object_id: object, path: tagPath }) => ({
      object: idText(object),
      texts: { tagPath },
    })),
  ])
}

/** A row with texts as they are read. */
type Found<Row> = { readonly [Column in keyof Row]: Row[Column] extends string ? Buffer : Row[Column] }

/** The rows of what is below a namespace, locked in the order of their paths; at most as many as are known to be too many. */
const rowsBelow = <Row, V>(tx: WriteTx<V>, table: 'namespaces' | 'tags', path: Path): Promise<Found<Row>[]> =>
  tx.all<Found<Row>>(sql`
    SELECT ${raw((table === 'tags' ? TAGS : NAMESPACES).columns.join(', '))}
    FROM ${raw(table)} ${tx.dialect.useIndex(`${table}_by_path`)}
    WHERE path > ${`${path}/`} AND path < ${`${path}${AFTER_SLASH}`}
    ORDER BY path LIMIT ${raw(String(MAX_MOVED_NAMES + 1))} ${tx.lock}`)

/** The character behind the slash in the order of octets. */
const AFTER_SLASH = '0'

/**
 * A row of what is below `from`, with the path that it gets by the move to `to`. Throws `TInvalidPath`, which names only
 * `to`: the mover may not know what is below.
 */
function moved<Row extends { readonly path: Buffer; readonly name: Buffer }>(row: Row, from: Path, to: Path) {
  const path = findPath(to + row.path.toString().slice(from.length), 1)
  if (path === undefined) throw invalidPath(to, 'paths below it would be longer than 233 characters')
  return { ...row, path, name: row.name.toString() }
}
