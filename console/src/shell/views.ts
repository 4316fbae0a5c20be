/** The views of the console by the names that URLs have for them; each is loaded when it is first shown. */
import type { ComponentType } from 'preact'

type Load = () => Promise<{ readonly default: ComponentType }>

/** Loads the view of that name; undefined for what is none. */
export const viewOf = (name: string): Load | undefined =>
  Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined

/** Each view takes what it shows from the route. */
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
