/** The queries that a user has asked in this browser, the latest first. Nothing that they found is kept. */
import { keep, kept } from '../parts/kept.ts'
import { user } from '../service/service.ts'

/** So many are kept. */
const KEPT = 50

/** Under which name they are kept: what one user asked is not shown to another. */
function nameOfMine(): string {
  const name = user.peek()?.name
  return name === undefined ? 'queries' : `queries-${name}`
}

/** The queries that are kept. */
export function remembered(): readonly string[] {
  try {
    const queries: unknown = JSON.parse(kept(nameOfMine()) ?? '[]')
    return Array.isArray(queries) ? queries.filter((one) => typeof one === 'string') : []
  } catch {
    // Others may have written there.
    return []
  }
}

/** Keeps a query. */
export function remember(query: string): void {
  keep(nameOfMine(), JSON.stringify([query, ...remembered().filter((one) => one !== query)].slice(0, KEPT)))
}

/** Forgets all of them. */
export const forget = (): void => keep(nameOfMine(), undefined)
