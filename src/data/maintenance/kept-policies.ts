/** The policies of namespaces and tags, as a backup has them. */
import type { Policies as KeptPolicies, Policy } from '../../copy/records.ts'
import type { Policies } from '../permissions/policies.ts'

/** Policies with the names of users in place of their numbers. */
export function permissionsOf(policies: Policies, users: ReadonlyMap<number, string>): KeptPolicies {
  const found: Record<string, Record<string, Policy>> = {}
  for (const [permission, { policy, exceptions }] of Object.entries(policies)) {
    const [category = '', action = ''] = permission.split('.')
    const names = exceptions.flatMap((id) => users.get(id) ?? [])
    found[category] = { ...found[category], [action]: { policy, exceptions: names } }
  }
  return found
}

/** Policies with the numbers of users in place of their names. */
export function policiesOf(permissions: KeptPolicies, users: ReadonlyMap<string, number>): Policies {
  const all = Object.entries(permissions).flatMap(([category, actions]) =>
    Object.entries(actions ?? {}).map(([action, { policy, exceptions }]) => {
      const ids = exceptions.flatMap((name) => users.get(name) ?? [])
      return [`${category}.${action}`, { policy, exceptions: ids }] as const
    }),
  )
  return Object.fromEntries(all)
}
