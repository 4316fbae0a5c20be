/** `gloss perms show`: the permissions of a tag or namespace. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { formatOf, show, type OutputOptions } from '../terminal/output.ts'
import { withThing } from './permissions.ts'
import { allActions, actionName, readPermission } from '../../common/changing/policies.ts'

type Options = ConnectionOptions & OutputOptions

export async function run([path = '']: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
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
