/**
 * Computes a digest of the data that a caller sees in a store. Stores with equal data have equal digests, in whatever
 * order they return it.
 */
import { createHash, hash } from 'node:crypto'
import { toJson } from '../../packages/client/json.ts'
import {
  Counts,
  type ArchiveRecord,
  type ObjectName,
  type ObjectRecord,
  type OpaqueRecord,
  type Policies,
  type UserRecord,
} from '../../src/copy/records.ts'

/** The number of 32-bit words in a SHA-256. */
const WORDS = 8

/**
 * A sum over records. Each record has several facts, such as one value. The class adds the SHA-256 of the JSON of each
 * fact (in UTF-8) modulo 2^256, so that the order does not matter. The digest is the SHA-256 of the counts and that sum.
 */
export class Digest {
  readonly #sum = new Uint32Array(WORDS)
  readonly counts = new Counts()

  add(record: ArchiveRecord): void {
    this.counts.add(record)
    if ('opaque' in record) this.#addOpaque(record)
    else if ('object' in record) this.#addObject(record)
    else if ('user' in record) this.#addUser(record)
    else if ('tag' in record) {
      this.#say('tag', record.tag, record.indexed, record.description)
      this.#addPolicies(record.tag, record.permissions)
    } else {
      this.#say('namespace', record.namespace, record.description)
      this.#addPolicies(record.namespace, record.permissions)
    }
  }

  /** 64 hexadecimal digits. */
  hex(): string {
    const { users, namespaces, tags, objects, values, opaque } = this.counts
    const sum = [...this.#sum].map((word) => word.toString(16).padStart(8, '0')).join('')
    return createHash('sha256')
      .update(toJson(['gloss-digest', 1, users, namespaces, tags, objects, values, opaque, sum]))
      .digest('hex')
  }

  #addUser({ user, name, email, role }: UserRecord): void {
    this.#say('user', user, name, email, role)
  }

  #addObject({ object, values, more }: ObjectRecord): void {
    const name = objectKey(object)
    if (!more) this.#say('object', name)
    for (const [tag, value] of Object.entries(values)) this.#say('value', name, tag, value)
  }

  #addOpaque({ opaque, object, type, octets }: OpaqueRecord): void {
    this.#say('opaque', objectKey(object), opaque, type, createHash('sha256').update(octets).digest('hex'))
  }

  #addPolicies(path: string, permissions: Policies): void {
    for (const [category, actions] of Object.entries(permissions)) {
      for (const [action, { policy, exceptions }] of Object.entries(actions ?? {})) {
        this.#say('permission', category, action, path, policy, [...exceptions].sort())
      }
    }
  }

  #say(...parts: readonly unknown[]): void {
    const added = hash('sha256', toJson(parts), 'buffer')
    let carry = 0
    for (let word = WORDS - 1; word >= 0; word--) {
      const total = (this.#sum[word] ?? 0) + added.readUInt32BE(word * 4) + carry
      this.#sum[word] = total
      carry = total > 0xffff_ffff ? 1 : 0
    }
  }
}

const objectKey = (object: ObjectName): readonly string[] =>
  'about' in object ? ['about', object.about] : ['id', object.id]
