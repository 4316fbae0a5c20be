/** Reading and setting the policies of namespaces and tags. */
import type { Answer, Service } from '../support/service.ts'
import type { Category, Policy } from './oracle.ts'

export const OPEN: Policy = { policy: 'open', exceptions: [] }
export const CLOSED: Policy = { policy: 'closed', exceptions: [] }

/** Closed except for these users. */
export const only = (...exceptions: string[]): Policy => ({ policy: 'closed', exceptions })

/** Open except to these users. */
export const allBut = (...exceptions: string[]): Policy => ({ policy: 'open', exceptions })

/** The policies on one service. */
export class Policies {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  /** Sets a policy, by default as the superuser. */
  set(category: Category, path: string, action: string, json: Policy, as = 'service'): Promise<Answer> {
    return this.#service.request('PUT', `/permissions/${category}/${path}`, { as, query: { action }, json })
  }

  /** Reads a policy as the superuser. */
  async get(category: Category, path: string, action: string): Promise<Policy> {
    const query = { action }
    const options = { as: 'service', query }
    return (await this.#service.ok('GET', `/permissions/${category}/${path}`, options)).json() as Policy
  }

  /** All policies of a namespace or tag, by `category.action`. */
  async all(
    path: string,
    actions: Readonly<Partial<Record<Category, readonly string[]>>>,
  ): Promise<Record<string, Policy>> {
    const found: Record<string, Policy> = {}
    for (const [category, names] of Object.entries(actions)) {
      for (const action of names)
        found[`${category}.${action}`] = await this.get(category as Category, path, action)
    }
    return found
  }
}
