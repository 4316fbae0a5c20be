/** `gloss perms who`: prints in words which users may do what with a tag or namespace. */
import { ServiceError } from '../../packages/client/index.ts'
import { faultsOf } from '../../common/connection/access.ts'
import { allActions, ownerOf, readPermission, sentences } from '../../common/changing/policies.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { tell } from '../terminal/terminal.ts'
import { showPermissions } from './perms-show.ts'
import { withThing, type Thing } from './permissions.ts'

interface Options extends ConnectionOptions {
  readonly json?: true
}

export async function run([path = '']: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  if (options.json) return showPermissions(connection, path, { json: true })
  const lines = await withThing(connection, path, async (thing) => {
    try {
      return sentences(await permissionsOf(connection, thing))
    } catch (error) {
      if (!isDenied(error)) throw error
      tell(`Users who control it, perhaps ${ownerOf(path)}, see the rest.`)
      return [await ownAccess(connection, thing)]
    }
  })
  process.stdout.write(`${lines.join('\n')}\n`)
  return undefined
}

const permissionsOf = ({ client }: Connection, thing: Thing) =>
  Promise.all(
    allActions(thing).map(async (action) => ({
      ...action,
      ...(await readPermission(client, thing.path, action)),
    })),
  )

const isDenied = (error: unknown): boolean =>
  error instanceof ServiceError && error.errorClass === 'TPathPermissionDenied'

/** A sentence about what the user may do, as far as a request without effects finds it out. */
async function ownAccess({ client, anonymous }: Connection, { path, categories }: Thing): Promise<string> {
  const isTag = categories.includes('tags')
  const may = async (one: Connection['client']): Promise<boolean> =>
    isTag ? (await faultsOf(one, [path]))[0] === undefined : mayList(one, path)
  const [what, verb] = isTag ? ['its values', 'read'] : ['the namespace', 'list']
  if (await may(anonymous)) return `${what}: everybody ${verb}s`
  return `${what}: ${(await may(client)) ? 'you' : 'you do not'} ${verb}`
}

async function mayList(client: Connection['client'], path: string): Promise<boolean> {
  const params = { path: { namespace_path: path }, query: { returnTags: true } }
  try {
    await client.GET('/namespaces/{namespace_path}', { params })
    return true
  } catch (error) {
    if (isDenied(error)) return false
    throw error
  }
}
