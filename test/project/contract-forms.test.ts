/** The schemas of the contract have the forms that generators and validators read as they are meant. */
import { expect, test } from '@jest/globals'
import { readContract } from '../../src/http/contract/contract.ts'
import { ERRORS } from '../../src/model/errors.ts'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every node at or below a node, with its location. */
function* places(node: Node, at = ''): Generator<[where: string, place: Node]> {
  yield [at, node]
  for (const [key, value] of Object.entries(node)) {
    if (isNode(value) && key !== 'example' && key !== 'examples') yield* places(value, `${at}/${key}`)
  }
}

const contract = readContract() as {
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}
const PLACES = [...places(contract)]

/** What a place refers to, or the place itself. */
function resolved(place: Node): Node {
  const { $ref } = place
  return typeof $ref === 'string' ? (contract.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : place
}

test('every integer says of how many bits it is', () => {
  const integers = PLACES.filter(([, { type }]) => [type].flat().includes('integer'))
  const unsaid = integers.filter(([, { format }]) => format !== 'int32' && format !== 'int64')
  expect(unsaid.map(([where]) => where)).toEqual([])
  expect(integers.length).toBeGreaterThan(20)
})

test('in a union, a validator that converts comes to numbers last', () => {
  const unions = PLACES.flatMap(([where, { anyOf, oneOf }]) => {
    const branches = [anyOf, oneOf].filter(Array.isArray).flat() as readonly Node[]
    return branches.length === 0 ? [] : [{ where, types: branches.map((branch) => resolved(branch)['type']) }]
  })
  const isNumber = (type: unknown): boolean => type === 'integer' || type === 'number'
  const wrong = unions.filter(({ types }) => {
    const first = types.findIndex(isNumber)
    return first >= 0 && !types.slice(first).every(isNumber)
  })
  expect(wrong).toEqual([])
  expect(unions.filter(({ types }) => types.some(isNumber)).map(({ where }) => where)).toEqual([
    '/components/schemas/PrimitiveValue',
  ])
})

test('an item of a tuple has no limit of its own, as orval does not declare the constant that it makes of it', () => {
  const LIMITS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum']
  const items = PLACES.flatMap(([, { prefixItems }]) => (prefixItems ?? []) as readonly Node[])
  const limited = items.filter((item) => LIMITS.some((limit) => limit in resolved(item)))
  expect(items).toHaveLength(2)
  expect(limited).toEqual([])
})

test('the classes of errors are all listed, and the list stays open', () => {
  const { ErrorClass, KnownErrorClass } = contract.components.schemas
  expect(ErrorClass?.['anyOf']).toEqual([
    { $ref: '#/components/schemas/KnownErrorClass' },
    { type: 'string', description: expect.any(String) },
  ])
  // Wrong credentials are the one error that does not name its class.
  const onTheWire = Object.keys(ERRORS).filter((name) => name !== 'WrongCredentials')
  expect(KnownErrorClass?.['enum']).toEqual(onTheWire)
})
