/** Long bodies in portions that can be held against the contract one by one. */
import { partsOf } from '../json-members.ts'

/** How many elements and members there are in a portion. */
const PORTION = 1_000

/** A body that is a list of elements, in the only form that may have very many: the one of PUT `/values`. */
interface WithElements {
  readonly queries: readonly unknown[]
}

const hasElements = (json: unknown): json is WithElements =>
  typeof json === 'object' && json !== null && 'queries' in json && Array.isArray(json.queries)

/** A body without its elements, if it has any; else the body. */
export const firstPortion = (json: unknown): unknown => (hasElements(json) ? { ...json, queries: [] } : json)

/** A part of a body, in the form of the whole. */
export interface Portion {
  readonly json: WithElements
  /** For each of its elements, which one of the whole body it is, or is a part of. */
  readonly elements: readonly number[]
}

/** Where something in a portion is in the whole body, both as JSON pointers that begin with `prefix`. */
export function pointerInBody(pointer: string, prefix: string, { elements }: Portion): string {
  const before = `${prefix}/queries/`
  if (!pointer.startsWith(before)) return pointer
  const [index = '', ...rest] = pointer.slice(before.length).split('/')
  return before + [elements[Number(index)] ?? index, ...rest].join('/')
}

/**
 * Bodies that together say the same as `json`, each with some of its elements, and of an element that has very many
 * members with some of these. Nothing for a body without elements. The first fault of `json` is in the first of them
 * that has one: what the contract says of a list and of an object of values, it says of each of their items.
 */
export function* portionsOfBody(json: unknown): Generator<Portion> {
  if (!hasElements(json)) return
  let queries: unknown[] = []
  let elements: number[] = []
  let weight = 0
  for (const [i, element] of json.queries.entries()) {
    for (const { portion, members } of portionsOfElement(element)) {
      queries.push(portion)
      elements.push(i)
      weight += 1 + members
      if (weight < PORTION) continue
      yield { json: { ...json, queries }, elements }
      queries = []
      elements = []
      weight = 0
    }
  }
  yield { json: { ...json, queries }, elements }
}

interface PortionOfElement {
  readonly portion: unknown
  readonly members: number
}

function* portionsOfElement(element: unknown): Generator<PortionOfElement> {
  const [query, values] = Array.isArray(element) ? (element as readonly unknown[]) : []
  if (!Array.isArray(element) || element.length !== 2 || !isObject(values)) {
    yield { portion: element, members: 0 }
    return
  }
  for (const part of partsOf(values)) {
    yield { portion: [query, part], members: Object.keys(part).length }
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
