/** `gloss perms show`: the permissions of a tag or namespace. */
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { formatOf, show, type OutputOptions } from '../terminal/output.ts'
import { withThing } from './permissions.ts'
import { allActions, actionName, readPermission } from '../../common/changing/policies.ts'

type Options = ConnectionOptions & OutputOptions

export async function run([path = '']: readonly string[], options: Options): Promise<undefined> {
  return showPermissions(await connect(options), path, options)
}

/** Shows a row for each action. Throws a `Failure` if the user does not control the tag or namespace. */
export async function showPermissions(
  connection: Connection,
  path: string,
  options: OutputOptions,
): Promise<undefined> {
  const isText = !/json$/.test(formatOf(options))
  const rows = await withThing(connection, path, (thing) =>
    Promise.all(
      allActions(thing).map(async (action) => {
        const { policy, exceptions } = await readPermission(connection.client, thing.path, action)
        return [actionName(action), policy, isText ? exceptions.join(', ') : exceptions]
      }),
    ),
  )
  await show({ columns: ['action', 'policy', 'exceptions'], rows }, options)
  return undefined
}
