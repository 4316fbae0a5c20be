/** Shows on one line which users see a tag's values, or the content of a namespace, and why. */
import type { JSX } from 'preact'
import { useLoaded } from '../parts/loaded.ts'
import { hrefOf } from '../route.ts'
import { user, type User } from '../service/service.ts'
import { Lock } from '../parts/lock.tsx'
import { fetchSight, permissionChanges, SEEING, type Kind, type PolicyOwner, type Sight } from './policies.ts'
import { causeOf, holders } from './words.ts'
import './who.css'

/** The line, with a link to the permissions. */
export function Who({ path, kind }: PolicyOwner): JSX.Element {
  const sight = useLoaded(
    (signal) => fetchSight({ path, kind }, signal),
    [path, kind, permissionChanges.value],
  )
  const href = hrefOf(kind, path.split('/'), { show: 'permissions' })
  if (sight.value === undefined) {
    const text = sight.loading ? 'Who can see it …' : 'Who can see it is not known.'
    return <p class="who waiting">{text}</p>
  }
  const { who, why, isPublic } = wordsOf(kind, sight.value, user.value)
  return (
    <p class="who">
      {!isPublic && <Lock />}
      <a href={href}>{who}</a> <span class="why">{why}</span>
    </p>
  )
}

interface Words {
  readonly who: string
  readonly why: string
  readonly isPublic: boolean
}

const OBJECT: Readonly<Record<Kind, string>> = { tag: 'its values', namespace: 'what is in it' }

function wordsOf(kind: Kind, sight: Sight, me: User | undefined): Words {
  if ('permission' in sight) {
    const { permission } = sight
    const who = holders({ ...SEEING[kind], ...permission }, me?.name)
    return {
      who: `${who.charAt(0).toUpperCase()}${who.slice(1)} can see ${OBJECT[kind]}`,
      why: causeOf(permission, me?.name),
      isPublic: permission.policy === 'open' && permission.exceptions.length === 0,
    }
  }
  if (me === undefined && sight.may) {
    return { who: `You can see ${OBJECT[kind]} without signing in`, why: UNKNOWN, isPublic: true }
  }
  const may = sight.may ? 'You can' : 'You may not'
  return { who: `${may} see ${OBJECT[kind]}`, why: UNKNOWN, isPublic: sight.may }
}

const UNKNOWN = 'who else is known only to those who control it'
