/** `gloss perms who`: prints in words which users may do what with a tag or namespace. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { withThing } from './permissions.ts'
import { allActions, readPermission, sentences } from '../../common/changing/policies.ts'

export async function run([path = '']: readonly string[], options: ConnectionOptions): Promise<undefined> {
  const connection = await connect(options)
  const permissions = await withThing(connection, path, (thing) =>
    Promise.all(
      allActions(thing).map(async (action) => ({
        ...action,
        ...(await readPermission(connection.client, thing.path, action)),
      })),
    ),
  )
  process.stdout.write(`${sentences(permissions).join('\n')}\n`)
  return undefined
}
