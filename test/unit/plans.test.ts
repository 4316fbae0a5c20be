/** Which plan a query gets, by how many objects match its conditions and which database answers; and how it reads. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { clauseOf } from '../../src/data/search/clauses.ts'
import type { ReadableTag, RowCondition } from '../../src/data/search/conditions.ts'
import type { Estimates } from '../../src/data/search/estimates.ts'
import { describePlan } from '../../src/data/search/plan-text.ts'
import { inOnePass } from '../../src/data/search/one-pass.ts'
import { planOf } from '../../src/data/search/planning.ts'
import { MYSQL, SQLITE, type Dialect } from '../../src/data/database/connection/dialects.ts'
import { parseQuery } from '../../src/query/parse.ts'

/** Tags by path, with the bound of their values. */
const BOUNDS = {
  'cities/name': 2_135_400,
  'cities/country': 135_400,
  'cities/population': 135_400,
  'u/tiny': 500,
  'u/some': 90_000,
  'u/same': 90_000,
  'u/large': 900_000,
  'u/wide': 900_000,
  'u/huge': 3_000_000,
  'u/vast': 4_000_000,
}

/** No view is open: plans are made of estimates here. */
interface NoView {
  readonly name: 'no view'
}

const TAGS: ReadonlyMap<string, ReadableTag<NoView>> = new Map(
  Object.entries(BOUNDS).map(([path, valueBound], id) => [
    path,
    { id, path, indexed: true, valueBound } as ReadableTag<NoView>,
  ]),
)

/** How many objects match conditions, by their text; any other condition matches as many as its bound says. */
type Matches = Readonly<Record<string, number>>

/** Estimates such as the databases make them, and what they were asked for. */
function estimatesOf(dialect: Dialect, matches: Matches): Estimates<NoView> & { readonly asked: string[] } {
  const asked: string[] = []
  const countOf = ({ text, bound }: RowCondition<NoView>): number => matches[text] ?? bound
  return {
    asked,
    dialect,
    about: (condition, limit) => {
      asked.push(`about ${condition.text} to ${String(limit)}`)
      const count = countOf(condition)
      return Promise.resolve(dialect.explainsRows || count <= limit ? count : condition.bound)
    },
    exceeds: (condition, limit) => {
      asked.push(`exceeds ${condition.text} ${String(limit)}`)
      return Promise.resolve(countOf(condition) > limit)
    },
  }
}

const planned = async (estimates: Estimates<NoView>, query: string): Promise<string> =>
  describePlan(await planOf(estimates, inOnePass(clauseOf(parseQuery(query), TAGS))))

const ID = 'service/id = "0197a3c0-5a5a-7000-8000-00000000000a"'
const LONG = 'x'.repeat(30)

interface Case {
  readonly name: string
  readonly query: string
  readonly matches?: Matches
  /** The plan: the same on both databases, or one for each. */
  readonly plan: string | { readonly sqlite: string; readonly mysql: string }
}

const FETCHES: readonly Case[] = [
  { name: 'one object', query: ID, plan: `id ${ID}` },
  {
    name: 'all values of a tag',
    query: 'has u/large',
    plan: `fetch has u/large (<= 900,000) by PRIMARY`,
  },
  {
    name: 'all values of a tag with a bound beyond the limit',
    query: 'has u/huge',
    plan: `
fetch has u/huge (<= 3,000,000) by PRIMARY
  prove has u/huge <= 1,000,000`,
  },
  {
    name: 'a condition that need not be proved, since it is counted when it is fetched',
    query: 'u/huge contains "x"',
    plan: `fetch u/huge contains "x" (<= 3,000,000) by PRIMARY`,
  },
  {
    name: 'few rows in the order of values',
    query: 'u/some > 5',
    matches: { 'u/some > 5': 20 },
    plan: {
      sqlite: `fetch u/some > 5 (<= 90,000) by tag_values_by_value, sorted by the connection`,
      mysql: `fetch u/some > 5 (~ 20, <= 90,000) by tag_values_by_value, sorted by the connection`,
    },
  },
  {
    name: 'many rows in the order of values',
    query: 'u/some > 5',
    matches: { 'u/some > 5': 80_000 },
    plan: {
      sqlite: `fetch u/some > 5 (<= 90,000) by tag_values_by_value, sorted by the connection`,
      mysql: `fetch u/some > 5 (~ 80,000, <= 90,000) by PRIMARY, sorted by the connection`,
    },
  },
  {
    name: 'a string longer than sort keys',
    query: `u/some < "${LONG}"`,
    plan: `compare strings u/some < "${LONG}" (<= 90,000)`,
  },
  {
    name: 'words that follow each other',
    query: 'u/some matches "two words"',
    plan: `find phrase u/some matches "two words" (<= 90,000)`,
  },
]

