/** The tags that a request selects: named ones, every one, or both. */
import { permitEveryTagValue, tagAt } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import type { ReadTx } from '../store/views.ts'
import type { TagSelection } from '../values/reading.ts'

/** The argument that stands for every tag. */
const EVERY = '*'

interface SelectedTags {
  /** The paths as sent, each once. */
  readonly named: readonly string[]
  readonly every: boolean
}

/** Separates the paths among the arguments from the argument for every tag. */
export const selectedTags = (sent: readonly string[]): SelectedTags => ({
  named: [...new Set(sent.filter((path) => path !== EVERY))],
  every: sent.includes(EVERY),
})

/**
 * The selection for `action` on the values of these tags; `permitted` has the named ones. Throws
 * `TPathPermissionDenied` for the anonymous user's deletes of every tag.
 */
export const selectionOf = <A extends 'read' | 'delete', V>(
  tx: ReadTx<V>,
  action: A,
  { named, every }: SelectedTags,
  permitted: PermittedTags<`tag-values.${A}`, V>,
): TagSelection<`tag-values.${A}`, V> => ({
  named: named.map((path) => tagAt(permitted, path)),
  every: every ? permitEveryTagValue(tx, action) : undefined,
})
