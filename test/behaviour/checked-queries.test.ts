/** Checked queries: what a query builder is told, while somebody types. */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, request } = useService()

const objectOf = (i: number): string => `0197a3c0-5a5a-7000-8000-${String(i).padStart(12, '0')}`

interface Checked {
  readonly valid: boolean
  readonly nodes: readonly {
    readonly kind: string
    readonly start: number
    readonly end: number
    readonly left?: number
    readonly right?: number
    readonly count?: number
    readonly exact?: boolean
  }[]
  readonly error?: { readonly class: string; readonly message: string; readonly offset: number }
}

const checked = async (query: string, countUpTo = 10_000, as = 'alice'): Promise<Checked> =>
  (await ok('POST', '/search/check', { as, json: { query, countUpTo } })).json() as Checked

const numbersOf = async (query: string, countUpTo?: number): Promise<unknown[]> =>
  (await checked(query, countUpTo)).nodes.map(({ count, exact }) =>
    count === undefined ? 'unknown' : exact === true ? count : `${String(count)} or more`,
  )

beforeAll(async () => {
  for (let i = 0; i < 30; i++) await put(`/objects/${objectOf(i)}/alice/big`, String(i))
  for (let i = 0; i < 3; i++)
    await put(`/objects/${objectOf(i)}/alice/rare`, `"the quick ${String(i)} brown fox"`)
})

describe('numbers', () => {
  test('are those of each part', async () => {
    expect(await numbersOf('alice/big > 0 and has alice/rare or alice/big = 29')).toEqual([3, 2, 29, 3, 1])
    expect(await numbersOf('alice/big != 5 except alice/big < 10')).toEqual([20, 29, 10])
    expect(await numbersOf('alice/rare matches "quick 1" or alice/rare matches "bro*"')).toEqual([3, 1, 3])
  })

  test('end at the one that is asked for, and what is counted to the end narrows down the rest', async () => {
    expect(await numbersOf('has alice/big', 10)).toEqual(['10 or more'])
    expect(await numbersOf('has alice/big', 30)).toEqual([30])
    expect(await numbersOf('has alice/big', 0)).toEqual(['0 or more'])
    expect(await numbersOf('has alice/big and alice/rare matches "quick"', 10)).toEqual([3, '10 or more', 3])
    expect(await numbersOf('has alice/rare except alice/big > 0', 10)).toEqual([1, 3, '10 or more'])
    expect(await numbersOf('has alice/big except has alice/rare', 10)).toEqual(['unknown', '10 or more', 3])
    expect(await numbersOf('has alice/big or has alice/rare', 10)).toEqual(['10 or more', '10 or more', 3])
    expect(await numbersOf('has alice/big and alice/big >= 0', 10)).toEqual([
      'unknown',
      '10 or more',
      '10 or more',
    ])
    expect(await numbersOf('has alice/rare and (has alice/big except alice/big >= 1)', 10)).toEqual([
      1,
      3,
      'unknown',
      '10 or more',
      '10 or more',
    ])
  })
})

describe('what a part asks', () => {
  test('has operands as values, exact to the digit', async () => {
    const query = [
      'alice/big = 9007199254740993',
      'alice/big = 5.0',
      'alice/big < -.5e1',
      'alice/big = NULL',
      'alice/big != True',
      'alice/big contains "a \\"b\\" \\n"',
    ].join(' or ')
    const { body } = await ok('POST', '/search/check', { json: { query } })
    const operands = [...body.toString().matchAll(/"operand":(.*?),"start"/g)].map(([, operand]) => operand)
    expect(operands).toEqual(['9007199254740993', '5.0', '-5.0', 'null', 'true', '"a \\"b\\" \\\\n"'])
  })

  test('has its place in code units, with its parentheses', async () => {
    const query = '((alice/big = "😀")) or  Alice/Big  matches "é"'
    const { nodes } = await checked(query)
    expect(nodes.map(({ start, end }) => query.slice(start, end))).toEqual([
      query,
      '((alice/big = "😀"))',
      'Alice/Big  matches "é"',
    ])
  })

  test('may be a thousand operators deep', async () => {
    const query = Array.from({ length: 500 }, () => 'has alice/rare').join(' and ')
    const { nodes, valid } = await checked(query)
    expect([nodes.length, valid]).toEqual([999, true])
    expect(nodes[0]).toMatchObject({ kind: 'combination', left: 1, right: 998, count: 3, exact: true })
    expect(nodes[498]).toMatchObject({ kind: 'combination', left: 499, right: 500 })
  })
})

describe('a text that is no query', () => {
  test.each([
    ['nothing', '', 0],
    ['no end', 'has alice/big and', 17],
    ['a character of two code units before', 'alice/big = "😀" ~', 17],
    ['no path', 'has rating', 4],
    ['too long', `has alice/big${' '.repeat(40_000)}`, 0],
    ['too many operators', Array.from({ length: 501 }, () => 'has alice/rare').join(' and '), 9_500],
    ['a number out of range', 'alice/big = 99999999999999999999', 12],
  ])('says where it goes wrong: %s', async (_name, query, offset) => {
    const { valid, nodes, error } = await checked(query)
    expect([valid, nodes, error?.class, error?.offset]).toEqual([false, [], 'TParseError', offset])
  })

  test('gets the sentence that a search answers', async () => {
    const query = 'alice/big = "😀" ~'
    const { headers } = await request('GET', '/objects', { query: { query } })
    const { error } = await checked(query)
    expect(decodeURIComponent(String(headers['x-service-message']))).toBe(error?.message)
  })
})