const CHAINS: readonly Case[] = [
  {
    name: 'one object is looked up in everything else',
    query: `${ID} and has u/huge and u/some > 5`,
    plan: `
probe
  prove has u/huge <= 1,000,000
  from id ${ID}
  join u/some > 5 (<= 90,000)
  join has u/huge (<= 3,000,000)`,
  },
  {
    name: 'the fewest rows are looked up in the same statement',
    query: 'has u/huge and u/some = 5 except u/large contains "y"',
    matches: { 'u/some = 5': 10 },
    plan: `
probe
  prove has u/huge <= 1,000,000
  from u/some = 5 (~ 10, <= 90,000) by tag_values_by_value
  join has u/huge (<= 3,000,000)
  drop u/large contains "y" (<= 900,000)`,
  },
  {
    name: 'tags of about the same size are merged, by SQLite in one statement',
    query: 'has u/large and has u/huge except u/huge > 3',
    plan: {
      sqlite: `
compound
  fetch has u/large (<= 900,000) by PRIMARY
  INTERSECT fetch has u/huge (<= 3,000,000) by PRIMARY
    prove has u/huge <= 1,000,000
  EXCEPT fetch u/huge > 3 (<= 3,000,000) by PRIMARY
    prove u/huge > 3 <= 1,000,000`,
      mysql: `
merge
  fetch has u/large (<= 900,000) by PRIMARY
  intersection fetch has u/huge (<= 3,000,000) by PRIMARY
    prove has u/huge <= 1,000,000
  difference fetch u/huge > 3 (<= 3,000,000) by PRIMARY, sorted by the connection`,
    },
  },
  {
    name: 'what is worth sorting is sorted by SQLite within that statement',
    query: 'has u/same and u/some > 3',
    matches: { 'u/some > 3': 8_000 },
    plan: {
      sqlite: `
compound
  fetch has u/same (<= 90,000) by PRIMARY
  INTERSECT fetch u/some > 3 (~ 8,000, <= 90,000) by tag_values_by_value, sorted by the database`,
      mysql: `
probe
  from u/some > 3 (~ 8,000, <= 90,000) by tag_values_by_value
  join has u/same (<= 90,000)`,
    },
  },
  {
    name: 'what is much larger than the smallest is probed, and the rest merged into what that leaves',
    query: 'has u/large and u/some matches "two words" and has u/huge except (has u/tiny or u/some = 3)',
    matches: { 'u/some = 3': 50_000 },
    plan: {
      sqlite: `
merge
  probe
    prove has u/huge <= 1,000,000
    from find phrase u/some matches "two words" (<= 90,000)
    join has u/huge (<= 3,000,000)
  intersection fetch has u/large (<= 900,000) by PRIMARY
  difference merge
    fetch has u/tiny (<= 500) by PRIMARY
    union fetch u/some = 3 (<= 90,000) by tag_values_by_value`,
      mysql: `
merge
  probe
    prove has u/huge <= 1,000,000
    from find phrase u/some matches "two words" (<= 90,000)
    join has u/large (<= 900,000)
    join has u/huge (<= 3,000,000)
  difference merge
    fetch has u/tiny (<= 500) by PRIMARY
    union fetch u/some = 3 (<= 90,000) by tag_values_by_value`,
    },
  },
  {
    name: 'a phrase cannot be probed',
    query: `${ID} and u/huge matches "two words"`,
    plan: `
merge
  id ${ID}
  intersection find phrase u/huge matches "two words" (<= 3,000,000)`,
  },
]

