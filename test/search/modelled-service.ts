/** A service together with a model of its values: every change made through this class is made in both. */
import { parseQuery } from '../../src/query/parse.ts'
import type { Answer, Service } from '../support/service.ts'
import { answer, stringOf, type Value, type Values } from './model.ts'
import { quoted, randomQuery, type QueryParts, type Random } from './random.ts'

const ABOUT = 'service/about'
const JSON_TYPE = { 'content-type': 'application/json' }

export class ModelledService {
  readonly service: Service
  /** Values by path and object, for every tag of the tests and `service/about`. */
  readonly model = new Map<string, Values>([[ABOUT, new Map()]])
  readonly indexed = new Set<string>()
  readonly objects: string[] = []
  /** Further conditions for random queries, beside those on the tags of the tests. */
  readonly further: string[] = []

  constructor(service: Service) {
    this.service = service
  }

  /** The paths of alice's tags. */
  get paths(): string[] {
    return [...this.model.keys()].filter((path) => path !== ABOUT)
  }

  async makeTag(path: string, indexed: boolean): Promise<void> {
    const slash = path.lastIndexOf('/')
    const json = { name: path.slice(slash + 1), description: 'at random', indexed }
    await this.#ok('POST', `/tags/${encodeURIComponent(path.slice(0, slash))}`, { json })
    this.model.set(path, new Map())
    if (indexed) this.indexed.add(path)
  }

  async dropTag(path: string): Promise<void> {
    await this.#ok('DELETE', `/tags/${encodeURIComponent(path)}`)
    this.model.delete(path)
    this.indexed.delete(path)
  }

  async makeObject(about?: string): Promise<void> {
    const { id } = (
      await this.#ok('POST', '/objects', about === undefined ? {} : { json: { about } })
    ).json() as { id: string }
    this.objects.push(id)
    if (about !== undefined) this.model.get(ABOUT)?.set(id, stringOf(about))
  }

  async put(path: string, object: string, value: Value): Promise<void> {
    const body =
      value.type === 'opaque'
        ? { body: value.text, headers: { 'content-type': 'text/x-Random; a=B' } }
        : { primitive: value.text }
    await this.#ok('PUT', `/objects/${object}/${encodeURIComponent(path)}`, body)
    this.#set(path, [object], value)
  }

  async remove(path: string, object: string): Promise<void> {
    await this.#ok('DELETE', `/objects/${object}/${encodeURIComponent(path)}`)
    this.model.get(path)?.delete(object)
  }

  /** Sends a PUT /values with these elements, in order. */
  async putWhere(elements: readonly { query: string; values: ReadonlyMap<string, Value> }[]): Promise<void> {
    const texts = elements.map(({ query, values }) => {
      const entries = [...values].map(([path, { text }]) => `${JSON.stringify(path)}:{"value":${text}}`)
      return `[${JSON.stringify(query)},{${entries.join(',')}}]`
    })
    await this.#ok('PUT', '/values', { body: `{"queries":[${texts.join(',')}]}`, headers: JSON_TYPE })
    for (const { query, values } of elements) {
      const found = this.expected(query)
      for (const [path, value] of values) this.#set(path, found, value)
    }
  }

  async removeWhere(query: string, paths: readonly string[]): Promise<void> {
    const found = this.expected(query)
    await this.#ok('DELETE', '/values', { query: { query, tag: paths } })
    for (const path of paths) for (const object of found) this.model.get(path)?.delete(object)
  }

  /** The objects that the query matches in the model. */
  expected(query: string): string[] {
    return answer(this.model, parseQuery(query))
  }

  /** The objects that the service finds for the query. */
  async found(query: string): Promise<string[]> {
    return ((await this.#ok('GET', '/objects', { query: { query } })).json() as { ids: string[] }).ids
  }

  /** What random queries are made from. */
  queryParts(): QueryParts {
    const abouts = [...(this.model.get(ABOUT)?.values() ?? [])]
    const about = abouts.flatMap((value) =>
      value.type === 'string' ? [`${ABOUT} = ${quoted(value.value)}`] : [],
    )
    return {
      paths: this.paths,
      indexed: [...this.indexed],
      objects: this.objects,
      further: [...about, `${ABOUT} matches "zebra"`, `${ABOUT} matches "zeb* 1*"`, ...this.further],
    }
  }

  /** Checks `count` random queries; throws, with the seed and the query, where service and model differ. */
  async checkQueries(random: Random, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const query = randomQuery(random, this.queryParts())
      const [expected, found] = [this.expected(query), await this.found(query)]
      if (JSON.stringify(found) === JSON.stringify(expected)) continue
      const [surplus, missing] = [without(found, expected), without(expected, found)]
      throw new Error(
        `SEED=${String(random.seed)} query ${String(i)}: ${query}\n` +
          `of ${String(expected.length)} objects, surplus: ${this.#shown(surplus)}, missing: ${this.#shown(missing)}`,
      )
    }
  }

  /** Adds to the model the about values that the service created itself. */
  async learnAbouts(): Promise<void> {
    const found = await this.#ok('GET', '/values', { query: { query: `${ABOUT} >= ""`, tag: ABOUT } })
    const { results } = found.json() as { results: { id: Record<string, Record<string, { value: string }>> } }
    for (const [object, tags] of Object.entries(results.id)) {
      this.model.get(ABOUT)?.set(object, stringOf(tags[ABOUT]?.value ?? ''))
    }
  }

  #shown(objects: readonly string[]): string {
    return JSON.stringify(
      objects
        .slice(0, 2)
        .map((object) => [
          object,
          ...this.paths.map((path) => this.model.get(path)?.get(object)?.text.slice(0, 200)),
        ]),
    )
  }

  #set(path: string, objects: readonly string[], value: Value): void {
    const values = this.model.get(path) ?? new Map<string, Value>()
    if (!this.model.has(path)) this.indexed.add(path)
    this.model.set(path, values)
    for (const object of objects) values.set(object, value)
  }

  #ok(...[method, path, options]: Parameters<Service['ok']>): Promise<Answer> {
    return this.service.ok(method, path, { as: 'alice', ...options })
  }
}

/** The items of the first list that are not in the second. */
export function without(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}
