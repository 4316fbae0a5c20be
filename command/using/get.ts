/** `gloss get`: prints the values on an object, or one value as it is. */
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { queryOf, type Address } from '../../common/connection/addresses.ts'
import { addressOf, noObject } from '../connection/objects.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { parseExact } from '../../packages/client/json.ts'
import { cellOf, typeOf, type Cell } from '../../common/values.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { timeCell } from '../terminal/time.ts'
import { writeValue } from './one-value.ts'

type Options = ConnectionOptions & OutputOptions

export async function run([name = '', tag]: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  const address = await addressOf(connection, name)
  if (tag === undefined) await showTags(connection, { name, address }, options)
  else await withSpelling(connection, () => writeValue(connection, { address, tag }, options))
  return undefined
}

interface Entry {
  readonly 'updated-at': string
}

const COLUMNS = ['tag', 'value', 'type', 'updated-at', 'username']

async function showTags(
  connection: Connection,
  { name, address }: { name: string; address: Address },
  options: Options,
): Promise<void> {
  const [entries, writers] = await Promise.all([
    valuesOf(connection, address),
    writersOf(connection, address),
  ])
  if (entries === undefined) throw noObject(name)
  const rows = Object.keys(entries)
    .sort()
    .map((tag): Cell[] => {
      const entry = entries[tag]
      const value = cellOf(entry)
      const time = entry === undefined ? undefined : timeCell(entry['updated-at'], options)
      return [tag, value, value === undefined ? undefined : typeOf(value), time, writers.get(tag)]
    })
  const shown = await show({ columns: COLUMNS, rows }, options)
  tell(`${shown.toLocaleString('en')} ${shown === 1 ? 'tag' : 'tags'}`)
}

/** The values on an object that the user may read, by tag; undefined if the object does not exist. */
async function valuesOf(
  { client }: Connection,
  address: Address,
): Promise<Readonly<Record<string, Entry>> | undefined> {
  const { data } = await client.GET('/values', {
    params: { query: { query: queryOf(address), tag: ['*'] } },
    parseAs: 'text',
  })
  const { results } = parseExact(data) as {
    results: { id: Record<string, Record<string, Entry>> }
  }
  return Object.values(results.id)[0]
}

/** The most writes that the contract returns. */
const MOST_RECENT = 100

/** The writers of the latest values on an object, by tag. The service does not return the writers of older values. */
async function writersOf({ client }: Connection, address: Address): Promise<Map<string, string | undefined>> {
  const query = { limit: MOST_RECENT }
  if ('about' in address && /^\.\.?$/.test(address.about)) return new Map()
  const { data } =
    'id' in address
      ? await client.GET('/recent/objects/{object_id}', {
          params: { path: { object_id: address.id }, query },
        })
      : await client.GET('/recent/about/{about_value}', {
          params: { path: { about_value: address.about }, query },
        })
  return new Map(data.map(({ tag, username }) => [tag, username ?? undefined]))
}
