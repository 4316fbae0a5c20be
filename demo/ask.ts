/** Asking, and showing what was found as a table. */
import { ServerError, type Client } from './client.ts'
import { privateQuestion, type Question } from './questions.ts'
import { table } from './table.ts'

/** GET /values: object id → tag path → value. */
interface Values {
  results: { id: Record<string, Record<string, { value: string | number | readonly string[] }>> }
}

const SHOWN = 8

/** Prints a question, its query, and the first of what that finds. */
export async function ask(client: Client, { text, query, columns }: Question): Promise<void> {
  const search = new URLSearchParams({ query })
  for (const tag of columns) search.append('tag', tag)
  const start = performance.now()
  const { results } = (await client.request('GET', `/values?${search.toString()}`)) as Values
  const milliseconds = Math.round(performance.now() - start)
  const rows = Object.values(results.id).map((values) => columns.map((tag) => cellOf(values[tag]?.value)))
  rows.sort((one, other) => Number(other.at(-1)) - Number(one.at(-1)) || compare(one[0], other[0]))
  const more = rows.length > SHOWN ? `\n  ... and ${(rows.length - SHOWN).toLocaleString('en')} more` : ''
  console.log(`\n${text}\n  ${query}\n  ${rows.length.toLocaleString('en')} found in ${milliseconds} ms\n`)
  console.log(table(headingsOf(columns), rows.slice(0, SHOWN)) + more)
}

/** Asks the owner of a tag, and then somebody who may not read it. */
export async function askPrivately(owner: Client, stranger: Client): Promise<void> {
  await ask(owner, privateQuestion)
  try {
    await stranger.request(
      'GET',
      `/objects?${new URLSearchParams({ query: privateQuestion.query }).toString()}`,
    )
  } catch (error) {
    if (!(error instanceof ServerError)) throw error
    console.log(`\n  Anybody else is answered with ${error.status} ${error.errorClass ?? ''}`)
  }
}

/** The names of tags, with their owners where there are several. */
function headingsOf(columns: readonly string[]): readonly string[] {
  const owners = new Set(columns.map((tag) => tag.split('/')[0]))
  return owners.size > 1 ? columns : columns.map((tag) => tag.split('/').at(-1) ?? tag)
}

const cellOf = (value: string | number | readonly string[] = ''): string | number =>
  typeof value === 'object' ? value.join(', ') : value

const compare = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1)
