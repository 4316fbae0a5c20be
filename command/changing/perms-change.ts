/** `gloss perms open`, `close`, `grant` and `revoke`: change the permissions of a tag or namespace. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { tell } from '../terminal/terminal.ts'
import { actionsOf, withThing } from './permissions.ts'
import {
  closings,
  readPermission,
  sentences,
  writeFirst,
  type Permission,
} from '../../common/changing/policies.ts'

interface Options extends ConnectionOptions {
  readonly action?: readonly string[]
}

/** The users on the command line, and the permissions that `close` tries in order. */
interface Given {
  readonly named: readonly string[]
  readonly closings: readonly Permission[]
}

/** Returns candidates for the new permission; the command writes the first one that the service accepts. */
type Change = (before: Permission, given: Given) => readonly Permission[]

function changing(change: Change) {
  return async ([path = '', ...names]: readonly string[], options: Options): Promise<undefined> => {
    const connection = await connect(options)
    // The service keeps user names in lower case.
    const named = names.map((name) => name.toLowerCase())
    const given = { named, closings: closings(connection.user, path) }
    await withThing(connection, path, async (thing) => {
      for (const action of actionsOf(thing, options.action)) {
        const before = await readPermission(connection.client, thing.path, action)
        const choices = change(before, given).map((after) => ({ ...action, ...after }))
        for (const sentence of sentences([await writeFirst(connection.client, thing.path, choices)]))
          tell(sentence)
      }
    })
    return undefined
  }
}

const including = (names: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...names, ...more]),
]
const excluding = (names: readonly string[], fewer: readonly string[]): string[] =>
  names.filter((name) => !fewer.includes(name))

export const open = changing(() => [{ policy: 'open', exceptions: [] }])

export const close = changing((_before, given) => given.closings)

// The exceptions of an open permission are the users who may not act.
export const grant = changing(({ policy, exceptions }, { named }) => [
  { policy, exceptions: (policy === 'open' ? excluding : including)(exceptions, named) },
])

export const revoke = changing(({ policy, exceptions }, { named }) => [
  { policy, exceptions: (policy === 'open' ? including : excluding)(exceptions, named) },
])
