/** A difference between two contracts, in words of people who call the API. */
import type { Contract, Node } from './document.ts'

/** The headings of the list of changes, the most important first. */
export const KINDS = ['breaks', 'deprecated', 'new', 'other'] as const

export interface Change {
  readonly kind: (typeof KINDS)[number]
  /** What changed, beginning with where: `` `GET /search`: new argument `facets` ``. */
  readonly text: string
  /** An operation, argument or field that the older contract lacks. */
  readonly added?: Node
}

/** Changes, as they are found. */
export type Changes = Generator<Change, void, undefined>

/** Where a part stands: in which direction it is sent, and in which contracts. */
export interface Where {
  readonly before: Contract
  readonly after: Contract
  readonly request: boolean
  readonly answer: boolean
  /** It lists the known values of what may have others, too. */
  readonly open?: boolean
}

export const breaks = (text: string): Change => ({ kind: 'breaks', text })
export const other = (text: string): Change => ({ kind: 'other', text })
export const isNew = (text: string, added?: Node): Change => ({ kind: 'new', text, ...(added && { added }) })

/** A change that breaks if `does`; otherwise of the other kind. */
export const breaksIf = (does: boolean, text: string, otherwise: Change['kind'] = 'other'): Change => ({
  kind: does ? 'breaks' : otherwise,
  text,
})

/** The changes of a part, each with the name of the part before it. */
export function* under(name: string, changes: Iterable<Change>): Changes {
  for (const change of changes) yield { ...change, text: `${name}: ${change.text}` }
}

/** Names as code. */
export const code = (names: readonly unknown[]): string =>
  names.map((name) => `\`${typeof name === 'string' ? name : JSON.stringify(name)}\``).join(', ')

/** Says that something goes away in the next major version. */
export function* deprecation(before: Node, after: Node): Changes {
  if (after['deprecated'] === true && before['deprecated'] !== true)
    yield { kind: 'deprecated', text: 'deprecated' }
}
