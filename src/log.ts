/** The log: faults, slow queries and what matters for security, one entry each, on standard error. */
import { oneLine } from './data/search/plan-text.ts'
import type { FinishedSearch } from './data/search/search.ts'
import { securityLog } from './security-log.ts'

/** Writes an entry. It may contain text from clients, which must not look like an entry of its own. */
function write(entry: string): void {
  const lines = entry.split(/\r\n?|\n/).map((line) => line.replaceAll(/\p{Cc}/gu, '\u{fffd}'))
  process.stderr.write(`${lines.join('\n    ')}\n`)
}

/** Writes a fault of the service. */
export function report(message: string, error: unknown): void {
  write(`${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}

/** Logs what operators need to know about attacks and accounts. */
export const note = securityLog(write)

/** Logs searches that took `milliseconds` or longer. */
export const slowQueryLog =
  (milliseconds: number) =>
  (search: FinishedSearch, requestId: string): void => {
    if (search.milliseconds >= milliseconds) write(slowQuery(search, requestId))
  }

const MAX_QUERY_TEXT = 1000
const MAX_PLAN_LINES = 100

/** The lines of the entry for a slow query. */
export function slowQuery(search: FinishedSearch, requestId: string): string {
  const found = search.matches === undefined ? 'refused or given up' : `${String(search.matches)} found`
  const plan = search.plan().split('\n')
  const more = plan.length - MAX_PLAN_LINES
  return [
    `slow query, request ${requestId}: ${search.milliseconds.toFixed(0)} ms, user ${search.username}, ${found}`,
    `query: ${oneLine(search.query.text, MAX_QUERY_TEXT)}`,
    'plan:',
    ...plan.slice(0, MAX_PLAN_LINES).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${String(more)} lines more`] : []),
  ].join('\n')
}
