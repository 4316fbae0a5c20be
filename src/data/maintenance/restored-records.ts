/** Stores the records of a backup, with all rows derived from them. */
import { baseName, parentOf, type Path } from '../../model/paths.ts'
import { parsePrimitive, primitiveOf, type TagValue } from '../../model/tag-value.ts'
import type {
  BackupRecord,
  KeptNamespace,
  KeptObject,
  KeptOpaque,
  KeptTag,
  KeptUser,
  Primitive,
  Written,
} from '../../copy/records.ts'
import { idBytes, type ObjectId } from '../database/ids/ids.ts'
import type { RowOf } from '../database/connection/sql.ts'
import { ABOUT_VALUES, NAMESPACES, SYSTEM_TAGS, TAG_VALUES, TAGS, USERS } from '../store/tables.ts'
import type { WriteTx } from '../store/views.ts'
import { insertExceptions, openActions, type Policies } from '../permissions/policies.ts'
import { Encoded, sha256 } from '../values/encoding.ts'
import { replaceTerms } from '../rows/term-rows.ts'
import { columnsOf, insertParts, termChanges, type NewValue } from '../rows/value-parts.ts'
import { policiesOf } from './kept-policies.ts'

/** A value with the time and the user of its last write. */
interface ReadValue extends NewValue {
  readonly updatedAt: number
  readonly userId: number
}

/** Rows to store in one transaction. */
export class Portion {
  readonly users: RowOf<typeof USERS>[] = []
  readonly namespaces: RowOf<typeof NAMESPACES>[] = []
  readonly tags: RowOf<typeof TAGS>[] = []
  readonly policies: (readonly [id: number, Policies])[] = []
  readonly values: ReadValue[] = []
  /** The octets of the values. */
  octets = 0

  get rows(): number {
    return this.users.length + this.namespaces.length + this.tags.length + this.values.length
  }
}

/** Makes rows of records, in the order of a backup. */
export class Records {
  /** How many values each tag has. */
  readonly values = new Map<number, number>()
  readonly #users = new Map<string, number>()
  readonly #namespaces = new Map<string, number>()
  readonly #tags = new Map<string, { readonly id: number; readonly indexed: boolean }>()

  add(record: BackupRecord, to: Portion): void {
    if ('opaque' in record) this.#opaque(record, to)
    else if ('object' in record) this.#object(record, to)
    else if ('tag' in record) this.#tag(record, to)
    else if ('namespace' in record) this.#namespace(record, to)
    else this.#user(record, to)
  }

  #user({ user, number, role, hash, id }: KeptUser, to: Portion): void {
    this.#users.set(user, number)
    to.users.push({ id: number, username: user, role, password_hash: hash, object_id: bytesOf(id) })
  }

  #namespace(record: KeptNamespace, to: Portion): void {
    const { parent, ...columns } = this.#columns(record.namespace, record, to)
    this.#namespaces.set(record.namespace, record.number)
    to.namespaces.push({ ...columns, parent_id: parent })
  }

  #tag(record: KeptTag, to: Portion): void {
    const { number: id, tag, indexed } = record
    const { parent, ...columns } = this.#columns(tag, record, to)
    this.#tags.set(tag, { id, indexed })
    to.tags.push({ ...columns, namespace_id: parent, indexed: indexed ? 1 : 0 })
  }

  /** What the rows of namespaces and of tags have in common; `parent` is 0 at the top. */
  #columns(path: string, { number: id, id: object, permissions }: KeptNamespace | KeptTag, to: Portion) {
    const policies = policiesOf(permissions, this.#users)
    to.policies.push([id, policies])
    return {
      id,
      path,
      name: baseName(path as Path),
      parent: this.#namespaces.get(parentOf(path as Path) ?? '') ?? 0,
      object_id: bytesOf(object),
      open_actions: openActions(policies),
    }
  }

  #object({ object, values, written }: KeptObject, to: Portion): void {
    for (const [tag, value] of Object.entries(values))
      this.#value({ tag, on: object.id, value: primitiveIn(value), written: written[tag] ?? [0, 0] }, to)
  }

  #opaque({ opaque: tag, object, type, octets, written }: KeptOpaque, to: Portion): void {
    this.#value(
      { tag, on: object.id, value: { type: 'opaque', contentType: type, bytes: octets }, written },
      to,
    )
  }

  #value({ tag: path, on, value, written: [updatedAt, userId] }: ValueOf, to: Portion): void {
    const tag = this.#tags.get(path)
    if (tag === undefined) throw new Error(`a value stands before its tag ${path}`)
    this.values.set(tag.id, (this.values.get(tag.id) ?? 0) + 1)
    const encoded = new Encoded(value)
    to.values.push({ tag, object: on as ObjectId, id: bytesOf(on), value: encoded, updatedAt, userId })
    to.octets += encoded.content.length
  }
}

interface ValueOf {
  readonly tag: string
  readonly on: string
  readonly value: TagValue
  readonly written: Written
}

const bytesOf = (id: string): Buffer => idBytes(id as ObjectId)

const primitiveIn = (value: Primitive): TagValue =>
  typeof value === 'object' && value !== null && 'rawJSON' in value
    ? parsePrimitive(value.rawJSON)
    : primitiveOf(value, undefined)

/** Stores rows with all rows derived from them, except the bounds of tags. */
export async function insertPortion<V>(tx: WriteTx<V>, portion: Portion): Promise<void> {
  await tx.insert(USERS, portion.users)
  await tx.insert(NAMESPACES, portion.namespaces)
  await tx.insert(TAGS, portion.tags)
  await insertExceptions(tx, portion.policies)
  await insertValues(tx, portion.values)
}

async function insertValues<V>(tx: WriteTx<V>, values: readonly ReadValue[]): Promise<void> {
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
