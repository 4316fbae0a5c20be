/** Which columns a table has, and what a query lacks. */
import { describe, expect, test } from '@jest/globals'
import { guessColumns, lookOf, moved, nextSort, shortNames } from '../../console/src/ask/columns.ts'
import { barrenOf, faultsOf, without, type CheckedNode } from '../../console/src/ask/faults.ts'
import { outlineOf, type QueryNode } from '../../src/query/ast.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { Random, randomQuery } from '../search/random.ts'

const having = (...tags: string[]) => ({
  id: 'x',
  about: null,
  values: Object.fromEntries(tags.map((tag) => [tag, 1])),
})

describe('columns', () => {
  test('are first those of the query, then others beside them, then the rest', () => {
    const found = [
      having('service/about', 'z/other', 'a/b/second', 'a/b/first', 'a/c'),
      having('a/b/first', 'z/other', 'z/more'),
    ]
    const query = 'has a/b/second and a/b/third = "z/more" or has a/c'
    expect(guessColumns(query, found)).toEqual(['a/b/second', 'a/c', 'a/b/first', 'z/other', 'z/more'])
    expect(
      guessColumns('has a/b', [having(...'abcdefgh'.split('').map((name) => `a/${name}`))]),
    ).toHaveLength(6)
  })

  test('have names as short as they can be told apart', () => {
    const tags = ['a/b/name', 'c/name', 'c/rating', 'x/c/rating', 'x/y']
    expect(shortNames(tags)).toEqual(['b/name', 'c/name', 'c/rating', 'x/c/rating', 'y'])
  })

  test('move, and end where there are no more', () => {
    expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'b', 5)).toEqual(['a', 'c', 'b'])
  })

  test('sort up, then down, then not at all', () => {
    expect(nextSort('a/b', undefined)).toBe('a/b')
    expect(nextSort('a/b', '-a/c')).toBe('a/b')
    expect(nextSort('a/b', 'a/b')).toBe('-a/b')
    expect(nextSort('a/b', '-a/b')).toBe(undefined)
  })

  test('are as wide as most of their values, and at the right if these are numbers', () => {
    const one = lookOf('x', [1, 22, undefined, 333])
    const texts = lookOf('x', ['some longer text', 'x', 5])
    expect([one.isNumeric, texts.isNumeric]).toEqual([true, false])
    expect(texts.width).toBeGreaterThan(one.width)
    expect(lookOf('x', ['y'.repeat(1000)]).width).toBeLessThan(25)
  })
})

/** The nodes of a query as the service lists them, with these counts. */
const nodesOf = (text: string, counts: readonly number[] = []): CheckedNode[] =>
  outlineOf(parseQuery(text).root).map((one, at) => {
    const { start, end, kind } = one.node
    const part = { start, end, ...(counts[at] !== undefined && { count: counts[at], exact: true }) }
    return 'left' in one
      ? { ...part, kind: 'combination', operator: kind as 'and', left: one.left, right: one.right }
      : { ...part, kind: 'condition', operator: 'has', path: 'a/b' }
  })

/** What a query means, without its places; without one node, if there is one. */
function meaning(node: QueryNode, left?: QueryNode): unknown {
  if (!('left' in node)) return plain({ ...node, ...('operand' in node && { operand: plain(node.operand) }) })
  if (node.left === left) return meaning(node.right)
  if (node.right === left) return meaning(node.left)
  return [node.kind, meaning(node.left, left), meaning(node.right, left)]
}

/** Without its place. */
const plain = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'start' && name !== 'end'))

const PARTS = {
  paths: ['a/b', 'a/c'],
  indexed: ['a/b'],
  objects: ['01a20767-57a4-7538-8fe5-a4fd9b2f19ab'],
  further: ['has a/d'],
}

describe('a query', () => {
  test('without a part means what the rest means, whatever the parentheses', () => {
    const random = new Random(16)
    let tried = 0
    for (let round = 0; round < 1000; round += 1) {
      const query = randomQuery(random, PARTS)
      const { root } = parseQuery(query)
      const nodes = nodesOf(query)
      for (const [at, { node }] of outlineOf(root).entries()) {
        const rest = without(query, nodes, at)
        if (rest === undefined) continue
        tried += 1
        expect([query, meaning(parseQuery(rest).root)]).toEqual([query, meaning(root, node)])
      }
    }
    expect(tried).toBeGreaterThan(1000)
  })

  test('finds nothing because of one condition', () => {
    const query = 'has a/b and (has a/c or has a/d)'
    expect(barrenOf(query, nodesOf(query, [0, 0, 2, 1, 1]))).toEqual([
      { start: 0, end: 7, isEmpty: true, without: '(has a/c or has a/d)' },
    ])
  })

  test('finds nothing because of the smallest combination', () => {
    const query = 'has a/b and has a/c and has a/d'
    const parts = barrenOf(query, nodesOf(query, [0, 0, 5, 5, 5]))
    expect(parts.map(({ start, without: rest }) => [start, rest])).toEqual([
      [0, 'has a/c and has a/d'],
      [12, 'has a/b and has a/d'],
    ])
  })

  test('is marked where it goes wrong', () => {
    const error = { class: 'TParseError', message: 'line 2, column 5: expected x', offset: 12 } as const
    const query = 'has a/b and\n“wrong” x'
    expect(faultsOf(query, { valid: false, nodes: [], error })).toEqual([
      { start: 12, end: 19, message: 'expected x', errorClass: 'TParseError', missing: undefined },
    ])
  })
})
