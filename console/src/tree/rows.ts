/** The tree as the rows that are shown of it. */

/** What is directly in a namespace. */
export interface Level {
  /** Their paths, sorted. */
  readonly namespaces: readonly string[]
  readonly tags: readonly string[]
  /** Those of both, as keys, that the anonymous user may not list or read. */
  readonly locked: ReadonlySet<string>
  /** Whether the asker may list it; if not, it has what they may see of what is in it. */
  readonly listed: boolean
}

/** A namespace and a tag may have the same path. */
export const keyOf = (kind: 'namespace' | 'tag', path: string): string => `${kind} ${path}`

/** A row. */
export type Row =
  | {
      readonly kind: 'namespace' | 'tag'
      readonly path: string
      readonly depth: number
      /** Undefined for tags, which have nothing in them. */
      readonly isOpen: boolean | undefined
      readonly isLocked: boolean
      /** Which of its siblings it is, and how many there are. */
      readonly position: number
      readonly siblings: number
    }
  | { readonly kind: 'note'; readonly path: string; readonly depth: number; readonly text: string }
  /** Shows more of what is at the path, which is empty at the top. */
  | { readonly kind: 'more'; readonly path: string; readonly depth: number; readonly text: string }

/** What is known of the tree, and what of it is open. */
export interface TreeState {
  /** The top-level namespaces. */
  readonly roots: readonly string[]
  /** Whether there are more of these. */
  readonly hasMore: boolean
  /** By path: what is in a namespace, or why that is not known; undefined while it is asked for. */
  readonly levels: ReadonlyMap<string, Level | Error>
  readonly open: ReadonlySet<string>
  /** How many are shown of what is in a namespace, where somebody has asked for more than the first ones. */
  readonly shown: ReadonlyMap<string, number>
}

/** So many are shown at first of what is in one namespace, and so many more each time. */
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

/** A namespace, and if it is open, what is in it. */
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
      isLocked: level.locked.has(keyOf(kind, one)),
      position: index + 1,
      siblings: all.length,
    }),
  )
  const left = all.length - shown
  const more: Row[] =
    left > 0 ? [{ kind: 'more', path, depth, text: `${left.toLocaleString('en')} more` }] : []
  return [row, ...inner, ...more]
}

/** The rows of paths that match a filter, below the namespaces that they are in. */
export function rowsOfMatches(
  matches: readonly { readonly kind: 'namespace' | 'tag'; readonly path: string }[],
): Row[] {
  const kinds = new Map<string, { kind: 'namespace' | 'tag'; path: string }>()
  for (const { kind, path } of matches) {
    for (const above of ancestorsOf(path))
      kinds.set(keyOf('namespace', above), { kind: 'namespace', path: above })
    kinds.set(keyOf(kind, path), { kind, path })
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
    .sort((one, other) => compare(keyOf(one.kind, one.path), keyOf(other.kind, other.path)))
  return own.flatMap(({ kind, path }, index) => {
    const inner = kind === 'tag' ? [] : inside(path, all, depth + 1)
    // All that matches is shown, and nothing of it can be closed.
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

/** The path of the namespace that something is in; empty for what is at the top. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The namespaces above a path, the top-level one first. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
