/** Stores the lines of a backup, with all rows derived from them. */
import { baseName, type Path } from '../../model/paths.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import {
  ABOUT_VALUES,
  NAMESPACES,
  PERMISSION_EXCEPTIONS,
  SYSTEM_TAGS,
  TAG_VALUES,
  TAGS,
  USERS,
} from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import { sha256 } from '../values/encoding.ts'
import { replaceTerms } from '../rows/term-rows.ts'
import { columnsOf, insertParts, termChanges, type NewValue } from '../rows/value-parts.ts'
import type { Kind, Line } from './backup-file.ts'

/** A value with the time and the user of its last write. */
export interface ReadValue extends NewValue {
  readonly updatedAt: number
  readonly userId: number
}

/** Stores lines other than values. */
export async function insertThings<V>(tx: WriteTx<V>, lines: readonly Line[]): Promise<void> {
  const of = <K extends Kind>(kind: K) =>
    lines.filter((line): line is Extract<Line, readonly [K, ...unknown[]]> => line[0] === kind)
  const users = of('user').map(([, id, username, role, hash, object]) => ({
    ...{ id, username, role, password_hash: hash },
    object_id: idBytes(object as ObjectId),
  }))
  const namespaces = of('namespace').map(([, id, path, parent, object, open]) => ({
    ...{ id, path, parent_id: parent, open_actions: open },
    name: baseName(path as Path),
    object_id: idBytes(object as ObjectId),
  }))
  const tags = of('tag').map(([, id, path, namespace, object, indexed, open]) => ({
    ...{ id, path, namespace_id: namespace, indexed, open_actions: open },
    name: baseName(path as Path),
    object_id: idBytes(object as ObjectId),
  }))
  const exceptions = of('exception').map(([, target, permission, user]) => ({
    ...{ target_id: target, permission, user_id: user },
  }))
  await tx.insert(USERS, users)
  await tx.insert(NAMESPACES, namespaces)
  await tx.insert(TAGS, tags)
  await tx.insert(PERMISSION_EXCEPTIONS, exceptions)
}

/** Stores values with all rows derived from them, except the bounds of their tags. */
export async function insertValues<V>(tx: WriteTx<V>, values: readonly ReadValue[]): Promise<void> {
  const rows = values.map(({ tag, id, value, updatedAt, userId }) => ({
    tag_id: tag.id,
    object_id: id,
    ...columnsOf(value, updatedAt, userId),
  }))
  await tx.insert(TAG_VALUES, rows)
  await insertParts(tx, values)
  await replaceTerms(tx, await termChanges(new Map(), values))
  const abouts = values.filter(({ tag }) => tag.id === SYSTEM_TAGS.about.id)
  const hashes = abouts.map(({ id, value }) => ({
    about_hash: sha256(JSON.parse(value.content.toString()) as string),
    object_id: id,
  }))
  // Two objects with the same about value are damage, which the check after a restore reports. The restore goes on.
  await tx.insert(
    ABOUT_VALUES,
    hashes.sort((a, b) => a.about_hash.compare(b.about_hash)),
    tx.dialect.ignoreExisting(ABOUT_VALUES.key),
  )
}
