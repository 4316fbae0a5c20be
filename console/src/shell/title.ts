/** The title of a view, for the browser's tab and history and for screen readers. */
import { visible } from '../../../common/values.ts'
import type { Route } from '../route.ts'

/** The title for a route. */
export function titleOf(route: Route): string {
  const nameOf = Object.hasOwn(NAMES, route.view) ? NAMES[route.view] : undefined
  const name = (nameOf ?? capital)(route)
  return name === '' ? 'Gloss' : `${visible(name)} – Gloss`
}

const NAMES: Readonly<Record<string, (route: Route) => string>> = {
  start: () => '',
  ask: ({ params }) => params.get('query') ?? 'Ask',
  object: ({ at: [by, key] }) => (by === 'about' ? (key ?? 'Object') : `Object ${key ?? ''}`),
  recent: () => 'Recent changes',
  namespace: ({ at }) => `${at.join('/')} (namespace)`,
  tag: ({ at }) => `${at.join('/')} (tag)`,
  users: ({ at: [name] }) => (name === undefined ? 'Users' : `${name} (user)`),
}

const capital = ({ view }: Route): string => view.charAt(0).toUpperCase() + view.slice(1)
