/** Converts the tree to its visible rows. */

/** The direct content of a namespace. */
export interface Level {
  /** The sorted paths. */
  readonly namespaces: readonly string[]
  readonly tags: readonly string[]
  /** The keys of the namespaces and tags that the anonymous user may not list or read. */
  readonly locked: ReadonlySet<string>
  /** Whether the user may list it; if not, it contains only the entries that the user may see otherwise. */
  readonly listed: boolean
}

/** The key of an entry, because a namespace and a tag may have the same path. */
export const rowKey = (kind: 'namespace' | 'tag', path: string): string => `${kind} ${path}`

/** A row. */
export type Row =
  | {
      readonly kind: 'namespace' | 'tag'
      readonly path: string
      readonly depth: number
      /** Undefined for tags, which have no content. */
      readonly isOpen: boolean | undefined
      readonly isLocked: boolean
      /** The position among its siblings, and their number. */
      readonly position: number
      readonly siblings: number
    }
  | { readonly kind: 'note'; readonly path: string; readonly depth: number; readonly text: string }
  /** A row that shows more entries of the namespace at the path, which is empty at the top. */
  | { readonly kind: 'more'; readonly path: string; readonly depth: number; readonly text: string }

/** The loaded parts of the tree, and the open ones. */
export interface TreeState {
  /** The top-level namespaces. */
  readonly roots: readonly string[]
  /** Whether there are more of these. */
  readonly hasMore: boolean
  /** The content of a namespace by path, or the error; undefined while it loads. */
  readonly levels: ReadonlyMap<string, Level | Error>
  readonly open: ReadonlySet<string>
  /** The number of visible entries in a namespace, if the user has requested more. */
  readonly shown: ReadonlyMap<string, number>
}

/** The number of visible entries in a namespace at first, and the number that each request adds. */
export const PORTION = 200

/** The rows from the top down. */
export function rowsOf(state: TreeState): Row[] {
  const rows = state.roots.flatMap((path, index) =>
    withInner(state, {
      kind: 'namespace',
      path,
      depth: 1,
      isOpen: state.open.has(path),
      isLocked: false,
      position: index + 1,
      siblings: state.hasMore ? -1 : state.roots.length,
    }),
  )
  return state.hasMore ? [...rows, { kind: 'more', path: '', depth: 1, text: 'More namespaces' }] : rows
}

/** A namespace and, if it is open, its content. */
function withInner(state: TreeState, row: Row): Row[] {
  if (row.kind !== 'namespace' || row.isOpen !== true) return [row]
  const { path } = row
  const depth = row.depth + 1
  const note = (text: string): Row => ({ kind: 'note', path, depth, text })
  const level = state.levels.get(path)
  if (level === undefined) return [row, note('Loading …')]
  if (level instanceof Error) return [row, note(level.message)]
  const all = [
    ...level.namespaces.map((one) => ['namespace', one] as const),
    ...level.tags.map((one) => ['tag', one] as const),
  ]
  if (all.length === 0) return [row, note(level.listed ? 'Empty' : 'Nothing that you may see')]
  const shown = state.shown.get(path) ?? PORTION
  const inner = all.slice(0, shown).flatMap(([kind, one], index) =>
    withInner(state, {
      kind,
      path: one,
      depth,
      isOpen: kind === 'tag' ? undefined : state.open.has(one),
      isLocked: level.locked.has(rowKey(kind, one)),
      position: index + 1,
      siblings: all.length,
    }),
  )
  const left = all.length - shown
  const more: Row[] =
    left > 0 ? [{ kind: 'more', path, depth, text: `${left.toLocaleString('en')} more` }] : []
  return [row, ...inner, ...more]
}

/** The rows of paths that match a filter, below their namespaces. */
export function rowsOfMatches(
  matches: readonly { readonly kind: 'namespace' | 'tag'; readonly path: string }[],
): Row[] {
  const kinds = new Map<string, { kind: 'namespace' | 'tag'; path: string }>()
  for (const { kind, path } of matches) {
    for (const above of ancestorsOf(path))
      kinds.set(rowKey('namespace', above), { kind: 'namespace', path: above })
    kinds.set(rowKey(kind, path), { kind, path })
  }
  const all = [...kinds.values()]
  return inside('', all, 1)
}

function inside(
  parent: string,
  all: readonly { readonly kind: 'namespace' | 'tag'; readonly path: string }[],
  depth: number,
): Row[] {
  const own = all
    .filter(({ path }) => parentOf(path) === parent)
    .sort((one, other) => compare(rowKey(one.kind, one.path), rowKey(other.kind, other.path)))
  return own.flatMap(({ kind, path }, index) => {
    const inner = kind === 'tag' ? [] : inside(path, all, depth + 1)
    // All matches are visible, and the user cannot close a row.
    const row = {
      kind,
      path,
      depth,
      isOpen: undefined,
      isLocked: false,
      position: index + 1,
      siblings: own.length,
    }
    return [row, ...inner]
  })
}

const compare = (one: string, other: string): number => (one < other ? -1 : 1)

/** The path of the namespace of an entry; empty at the top. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The namespaces above a path, the top-level one first. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** The last name of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
