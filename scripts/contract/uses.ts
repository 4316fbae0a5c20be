/** Where components are used: by which operations, and in which direction. */
import { operationsOf, isNode, resolve, without, type Contract } from './document.ts'
import { isOpen } from './schemas.ts'

type Direction = 'request' | 'answer' | 'open'

/** The uses of a component. */
export interface Uses {
  readonly directions: ReadonlySet<Direction>
  /** Such as `GET /search`. */
  readonly operations: ReadonlySet<string>
}

interface Walk {
  readonly contract: Contract
  readonly operation: string
  readonly found: Map<string, { directions: Set<Direction>; operations: Set<string> }>
  readonly seen: Set<string>
}

/** The uses of all components, by reference. */
export function usesOf(contract: Contract): ReadonlyMap<string, Uses> {
  const found: Walk['found'] = new Map()
  for (const { label, node, parameters } of operationsOf(contract)) {
    const walk = { contract, operation: label, found, seen: new Set<string>() }
    visit([parameters, node['requestBody']], 'request', walk)
    visit(node['responses'], 'answer', walk)
  }
  return found
}

function visit(part: unknown, direction: Direction, walk: Walk): void {
  if (Array.isArray(part)) {
    for (const one of part) visit(one, direction, walk)
    return
  }
  if (!isNode(part)) return
  const { $ref, anyOf } = part
  if (typeof $ref === 'string') follow($ref, direction, walk)
  visit(anyOf, Array.isArray(anyOf) && isOpen(anyOf, walk.contract) ? 'open' : direction, walk)
  visit(Object.values(without(part, ['anyOf', 'example', 'examples', 'links'])), direction, walk)
}

function follow($ref: string, direction: Direction, walk: Walk): void {
  const step = `${direction} ${$ref}`
  if (walk.seen.has(step)) return
  walk.seen.add(step)
  const uses = walk.found.get($ref) ?? { directions: new Set(), operations: new Set() }
  walk.found.set($ref, uses)
  uses.directions.add(direction)
  uses.operations.add(walk.operation)
  visit(resolve({ $ref }, walk.contract), direction, walk)
}
