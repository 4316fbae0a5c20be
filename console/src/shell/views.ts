/** The views of the console by their names in URLs; each loads when it first appears. */
import type { ComponentType } from 'preact'

type Load = () => Promise<{ readonly default: ComponentType }>

/** Loads the view of that name; undefined for an unknown name. */
export const viewOf = (name: string): Load | undefined =>
  Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined

/** Each view reads its subject from the route. */
const VIEWS: Readonly<Record<string, Load>> = {
  start: () => import('../start/start.tsx'),
  ask: () => import('../ask/ask.tsx'),
  namespace: () => import('../thing/namespace.tsx'),
  tag: () => import('../thing/tag.tsx'),
  object: () => import('../object/object.tsx'),
  recent: () => import('../recent/recent.tsx'),
  import: () => import('../import/import.tsx'),
  users: () => import('../users/users.tsx'),
  help: () => import('../help/help.tsx'),
}
