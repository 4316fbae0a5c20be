/**
 * Keeps the state of the console in its URL: the view, its subject, and its options. The state is in the fragment, so
 * that it works below any path on any server, and appears in no log of a proxy.
 */
import { signal, type ReadonlySignal } from '@preact/signals'

/** The state in a URL: `#/tag/alice/books?show=permissions` is the view `tag`, with `alice` and `books`. */
export interface Route {
  readonly view: string
  /** The decoded segments after the view. */
  readonly at: readonly string[]
  readonly params: URLSearchParams
}

/** The arguments of a view; `hrefOf` omits undefined and empty ones. */
export type Params = Readonly<Record<string, string | readonly string[] | undefined>>

/** Parses a fragment. Segments with invalid escapes remain unchanged. */
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

/** The URL of the current view with some changed arguments. */
export function hrefWith(changes: Params): string {
  const { view, at, params } = route.value
  const names = new Set([...params.keys(), ...Object.keys(changes)])
  const all = [...names].map((name) => [name, name in changes ? changes[name] : params.getAll(name)])
  return hrefOf(view, at, Object.fromEntries(all) as Params)
}

const current = signal(parseRoute(location.hash))

/** The current state. */
export const route: ReadonlySignal<Route> = current

/** Goes to a URL as a link does; with `replace`, `back` skips the current one. */
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
