/** The queries that were asked in this browser, the latest first. Nothing that they found is kept. */
import { keep, kept } from '../parts/kept.ts'

const NAME = 'queries'

/** So many are kept. */
const KEPT = 50

/** The queries that are kept. */
export function remembered(): readonly string[] {
  try {
    const queries: unknown = JSON.parse(kept(NAME) ?? '[]')
    return Array.isArray(queries) ? queries.filter((one) => typeof one === 'string') : []
  } catch {
    // Others may have written there.
    return []
  }
}

/** Keeps a query. */
export function remember(query: string): void {
  keep(NAME, JSON.stringify([query, ...remembered().filter((one) => one !== query)].slice(0, KEPT)))
}

/** Forgets all of them. */
export const forget = (): void => keep(NAME, undefined)
