/** `gloss tag` and `gloss untag`: values on one object, and the types that texts are taken for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { emptyHome, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Answer, type Service } from '../support/service.ts'

let service: Service
const home = emptyHome()
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  home.remove()
  await service.stop()
})

const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  gloss(args, { env: { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD }, ...options })

const read = (about: string, tag: string): Promise<Answer> =>
  service.request('GET', `/about/${encodeURIComponent(about)}/${tag}`, { as: 'alice' })

/** Texts, and the types and values that they are taken for. */
const GUESSES = [
  ['9', 'int', '9'],
  ['-3', 'int', '-3'],
  ['9223372036854775807', 'int', '9223372036854775807'],
  ['9223372036854775808', 'string', '"9223372036854775808"'],
  ['04109', 'string', '"04109"'],
  ['7.50', 'float', '7.5'],
  ['5.0', 'float', '5.0'],
  ['1e3', 'float', '1000.0'],
  ['-0.0', 'float', '-0.0'],
  ['1e999', 'string', '"1e999"'],
  ['.5', 'string', '".5"'],
  ['true', 'boolean', 'true'],
  ['True', 'boolean', 'true'],
  ['FALSE', 'boolean', 'false'],
  ['null', 'null', 'null'],
  ['', 'string', '""'],
  ['a=b', 'string', '"a=b"'],
  ['"q"', 'string', '"\\"q\\""'],
  ['["a","b, c"]', 'list-of-strings', '["a","b, c"]'],
  ['[1]', 'string', '"[1]"'],
  ['[', 'string', '"["'],
] as const

test('a text without a type is taken for what it looks like, and that is said', async () => {
  const words = GUESSES.map(([text], index) => `alice/guess${String(index)}=${text}`)
  const { status, stdout, stderr } = await run(['tag', 'guess', ...words])
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  const types = stderr.split('\n').map((line) => / \(([\w-]+)\)$/.exec(line)?.[1])
  expect(types.slice(0, -1)).toEqual(GUESSES.map(([, type]) => type))
  for (const [index, [, type, json]] of GUESSES.entries()) {
    const answer = await read('guess', `alice/guess${String(index)}`)
    expect([answer.headers['x-service-type'], answer.body.toString()]).toEqual([type, json])
  }
})

describe('a type that is given', () => {
  test.each([
    ['--int', '007', '7'],
    ['--float', '9', '9.0'],
    ['--float', '-.5', '-0.5'],
    ['--float', '-0', '-0.0'],
    ['--string', '9', '"9"'],
    ['--bool', 'false', 'false'],
    ['--null', '', 'null'],
    ['--list', 'a,b', '["a","b"]'],
    ['--list', '["a,b"]', '["a,b"]'],
    ['--list', '', '[]'],
  ])('%s makes of %j', async (option, text, json) => {
    expect((await run(['tag', 'fixed', `alice/fixed=${text}`, option])).status).toBe(0)
    expect((await read('fixed', 'alice/fixed')).body.toString()).toBe(json)
  })

  test('null needs no value', async () => {
    expect((await run(['tag', 'fixed', 'alice/read', '--null'])).stderr).toBe('alice/read = null (null)\n')
  })

  test.each([
    ['--int', 'x', 'an int is digits'],
    ['--int', '9223372036854775808', 'has 64 bits'],
    ['--float', '1e999', 'a float is a number'],
    ['--bool', 'yes', 'true or false'],
    ['--null', 'x', 'null stands alone'],
    ['--list', '[1]', 'words between commas'],
  ])('%s cannot be %s', async (option, text, said) => {
    const { status, stderr } = await run(['tag', 'never', `alice/fixed=${text}`, option])
    expect(status).toBe(2)
    expect(stderr).toContain(said)
  })
})

test.each([
  ['no value', ['alice/x'], 'alice/x has no value'],
  ['a tag twice', ['alice/x=1', 'alice/x=2'], 'alice/x is there twice'],
  ['two types', ['alice/x=1', '--int', '--string'], 'use a line for each'],
  ['a file that is not there', ['alice/x=nowhere', '--file'], "'nowhere' cannot be read"],
  ['a file with a type', ['alice/x=y', '--file', '--int'], '--media-type'],
  ['a media type without a file', ['alice/x=y', '--media-type', 'text/plain'], 'say --file'],
])('%s is misuse', async (_what, args, said) => {
  const { status, stderr } = await run(['tag', 'never', ...args])
  expect(status).toBe(2)
  expect(stderr).toContain(said)
})

test('several values are written at once, or none', async () => {
  const { stderr } = await run(['tag', 'book:Dune', 'alice/rating=9', 'alice/title=Dune'])
  expect(stderr).toBe('alice/rating = 9 (int)\nalice/title = Dune (string)\n')
  const { status } = await run(['tag', 'book:Emma', 'alice/rating=7', 'bob/rating=1'])
  expect(status).toBe(1)
  expect((await read('book:Emma', 'alice/rating')).error).toBe('NoSuchObject')
})

describe('files', () => {
  test('go out as they are, with the media type of their name', async () => {
    writeFileSync(join(home.folder, 'cover.png'), Buffer.from([0, 255]))
    writeFileSync(join(home.folder, 'raw'), 'x')
    const { status, stderr } = await run(
      ['tag', 'book:Dune', 'alice/cover=cover.png', 'alice/raw=raw', '--file'],
      {
        cwd: home.folder,
      },
    )
    expect(status).toBe(0)
    expect(stderr).toBe(
      'alice/cover = image/png, 2 bytes (opaque)\nalice/raw = application/octet-stream, 1 bytes (opaque)\n',
    )
    const cover = await read('book:Dune', 'alice/cover')
    expect([cover.headers['content-type'], cover.body]).toEqual(['image/png', Buffer.from([0, 255])])
  })

  test('come from standard input, on an object that no URL can name', async () => {
    const args = ['tag', '..', 'alice/raw=-', '--file', '--media-type', 'text/x-odd']
    expect((await run(args, { input: 'typed' })).status).toBe(0)
    expect((await run(['get', '..', 'alice/raw'])).stdout).toBe('typed')
  })
})

test('an object without an about value is named by its id', async () => {
  const id = '6f1b2c3d-0000-4000-8000-00000000abcd'
  expect((await run(['tag', id, 'alice/rating=5'])).status).toBe(0)
  const answer = await service.ok('GET', `/objects/${id}/alice/rating`, { as: 'alice' })
  expect(answer.body.toString()).toBe('5')
})

test('nobody writes without signing in', async () => {
  const { status, stderr } = await run(['tag', 'book:Dune', 'alice/rating=9'], {
    env: { GLOSS_URL: service.url },
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/gloss login/)
})

describe('untag', () => {
  test('takes all of the tags off the object', async () => {
    await run(['tag', 'book:Lost', 'alice/one=1', 'alice/two=2', 'alice/three=3'])
    const { status, stderr } = await run(['untag', 'book:Lost', 'alice/one', 'alice/two'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'book:Lost is without alice/one, alice/two\n' })
    const { stdout } = await run(['get', 'book:Lost', '--columns', 'tag'])
    expect(stdout).toBe('alice/three\nservice/about\n')
  })

  test('says what is not there', async () => {
    expect((await run(['untag', 'book:Lots', 'alice/three'])).stderr).toContain("no object about 'book:Lots'")
    const { status, stderr } = await run(['untag', 'book:Lost', 'alice/thre'])
    expect(status).toBe(1)
    expect(stderr).toContain('did you mean alice/three?')
  })
})
