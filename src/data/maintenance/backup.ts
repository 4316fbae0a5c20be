/** Writes a backup of a store while others use it: users, tags and values, without the rows that can be derived from them. */
import { isUtf8 } from 'node:buffer'
import { idText } from '../database/ids/ids.ts'
import type { Store } from '../store/store.ts'
import { SCHEMA } from '../store/versions.ts'
import type { ReadTx } from '../store/views.ts'
import { SERVICE } from '../entities/users.ts'
import { findTypeOfCode, PART_BYTES, typeCode, typeOfCode } from '../values/encoding.ts'
import { writeBackupFile, type Counts, type Line } from './backup-file.ts'
import { Cursor, rowsIn, type Listing } from './cursor.ts'
import { placeText } from './findings.ts'
import { StoredValues, type Stored, type StoredRow } from './stored-values.ts'

/** The result of a backup. */
export interface Backup {
  readonly counts: Counts
  /** The damaged values, which the backup lacks, each with its fault. */
  readonly leftOut: readonly string[]
}

/**
 * Writes a backup of a store into a file, in one consistent view, with every write acknowledged before. It blocks no
 * request, and keeps in memory no more than the longest value. `schema` is that of the store. Throws if the file exists.
 */
export const backUp = (store: Store, file: string, schema = SCHEMA): Promise<Backup> =>
  store.scan(SERVICE, new AbortController().signal, async (tx) => {
    const leftOut: string[] = []
    const counts = await writeBackupFile(file, schema, linesOf(tx, leftOut))
    return { counts, leftOut }
  })

async function* linesOf<V>(tx: ReadTx<V>, leftOut: string[]): AsyncGenerator<Line> {
  for (const section of THINGS) {
    for await (const row of rowsIn(tx, section.listing)) yield section.lineOf(row)
  }
  yield* valueLines(tx, leftOut)
}

interface Section {
  readonly listing: Listing
  /** The line for a row of the listing. */
  lineOf(row: object): Line
}

type Bytes = Readonly<Record<'username' | 'role' | 'path' | 'object_id' | 'kind', Buffer>>
type Numbers = Readonly<
  Record<'id' | 'parent_id' | 'namespace_id' | 'open_actions' | 'indexed' | 'next_id', number>
>
type Row<Column extends keyof (Bytes & Numbers)> = Pick<Bytes & Numbers, Column>

/** The store's data other than values, in the order of the file. */
const THINGS: readonly Section[] = [
  {
    listing: { table: 'id_blocks', columns: ['kind', 'next_id'], key: ['kind'] },
    lineOf: (row: Row<'kind' | 'next_id'>) => ['next', row.kind.toString(), row.next_id],
  },
  {
    listing: {
      table: 'users',
      columns: ['id', 'username', 'role', 'password_hash', 'object_id'],
      key: ['id'],
    },
    lineOf: (row: Row<'id' | 'username' | 'role' | 'object_id'> & { password_hash: Buffer | null }) => [
      ...(['user', row.id, row.username.toString(), row.role.toString()] as const),
      row.password_hash?.toString() ?? null,
      idText(row.object_id),
    ],
  },
  {
    listing: {
      table: 'namespaces',
      columns: ['id', 'path', 'parent_id', 'object_id', 'open_actions'],
      key: ['id'],
    },
    lineOf: (row: Row<'id' | 'path' | 'parent_id' | 'object_id' | 'open_actions'>) => [
      ...(['namespace', row.id, row.path.toString(), row.parent_id] as const),
      ...([idText(row.object_id), row.open_actions] as const),
    ],
  },
  {
    listing: {
      table: 'tags',
      columns: ['id', 'path', 'namespace_id', 'object_id', 'indexed', 'open_actions'],
      key: ['id'],
    },
    lineOf: (row: Row<'id' | 'path' | 'namespace_id' | 'object_id' | 'indexed' | 'open_actions'>) => [
      ...(['tag', row.id, row.path.toString(), row.namespace_id] as const),
      ...([idText(row.object_id), row.indexed, row.open_actions] as const),
    ],
  },
  {
    listing: {
      table: 'permission_exceptions',
      columns: ['target_id', 'permission', 'user_id'],
      key: ['target_id', 'permission', 'user_id'],
    },
    lineOf: (row: { target_id: number; permission: number; user_id: number }) => [
      'exception',
      row.target_id,
      row.permission,
      row.user_id,
    ],
  },
]

/** The values of all existing tags; the remains of deleted tags are not kept. */
async function* valueLines<V>(tx: ReadTx<V>, leftOut: string[]): AsyncGenerator<Line> {
  const tags = await Cursor.open<{ id: number }, V>(tx, { table: 'tags', columns: ['id'], key: ['id'] })
  const stored = await StoredValues.open(tx)
  for (let id = stored.tagId; id !== undefined; id = stored.tagId) {
    while (tags.head !== undefined && tags.head.id < id) await tags.advance()
    const exists = tags.head?.id === id
    for await (const value of stored.of(id)) {
      if (!exists) continue
      const { row, content } = value
      const flaw = content === undefined ? 'parts of it are missing' : flawOf(row, content)
      if (content === undefined || flaw !== undefined)
        leftOut.push(`${placeText(id, row.object_id)}: ${flaw}`)
      else yield* linesOfValue(value, content)
    }
  }
}

const OPAQUE = typeCode('opaque')

/** Why a backup cannot hold a value unchanged: octets that are no UTF-8 would become another text. Undefined if it can. */
function flawOf(row: StoredRow, content: Buffer): string | undefined {
  if (findTypeOfCode(row.type) === undefined) return `no type has the number ${String(row.type)}`
  if (row.type !== OPAQUE && !isUtf8(content)) return 'it has octets that are no UTF-8'
  if (row.content_type !== null && !isUtf8(row.content_type))
    return 'its content type has octets that are no UTF-8'
  return undefined
}

/** A value: its content as text or, if it is opaque, in base64; a long one in lines of its own, in base64. */
function* linesOfValue({ row, parts }: Stored, content: Buffer): Generator<Line> {
  const inLine = row.content !== null
  const text = row.type === OPAQUE ? content.toString('base64') : content.toString()
  yield [
    'value',
    row.tag_id,
    idText(row.object_id),
    typeOfCode(row.type),
    row.content_type?.toString() ?? null,
    row.updated_at,
    row.user_id,
    inLine ? text : parts,
  ]
  for (let part = 0; !inLine && part < parts; part++) {
    yield ['part', content.toString('base64', part * PART_BYTES, (part + 1) * PART_BYTES)]
  }
}
