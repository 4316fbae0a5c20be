/** `gloss get` and `gloss recent`: what is on an object, one value as it is, and what was written last. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { emptyHome, expectGolden, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
const home = emptyHome()
/** The id of an object that is about nothing. */
const NAMELESS = '6f1b2c3d-0000-4000-8000-00000000abcd'
/** A UUID that is also what an object is about. */
const CONFUSING = '6f1b2c3d-0000-4000-8000-00000000beef'
const BYTES = Buffer.from([0, 255, 10, 1])

beforeAll(async () => {
  service = await startService()
  const put = (path: string, options: object): Promise<unknown> =>
    service.ok('PUT', path, { as: 'alice', ...options })
  const dune = '/about/book%3ADune/alice/books'
  await put(`${dune}/rating`, { primitive: '9' })
  await put(`${dune}/weight`, { primitive: '5.0' })
  await put(`${dune}/pages`, { primitive: '9223372036854775807' })
  await put(`${dune}/topics`, { primitive: '["desert","ecology"]' })
  await put(`${dune}/note`, { primitive: '"two\\nlines, \\u001b[31mred"' })
  await put(`${dune}/cover`, { body: BYTES, headers: { 'content-type': 'image/png' } })
  await put(`${dune}/review`, { body: 'Sand.\n', headers: { 'content-type': 'text/plain' } })
  await put(`/objects/${NAMELESS}/alice/books/rating`, { primitive: '1' })
  await put(`/about/${CONFUSING}/alice/books/rating`, { primitive: '2' })
  const { id } = (await service.ok('POST', '/objects', { as: 'alice', json: { about: '.' } })).json() as {
    id: string
  }
  await put(`/objects/${id}/alice/books/rating`, { primitive: '3' })
})
afterAll(async () => {
  home.remove()
  await service.stop()
})

const run = (args: readonly string[], columns?: number, as = 'alice'): Promise<Ended> =>
  gloss(args, {
    env: { GLOSS_URL: service.url, GLOSS_USER: as, GLOSS_PASSWORD: PASSWORD, TZ: 'UTC' },
    ...(columns === undefined ? {} : { columns }),
  })

/** Times and ids, which differ each time, as others of the same width. */
const lasting = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-03-14T15:09:26.535897Z')
    .replaceAll(/\d\d-\d\d \d\d:\d\d/g, '03-14 15:09')

describe('the tags of an object', () => {
  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run(['get', 'book:Dune', ...options])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '8 tags\n' })
    expectGolden(`get.${format}`, lasting(stdout))
  })

  test.each([80, 200])('as a table on a terminal of %d columns', async (columns) => {
    const { status, stdout } = await run(['get', 'book:Dune'], columns)
    expect(status).toBe(0)
    expectGolden(`get.${String(columns)}.txt`, lasting(stdout))
  })

  test('are only those that one may read', async () => {
    await service.ok('PUT', '/about/book%3ASecret/alice/private/diary', { as: 'alice', primitive: '1' })
    const { stdout } = await run(['get', 'book:Secret', '--columns', 'tag'], undefined, 'bob')
    expect(stdout).toBe('service/about\n')
  })
})

describe('an object is named', () => {
  test.each([
    ['by an id', NAMELESS, '1\n'],
    ['by an id in capitals', NAMELESS.toUpperCase(), '1\n'],
    ['by an about value that is a UUID', CONFUSING, '2\n'],
    ['by an about value that no URL can hold', '.', '3\n'],
  ])('%s', async (_what, name, value) => {
    expect((await run(['get', name, 'alice/books/rating'])).stdout).toBe(value)
    expect((await run(['get', name, '--columns', 'tag'])).stdout).toContain('alice/books/rating\n')
  })

  test.each([['book:Dnue'], ['..']])('but %s is none', async (name) => {
    for (const args of [[name], [name, 'alice/books/rating']]) {
      const { status, stderr } = await run(['get', ...args])
      expect(status).toBe(1)
      expect(stderr).toMatch(/^gloss: .*no object .*\n {2}→ check its spelling/)
    }
  })
})

