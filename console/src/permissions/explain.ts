/** Explains in one sentence, by the rules of the service, why a user may or may not act on a tag or namespace. */
import { actionName, type Action, type Permission } from '../../../common/changing/policies.ts'
import { ANONYMOUS_USER, SYSTEM_TAGS } from '../../../src/data/store/tables.ts'

/** The acting user. */
export interface Asker {
  /** Undefined for the anonymous user. */
  readonly name: string | undefined
  readonly isSuperuser: boolean
}

/** Whether the user may act, if known, and the reason. */
export interface Verdict {
  readonly may: boolean | undefined
  readonly reason: string
}

/** The anonymous user: requests without credentials. */
export const ANONYMOUS: Asker = { name: undefined, isSuperuser: false }

/** The name of the anonymous user in exceptions. */
export const ANONYMOUS_NAME: string = ANONYMOUS_USER.username

const SYSTEM_PATHS: ReadonlySet<string> = new Set(Object.values(SYSTEM_TAGS).map(({ path }) => path))

/** The actions that no user may do with the service's own tags. */
const NEVER_ON_SYSTEM_TAGS: readonly string[] = ['tags/delete', 'tag-values/write', 'tag-values/delete']

/** The only actions that a permission can allow the anonymous user. */
const FOR_ANYBODY: readonly string[] = ['namespaces/list', 'tag-values/read']

/** Returns whether the anonymous user can have this permission, and so can be an exception. */
export const isForAnybody = (action: Action): boolean => FOR_ANYBODY.includes(actionName(action))

/**
 * Returns whether a user may act on the thing at `path`, and why. Users without CONTROL may not know the permission; then
 * the result depends on whether the other rules decide.
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

/** Actions that no user may do, with any policy. */
function byNature(path: string, action: Action): Verdict | undefined {
  const name = actionName(action)
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
