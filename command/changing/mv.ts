/** `gloss mv`: gives a tag or a namespace another path. */
import { ServiceError } from '../../packages/client/index.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { visible } from '../../common/values.ts'
import { tell } from '../terminal/terminal.ts'

export async function run(
  [from = '', to = '']: readonly string[],
  options: ConnectionOptions,
): Promise<undefined> {
  const connection = await connect(options)
  const [old, path] = [withoutSlash(from), withoutSlash(to)]
  await withSpelling(connection, async () => {
    const isTag = !from.endsWith('/') && (await hasTag(connection, from))
    const body = isTag ? { tag: old, to: path } : { namespace: old, to: path }
    await connection.client.POST('/moves', { body })
  })
  tell(`${visible(old)} is now ${visible(path)}`)
  return undefined
}

/** A slash at the end of a path says that it is a namespace. */
const withoutSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, '')

async function hasTag({ client }: Connection, path: string): Promise<boolean> {
  try {
    await client.GET('/tags/{tag_path}', { params: { path: { tag_path: path } } })
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.errorClass === 'TNonexistentTag') return false
    throw error
  }
}