describe('one value', () => {
  test.each([
    ['an int of 64 bits', 'pages', [], '9223372036854775807\n'],
    ['a float', 'weight', [], '5.0\n'],
    ['a list', 'topics', [], '["desert","ecology"]\n'],
    ['a string', 'note', [], 'two\nlines, \u001b[31mred\n'],
    ['a string in JSON', 'note', ['--json'], '"two\\nlines, \\u001b[31mred"\n'],
  ])('%s', async (_what, tag, options, shown) => {
    const { status, stdout } = await run(['get', 'book:Dune', `alice/books/${tag}`, ...options])
    expect({ status, stdout }).toEqual({ status: 0, stdout: shown })
  })

  test.each([
    ['cover', BYTES],
    ['note', Buffer.from('two\nlines, \u001b[31mred')],
  ])('%s is in a file as it was written', async (tag, bytes) => {
    const file = join(home.folder, tag)
    expect((await run(['get', 'book:Dune', `alice/books/${tag}`, '-o', file], 80)).status).toBe(0)
    expect(readFileSync(file)).toEqual(bytes)
  })

  test('a terminal shows text, and nothing that it would obey', async () => {
    const note = await run(['get', 'book:Dune', 'alice/books/note'], 80)
    expect(note.stdout).toBe('two\r\nlines, \\u001b[31mred\r\n')
    expect((await run(['get', 'book:Dune', 'alice/books/review'], 80)).stdout).toBe('Sand.\r\n')
    const cover = await run(['get', 'book:Dune', 'alice/books/cover'], 80)
    expect(cover.status).toBe(2)
    expect(cover.stdout).toContain('the value is image/png, 4 bytes: no text')
  })

  test('a misspelt tag gets the one that was probably meant', async () => {
    const { status, stderr } = await run(['get', 'book:Dune', 'alice/books/raiting'])
    expect(status).toBe(1)
    expect(stderr).toContain('→ did you mean alice/books/rating?')
  })
})

test.each([
  ['an object', ['get', ''], 'what it is about, or its id'],
  ['an object by what was written on it', ['recent', ''], 'what it is about, or its id'],
  ['a user', ['recent', '@'], 'such as @alice'],
])('no name of %s is misuse', async (_what, args, said) => {
  const { status, stderr } = await run(args)
  expect(status).toBe(2)
  expect(stderr).toContain(said)
})

describe('what was written last', () => {
  const COLUMNS = ['--columns', 'username,object,tag,value']

  test.each([
    ['at all', [], `alice\t.\talice/books/rating\t3\n`],
    ['on an object', ['book:Dune'], 'alice\tbook:Dune\talice/books/review\ttext/plain, 6 bytes\n'],
    ['on an object that is about nothing', [NAMELESS], `alice\t${NAMELESS}\talice/books/rating\t1\n`],
    ['by a user', ['@alice'], `alice\t.\talice/books/rating\t3\n`],
  ])('%s', async (_what, args, line) => {
    const { status, stdout } = await run(['recent', ...args, ...COLUMNS], undefined, 'bob')
    expect(status).toBe(0)
    expect(stdout.startsWith(line)).toBe(true)
  })

  test.each([80, 200])('on a terminal of %d columns', async (columns) => {
    expectGolden(
      `recent.${String(columns)}.txt`,
      lasting((await run(['recent', 'book:Dune'], columns)).stdout),
    )
  })

  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run(['recent', 'book:Dune', ...options])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '8 values\n' })
    expectGolden(`recent.${format}`, lasting(stdout))
  })

  test('no more than is asked for, by somebody and on something that is there', async () => {
    expect((await run(['recent', '--limit', '2'])).stdout.split('\n')).toHaveLength(3)
    expect((await run(['recent', '@nobody'])).stderr).toContain('[TNoSuchUser]')
    expect((await run(['recent', 'book:Dnue'])).stderr).toContain('no object about')
  })
})
