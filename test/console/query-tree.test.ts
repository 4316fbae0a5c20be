/** The builder's tree of a query: from a text, and back to it. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  isFinished,
  NO_OPERAND,
  queryText,
  treeOf,
  type Condition,
  type Group,
  type Operand,
  type Part,
} from '../../console/src/query/tree.ts'
import { parseQuery } from '../../src/query/parse.ts'

const name = fc.constantFrom('u', 'b:c.d-e_1', 'Été', 'and', 'has', '5', 'x'.repeat(80))
const tag = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => ['u', ...names].join('/'))
const words = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', 'a or b', '(', 'say "hi"\\'))
  .map((text): Operand => ({ type: 'text', text }))
const number = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.constantFrom('5.0', '-.5', '1e6', '007', '2.50E-3'),
  )
  .map((text): Operand => ({ type: 'number', text }))
const constant = fc.constantFrom('true', 'false', 'null').map((text): Operand => ({ type: 'constant', text }))

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ tag, operator: fc.constant('has' as const), operand: fc.constant(NO_OPERAND) }),
  fc.record({
    tag,
    operator: fc.constantFrom('=' as const, '!=' as const),
    operand: fc.oneof(words, number, constant),
  }),
  fc.record({
    tag,
    operator: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    operand: fc.oneof(words, number),
  }),
  fc.record({ tag, operator: fc.constantFrom('matches' as const, 'contains' as const), operand: words }),
)

const { part } = fc.letrec<{ part: Part; group: Group }>((tie) => ({
  part: fc.oneof({ maxDepth: 5, withCrossShrink: true }, condition, tie('group')),
  group: fc.record({
    join: fc.constantFrom('and', 'or', 'except'),
    parts: fc.array(tie('part'), { minLength: 2, maxLength: 4 }),
  }),
}))

describe('a tree', () => {
  it('is the same after it was written and read', () => {
    fc.assert(
      fc.property(part, (tree) => {
        const text = queryText(tree)
        expect(treeOf(text)).toEqual(tree)
        expect(() => parseQuery(text)).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['has u/a or has u/b and has u/c', 'has u/a or has u/b and has u/c'],
    ['(has u/a or has u/b)   and has u/c', '(has u/a or has u/b) and has u/c'],
    ['(has u/a and has u/b) and has u/c', '(has u/a and has u/b) and has u/c'],
    ['has u/a except (has u/b except has u/c)', 'has u/a except (has u/b except has u/c)'],
    ['((U/a=TRUE))', 'u/a = true'],
    ['u/a = 9223372036854775807 or u/a=5.0', 'u/a = 9223372036854775807 or u/a = 5.0'],
    [
      'SERVICE/id="0190A7E2-1d5c-7f3a-8b6e-2c9d4f1e0a7b"',
      'service/id = "0190a7e2-1d5c-7f3a-8b6e-2c9d4f1e0a7b"',
    ],
  ])('keeps what was put together: %s', (text, written) => {
    const tree = treeOf(text)
    expect(tree && queryText(tree)).toBe(written)
  })

  it('is read from a thousand operators in a row', () => {
    const text = Array(500).fill('has u/a').join(' and ')
    expect(treeOf(text)).toMatchObject({ join: 'and', parts: { length: 500 } })
  })

  it('is not read from what is no query', () => {
    expect(treeOf('has u/a and')).toBeUndefined()
  })
})

describe('what is not finished', () => {
  const has = (path: string): Condition => ({ tag: path, operator: 'has', operand: NO_OPERAND })
  const [begun, a, b] = [has(''), has('u/a'), has('u/b')]

  it('is left out', () => {
    expect(queryText({ join: 'and', parts: [begun, a, { join: 'or', parts: [begun, b] }] })).toBe(
      'has u/a and has u/b',
    )
    expect(queryText({ join: 'or', parts: [begun, begun] })).toBe('')
  })

  it('leaves nothing of what is found without others', () => {
    expect(queryText({ join: 'except', parts: [begun, a] })).toBe('')
    expect(queryText({ join: 'or', parts: [b, { join: 'except', parts: [begun, a] }] })).toBe('has u/b')
    expect(queryText({ join: 'except', parts: [a, begun] })).toBe('has u/a')
  })

  it.each<[Condition, boolean]>([
    [{ tag: 'U/a', operator: '>', operand: { type: 'number', text: '5' } }, true],
    [{ tag: 'u/a', operator: '>', operand: { type: 'number', text: '5 or u/b = 6' } }, false],
    [{ tag: 'u/a', operator: '>', operand: { type: 'number', text: '-' } }, false],
    [{ tag: 'u/a', operator: '>', operand: { type: 'constant', text: 'null' } }, false],
    [{ tag: 'u/a', operator: 'contains', operand: { type: 'number', text: '5' } }, false],
    [{ tag: 'u/a = 1 or has u/b', operator: 'has', operand: NO_OPERAND }, false],
    [{ tag: 'u', operator: 'has', operand: NO_OPERAND }, false],
  ])('is seen: %j', (one, finished) => {
    expect(isFinished(one)).toBe(finished)
  })
})
