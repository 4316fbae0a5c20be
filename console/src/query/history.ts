/** The queries that were asked in this browser, the latest first. Nothing that they found is kept. */

const KEY = 'gloss.queries'

/** So many are kept. */
const KEPT = 50

/** The queries that are kept. */
export function remembered(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    // A browser may keep nothing, and others may have written there.
    return []
  }
}

/** Keeps a query. */
export function remember(query: string): void {
  keep([query, ...remembered().filter((one) => one !== query)].slice(0, KEPT))
}

/** Forgets all of them. */
export const forget = (): void => keep([])

function keep(queries: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(queries))
  } catch {
    // There is no room, or none is allowed: then nothing is kept.
  }
}
