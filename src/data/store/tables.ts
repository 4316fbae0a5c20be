/** The tables' rows, in the forms for storing and from Knex, and the built-in users, namespaces and tags of every store. */
import type { Knex } from 'knex'
import type { Path, Username } from '../../model/paths.ts'
import type { RowOf, Table } from '../database/connection/sql.ts'

export const NAMESPACES: Table<{
  id: number
  path: string
  parent_id: number
  name: string
  object_id: Buffer
  open_actions: number
}> = {
  name: 'namespaces',
  key: ['id'],
  columns: ['id', 'path', 'parent_id', 'name', 'object_id', 'open_actions'],
}

export const TAGS: Table<{
  id: number
  path: string
  namespace_id: number
  name: string
  object_id: Buffer
  indexed: number
  open_actions: number
}> = {
  name: 'tags',
  key: ['id'],
  columns: ['id', 'path', 'namespace_id', 'name', 'object_id', 'indexed', 'open_actions'],
}

export const USERS: Table<{
  id: number
  username: string
  role: string
  password_hash: string | null
  object_id: Buffer
}> = { name: 'users', key: ['id'], columns: ['id', 'username', 'role', 'password_hash', 'object_id'] }

export const PERMISSION_EXCEPTIONS: Table<{ target_id: number; permission: number; user_id: number }> = {
  name: 'permission_exceptions',
  key: ['target_id', 'permission', 'user_id'],
  columns: ['target_id', 'permission', 'user_id'],
}

export const ABOUT_VALUES: Table<{ about_hash: Buffer; object_id: Buffer }> = {
  name: 'about_values',
  key: ['about_hash'],
  columns: ['about_hash', 'object_id'],
}

export const TAG_VALUES: Table<{
  tag_id: number
  object_id: Buffer
  type: number
  sort_key: Buffer
  /** The canonical JSON or the opaque bytes; null if they are in `value_parts`. */
  content: Buffer | null
  /** The size of the whole content, in octets. */
  size: number
  content_type: string | null
  /** Microseconds since 1970. */
  updated_at: number
  /** The last writer. */
  user_id: number
}> = {
  name: 'tag_values',
  key: ['tag_id', 'object_id'],
  columns: [
    'tag_id',
    'object_id',
    'type',
    'sort_key',
    'content',
    'size',
    'content_type',
    'updated_at',
    'user_id',
  ],
}

export const VALUE_PARTS: Table<{ tag_id: number; object_id: Buffer; part: number; content: Buffer }> = {
  name: 'value_parts',
  key: ['tag_id', 'object_id', 'part'],
  columns: ['tag_id', 'object_id', 'part', 'content'],
}

export const TERMS: Table<{ tag_id: number; term: Buffer; object_id: Buffer }> = {
  name: 'terms',
  key: ['tag_id', 'term', 'object_id'],
  columns: ['tag_id', 'term', 'object_id'],
}

/** A row as Knex returns it: text comes as bytes. */
type Found<Row> = {
  [Column in keyof Row]: Row[Column] extends string
    ? Buffer
    : Row[Column] extends string | null
      ? Buffer | null
      : Row[Column]
}

/** A row to store: text may be bytes. */
type Stored<Row> = { [Column in keyof Row]: Row[Column] extends string ? string | Buffer : Row[Column] }

/** A table; `More` has the columns that an INSERT may leave out. */
type TableOf<Row, More = unknown> = Knex.CompositeTableType<Found<Row & More>, Stored<Row> & Partial<More>>

/** The column that a write changes to show that it relies on a row (`touching.ts`). */
interface Touched {
  readonly touched: number
}

declare module 'knex/types/tables.js' {
  interface Tables {
    namespaces: TableOf<RowOf<typeof NAMESPACES>, Touched>
    tags: TableOf<RowOf<typeof TAGS>, Touched & { readonly value_bound: number }>
    users: TableOf<RowOf<typeof USERS>, Touched>
    permission_exceptions: TableOf<RowOf<typeof PERMISSION_EXCEPTIONS>>
    about_values: TableOf<RowOf<typeof ABOUT_VALUES>>
    tag_values: TableOf<RowOf<typeof TAG_VALUES>>
    value_parts: TableOf<RowOf<typeof VALUE_PARTS>>
    terms: TableOf<RowOf<typeof TERMS>>
    /** Deleted tags whose values are still to be deleted, with the time of deletion in microseconds since 1970. */
    tag_purges: TableOf<{ tag_id: number; deleted_at: number }>
    /** The next free number of each kind of thing. */
    id_blocks: TableOf<{ kind: string; next_id: number }>
  }
}

/** The superuser, and the user that requests without credentials run as. */
export const SERVICE_USER = { id: 1, username: 'service' as Username }
export const ANONYMOUS_USER = { id: 2, username: 'anon' as Username }

/** The built-in namespaces, parents first; a top-level namespace has the parent 0. */
export const BUILT_IN_NAMESPACES = [
  { id: 1, path: 'service' as Path, parentId: 0 },
  { id: 2, path: 'service/namespaces' as Path, parentId: 1 },
  { id: 3, path: 'service/tags' as Path, parentId: 1 },
  { id: 4, path: 'service/users' as Path, parentId: 1 },
  { id: 5, path: 'anon' as Path, parentId: 0 },
] as const

/** The system's own tags, which only the service writes. */
export const SYSTEM_TAGS = {
  about: { id: 1, path: 'service/about' as Path, namespaceId: 1 },
  namespacePath: { id: 2, path: 'service/namespaces/path' as Path, namespaceId: 2 },
  namespaceDescription: { id: 3, path: 'service/namespaces/description' as Path, namespaceId: 2 },
  tagPath: { id: 4, path: 'service/tags/path' as Path, namespaceId: 3 },
  tagDescription: { id: 5, path: 'service/tags/description' as Path, namespaceId: 3 },
  username: { id: 6, path: 'service/users/username' as Path, namespaceId: 4 },
  userName: { id: 7, path: 'service/users/name' as Path, namespaceId: 4 },
  userEmail: { id: 8, path: 'service/users/email' as Path, namespaceId: 4 },
  userRole: { id: 9, path: 'service/users/role' as Path, namespaceId: 4 },
} as const

export type SystemTag = keyof typeof SYSTEM_TAGS

/** The highest id of a system tag; all ids up to it belong to system tags. */
export const LAST_SYSTEM_TAG_ID = 9

/** The virtual tag that every object has, with the object's id as its value; it has no row. */
export const ID_TAG = { id: 0, path: 'service/id' as Path }

/** The kind of a row of `id_blocks` that a store has during the restore of a backup. */
export const RESTORING = 'restoring'