const UNIONS: readonly Case[] = [
  {
    name: 'any number of operands, one after the other',
    query: 'has u/tiny or u/some matches "two words" or has u/large',
    plan: `
merge
  fetch has u/tiny (<= 500) by PRIMARY
  union find phrase u/some matches "two words" (<= 90,000)
  union fetch has u/large (<= 900,000) by PRIMARY`,
  },
  {
    name: 'two large tags are likely beyond the limit, and looked at first',
    query: 'has u/large or has u/huge',
    plan: {
      sqlite: `
merge
  prove has u/large or has u/huge <= 1,000,000
    count has u/huge
    sample 75,000 of has u/large
  fetch has u/large (<= 900,000) by PRIMARY
  union fetch has u/huge (<= 3,000,000) by PRIMARY
    prove has u/huge <= 1,000,000`,
      mysql: `
merge
  prove has u/large or has u/huge <= 1,000,000
    count has u/huge
    sample 225,000 of has u/large
  fetch has u/large (<= 900,000) by PRIMARY
  union fetch has u/huge (<= 3,000,000) by PRIMARY
    prove has u/huge <= 1,000,000`,
    },
  },
  {
    name: 'one that is known to be within the limit is probed',
    query: `${ID} and (u/huge = 5 or has u/large)`,
    matches: { 'u/huge = 5': 4 },
    plan: `
probe
  prove u/huge = 5 <= 1,000,000
  from id ${ID}
  keep (u/huge = 5 or has u/large) (<= 3,900,000)`,
  },
  {
    name: 'one that may be beyond the limit is counted by being fetched',
    query: `${ID} and (u/huge = 5 or has u/large)`,
    plan: `
merge
  id ${ID}
  intersection merge
    fetch u/huge = 5 (<= 3,000,000) by tag_values_by_value
    union fetch has u/large (<= 900,000) by PRIMARY`,
  },
]

const ONE_PASSES: readonly Case[] = [
  {
    name: 'values of one tag, any of which will do',
    query: 'u/some = 1 or (u/some = 2 or u/some = 1)',
    plan: {
      sqlite: `
fetch u/some = 1 or u/some = 2 or u/some = 1 (<= 90,000) by tag_values_by_value, sorted by the connection`,
      mysql: `
fetch u/some = 1 or u/some = 2 or u/some = 1 (<= 90,000) by PRIMARY, sorted by the connection`,
    },
  },
  {
    name: 'conditions that every value meets together',
    query: 'u/large != 1 or u/large != 2',
    plan: `fetch u/large != 1 or u/large != 2 (<= 900,000) by PRIMARY`,
  },
  {
    name: 'the same on a tag with more values than the limit',
    query: 'u/huge != 1 or u/huge != 2',
    plan: `
fetch u/huge != 1 or u/huge != 2 (<= 3,000,000) by PRIMARY
  prove u/huge != 1 or u/huge != 2 <= 1,000,000`,
  },
  {
    name: 'words or items of one tag',
    query: 'u/some contains "x" or u/some matches "y" or u/some matches "two words"',
    plan: `
merge
  fetch u/some contains "x" or u/some matches "y" (<= 90,000) by PRIMARY, sorted by the connection
  union find phrase u/some matches "two words" (<= 90,000)`,
  },
  {
    name: 'conditions on two tags in turns',
    query: 'u/tiny != 1 or u/large != 2 or u/tiny = 1 or u/large = 2',
    plan: `
merge
  fetch u/tiny != 1 or u/tiny = 1 (<= 500) by PRIMARY
  union fetch u/large != 2 or u/large = 2 (<= 900,000) by PRIMARY`,
  },
  {
    name: 'conditions on a tag with few values that must all hold, or must not',
    query: 'has u/some and u/some != 1 and u/some != 2 except u/some = 3',
    plan: `fetch has u/some and u/some != 1 and u/some != 2 except u/some = 3 (<= 90,000) by PRIMARY`,
  },
  {
    name: 'what must not match is made one on any tag, what must match only below the limit',
    query: 'u/tiny = 1 and u/huge != 1 and u/huge != 2 except u/vast = 1 except u/vast = 2',
    plan: `
probe
  prove u/huge != 1 <= 1,000,000
  prove u/huge != 2 <= 1,000,000
  prove u/vast = 1 or u/vast = 2 <= 1,000,000
  from u/tiny = 1 (<= 500) by tag_values_by_value
  join u/huge != 1 (<= 3,000,000)
  join u/huge != 2 (<= 3,000,000)
  drop u/vast = 1 or u/vast = 2 (<= 4,000,000)`,
  },
  {
    name: 'several terms may be an object’s, which a join would repeat',
    query: `${ID} and (u/some contains "x" or u/some contains "y")`,
    plan: `
probe
  from id ${ID}
  keep u/some contains "x" or u/some contains "y" (<= 90,000)`,
  },
]

