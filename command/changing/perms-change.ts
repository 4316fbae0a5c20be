/** `gloss perms open`, `close`, `grant` and `revoke`: who may do something with a tag or namespace. */
import { ServiceError } from '../../packages/client/index.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { tell } from '../manners/terminal.ts'
import {
  actionsOf,
  ownerOf,
  readPermission,
  sentences,
  withThing,
  writePermission,
  type Action,
  type Permission,
} from './permissions.ts'

interface Options extends ConnectionOptions {
  readonly action?: readonly string[]
}

/** Who is named on the command line, and who keeps a right that all others lose. */
interface Users {
  readonly named: readonly string[]
  /** The caller, else the owner of the top-level namespace: superusers may do everything, and are no exceptions. */
  readonly keepers: readonly (readonly string[])[]
}

/** What may become of a permission, the first that the service takes. */
type Change = (before: Permission, users: Users) => readonly Permission[]

function changing(change: Change) {
  return async ([path = '', ...names]: readonly string[], options: Options): Promise<undefined> => {
    const connection = await connect(options)
    // As the service keeps them.
    const named = names.map((name) => name.toLowerCase())
    const keepers = [[(connection.user ?? '').toLowerCase()], [ownerOf(path)], []]
    await withThing(connection, path, async (thing) => {
      for (const action of actionsOf(thing, options.action)) {
        const before = await readPermission(connection.client, thing.path, action)
        const choices = change(before, { named, keepers }).map((after) => ({ ...action, ...after }))
        for (const sentence of sentences([await writeFirst(connection, thing.path, choices)])) tell(sentence)
      }
    })
    return undefined
  }
}

/** Writes the first permission without a name that cannot be an exception. */
async function writeFirst<T extends Action & Permission>(
  connection: Connection,
  path: string,
  [first, ...others]: readonly T[],
): Promise<T> {
  if (first === undefined) throw new TypeError('no permission to write')
  try {
    await writePermission(connection.client, path, first)
    return first
  } catch (error) {
    const isName = error instanceof ServiceError && error.errorClass === 'TInvalidUsername'
    if (!isName || others.length === 0) throw error
    return writeFirst(connection, path, others)
  }
}

const including = (names: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...names, ...more]),
]
const excluding = (names: readonly string[], fewer: readonly string[]): string[] =>
  names.filter((name) => !fewer.includes(name))

export const open = changing(() => [{ policy: 'open', exceptions: [] }])

export const close = changing((_before, { keepers }) =>
  keepers.map((exceptions) => ({ policy: 'closed', exceptions })),
)

// Exceptions of an open permission are those who may not.
export const grant = changing(({ policy, exceptions }, { named }) => [
  { policy, exceptions: (policy === 'open' ? excluding : including)(exceptions, named) },
])

export const revoke = changing(({ policy, exceptions }, { named }) => [
  { policy, exceptions: (policy === 'open' ? including : excluding)(exceptions, named) },
])
