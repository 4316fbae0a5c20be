/** Who may do what, written down a second time, independently of the service and as plainly as possible. */

export type Category = 'namespaces' | 'tags' | 'tag-values'

/** The actions of each category. */
export const ACTIONS: Readonly<Record<Category, readonly string[]>> = {
  namespaces: ['create', 'update', 'delete', 'list', 'control'],
  tags: ['update', 'delete', 'control'],
  'tag-values': ['write', 'read', 'delete', 'control'],
}

/** The identities: the anonymous user, a user, a user in the exceptions, the creator, the superuser. */
export const IDENTITIES = ['anonymous', 'bob', 'carol', 'alice', 'service'] as const
export type Identity = (typeof IDENTITIES)[number]

export interface Policy {
  readonly policy: 'open' | 'closed'
  readonly exceptions: readonly string[]
}

/** Every policy without and with an exception. */
export const POLICIES: readonly Policy[] = (['open', 'closed'] as const).flatMap((policy) =>
  [[], ['carol']].map((exceptions) => ({ policy, exceptions })),
)

/** Whether a policy lets an identity act. */
export function mayAct(who: Identity, action: string, { policy, exceptions }: Policy): boolean {
  if (who === 'service') return true
  if (who === 'anonymous' && action !== 'list' && action !== 'read') return false
  return (policy === 'open') !== exceptions.includes(who)
}
