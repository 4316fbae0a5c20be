/** The data of every new store: the built-in users, their namespaces and the system tags. */
import type { Path } from '../../model/paths.ts'
import { insertNamespace } from './namespaces.ts'
import type { Policy } from '../permissions/policies.ts'
import { permitUserCreation } from '../permissions/user-rights.ts'
import type { Store } from '../store/store.ts'
import { ANONYMOUS_USER, BUILT_IN_NAMESPACES, RESTORING, SERVICE_USER, SYSTEM_TAGS } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { insertTags } from './tags.ts'
import { insertUser, SERVICE, topLevelPolicies } from './users.ts'

const CLOSED: Policy = { policy: 'closed', exceptions: [] }
const OPEN: Policy = { policy: 'open', exceptions: [] }

const DESCRIPTIONS: Readonly<Record<keyof typeof SYSTEM_TAGS, string>> = {
  about: 'What the object is about; at most one object has a given value',
  namespacePath: 'The path of the namespace that the object stands for',
  namespaceDescription: 'The description of the namespace that the object stands for',
  tagPath: 'The path of the tag that the object stands for',
  tagDescription: 'The description of the tag that the object stands for',
  username: 'The user name of the user that the object stands for',
  userName: 'The name of the user that the object stands for',
  userEmail: 'The e-mail address of the user that the object stands for',
  userRole: 'The role of the user that the object stands for',
}

/**
 * Creates the built-in data, unless the store already has it. Several processes may do so at once. Throws if a backup has
 * been restored only in part.
 */
export async function bootstrap(store: Store): Promise<void> {
  // At most starts the data is complete; then this needs no lock, and waits for no other process.
  if (await store.read(SERVICE, isFilled)) return
  await store.write(SERVICE, async (tx) => {
    await lockFilling(tx)
    if (!(await isFilled(tx))) await makeBuiltIns(tx)
  })
}

async function isFilled<V>(tx: ReadTx<V>): Promise<boolean> {
  const restoring = await tx.table('id_blocks').where('kind', RESTORING).first('kind')
  if (restoring !== undefined) throw new Error(UNFINISHED_RESTORE)
  return (await tx.table('users').where('id', SERVICE_USER.id).first('id')) !== undefined
}

/**
 * Locks the filling of an empty store until the transaction ends, and waits for another process that fills it. Each process
 * checks whether the store is empty, and the lock blocks no other writes.
 */
export async function lockFilling<V>(tx: WriteTx<V>): Promise<void> {
  await tx.table('id_blocks').where('kind', 'users').first('kind').forUpdate()
}

/** Why a store cannot be used. */
export const UNFINISHED_RESTORE =
  'A backup is being restored into this store, or was restored only in part: see docs/backup.md.'

async function makeBuiltIns<V>(tx: WriteTx<V>): Promise<void> {
  const right = permitUserCreation(tx, SERVICE_USER.username)
  const users = [
    { ...SERVICE_USER, role: 'superuser' },
    { ...ANONYMOUS_USER, role: 'anonymous' },
  ] as const
  for (const user of users) {
    await insertUser(tx, right, { ...user, passwordHash: null, name: user.username, email: '' })
  }
  for (const { id, path, parentId } of BUILT_IN_NAMESPACES) {
    const description = `Built-in namespace ${path}`
    const policies = topLevelPolicies(CLOSED, CLOSED)
    await insertNamespace(tx, right, { id, path, parentId, description, policies })
  }
  for (const [name, description] of Object.entries(DESCRIPTIONS)) {
    const { id, path, namespaceId } = SYSTEM_TAGS[name as keyof typeof SYSTEM_TAGS]
    const policies = systemTagPolicies(path)
    await insertTags(tx, [{ id, path, namespaceId, description, indexed: true, policies, right }])
  }
}

const systemTagPolicies = (path: Path) => ({
  'tags.update': CLOSED,
  'tags.delete': CLOSED,
  'tags.control': CLOSED,
  'tag-values.write': CLOSED,
  'tag-values.read': path === SYSTEM_TAGS.userEmail.path ? CLOSED : OPEN,
  'tag-values.delete': CLOSED,
  'tag-values.control': CLOSED,
})
