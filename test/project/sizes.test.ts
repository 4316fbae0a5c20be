/** The sizes that are counted, on code that is made up; complexity is what ESLint counts. */
import { expect, test } from '@jest/globals'
import { Linter } from 'eslint'
import { quantile, sizesOf, tableOf } from '../../scripts/sizes.ts'

const TYPED = `type Size = 'small' | 'large'

declare function told(size: Size): void

export function sizeOf(pages: number, unit: unknown, ...more: unknown[]): Size {
  const sizes = [1, 2].map((each) => (each > 1 ? 'large' : 'small'))
  told(unit as Size)
  return pages > 100 ? 'large' : (sizes[0] as unknown as Size)
}

export const NAMES = ['small', 'large'] as const
export const nameOf = (size: Size): string => NAMES[size === 'small' ? 0 : 1]

class Shelf {
  get size(): Size {
    return 'small'
  }
}
`

test('named functions are counted, and casts other than as const', () => {
  expect(sizesOf('shelf.ts', TYPED)).toEqual({
    lines: 18,
    functionLines: [5, 1, 3],
    parameters: [3, 1, 0],
    complexity: [2, 2, 1],
    casts: 3,
  })
})

test.each([
  'if (a) b()',
  'if (a) b(); else if (c) d()',
  'return a ? b : c ? d : e',
  'for (const one of a) b(one)',
  'for (let i = 0; i < a; i++) b(i)',
  'for (const one in a) b(one)',
  'while (a()) b()',
  'do a(); while (b)',
  'switch (a) { case 1: case 2: return b; case 3: return c; default: return d }',
  'return (a && b) || c',
  'return a ?? b',
  'a ||= b; c &&= d; e ??= a',
  'return a?.b?.[c]?.(d)',
  'try { a() } catch { b() } finally { c() }',
  'const { f = 1, g = [] } = a; return f + g',
  'return a.map((one) => (one ? b : c))',
])('the complexity of: %s', (body) => {
  const code = `function one(a, b, c, d, e = 1) { ${body} }`
  const messages = new Linter().verify(code, { rules: { complexity: ['error', { max: 0 }] } })
  const counted = messages.map(({ message }) => Number(/complexity of (\d+)/.exec(message)?.[1]))
  expect(sizesOf('one.js', code).complexity).toEqual([counted[0]])
})

test.each([
  [[], 0.5, 0],
  [[3], 0.95, 3],
  [[4, 1, 3, 2], 0.5, 2],
  [[1, 2, 3, 4, 5], 0.5, 3],
  [Array.from({ length: 100 }, (_, i) => i + 1), 0.95, 95],
  [[1, 9, 5], 1, 9],
])('of %j the share %d is %d', (numbers, share, expected) => {
  expect(quantile(numbers, share)).toBe(expected)
})

test('the table has a row for each folder, and one for what is below it', () => {
  const one = sizesOf('a.ts', TYPED)
  const rows = tableOf(
    new Map([
      ['src/a.ts', one],
      ['src/data/b.ts', one],
    ]),
  )
  expect(rows.slice(2).map((row) => row.split(/ {2,}/))).toEqual([
    ['src', '1', '3', '3', '18 / 18 / 18', '3 / 5 / 5', '1 / 3 / 3', '2 / 2 / 2', '3 / 3 / 3'],
    ['src/data', '1', '3', '3', '18 / 18 / 18', '3 / 5 / 5', '1 / 3 / 3', '2 / 2 / 2', '3 / 3 / 3'],
    ['src/**', '2', '6', '6', '18 / 18 / 18', '3 / 5 / 5', '1 / 3 / 3', '2 / 2 / 2', '3 / 3 / 3'],
  ])
})
