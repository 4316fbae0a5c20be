/** Reads the permissions of a tag or namespace as far as the current user may, and sets them. */
import { signal, type ReadonlySignal } from '@preact/signals'
import {
  allActions,
  actionName,
  readPermission,
  writePermission,
  type Action,
  type Category,
  type Permission,
} from '../../../common/changing/policies.ts'
import type { Client } from '../../../packages/client/client.ts'
import { client, isRefusal, user } from '../service/service.ts'
import { treeChanged } from '../tree/state.ts'

/** The kinds of things with permissions. */
export type Kind = 'tag' | 'namespace'

/** A tag or a namespace. */
export interface PolicyOwner {
  readonly path: string
  readonly kind: Kind
}

/** The categories of its permissions. */
export const CATEGORIES: Readonly<Record<Kind, readonly Category[]>> = {
  tag: ['tag-values', 'tags'],
  namespace: ['namespaces'],
}

/** The action that makes it visible to a user. */
export const SEEING: Readonly<Record<Kind, Action>> = {
  tag: { category: 'tag-values', action: 'read' },
  namespace: { category: 'namespaces', action: 'list' },
}

const changes = signal(0)

/** The number of changes here; components that show permissions reload after each. */
export const permissionChanges: ReadonlySignal<number> = changes

/** The known permissions of a tag or namespace. */
export interface Policies {
  /** By name, such as `tag-values/read`. */
  readonly known: ReadonlyMap<string, Permission>
  /** The categories that the current user does not control. */
  readonly withheld: readonly Category[]
}

/** All permissions that the current user may know. Throws a `ServiceError`. */
export async function fetchPolicies({ path, kind }: PolicyOwner, signal?: AbortSignal): Promise<Policies> {
  const categories = CATEGORIES[kind]
  const found = await Promise.all(categories.map((category) => ofCategory(path, category, signal)))
  return {
    known: new Map(found.flatMap((permissions) => permissions ?? [])),
    withheld: categories.filter((_, index) => found[index] === undefined),
  }
}

/** The permissions of a category by name; undefined without CONTROL, which the anonymous user never has. */
async function ofCategory(
  path: string,
  category: Category,
  signal?: AbortSignal,
): Promise<(readonly [string, Permission])[] | undefined> {
  if (user.peek() === undefined) return undefined
  const [first, ...others] = allActions({ categories: [category] })
  if (first === undefined) return []
  const read = async (action: Action): Promise<readonly [string, Permission]> => [
    actionName(action),
    await readPermission(client(), path, action, signal),
  ]
  try {
    // The answer to the first request tells whether the user may read the others.
    return [await read(first), ...(await Promise.all(others.map(read)))]
  } catch (error) {
    if (isRefusal(error, 'TPathPermissionDenied')) return undefined
    throw error
  }
}

/** The users who see it: the permission, or without CONTROL only whether the current user does. */
export type Sight = { readonly permission: Permission } | { readonly may: boolean }

/** Determines which users see a tag's values, or the content of a namespace. Throws a `ServiceError`. */
export async function fetchSight({ path, kind }: PolicyOwner, signal?: AbortSignal): Promise<Sight> {
  try {
    if (user.peek() !== undefined) {
      return { permission: await readPermission(client(), path, SEEING[kind], signal) }
    }
  } catch (error) {
    if (!isRefusal(error, 'TPathPermissionDenied')) throw error
  }
  return { may: await maySee({ path, kind }, signal) }
}

/** Returns whether the current user may see it, with a small request. Throws a `ServiceError` if it does not exist. */
async function maySee({ path, kind }: PolicyOwner, signal?: AbortSignal): Promise<boolean> {
  const aborting = signal && { signal }
  try {
    if (kind === 'tag') {
      const query = { tag: path, limit: 1 }
      await client().GET('/search/suggest', { params: { query }, ...aborting })
    } else {
      const params = { path: { namespace_path: path } }
      await client().GET('/namespaces/{namespace_path}', { params, ...aborting })
    }
    return true
  } catch (error) {
    if (isRefusal(error, 'TPathPermissionDenied')) return false
    throw error
  }
}

/** A change of one permission. */
export interface Change {
  readonly action: Action
  readonly before: Permission
  readonly after: Permission
}

/** The result of several changes: the saved ones, and the error that stopped the others, if any. */
export interface Saved {
  readonly done: readonly Change[]
  readonly error?: unknown
}

/**
 * Saves changes one by one, until one fails, or concerns a permission that another user has changed. It saves a change
 * that gives up CONTROL last.
 */
export async function save(as: Client, path: string, wanted: readonly Change[]): Promise<Saved> {
  const done: Change[] = []
  try {
    for (const change of controlLast(wanted)) {
      await expectStill(as, path, change)
      await writePermission(as, path, { ...change.action, ...change.after })
      done.push(change)
    }
    return { done }
  } catch (error) {
    return { done, error }
  } finally {
    noteChanges()
  }
}

const controlLast = (all: readonly Change[]): Change[] =>
  [...all].sort((one, other) => Number(isControl(one)) - Number(isControl(other)))

const isControl = ({ action }: Change): boolean => action.action === 'control'

/** Throws an error if a permission has changed since. */
export async function expectStill(
  as: Client,
  path: string,
  { action, before }: Pick<Change, 'action' | 'before'>,
): Promise<void> {
  if (isSame(await readPermission(as, path, action), before)) return
  throw new Error('Somebody has changed this permission meanwhile. Look at it as it is now, then save again.')
}

function isSame(one: Permission, other: Permission): boolean {
  const [names, others] = [one, other].map(({ exceptions }) =>
    exceptions
      .map((name) => name.toLowerCase())
      .sort()
      .join(),
  )
  return one.policy === other.policy && names === others
}

/** Undoes changes, the last one first; none if another user has changed one again. Throws a `ServiceError`. */
export async function takeBack(as: Client, path: string, done: readonly Change[]): Promise<void> {
  const found = await Promise.all(done.map(({ action }) => readPermission(as, path, action)))
  if (!done.every(({ after }, index) => isSame(found[index] ?? after, after))) {
    noteChanges()
    throw new Error('somebody has changed it since')
  }
  try {
    for (const { action, before } of [...done].reverse()) {
      await writePermission(as, path, { ...action, ...before })
    }
  } finally {
    noteChanges()
  }
}

/** Makes all components that show permissions reload. */
export function noteChanges(): void {
  changes.value += 1
  // The tree shows which entries are private.
  treeChanged()
}
