/** Fetches all results of a query, page by page, as the text of a file. */
import { csvText } from '../../../common/csv-text.ts'
import { toJson } from '../../../packages/client/json.ts'
import { cellText } from '../../../common/values.ts'
import type { Found, Page } from '../service/page.ts'
import type { PageAsked } from './rows.ts'

/** Writes the lines of a format. */
export interface Format {
  /** The line before all others, if there is one. */
  readonly heading: (columns: readonly string[]) => string
  readonly lines: (found: readonly Found[], columns: readonly string[]) => string
}

/** One object per line, as `gloss query --ndjson` writes it; missing values have no member. */
export const NDJSON: Format = {
  heading: () => '',
  lines: (found, columns) =>
    found
      .map(({ id, about, values }) => {
        const cells = columns.map((tag) => [tag, values[tag]])
        return `${toJson({ id, about: about ?? undefined, ...Object.fromEntries(cells) })}\n`
      })
      .join(''),
}

/** CSV as `gloss query --csv` writes it. */
export const CSV: Format = {
  heading: (columns) => csvText([['id', 'about', ...columns]]),
  lines: (found, columns) =>
    csvText(
      found.map(({ id, about, values }) => [id, about ?? '', ...columns.map((tag) => cellText(values[tag]))]),
    ),
}

/** The number of objects in the first page, which may have long values. Later pages have about a million characters. */
const FIRST = 100
const LARGEST = 1000
const SIZE = 1_000_000

/** The data to export. */
export interface Exported {
  readonly columns: readonly string[]
  readonly format: Format
  readonly fetch: (asked: PageAsked, signal: AbortSignal) => Promise<Page>
  /** Receives the number of exported objects after each page. */
  readonly onProgress: (done: number) => void
}

/** Yields the parts of the file. Throws a `ServiceError`, and the reason of the signal. */
export async function exportAll(
  { columns, format, fetch, onProgress }: Exported,
  signal: AbortSignal,
): Promise<string[]> {
  const parts = [format.heading(columns)]
  let [done, limit] = [0, FIRST]
  let cursor: string | undefined
  do {
    const { results, next } = await fetch({ cursor, limit, count: 'upto:1' }, signal)
    signal.throwIfAborted()
    const text = format.lines(results, columns)
    parts.push(text)
    done += results.length
    onProgress(done)
    const each = text.length / Math.max(1, results.length)
    limit = Math.max(1, Math.min(LARGEST, limit * 10, Math.floor(SIZE / each)))
    cursor = next
  } while (cursor !== undefined)
  return parts
}
