/** `gloss query`: prints the objects that a query matches, page by page. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import { countOf, found, rowOf, type Search } from '../connection/search.ts'
import { visible, type Cell } from '../../common/values.ts'
import { misuse, STATUS } from '../../common/failure.ts'
import { show, writeTo, type OutputOptions, type Rows } from '../terminal/output.ts'
import { isTerminal, styled, tell } from '../terminal/terminal.ts'

interface Options extends ConnectionOptions, OutputOptions {
  readonly count?: true
  readonly sort?: string
  readonly limit?: number
  readonly watch?: string
}

export async function run([query = '']: readonly string[], options: Options): Promise<undefined> {
  const interval = options.watch === undefined ? undefined : milliseconds(options.watch)
  const connection = await connect(options)
  if (interval !== undefined) process.once('SIGINT', () => process.exit(STATUS.interrupted))
  do {
    if (interval !== undefined && isTerminal()) process.stdout.write(heading(query, options.watch))
    await withQuery(query, connection, () => answer(connection, query, options))
    if (interval !== undefined) await sleep(interval)
  } while (interval !== undefined)
  return undefined
}

/** Clears the terminal, and prints the query, the interval and the time of the last request above the answer. */
function heading(query: string, interval = ''): string {
  const time = new Date().toTimeString().slice(0, 8)
  return `\u001b[H\u001b[2J${styled('dim', `every ${interval}, ${time}: ${visible(query)}`)}\n`
}

async function answer(connection: Connection, query: string, options: Options): Promise<void> {
  if (options.count) {
    const count = await countOf(connection, query)
    return writeTo(options.output, once(`${count}\n`))
  }
  const columns = options.columns ?? ['id', 'about']
  if (columns.includes('*')) {
    throw misuse(
      "'*' stands for all values of an object, and rows have the same columns",
      'gloss export shows them',
    )
  }
  const tags = columns.filter((name) => name !== 'id' && name !== 'about')
  const search = { query, tags, sort: orderOf(options.sort), limit: options.limit }
  const shown = await show(rowsOf(connection, search), { ...options, columns })
  tell(`${shown.toLocaleString('en')} ${shown === 1 ? 'object' : 'objects'}`)
}

/** The parameter `sort` of `GET /search`. Its columns about and id are system tags. */
const orderOf = (sort: string | undefined): string | undefined =>
  sort?.replace(/^-?(?=(about|id)$)/, '$&service/')

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** The results of a search as rows: id, about value, and the values of the tags. */
export function rowsOf(connection: Connection, search: Search): Rows {
  return { columns: ['id', 'about', ...search.tags], rows: walk(connection, search) }
}

async function* walk(connection: Connection, search: Search): AsyncGenerator<readonly Cell[]> {
  for await (const object of found(connection, search)) yield rowOf(object, search.tags)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** An interval such as `5s`, in milliseconds. Throws a `Failure` for an invalid text. */
function milliseconds(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const result = Number(number) * (UNITS[unit] ?? NaN)
  if (result >= 1000) return result
  throw misuse(`'${text}' is no interval`, 'it is a number of seconds, minutes or hours: 5s, 2m, 1h')
}
