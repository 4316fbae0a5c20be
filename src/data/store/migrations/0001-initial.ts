/** The first schema. It has no foreign keys, triggers or AUTO_INCREMENT, so that it also runs on clusters. */
import type { Knex } from 'knex'
import { isSqlite } from '../../database/knex-config.ts'

interface TableSpec {
  readonly columns: readonly string[]
  readonly primaryKey: string
  readonly unique?: Readonly<Record<string, string>>
  readonly indexes?: Readonly<Record<string, string>>
  /** For rows with large values: SQLite stores those better in a table with row numbers. */
  readonly large?: boolean
}

// 233 code points of at most 4 octets make 932 octets.
const TABLES: Readonly<Record<string, TableSpec>> = {
  users: {
    columns: [
      'id INT UNSIGNED NOT NULL',
      'username VARBINARY(512) NOT NULL',
      'role VARBINARY(16) NOT NULL',
      'password_hash VARBINARY(255) NULL',
      'object_id BINARY(16) NOT NULL',
    ],
    primaryKey: 'id',
    unique: { users_by_username: 'username' },
  },
  namespaces: {
    columns: [
      'id INT UNSIGNED NOT NULL',
      'path VARBINARY(932) NOT NULL',
      'parent_id INT UNSIGNED NOT NULL',
      'name VARBINARY(932) NOT NULL',
      'object_id BINARY(16) NOT NULL',
      'open_actions INT UNSIGNED NOT NULL',
    ],
    primaryKey: 'id',
    unique: { namespaces_by_path: 'path' },
    indexes: { namespaces_by_parent: 'parent_id' },
  },
  tags: {
    columns: [
      'id INT UNSIGNED NOT NULL',
      'path VARBINARY(932) NOT NULL',
      'namespace_id INT UNSIGNED NOT NULL',
      'name VARBINARY(932) NOT NULL',
      'object_id BINARY(16) NOT NULL',
      'indexed TINYINT NOT NULL',
      'open_actions INT UNSIGNED NOT NULL',
    ],
    primaryKey: 'id',
    unique: { tags_by_path: 'path' },
    indexes: { tags_by_namespace: 'namespace_id' },
  },
  permission_exceptions: {
    columns: [
      'target_id INT UNSIGNED NOT NULL',
      'permission TINYINT UNSIGNED NOT NULL',
      'user_id INT UNSIGNED NOT NULL',
    ],
    primaryKey: 'target_id, permission, user_id',
    indexes: { permission_exceptions_by_user: 'user_id' },
  },
  about_values: {
    columns: ['about_hash BINARY(32) NOT NULL', 'object_id BINARY(16) NOT NULL'],
    primaryKey: 'about_hash',
  },
  tag_values: {
    columns: [
      'tag_id INT UNSIGNED NOT NULL',
      'object_id BINARY(16) NOT NULL',
      'type TINYINT UNSIGNED NOT NULL',
      'sort_key VARBINARY(64) NOT NULL',
      'content VARBINARY(512) NULL',
      'size INT UNSIGNED NOT NULL',
      'content_type MEDIUMBLOB NULL',
      'updated_at BIGINT NOT NULL',
      'user_id INT UNSIGNED NOT NULL',
    ],
    primaryKey: 'tag_id, object_id',
    indexes: {
      tag_values_by_object: 'object_id, tag_id',
      tag_values_by_value: 'tag_id, sort_key, object_id',
      tag_values_by_user: 'user_id, updated_at',
    },
  },
  value_parts: {
    columns: [
      'tag_id INT UNSIGNED NOT NULL',
      'object_id BINARY(16) NOT NULL',
      'part INT UNSIGNED NOT NULL',
      'content MEDIUMBLOB NOT NULL',
    ],
    primaryKey: 'tag_id, object_id, part',
    large: true,
  },
  terms: {
    columns: ['tag_id INT UNSIGNED NOT NULL', 'term VARBINARY(66) NOT NULL', 'object_id BINARY(16) NOT NULL'],
    primaryKey: 'tag_id, term, object_id',
  },
  tag_purges: {
    columns: ['tag_id INT UNSIGNED NOT NULL', 'deleted_at BIGINT NOT NULL'],
    primaryKey: 'tag_id',
  },
  id_blocks: {
    columns: ['kind VARBINARY(16) NOT NULL', 'next_id INT UNSIGNED NOT NULL'],
    primaryKey: 'kind',
  },
}

/** Lower numbers belong to the built-in users, namespaces and tags. */
const FIRST_FREE_ID = 100

/** Every statement can run again: on MySQL, an interrupted migration leaves behind what it created. */
export async function up(knex: Knex): Promise<void> {
  const sqlite = isSqlite(knex)
  for (const [name, spec] of Object.entries(TABLES)) {
    for (const statement of sqlite ? sqliteTable(name, spec) : mysqlTable(name, spec))
      await knex.raw(statement)
  }
  for (const kind of ['users', 'namespaces', 'tags']) {
    await knex('id_blocks')
      .insert({ kind: Buffer.from(kind), next_id: FIRST_FREE_ID })
      .onConflict('kind')
      .ignore()
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TABLES)) await knex.schema.dropTableIfExists(name)
}

function mysqlTable(name: string, { columns, primaryKey, unique = {}, indexes = {} }: TableSpec): string[] {
  const keys = [
    `PRIMARY KEY (${primaryKey})`,
    ...Object.entries(unique).map(([index, key]) => `UNIQUE KEY ${index} (${key})`),
    ...Object.entries(indexes).map(([index, key]) => `KEY ${index} (${key})`),
  ]
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (${[...columns, ...keys].join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=binary`,
  ]
}

function sqliteTable(
  name: string,
  { columns, primaryKey, unique = {}, indexes = {}, large }: TableSpec,
): string[] {
  const rows = large === true ? '' : ' WITHOUT ROWID'
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (${[...columns, `PRIMARY KEY (${primaryKey})`].join(', ')})${rows}`,
    ...Object.entries(unique).map(
      ([index, key]) => `CREATE UNIQUE INDEX IF NOT EXISTS ${index} ON ${name} (${key})`,
    ),
    ...Object.entries(indexes).map(
      ([index, key]) => `CREATE INDEX IF NOT EXISTS ${index} ON ${name} (${key})`,
    ),
  ]
}