describe.each([SQLITE, MYSQL])('on $name', (dialect) => {
  describe.each([
    ['conditions on one tag', ONE_PASSES],
    ['conditions', FETCHES],
    ['chains', CHAINS],
    ['unions', UNIONS],
  ])('%s', (_, cases) => {
    test.each(cases)('$name', async ({ query, matches = {}, plan }) => {
      const expected = typeof plan === 'string' ? plan : plan[dialect.name]
      expect(await planned(estimatesOf(dialect, matches), query)).toBe(expected.trim())
    })
  })

  test.each<[query: string, asked: Readonly<Record<Dialect['name'], readonly string[]>>]>([
    ['has u/vast or has u/huge', { sqlite: [], mysql: [] }],
    ['has u/tiny and u/vast > 5 and has u/huge', { sqlite: [], mysql: [] }],
    ['u/huge > 5', { sqlite: [], mysql: ['about u/huge > 5 to 375000'] }],
    [
      'has u/huge and u/some = 5 and u/large contains "y"',
      {
        sqlite: ['about u/some = 5 to 250000', 'about u/large contains "y" to 250000'],
        mysql: ['about u/some = 5 to 270000', 'about u/large contains "y" to 270000'],
      },
    ],
    [`${ID} and (has u/huge or u/some = 5 or u/large = 5)`, { sqlite: [], mysql: [] }],
    [
      `${ID} and (has u/large or u/some = 5 or u/wide = 5)`,
      {
        sqlite: ['exceeds u/wide = 5 10000'],
        mysql: ['exceeds u/wide = 5 10000'],
      },
    ],
  ])('%s is planned with few questions', async (query, asked) => {
    const estimates = estimatesOf(dialect, {})
    await planned(estimates, query)
    expect(estimates.asked).toEqual(asked[dialect.name])
  })
})

describe('the text of a plan', () => {
  test('has one line a step, whatever white space is in the query', async () => {
    const query = 'u/some\n=\r\n"a\u0007\t\u2028b" or\thas u/tiny'
    expect(await planned(estimatesOf(SQLITE, {}), query)).toBe(
      'merge\n  fetch u/some = "a\ufffd b" (<= 90,000) by tag_values_by_value\n  union fetch has u/tiny (<= 500) by PRIMARY',
    )
  })

  test('shortens long conditions, and no character to a half', async () => {
    const query = `u/some = "${'😀'.repeat(100)}"`
    const plan = await planned(estimatesOf(SQLITE, {}), query)
    expect(plan).toMatch(/^fetch u\/some = "(?:😀)+\ufffd?… \(<= 90,000\) by tag_values_by_value$/u)
    expect(plan.length).toBeLessThan(200)
  })

  test('of a query with very many operands', async () => {
    const query = Array.from({ length: 500 }, (_, i) => `u/some matches "no ${String(i)}"`)
    for (const operator of ['or', 'and', 'except']) {
      const plan = await planned(estimatesOf(SQLITE, {}), query.join(` ${operator} `))
      for (const condition of query) expect(plan).toContain(`${condition} `)
    }
  })

  test('in the documentation is what it would be', async () => {
    const document = readFileSync(new URL('../../docs/large-stores.md', import.meta.url), 'utf8')
    const [, json = ''] = /^```json\n([^]+?)^```/m.exec(document) ?? []
    const { query, plan } = JSON.parse(json) as { query: string; plan: string[] }
    const estimates = estimatesOf(SQLITE, { 'cities/population > 1000': 4_210 })
    expect((await planned(estimates, query)).split('\n')).toEqual(plan)
  })
})
