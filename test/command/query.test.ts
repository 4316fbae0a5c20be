/** `gloss query`: what it finds, in which form, and what it says of a query that is wrong. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { expectGolden, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service

/** Three books; one has a name that a terminal would obey, and numbers that no number of JavaScript is. */
beforeAll(async () => {
  service = await startService()
  const put = (about: string, tag: string, primitive: string): Promise<unknown> =>
    service.ok('PUT', `/about/${encodeURIComponent(about)}/alice/books/${tag}`, { as: 'alice', primitive })
  await put('book:Dune', 'rating', '9')
  await put('book:Dune', 'pages', '9223372036854775807')
  await put('book:Dune', 'topics', '["desert","ecology"]')
  await put('book:\u001b[31mRed', 'rating', '7.0')
  await put('book:Tab\there, "quoted"', 'rating', '8')
  await put('book:漢字', 'rating', '6')
  await service.ok('PUT', '/about/book%3ADune/alice/books/cover', {
    as: 'alice',
    body: 'not a picture',
    headers: { 'content-type': 'image/png' },
  })
})
afterAll(() => service.stop())

const run = (args: readonly string[], columns?: number): Promise<Ended> =>
  gloss(args, {
    env: { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD },
    ...(columns === undefined ? {} : { columns }),
  })

const COLUMNS = ['rating', 'pages', 'topics', 'cover'].map((name) => `alice/books/${name}`)
const ALL = [
  'query',
  'has alice/books/rating',
  '--columns',
  ['about', ...COLUMNS].join(),
  '--sort',
  '-alice/books/rating',
]

describe('the same objects', () => {
  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
    ['ndjson', ['--ndjson']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run([...ALL, ...options])
    expect(status).toBe(0)
    expect(stderr).toBe('4 objects\n')
    expectGolden(`query.${format}`, stdout)
  })

  test.each([80, 200])('as a table on a terminal of %d columns', async (columns) => {
    const { status, stdout } = await run(ALL, columns)
    expect(status).toBe(0)
    expect(stdout.replace(/^\u001b\[1m|\u001b\[22m/gm, '')).not.toMatch(/\u001b/)
    expectGolden(`query.${String(columns)}.txt`, stdout)
  })
})

test('an int of 64 bits and a float keep each digit', async () => {
  const { stdout } = await run([
    'query',
    'alice/books/rating = 7',
    '--columns',
    'alice/books/rating',
    '--json',
  ])
  expect(stdout).toBe('[\n  {"alice/books/rating":7.0}\n]\n')
  const { stdout: pages } = await run(['query', 'has alice/books/pages', '--columns', 'alice/books/pages'])
  expect(pages).toBe('9223372036854775807\n')
})

test('--count prints the number alone, and --limit shows no more', async () => {
  expect((await run(['query', 'has alice/books/rating', '--count'])).stdout).toBe('4\n')
  expect((await run(['query', 'has alice/books/rating', '--limit', '2'])).stdout.split('\n')).toHaveLength(3)
})

test('--sort knows the columns about and id', async () => {
  const abouts = async (...order: string[]): Promise<string[]> => {
    const args = ['query', 'has alice/books/rating', '--columns', 'about', '--sort', ...order]
    return (await run(args)).stdout.trimEnd().split('\n')
  }
  const sorted = await abouts('about')
  expect(sorted).toHaveLength(4)
  expect(sorted).toEqual([...sorted].sort())
  expect(await abouts('-about')).toEqual(sorted.toReversed())
  expect(await abouts('id')).toEqual((await abouts('-id')).toReversed())
})

test.each([
  ['a bare word', 'alice/books/rating = York', '                     ^^^^ "York" is neither'],
  ['a word before an operator', 'alice/books/rating = York<5', '                     ^^^^ "York" is neither'],
  ['a single quote', "alice/books/rating = 'York'", '                     ^ '],
  ['an open string', 'alice/books/rating = "York', '                     ^^^^^ the string'],
  ['an end too early', 'alice/books/rating = 1 and', '                          ^ '],
  ['a second line', 'alice/books/rating = 1\nor x', '   ^ '],
  [
    'a misspelt tag',
    'alice/books/raiting = 1',
    '^^^^^^^^^^^^^^^^^^^ the tag alice/books/raiting does not exist',
  ],
])('%s is shown under the query', async (_what, query, under) => {
  const { status, stdout, stderr } = await run(['query', query])
  const [line, carets = ''] = stderr.split('\n')
  expect({ status, stdout, line }).toEqual({ status: 1, stdout: '', line: query.split('\n').at(-1) })
  expect(carets.slice(0, under.length)).toBe(under)
  expect(carets).toMatch(/\[T\w+\]$/)
})

test('a misspelt tag gets the one that was probably meant', async () => {
  expect((await run(['query', 'alice/books/raiting = 1'])).stderr).toContain(
    '→ did you mean alice/books/rating?',
  )
})

test.each([
  ['an option', ['query', 'has a/b', '--colums', 'about'], 'did you mean --columns?'],
  ['a subcommand', ['qurey', 'has a/b'], 'did you mean query?'],
  ['a format too many', ['query', 'has a/b', '--csv', '--json'], 'choose one of'],
  ['an empty order', ['query', 'has alice/books/rating', '--sort', ''], 'must not be empty'],
  ['an empty profile', ['query', 'has a/b', '--profile', ''], 'must not be empty'],
  ['no column', ['query', 'has alice/books/rating', '--columns', ','], 'one name, or several'],
  ['all columns', ['query', 'has alice/books/rating', '--columns', '*', '--json'], 'gloss export shows them'],
  ['an interval', ['query', 'has a/b', '--watch', 'soon'], '5s, 2m, 1h'],
])('%s that cannot be is misuse', async (_what, args, said) => {
  const { status, stdout, stderr } = await run(args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(said)
})

test('--watch asks again until somebody presses Ctrl-C', async () => {
  const { status, stdout } = await gloss(['query', 'has alice/books/rating', '--count', '--watch', '1s'], {
    env: { GLOSS_URL: service.url },
    started: (child) => {
      let seen = ''
      child.stdout?.on('data', (part: string) => {
        seen += part
        if (seen.split('\n').length > 2) child.kill('SIGINT')
      })
    },
  })
  expect(status).toBe(130)
  expect(stdout).toMatch(/^(4\n){2,}$/)
})
