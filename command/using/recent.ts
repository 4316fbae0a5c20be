/** `gloss recent`: prints the latest writes. */
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { addressOf, inUrl, mustExist } from '../connection/objects.ts'
import { parseExact } from '../../packages/client/json.ts'
import { cellOf, typeOf, type Cell } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { timeCell } from '../terminal/time.ts'

interface Options extends ConnectionOptions, OutputOptions {
  readonly limit?: number
}

interface Recent {
  readonly id: string
  readonly about: string | null
  readonly tag: string
  readonly username: string | null
  readonly 'updated-at': string
}

const USER = 'service/users/username'
const COLUMNS = ['updated-at', 'username', 'object', 'tag', 'value', 'type', 'id', 'about']
const USUAL = COLUMNS.slice(0, 5)

export async function run([name]: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  const limit = options.limit === undefined ? {} : { limit: options.limit }
  const values = parseExact((await fetchRecent(connection, name, limit)) ?? '[]') as Recent[]
  const rows = values.map((one): Cell[] => {
    const { id, about, tag, username } = one
    const value = cellOf(one)
    const type = value === undefined ? undefined : typeOf(value)
    const time = timeCell(one['updated-at'], options)
    return [time, username ?? undefined, about ?? id, tag, value, type, id, about ?? undefined]
  })
  const shown = await show({ columns: COLUMNS, rows }, { ...options, columns: options.columns ?? USUAL })
  tell(`${shown.toLocaleString('en')} ${shown === 1 ? 'value' : 'values'}`)
  return undefined
}

/** The latest values on an object, by a user (`@alice`), or of all, as JSON. */
async function fetchRecent(
  connection: Connection,
  name: string | undefined,
  limit: { readonly limit?: number },
): Promise<string | undefined> {
  const { client } = connection
  const parseAs = 'text'
  if (name === undefined) {
    // Excludes the values that the service itself writes about the actions of users.
    const query = { query: `has ${USER} except ${USER} = "service"`, ...limit }
    return (await client.GET('/recent/users', { params: { query }, parseAs })).data
  }
  if (name === '@') throw misuse("'@' names no user", 'write the name after it, such as @alice')
  if (name.startsWith('@')) {
    const params = { path: { username: name.slice(1) }, query: limit }
    return (await client.GET('/recent/users/{username}', { params, parseAs })).data
  }
  const address = await addressOf(connection, name)
  await mustExist(connection, address)
  const place = await inUrl(connection, address)
  if ('id' in place) {
    const params = { path: { object_id: place.id }, query: limit }
    return (await client.GET('/recent/objects/{object_id}', { params, parseAs })).data
  }
  const params = { path: { about_value: place.about }, query: limit }
  return (await client.GET('/recent/about/{about_value}', { params, parseAs })).data
}
