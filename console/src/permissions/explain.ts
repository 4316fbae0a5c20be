/** Why somebody may do something with a tag or namespace, or may not: the rule of the service, in one sentence. */
import { nameOf, type Action, type Permission } from '../../../shared/changing/policies.ts'
import { ANONYMOUS_USER, SYSTEM_TAGS } from '../../../src/data/store/tables.ts'

/** Who would do it. */
export interface Asker {
  /** Undefined for the anonymous user. */
  readonly name: string | undefined
  readonly isSuperuser: boolean
}

/** Whether they may, as far as that is known, and why. */
export interface Verdict {
  readonly may: boolean | undefined
  readonly reason: string
}

/** The anonymous user: who sends requests without credentials. */
export const ANONYMOUS: Asker = { name: undefined, isSuperuser: false }

/** What exceptions call the anonymous user. */
export const ANONYMOUS_NAME: string = ANONYMOUS_USER.username

const SYSTEM_PATHS: ReadonlySet<string> = new Set(Object.values(SYSTEM_TAGS).map(({ path }) => path))

/** What nobody may do with the service's own tags. */
const NEVER_ON_SYSTEM_TAGS: readonly string[] = ['tags/delete', 'tag-values/write', 'tag-values/delete']

/** All that the anonymous user can ever be allowed to do. */
const FOR_ANYBODY: readonly string[] = ['namespaces/list', 'tag-values/read']

/** Whether the anonymous user can be allowed to do this, and so can be an exception. */
export const isForAnybody = (action: Action): boolean => FOR_ANYBODY.includes(nameOf(action))

/**
 * Whether somebody may do something with what is at `path`, and why. Without the permission, which whoever lacks CONTROL may
 * not know, that depends on whether the rest of the rule decides.
 */
export function explain(asker: Asker, path: string, action: Action, permission?: Permission): Verdict {
  return (
    byNature(path, action) ??
    byRole(asker, action) ??
    (permission === undefined
      ? { may: undefined, reason: `known only to those who control ${OF[action.category]} ${path}` }
      : byPolicy(asker, path, permission))
  )
}

const OF = { 'tag-values': 'the values of', tags: 'the tag', namespaces: 'the namespace' } as const

/** What nobody may do, whatever the policies. */
function byNature(path: string, action: Action): Verdict | undefined {
  const name = nameOf(action)
  if (SYSTEM_PATHS.has(path) && NEVER_ON_SYSTEM_TAGS.includes(name)) {
    return { may: false, reason: `${path} is one of the service’s own tags, which only the service changes` }
  }
  if (name === 'namespaces/delete' && !path.includes('/')) {
    return { may: false, reason: 'a top-level namespace comes and goes with its user' }
  }
  return undefined
}

function byRole({ name, isSuperuser }: Asker, action: Action): Verdict | undefined {
  if (isSuperuser) return { may: true, reason: 'superusers may do everything' }
  if (name !== undefined || isForAnybody(action)) return undefined
  return { may: false, reason: `only users may ${action.action}: the anonymous user never` }
}

function byPolicy({ name }: Asker, path: string, { policy, exceptions }: Permission): Verdict {
  const isException = exceptions.includes(name ?? ANONYMOUS_NAME)
  const who = name ?? 'the anonymous user'
  const may = (policy === 'open') !== isException
  if (policy === 'open') {
    return {
      may,
      reason: isException ? `open, but ${who} is an exception of ${path}` : openTo(who, exceptions),
    }
  }
  const among = isException ? 'is among' : 'is not among'
  const reason =
    exceptions.length === 0
      ? 'closed, without exceptions'
      : `closed, and ${who} ${among} the exceptions of ${path}`
  return { may, reason }
}

const openTo = (who: string, exceptions: readonly string[]): string =>
  exceptions.length === 0 ? 'open, without exceptions' : `open, and ${who} is no exception`
