/** Stores the latest queries of a user in this browser, without their results. */
import { keep, kept } from '../parts/kept.ts'
import { user } from '../service/service.ts'

/** The number of stored queries. */
const KEPT = 50

/** The name of the entry in the store; each user has one, so that users do not see each other's queries. */
function nameOfMine(): string {
  const name = user.peek()?.name
  return name === undefined ? 'queries' : `queries-${name}`
}

/** The stored queries. */
export function remembered(): readonly string[] {
  try {
    const queries: unknown = JSON.parse(kept(nameOfMine()) ?? '[]')
    return Array.isArray(queries) ? queries.filter((one) => typeof one === 'string') : []
  } catch {
    // Other programs may have written the entry.
    return []
  }
}

/** Stores a query. */
export function remember(query: string): void {
  keep(nameOfMine(), JSON.stringify([query, ...remembered().filter((one) => one !== query)].slice(0, KEPT)))
}

/** Deletes all queries. */
export const forget = (): void => keep(nameOfMine(), undefined)
