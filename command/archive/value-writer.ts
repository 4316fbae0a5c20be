/** Writes objects and values of an archive, many in one request. */
import { readValue, ServiceError, writeValue } from '../../packages/client/index.ts'
import type { Connection } from '../connection/connect.ts'
import { queryOf } from '../../common/connection/addresses.ts'
import { groupsOf } from '../../common/connection/url-groups.ts'
import { found, type Entry, type Found } from '../connection/search.ts'
import { toJson } from '../../packages/client/json.ts'
import type { ObjectName, ObjectRecord, OpaqueRecord, Primitive } from '../../src/copy/records.ts'

/** The octets of JSON, and the number of objects, in one batch. */
const BATCH_SIZE = 262_144
const BATCH_OBJECTS = 500
/**
 * The octets of JSON in one PUT of `/values`. By default, services accept 2 MiB and 250,000 JSON values; each value has
 * at least three octets.
 */
const REQUEST_SIZE = 524_288
/** The characters of JSON from which a value gets a request of its own. */
const LONG = 65_536
/** The most characters of an about value in a query. For objects with longer ones, the import requests the id. */
const LONGEST_IN_QUERY = 1000
/** The most conditions in a search for objects. */
const QUERY_CONDITIONS = 200

/** An object, a query that matches it alone, and the values to write. */
interface Target extends ObjectRecord {
  readonly query: string
}

/** Collects values, and returns work as soon as it has enough for a batch. */
export class ValueWriter {
  readonly #connection: Connection
  readonly #isResumed: boolean
  #batch: ObjectRecord[] = []
  #size = 0

  /** With `isResumed`, it searches for values that are already in the store, and does not write those again. */
  constructor(connection: Connection, isResumed: boolean) {
    this.#connection = connection
    this.#isResumed = isResumed
  }

  add(record: ObjectRecord | OpaqueRecord): (() => Promise<void>) | undefined {
    if ('opaque' in record) return () => this.#writeOpaque(record)
    this.#batch.push(record)
    this.#size += octetsOf(record)
    return this.#size < BATCH_SIZE && this.#batch.length < BATCH_OBJECTS ? undefined : this.rest()
  }

  /** Returns the remaining work after the last value. */
  rest(): () => Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#size = 0
    return () => this.#write(batch)
  }

  async #write(batch: readonly ObjectRecord[]): Promise<void> {
    const targets = await Promise.all(batch.map((record) => this.#targetOf(record)))
    const left = this.#isResumed ? await this.#missing(targets) : targets
    for (const queries of requestsFor(left)) {
      await this.#connection.client.PUT('/values', { body: { queries } })
    }
    for (const { object, values } of left) {
      for (const [tag, value] of Object.entries(values)) {
        if (!isShort(value)) await this.#writeLong(object, tag, value)
      }
    }
  }

  async #targetOf({ object, values }: ObjectRecord): Promise<Target> {
    const isNamed = 'about' in object && object.about.length <= LONGEST_IN_QUERY
    return { object, values, query: queryOf(isNamed ? object : { id: await this.#idOf(object) }) }
  }

  /** Returns the id of an object; creates the object if it does not exist. */
  async #idOf(object: ObjectName): Promise<string> {
    if ('id' in object) return object.id
    const { data } = await this.#connection.client.POST('/objects', { body: { about: object.about } })
    return data.id
  }

  /** Returns the values that the store lacks or has differently. */
  async #missing(targets: readonly Target[]): Promise<Target[]> {
    const missing: Target[] = []
    for (const some of groupsOf(
      targets,
      ({ query }) => ` or ${query}`,
      () => QUERY_CONDITIONS,
    )) {
      const query = some.map((target) => target.query).join(' or ')
      const present = new Map<string, Found>()
      for await (const object of found(this.#connection, { query, tags: ['*'] })) {
        present.set(queryOf(object), object)
        if (object.about !== null) present.set(queryOf({ about: object.about }), object)
      }
      for (const target of some) {
        const object = present.get(target.query)
        const values = Object.entries(target.values).filter(
          ([tag, value]) => !isEqual(object?.values[tag], value),
        )
        if (object === undefined || values.length > 0) {
          missing.push({ ...target, values: Object.fromEntries(values) })
        }
      }
    }
    return missing
  }

  async #writeLong(object: ObjectName, tag: string, value: Primitive): Promise<void> {
    const slot = { id: await this.#idOf(object), tag }
    await writeValue(this.#connection.client, slot, value)
  }

  async #writeOpaque({ object, opaque, type, octets }: OpaqueRecord): Promise<void> {
    const { client } = this.#connection
    const slot = { id: await this.#idOf(object), tag: opaque }
    if (this.#isResumed && (await this.#hasOpaque(slot, type, octets))) return
    const bytes = Uint8Array.from(octets)
    await writeValue(client, slot, { type: 'opaque', contentType: type, bytes })
  }

  async #hasOpaque(
    slot: { readonly id: string; readonly tag: string },
    type: string,
    octets: Buffer,
  ): Promise<boolean> {
    try {
      const present = await readValue(this.#connection.client, slot)
      return present.type === 'opaque' && present.contentType === type && octets.equals(present.bytes)
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return false
      throw error
    }
  }
}

const isShort = (value: Primitive): boolean => toJson(value).length <= LONG

const octetsOf = (value: unknown): number => Buffer.byteLength(toJson(value))

/** An element of PUT `/values`. */
type Element = readonly [query: string, values: Record<string, { readonly value: Primitive }>]

/** Yields the elements of requests that write the short values. The values of one object may need several requests. */
function* requestsFor(targets: readonly Target[]): Generator<readonly Element[]> {
  let elements: Element[] = []
  let size = 0
  for (const { query, values } of targets) {
    let element: Element = [query, {}]
    elements.push(element)
    size += octetsOf(query)
    for (const [tag, value] of Object.entries(values).filter(([, one]) => isShort(one))) {
      const length = octetsOf({ [tag]: { value } })
      if (size + length > REQUEST_SIZE) {
        yield elements
        element = [query, {}]
        elements = [element]
        size = octetsOf(query)
      }
      element[1][tag] = { value }
      size += length
    }
  }
  if (elements.length > 0) yield elements
}

const isEqual = (entry: Entry | undefined, value: Primitive): boolean =>
  entry !== undefined && 'value' in entry && toJson(entry.value) === toJson(value)
