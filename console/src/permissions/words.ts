/** Describes permissions in words: the meaning of an action, the users who may act, and the effect of a change. */
import { once } from '../../../src/scheduling/once.ts'
import { actionName, whoMay, type Action, type Permission } from '../../../common/changing/policies.ts'
import { ANONYMOUS_NAME, isForAnybody, type Asker } from './explain.ts'

/** The meaning of each action, after the word "may". */
const DOES: Readonly<Record<string, string>> = {
  'tag-values/read': 'read its values',
  'tag-values/write': 'write its values',
  'tag-values/delete': 'delete its values',
  'tag-values/control': 'say who may read, write and delete its values',
  'tags/update': 'change its description',
  'tags/delete': 'delete the tag and all its values',
  'tags/control': 'say who may change and delete the tag',
  'namespaces/list': 'see what is in it',
  'namespaces/create': 'create namespaces and tags in it',
  'namespaces/update': 'change its description',
  'namespaces/delete': 'delete it',
  'namespaces/control': 'say who may do what with it',
}

/** The meaning of an action, such as `read its values`. */
export const doesOf = (action: Action): string => DOES[actionName(action)] ?? action.action

const listed = once(() => new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }))

/** The most names in a sentence; for others it gives only their number. */
const NAMED = 4

/** Names in a sentence, with the current user first and as "you". */
function namesOf(names: readonly string[], me?: string): string {
  const others = names.filter((name) => name !== me).sort()
  const all = [...(others.length < names.length ? ['you'] : []), ...others.map(shownName)]
  const rest = all.length - NAMED
  return listed().format(rest > 1 ? [...all.slice(0, NAMED), `${rest.toLocaleString('en')} others`] : all)
}

/** A user's name in a sentence. */
export const shownName = (name: string): string => (name === ANONYMOUS_NAME ? 'the anonymous user' : name)

/** The users who may act, except superusers, who always may: "everybody", "alice and bob", "nobody but you". */
export function holders(of: Action & Permission, me?: string): string {
  const { policy, exceptions } = of
  if (policy === 'open') {
    const [all] = whoMay({ ...of, exceptions: [] })
    return exceptions.length === 0 ? all : `${all} but ${namesOf(exceptions, me)}`
  }
  if (exceptions.length === 0) return 'nobody but superusers'
  return exceptions.length === 1 && exceptions[0] === me ? 'nobody but you' : namesOf(exceptions, me)
}

/** The reason: the policy and its exceptions. */
export function causeOf({ policy, exceptions }: Permission, me?: string): string {
  if (exceptions.length === 0) return `${policy}, without exceptions`
  if (exceptions.length > 1) return `${policy}, with ${exceptions.length.toLocaleString('en')} exceptions`
  return exceptions[0] === me ? `${policy}, and you are the exception` : `${policy}, with one exception`
}

/**
 * The effect of a changed permission in words: "bob may no longer read its values; carol may". Undefined if there is
 * none.
 */
export function difference(action: Action, before: Permission, after: Permission): string | undefined {
  const does = doesOf(action)
  if (before.policy !== after.policy) {
    const only = after.policy === 'closed' && after.exceptions.length > 0 ? ', and nobody else' : ''
    return `${holders({ ...action, ...after })} may ${does}${only}`
  }
  const added = after.exceptions.filter((name) => !before.exceptions.includes(name))
  const removed = before.exceptions.filter((name) => !after.exceptions.includes(name))
  const [gain, lose] = after.policy === 'open' ? [removed, added] : [added, removed]
  if (lose.length === 0) return gain.length === 0 ? undefined : `${namesOf(gain)} may ${does}`
  const lost = `${namesOf(lose)} may no longer ${does}`
  return gain.length === 0 ? lost : `${lost}; ${namesOf(gain)} may`
}

/** Describes exceptions that the service would refuse. */
export const flawOf = (action: Action, name: string): string | undefined =>
  name === ANONYMOUS_NAME && !isForAnybody(action)
    ? `Only users may ${action.action}: the anonymous user cannot be an exception.`
    : undefined

/** A user's name at the beginning of a sentence. */
export const subject = ({ name }: Asker, me?: string): string =>
  name === undefined ? 'The anonymous user' : name === me ? 'You' : name
