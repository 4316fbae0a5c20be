/** The contract has an example of everything that is sent; the mock answers with them. */
import { expect, test } from '@jest/globals'
import { readContract } from '../../src/http/contract/contract.ts'

interface Node {
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const isReference = (value: unknown): boolean => isNode(value) && '$ref' in value

/** Every node below a node, with its location. */
function* places(node: Node, at = ''): Generator<[where: string, place: Node]> {
  yield [at, node]
  for (const [key, value] of Object.entries(node)) if (isNode(value)) yield* places(value, `${at}/${key}`)
}

/** The parts of a node that are sent: the node itself if it is a parameter, its headers, its content types. */
function* sent(where: string, place: Node): Generator<[where: string, part: unknown]> {
  if (typeof place['in'] === 'string' && 'schema' in place) yield [where, place]
  for (const key of ['headers', 'content']) {
    const parts = place[key]
    if (isNode(parts))
      for (const [name, part] of Object.entries(parts)) yield [`${where}/${key}/${name}`, part]
  }
}

/**
 * The headers that a write depends on have none, nor have cursors: tools send all examples together, and none of these is
 * right for every body and every value, nor for every search.
 */
const CONDITIONS = ['IfMatch', 'IfNoneMatchOnWrite', 'ContentMD5', 'IfMatchOfState', 'Cursor'].map(
  (name) => `/components/parameters/${name}`,
)

test('every parameter, header, body and answer has an example', () => {
  const parts = [...places(readContract() as Node)].flatMap(([where, place]) => [...sent(where, place)])
  const own = parts.filter(([, part]) => !isReference(part))
  expect(own.length).toBeGreaterThan(100)
  const without = own.filter(([, part]) => !isNode(part) || !('example' in part || 'examples' in part))
  expect(without.map(([where]) => where)).toEqual(CONDITIONS)
})
