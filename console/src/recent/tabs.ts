/** The tabs of the view of recent changes, and their state in the URL. */

/** The kinds of selections. */
export type Asked =
  | { readonly show: 'users' | 'objects'; readonly query: string }
  | { readonly show: 'user'; readonly user: string }
  | { readonly show: 'object'; readonly id: string }
  | { readonly show: 'object'; readonly about: string }

/** A kind of selection. */
export interface Tab {
  readonly show: Asked['show']
  readonly title: string
  /** The label of the input. */
  readonly asks: string
  /** The input if the URL names none. */
  readonly otherwise: string
}

export const TABS: readonly [Tab, ...Tab[]] = [
  {
    show: 'users',
    title: 'By users',
    asks: 'Query that finds users',
    // The service itself also writes values, in consequence of the writes of users.
    otherwise: 'has service/users/username except service/users/username = "service"',
  },
  { show: 'user', title: 'By one user', asks: 'User name', otherwise: '' },
  { show: 'objects', title: 'On objects', asks: 'Query that finds objects', otherwise: '' },
  { show: 'object', title: 'On one object', asks: 'About value or id of the object', otherwise: '' },
]

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The state in a URL: the tab, its input, and the request; undefined without an input. */
export function askedBy(params: URLSearchParams): {
  readonly tab: Tab
  readonly text: string
  readonly asked: Asked | undefined
} {
  const tab = TABS.find(({ show }) => show === params.get('show')) ?? TABS[0]
  const { show, otherwise } = tab
  const of = (...names: readonly string[]): string =>
    names.map((name) => params.get(name) ?? '').find((text) => text !== '') ?? otherwise
  if (show === 'user') {
    const user = of('user')
    return { tab, text: user, asked: user === '' ? undefined : { show, user } }
  }
  if (show === 'object') {
    const text = of('id', 'about')
    const asked: Asked = params.has('id') ? { show, id: text } : { show, about: text }
    return { tab, text, asked: text === '' ? undefined : asked }
  }
  const query = of('query')
  return { tab, text: query, asked: query === '' ? undefined : { show, query } }
}

/** The arguments of the URL for an input. */
export function paramsOf({ show }: Pick<Tab, 'show'>, text: string): Readonly<Record<string, string>> {
  if (show === 'user') return { show, user: text }
  if (show === 'object') return ID.test(text) ? { show, id: text } : { show, about: text }
  return { show, query: text }
}
