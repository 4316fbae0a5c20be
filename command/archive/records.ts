/** The records of an archive, one line of JSON each. */
import { toJson, parseExact, type ExactNumber } from '../../packages/client/json.ts'

/** A value that is not opaque. Numbers keep all their digits. */
export type Primitive = null | boolean | string | ExactNumber | readonly string[]

/** The about value of an object; the id only for an object without an about value. */
export type ObjectName = { readonly about: string } | { readonly id: string }

export interface Policy {
  readonly policy: 'open' | 'closed'
  readonly exceptions: readonly string[]
}

/** Policies by category and action, as far as the caller may read them. */
export type Policies = Readonly<Partial<Record<string, Readonly<Record<string, Policy>>>>>

/** Members that the caller may not read are missing. */
export interface UserRecord {
  readonly user: string
  readonly name?: string
  readonly email?: string
  readonly role?: string
}

export interface NamespaceRecord {
  readonly namespace: string
  readonly description?: string
  readonly permissions: Policies
}

export interface TagRecord {
  readonly tag: string
  readonly description?: string
  readonly indexed: boolean
  readonly permissions: Policies
}

/** An object with all its values except opaque ones. */
export interface ObjectRecord {
  readonly object: ObjectName
  readonly values: Readonly<Record<string, Primitive>>
}

/** An opaque value; the record of its object stands before it. */
export interface OpaqueRecord {
  readonly opaque: string
  readonly object: ObjectName
  readonly type: string
  readonly octets: Buffer
}

export type ArchiveRecord = UserRecord | NamespaceRecord | TagRecord | ObjectRecord | OpaqueRecord

/** The number of records of each kind. */
export interface Counts {
  readonly users: number
  readonly namespaces: number
  readonly tags: number
  readonly objects: number
  readonly values: number
  readonly opaque: number
}

/** Formats the counts for a sentence. */
export const countsText = (counts: Counts): string =>
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

/** The first line. */
export interface Head {
  readonly 'gloss-archive': number
  /** The time at which the export began, RFC 3339. */
  readonly exported: string
}

/** The last line. */
export interface Tail {
  readonly end: Counts
  readonly digest: string
}

/** The format of the archives that this version writes; it reads no other format. */
export const FORMAT = 1

/** The line of a record, without the line end. */
export const lineOf = (record: ArchiveRecord | Head | Tail): string =>
  toJson('opaque' in record ? { ...record, octets: record.octets.toString('base64') } : record)

/** Parses a line. Throws a `SyntaxError` if the line is not a line of an archive. */
export function parseLine(line: string): ArchiveRecord | Tail {
  const parsed = parseExact(line)
  if (isRecord(parsed)) {
    const kind = KINDS.find(({ key }) => Object.hasOwn(parsed, key))
    if (kind?.fits(parsed)) return kind.key === 'opaque' ? withOctets(parsed) : (parsed as never)
  }
  throw new SyntaxError('it is neither a user, a namespace, a tag, an object, a value nor the end')
}

type Parsed = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value)
const isObjectName = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).length === 1 && (isText(value['about']) || isText(value['id']))
const isPolicy = (value: unknown): boolean =>
  isRecord(value) && isText(value['policy']) && Array.isArray(value['exceptions'])
const arePolicies = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every((actions) => isRecord(actions) && Object.values(actions).every(isPolicy))

/** The kinds of lines, each with a member that no other kind has; the rarer kind comes first. */
const KINDS: readonly { readonly key: string; readonly fits: (line: Parsed) => boolean }[] = [
  {
    key: 'opaque',
    fits: (line) =>
      isText(line['opaque']) &&
      isObjectName(line['object']) &&
      isText(line['type']) &&
      isText(line['octets']),
  },
  { key: 'object', fits: (line) => isObjectName(line['object']) && isRecord(line['values']) },
  {
    key: 'tag',
    fits: (line) =>
      isText(line['tag']) &&
      isTextOrAbsent(line['description']) &&
      typeof line['indexed'] === 'boolean' &&
      arePolicies(line['permissions']),
  },
  {
    key: 'namespace',
    fits: (line) =>
      isText(line['namespace']) && isTextOrAbsent(line['description']) && arePolicies(line['permissions']),
  },
  {
    key: 'user',
    fits: (line) =>
      ['name', 'email', 'role'].every((name) => isTextOrAbsent(line[name])) && isText(line['user']),
  },
  { key: 'end', fits: (line) => isRecord(line['end']) && isText(line['digest']) },
]

const withOctets = (line: Parsed): OpaqueRecord => ({
  opaque: line['opaque'] as string,
  object: line['object'] as ObjectName,
  type: line['type'] as string,
  octets: Buffer.from(line['octets'] as string, 'base64'),
})
