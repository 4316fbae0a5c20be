/** `gloss ls`: namespaces and tags, as far as one may list them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { expectGolden, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  const make = (kind: string, path: string, fields: object): Promise<unknown> =>
    service.ok('POST', `/${kind}/${path}`, { as: 'alice', json: fields })
  await make('namespaces', 'alice', { name: 'books', description: 'What I read and what I think of it' })
  await make('namespaces', 'alice/books', { name: 'wanted', description: 'Not read \u001b[31myet' })
  await make('tags', 'alice/books', {
    name: 'rating',
    description:
      'How much I liked it, from 0 for not at all to 10 for what I shall read again and again, 漢字 too',
    indexed: true,
  })
  await make('tags', 'alice/books', { name: 'books', description: 'Its namesake', indexed: true })
  for (const tag of [
    'alice/books/note',
    'alice/books/wanted/price',
    'alice/private/diary',
    'alice/books-old',
  ]) {
    await service.ok('PUT', `/about/x/${tag}`, { as: 'alice', primitive: '1' })
  }
  await service.ok('PUT', '/permissions/tag-values/alice/books/note', {
    as: 'alice',
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: ['alice'] },
  })
})
afterAll(() => service.stop())

const run = (args: readonly string[], columns?: number, as = 'alice'): Promise<Ended> =>
  gloss(['ls', ...args], {
    env: { GLOSS_URL: service.url, ...(as === '' ? {} : { GLOSS_USER: as, GLOSS_PASSWORD: PASSWORD }) },
    ...(columns === undefined ? {} : { columns }),
  })

const paths = async (args: readonly string[], as?: string): Promise<string> =>
  (await run([...args, '--columns', 'path'], undefined, as)).stdout

describe('on a terminal, a tree', () => {
  test.each([80, 200])('of %d columns', async (columns) => {
    const { status, stdout } = await run(['alice', '--depth', '3'], columns)
    expect(status).toBe(0)
    expectGolden(`ls.${String(columns)}.txt`, stdout)
  })

  test.each([[['/']], [['']]])('of all users for the path %j', async (args) => {
    expect(await run([...args, '--depth', '1'])).toEqual(await run(['--depth', '1']))
  })

  test('of all users, as far as somebody else may list it', async () => {
    expectGolden('ls.bob.80.txt', (await run([], 80, 'bob')).stdout)
  })
})

describe('in a pipe, rows', () => {
  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run(['alice', '--depth', '3', ...options])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expectGolden(`ls.${format}`, stdout)
  })
})

test('what is private is so for everybody, and only its owner sees what is in it', async () => {
  expect(await paths(['alice'])).toContain('alice/private/diary\n')
  for (const as of ['bob', '']) {
    expect(await paths(['alice'], as)).not.toContain('diary')
    const { stdout } = await run(['alice', '--columns', 'path,private'], undefined, as)
    expect(stdout).toContain('alice/private\ttrue\n')
    expect(stdout).toContain('alice/books/note\ttrue\n')
    expect(stdout).toContain('alice/books/rating\tfalse\n')
  }
})

test.each([
  ['a user in capitals, and a slash', 'ALICE/books/', 'alice/books\n'],
  ['a tag', 'alice/books/rating', 'alice/books/rating\n'],
])('%s names what it names', async (_what, path, first) => {
  expect((await paths([path])).startsWith(first)).toBe(true)
})

test.each([
  ['a misspelt namespace', 'alice/boks', 'alice', 'did you mean alice/books?'],
  ['a private one', 'alice/private', 'bob', '[TPathPermissionDenied]'],
])('%s cannot be shown', async (_what, path, as, said) => {
  const { status, stdout, stderr } = await run([path], undefined, as)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(said)
})

test('a namespace with more tags than fit into one query', async () => {
  const tags = Array.from({ length: 450 }, (_, number) => `carol/many/${'x'.repeat(100)}${String(number)}`)
  const queries = tags.map((tag) => ['service/about = "many"', { [tag]: { value: 1 } }])
  await service.ok('PUT', '/values', { as: 'carol', json: { queries } })
  const described = tags.filter((_, number) => number % 50 === 0)
  for (const tag of described)
    await service.ok('PUT', `/tags/${tag}`, { as: 'carol', json: { description: 'One of many' } })
  const { stdout } = await run(['carol/many', '--columns', 'kind,description,private'])
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(451)
  const plain = lines.filter((line) => line === 'tag\t\tfalse')
  const found = lines.filter((line) => line === 'tag\tOne of many\tfalse')
  expect([plain.length, found.length]).toEqual([450 - described.length, described.length])
})
