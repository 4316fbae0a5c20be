/** Reads and sets policies of namespaces and tags over HTTP. */
import { ServiceError, type Client } from '../../packages/client/index.ts'
import type { Policies, Policy } from '../../src/copy/records.ts'

const NAMESPACE_ACTIONS = ['create', 'update', 'delete', 'list', 'control'] as const
const TAG_ACTIONS = ['update', 'delete', 'control'] as const
const VALUE_ACTIONS = ['write', 'read', 'delete', 'control'] as const

type Actions = Readonly<Record<string, Policy>>

/**
 * Reads the policies of these actions. Returns none if the caller lacks CONTROL, which the service requires for each of
 * them.
 */
async function readActions<Action extends string>(
  actions: readonly Action[],
  read: (action: Action) => Promise<{ readonly data?: Policy }>,
): Promise<Actions | undefined> {
  const found: Record<string, Policy> = {}
  for (const action of actions) {
    try {
      const { data } = await read(action)
      if (data !== undefined) found[action] = data
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }
  return found
}

/** Returns whether the service refused the request for lack of permission. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.errorClass === 'TPathPermissionDenied'

/** The policies of a namespace. */
export const namespacePolicies = async (client: Client, path: string): Promise<Policies> =>
  present({
    namespaces: await readActions(NAMESPACE_ACTIONS, (action) =>
      client.GET('/permissions/namespaces/{namespace_path}', {
        params: { path: { namespace_path: path }, query: { action } },
      }),
    ),
  })

/** The policies of a tag and of its values. */
export const tagPolicies = async (client: Client, path: string): Promise<Policies> =>
  present({
    tags: await readActions(TAG_ACTIONS, (action) =>
      client.GET('/permissions/tags/{tag_path}', { params: { path: { tag_path: path }, query: { action } } }),
    ),
    'tag-values': await readActions(VALUE_ACTIONS, (action) =>
      client.GET('/permissions/tag-values/{tag_path}', {
        params: { path: { tag_path: path }, query: { action } },
      }),
    ),
  })

const present = (policies: Record<string, Actions | undefined>): Policies =>
  Object.fromEntries(Object.entries(policies).filter(([, actions]) => actions !== undefined))

type Writer = (client: Client, path: string, action: never, body: Schema) => Promise<unknown>
/** The types of the contract have mutable lists. */
type Schema = { policy: Policy['policy']; exceptions: string[] }

const WRITERS: Readonly<Record<string, Writer>> = {
  namespaces: (client, path, action, body) =>
    client.PUT('/permissions/namespaces/{namespace_path}', {
      params: { path: { namespace_path: path }, query: { action } },
      body,
    }),
  tags: (client, path, action, body) =>
    client.PUT('/permissions/tags/{tag_path}', {
      params: { path: { tag_path: path }, query: { action } },
      body,
    }),
  'tag-values': (client, path, action, body) =>
    client.PUT('/permissions/tag-values/{tag_path}', {
      params: { path: { tag_path: path }, query: { action } },
      body,
    }),
}

/** Sets the policies that differ from those that `path` has. */
export async function setPolicies(
  client: Client,
  path: string,
  present: Policies,
  wanted: Policies,
): Promise<void> {
  for (const [category, actions] of Object.entries(wanted)) {
    for (const [action, policy] of Object.entries(actions ?? {})) {
      if (isSame(present[category]?.[action], policy)) continue
      const body = { policy: policy.policy, exceptions: [...policy.exceptions] }
      await WRITERS[category]?.(client, path, action as never, body)
    }
  }
}

const isSame = (one: Policy | undefined, other: Policy): boolean =>
  one?.policy === other.policy &&
  JSON.stringify([...one.exceptions].sort()) === JSON.stringify([...other.exceptions].sort())
