/** The records of a copy of a store, one line of JSON each: of an archive, or of a backup, whose records have more members. */
import { parseExact, type ExactNumber } from '../../packages/client/json.ts'

/** A value that is not opaque. Numbers keep all their digits. */
export type Primitive = null | boolean | string | ExactNumber | readonly string[]

/** The about value of an object; in an archive, the id only for an object without an about value. */
export type ObjectName = { readonly about: string } | { readonly id: string }

export interface Policy {
  readonly policy: 'open' | 'closed'
  /** User names. */
  readonly exceptions: readonly string[]
}

/** Policies by category and action. An archive has those that the caller may read. */
export type Policies = Readonly<Partial<Record<string, Readonly<Record<string, Policy>>>>>

/** Members that the caller may not read are missing. */
export interface UserRecord {
  readonly user: string
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly role?: string | undefined
}

export interface NamespaceRecord {
  readonly namespace: string
  readonly description?: string | undefined
  readonly permissions: Policies
}

export interface TagRecord {
  readonly tag: string
  readonly description?: string | undefined
  readonly indexed: boolean
  readonly permissions: Policies
}

/** An object with all its values except opaque ones. */
export interface ObjectRecord {
  readonly object: ObjectName
  readonly values: Readonly<Record<string, Primitive>>
  /** The object has a record before, too. */
  readonly more?: true
}

/** An opaque value; a record of its object stands before it. */
export interface OpaqueRecord {
  readonly opaque: string
  readonly object: ObjectName
  readonly type: string
  readonly octets: Buffer
}

export type ArchiveRecord = UserRecord | NamespaceRecord | TagRecord | ObjectRecord | OpaqueRecord

/** What a backup has of a user, a namespace or a tag: its number, and the id of the object about it. */
interface Kept {
  readonly number: number
  readonly id: string
}

/** In a backup, objects have ids, and may have about values, too. */
interface KeptName {
  readonly about?: string
  readonly id: string
}

/** The last write of a value: its time in microseconds since 1970, and the number of the user. */
export type Written = readonly [at: number, by: number]

export type KeptUser = UserRecord & Kept & { readonly role: string; readonly hash: string | null }
export type KeptNamespace = NamespaceRecord & Kept
export type KeptTag = TagRecord & Kept
/** A backup has the values of system tags, too. `written` has a member for each value. */
export type KeptObject = ObjectRecord & {
  readonly object: KeptName
  readonly written: Readonly<Record<string, Written>>
}
export type KeptOpaque = OpaqueRecord & { readonly object: KeptName; readonly written: Written }

export type BackupRecord = KeptUser | KeptNamespace | KeptTag | KeptObject | KeptOpaque

/** How many there are of each kind; `values` are those that are not opaque. */
export class Counts {
  users = 0
  namespaces = 0
  tags = 0
  objects = 0
  values = 0
  opaque = 0

  add(record: ArchiveRecord): void {
    if ('opaque' in record) this.opaque += 1
    else if ('object' in record) {
      if (!record.more) this.objects += 1
      this.values += Object.keys(record.values).length
    } else if ('user' in record) this.users += 1
    else if ('tag' in record) this.tags += 1
    else this.namespaces += 1
  }
}

/** Formats counts for a sentence. */
export const countsText = (counts: Readonly<Counts>): string =>
  (
    [
      [counts.users, 'user', 'users'],
      [counts.namespaces, 'namespace', 'namespaces'],
      [counts.tags, 'tag', 'tags'],
      [counts.objects, 'object', 'objects'],
      [counts.values, 'value', 'values'],
      [counts.opaque, 'opaque value', 'opaque values'],
    ] as const
  )
    .map(([count, one, many]) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`)
    .join(', ')

/** The line of a record, without the line end. */
export const lineOf = (record: ArchiveRecord): string =>
  JSON.stringify('opaque' in record ? { ...record, octets: record.octets.toString('base64') } : record)

/** The record of a line that `lineOf` wrote. */
export function recordOf(line: string): ArchiveRecord {
  const record = JSON.parse(line) as ArchiveRecord
  if ('opaque' in record) return { ...record, octets: Buffer.from(String(record.octets), 'base64') }
  if (!('values' in record) || !Object.values(record.values).some(isNumber)) return record
  // `JSON.parse` loses digits.
  return { ...record, values: (parseExact(line) as ObjectRecord).values }
}

/** The number with this JSON. */
export const numberIn = (json: string): Primitive => parseExact(json) as Primitive

const isNumber = (value: unknown): boolean => typeof value === 'number'
