/**
 * The state of the console as its URL: which view, of what, and how it is shown. It stands in the fragment, so that it works
 * below any path and on any server, and no log of a proxy has it.
 */
import { signal, type ReadonlySignal } from '@preact/signals'

/** What a URL says: `#/tag/alice/books?show=permissions` is the view `tag`, at `alice`, `books`. */
export interface Route {
  readonly view: string
  /** The segments behind the view, decoded. */
  readonly at: readonly string[]
  readonly params: URLSearchParams
}

/** Arguments of a view; those that are undefined or empty are left out. */
export type Params = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a fragment says. What cannot be decoded stands as it is. */
function parseRoute(hash: string): Route {
  const mark = hash.indexOf('?')
  const path = mark < 0 ? hash : hash.slice(0, mark)
  const [view = '', ...at] = path.replace(/^#?\/?/, '').split('/')
  const segments = at.filter((segment) => segment !== '').map(decoded)
  return {
    view: view === '' ? 'start' : view,
    at: segments,
    params: new URLSearchParams(mark < 0 ? '' : hash.slice(mark + 1)),
  }
}

/** The URL of a view, for links. */
export function hrefOf(view: string, at: readonly string[] = [], params: Params = {}): string {
  const path = [view, ...at].map(encodeURIComponent).join('/')
  const search = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => (one === '' ? [] : [[name, one]])),
    ),
  ).toString()
  return `#/${path}${search === '' ? '' : `?${search}`}`
}

/** The URL of the present view with some of its arguments changed. */
export function hrefWith(changes: Params): string {
  const { view, at, params } = route.value
  const names = new Set([...params.keys(), ...Object.keys(changes)])
  const all = [...names].map((name) => [name, name in changes ? changes[name] : params.getAll(name)])
  return hrefOf(view, at, Object.fromEntries(all) as Params)
}

const current = signal(parseRoute(location.hash))

/** Where the console is now. */
export const route: ReadonlySignal<Route> = current

/** Goes to a URL, as a link does; with `replace`, `back` will not lead to where it was before. */
export function go(href: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  follow()
}

function follow(): void {
  current.value = parseRoute(location.hash)
}

addEventListener('popstate', follow)
addEventListener('hashchange', follow)

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
