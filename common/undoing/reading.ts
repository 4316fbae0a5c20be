/** Reads the current values of many objects. */
import type { Client } from '../../packages/client/index.ts'
import { parseExact, type ExactNumber } from '../../packages/client/json.ts'
import { ServiceError } from '../../packages/client/service-error.ts'
import { queryOf, type Address } from '../connection/addresses.ts'
import { groupsOf, lengthInUrl } from '../connection/url-groups.ts'
import { keyOf, type PrimitiveState } from './states.ts'

/**
 * Runs work again after temporary errors. Returns the reason if the service refuses it; throws errors that concern all
 * rows, and those of a missing answer.
 */
export type Attempt = (work: () => Promise<unknown>) => Promise<string | undefined>

/** The reason why a change cannot be taken back. */
export class Unkept extends Error {
  override readonly name = 'Unkept'
}

/** A value in an answer. */
export type Entry = PrimitiveState | { readonly 'value-type': string; readonly size: number | ExactNumber }

/** An object in the store, and its values by folded path. */
export interface Known {
  readonly id: string
  readonly values: Readonly<Record<string, Entry>>
}

/** The objects that exist, by id and by about value (`keyOf`), and those of the tags that do not exist. */
export interface Current {
  readonly objects: ReadonlyMap<string, Known>
  readonly missing: ReadonlySet<string>
}

/** The most objects in a request. */
const MOST = 250
/** The most characters that the tags of a request take in its URL, unless it is a single one. */
const LONGEST_TAGS = 1500
/** The most characters that one object may take in a URL. */
const LONGEST_OBJECT = 20_000
/** The size of the first request, and the number of characters that an answer should have: values may be long. */
const FIRST = 25
const SIZE = 2_000_000

const ABOUT = 'service/about'

/** Whether the query for this object fits into a request. */
export const isAddressable = (target: Address): boolean => lengthInUrl(queryOf(target)) < LONGEST_OBJECT

/** Adds values of an object, under its id and its about value. */
function addTo(objects: Map<string, Known>, id: string, values: Known['values']): void {
  const known = { id, values: { ...objects.get(id)?.values, ...values } }
  objects.set(id, known)
  const about = values[ABOUT]
  if (about !== undefined && 'value' in about) objects.set(keyOf({ about: about.value as string }), known)
}

/** Reads values. It notices which tags the user may not read. */
export class Reader {
  readonly #client: Client
  readonly #attempt: Attempt
  /** The folded paths of the tags that the user may not read. */
  readonly unreadable = new Set<string>()
  #size = FIRST

  constructor(client: Client, attempt: Attempt) {
    this.#client = client
    this.#attempt = attempt
  }

  /** Reads the values of these tags, by folded path, on these objects. Throws an `Unkept` if the service refuses that. */
  async read(targets: readonly Address[], tags: readonly string[]): Promise<Current> {
    const objects = new Map<string, Known>()
    const missing = new Set<string>()
    for (const group of groupsOf(
      targets,
      (one) => `${queryOf(one)} or `,
      () => this.#size,
    )) {
      const query = group.map(queryOf).join(' or ')
      for (const some of groupsOf(
        tags,
        (tag) => `&tag=${tag}`,
        () => Infinity,
        LONGEST_TAGS,
      )) {
        for (const [id, values] of await this.#readSome(query, some, missing)) addTo(objects, id, values)
      }
    }
    return { objects, missing }
  }

  /** Reads values, without those of tags that do not exist or are unreadable. */
  async #readSome(
    query: string,
    tags: readonly string[],
    missing: Set<string>,
  ): Promise<[string, Readonly<Record<string, Entry>>][]> {
    for (;;) {
      const asked = tags.filter((tag) => !missing.has(tag) && !this.unreadable.has(tag))
      try {
        return await this.#get(query, asked)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        const { errorClass, facts } = error
        const path = facts['path'] ?? ''
        if (!asked.includes(path)) throw error
        if (errorClass === 'TNonexistentTag') missing.add(path)
        else if (errorClass === 'TPathPermissionDenied') this.unreadable.add(path)
        else throw error
      }
    }
  }

  async #get(query: string, tags: readonly string[]): Promise<[string, Readonly<Record<string, Entry>>][]> {
    let text = ''
    const reason = await this.#attempt(async () => {
      const params = { query: { query, tag: [ABOUT, ...tags] } }
      text = (await this.#client.GET('/values', { params, parseAs: 'text' })).data
    })
    if (reason !== undefined) throw new Unkept(reason)
    const { results } = parseExact(text) as { results: { id: Record<string, Record<string, Entry>> } }
    const found = Object.entries(results.id)
    const each = text.length / Math.max(1, found.length)
    this.#size = Math.max(1, Math.min(MOST, this.#size * 4, Math.floor(SIZE / each)))
    return found
  }
}
