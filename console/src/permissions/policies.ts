/** The permissions of a tag or namespace, as far as the asker may know them, and setting them. */
import { signal, type ReadonlySignal } from '@preact/signals'
import {
  allActions,
  nameOf,
  readPermission,
  writePermission,
  type Action,
  type Category,
  type Permission,
} from '../../../shared/changing/policies.ts'
import type { Client } from '../../../packages/client/client.ts'
import { client, isRefusal, user } from '../service/service.ts'
import { treeChanged } from '../tree/state.ts'

/** What has permissions. */
export type Kind = 'tag' | 'namespace'

/** A tag or a namespace. */
export interface Place {
  readonly path: string
  readonly kind: Kind
}

/** The categories of the permissions that it has. */
export const CATEGORIES: Readonly<Record<Kind, readonly Category[]>> = {
  tag: ['tag-values', 'tags'],
  namespace: ['namespaces'],
}

/** The action that lets somebody see it. */
export const SEEING: Readonly<Record<Kind, Action>> = {
  tag: { category: 'tag-values', action: 'read' },
  namespace: { category: 'namespaces', action: 'list' },
}

const changes = signal(0)

/** How often permissions have been changed here: whatever shows them is loaded again with each. */
export const permissionChanges: ReadonlySignal<number> = changes

/** What is known of the permissions of a tag or namespace. */
export interface Policies {
  /** By name, such as `tag-values/read`. */
  readonly known: ReadonlyMap<string, Permission>
  /** The categories that the asker does not control. */
  readonly withheld: readonly Category[]
}

/** All permissions that the asker may know. Throws a `ServiceError`. */
export async function fetchPolicies({ path, kind }: Place, signal?: AbortSignal): Promise<Policies> {
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
    nameOf(action),
    await readPermission(client(), path, action, signal),
  ]
  try {
    // The first one says whether the others may be read.
    return [await read(first), ...(await Promise.all(others.map(read)))]
  } catch (error) {
    if (isRefusal(error, 'TPathPermissionDenied')) return undefined
    throw error
  }
}

/** Who sees it: the permission to, or only whether the asker may where they lack CONTROL. */
export type Sight = { readonly permission: Permission } | { readonly may: boolean }

/** Finds out who sees a tag's values, or what is in a namespace. Throws a `ServiceError`. */
export async function fetchSight({ path, kind }: Place, signal?: AbortSignal): Promise<Sight> {
  try {
    if (user.peek() !== undefined) {
      return { permission: await readPermission(client(), path, SEEING[kind], signal) }
    }
  } catch (error) {
    if (!isRefusal(error, 'TPathPermissionDenied')) throw error
  }
  return { may: await maySee({ path, kind }, signal) }
}

/** Whether the asker may see it, by asking for a little of it. Throws a `ServiceError` for what does not exist. */
async function maySee({ path, kind }: Place, signal?: AbortSignal): Promise<boolean> {
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

/** What became of changes: those that were saved, and what ended that, if anything did. */
export interface Saved {
  readonly done: readonly Change[]
  readonly error?: unknown
}

/**
 * Saves changes one by one, until one fails, or is of a permission that somebody else has changed. Whoever gives up CONTROL
 * does that last.
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

/** Throws an error if a permission is not any more what it was before a change. */
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

/** Takes changes back, the last one first, or none if somebody has changed one again. Throws a `ServiceError`. */
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

/** Has whatever shows permissions loaded again. */
export function noteChanges(): void {
  changes.value += 1
  // It shows what is not for everybody.
  treeChanged()
}
