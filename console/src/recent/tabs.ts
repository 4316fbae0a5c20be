/** What the view of recent changes shows, as its URL says it. */

/** Whose values, or on what. */
export type Asked =
  | { readonly show: 'users' | 'objects'; readonly query: string }
  | { readonly show: 'user'; readonly user: string }
  | { readonly show: 'object'; readonly id: string }
  | { readonly show: 'object'; readonly about: string }

/** One way to choose values. */
export interface Tab {
  readonly show: Asked['show']
  readonly title: string
  /** What is typed in. */
  readonly asks: string
  /** What is asked for if the URL names nothing. */
  readonly otherwise: string
}

export const TABS: readonly [Tab, ...Tab[]] = [
  {
    show: 'users',
    title: 'By users',
    asks: 'Query that finds users',
    // The service writes whatever follows from what users write.
    otherwise: 'has service/users/username except service/users/username = "service"',
  },
  { show: 'user', title: 'By one user', asks: 'User name', otherwise: '' },
  { show: 'objects', title: 'On objects', asks: 'Query that finds objects', otherwise: '' },
  { show: 'object', title: 'On one object', asks: 'About value or id of the object', otherwise: '' },
]

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a URL asks for: the tab, what stands in its field, and the request; undefined until something is typed in. */
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

/** The arguments of the URL that asks for something typed in. */
export function paramsOf({ show }: Pick<Tab, 'show'>, text: string): Readonly<Record<string, string>> {
  if (show === 'user') return { show, user: text }
  if (show === 'object') return ID.test(text) ? { show, id: text } : { show, about: text }
  return { show, query: text }
}
