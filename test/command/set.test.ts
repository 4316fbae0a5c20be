/** `gloss set` and `gloss unset`: what they show before they change many objects, and what they change. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { expectGolden, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Twelve books with a number, two of which are rated. */
beforeEach(async () => {
  const queries = Array.from({ length: 12 }, (_, number) => [
    `service/about = "book:${String(number)}"`,
    { 'alice/number': { value: number }, ...(number < 2 ? { 'alice/rating': { value: 7 } } : {}) },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  await service.ok('PUT', '/values', {
    as: 'alice',
    json: { queries: [['has alice/rating', { 'alice/rating': { value: 7 } }]] },
  })
  await service.ok('DELETE', '/values', {
    as: 'alice',
    query: { query: 'alice/number > 1', tag: 'alice/rating' },
  })
})

const run = (args: readonly string[], options: RunOptions = {}, as = 'alice'): Promise<Ended> =>
  gloss(args, { env: { GLOSS_URL: service.url, GLOSS_USER: as, GLOSS_PASSWORD: PASSWORD }, ...options })

const count = async (query: string): Promise<number> => {
  const { ids } = (await service.ok('GET', '/objects', { as: 'alice', query: { query } })).json() as {
    ids: string[]
  }
  return ids.length
}

/** Without what the terminal shows of the answer before the command reads it. */
const unechoed = (shown: string): string => shown.replace(/^y\r\n/m, '')

const SET = ['set', 'has alice/number', 'alice/rating=9']
const UNSET = ['unset', 'has alice/number', 'alice/rating']

describe('on a terminal', () => {
  test.each([80, 200])('of %d columns, set shows ten objects and asks', async (columns) => {
    const { status, stdout } = await run(SET, { columns, input: 'y\n' })
    expect(status).toBe(0)
    expectGolden(`set.${String(columns)}.txt`, unechoed(stdout))
    expect(await count('alice/rating = 9')).toBe(12)
  })

  test('unset shows the objects that have the tag, and asks', async () => {
    const { status, stdout } = await run(UNSET, { columns: 80, input: 'y\n' })
    expect(status).toBe(0)
    expectGolden('unset.80.txt', unechoed(stdout))
    expect(await count('has alice/rating')).toBe(0)
  })

  test.each([
    ['set', SET],
    ['unset', UNSET],
  ])('%s changes nothing if that is not meant', async (_name, args) => {
    const { status, stdout } = await run(args, { columns: 80, input: '\n' })
    expect(status).toBe(0)
    expect(stdout).toContain('Nothing was changed.')
    expect(await count('alice/rating = 7')).toBe(2)
  })
})

describe('without a terminal', () => {
  test.each([
    ['set', SET],
    ['unset', UNSET],
  ])('%s needs --yes', async (_name, args) => {
    const { status, stdout, stderr } = await run(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('say --yes')
    expect(await count('alice/rating = 7')).toBe(2)
  })

  test('--yes goes on, with several tags', async () => {
    const set = await run(['set', 'alice/number < 3', 'alice/rating=8.0', 'alice/mark=new', '--yes'])
    expect(set.status).toBe(0)
    expect(set.stderr).toMatch(
      /^3 objects match; 2 of them have alice\/rating; none of them has alice\/mark\n/,
    )
    expect(set.stderr).toMatch(
      /\nalice\/rating = 8\.0 \(float\), alice\/mark = new \(string\) are on 3 objects\n$/,
    )
    expect(await count('alice/rating = 8 and alice/mark = "new"')).toBe(3)
    const unset = await run(['unset', 'alice/number < 3', 'alice/rating', 'alice/mark', '--yes'])
    expect(unset.stderr).toMatch(/\nalice\/rating, alice\/mark are off 3 objects\n$/)
    expect(await count('has alice/mark or alice/rating = 8')).toBe(0)
  })

  test('nothing is done where nothing matches', async () => {
    const { status, stderr } = await run(['set', 'alice/number > 99', 'alice/rating=1'])
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: '0 objects match; none of them has alice/rating\n',
    })
    expect((await run(['unset', 'alice/number > 5', 'alice/rating'])).status).toBe(0)
  })
})

describe('says what is wrong', () => {
  test.each([
    ['with the query', ['set', 'alice/number = x', 'alice/rating=1', '--yes'], '               ^'],
    ['with a tag in it', ['set', 'has alice/numbr', 'alice/rating=1', '--yes'], 'did you mean alice/number?'],
    [
      'with a tag to take off',
      ['unset', 'has alice/number', 'alice/ratng', '--yes'],
      'did you mean alice/rating?',
    ],
    [
      'with a place for a tag',
      ['set', 'has alice/number', 'bob/rating=1', '--yes'],
      '[TPathPermissionDenied]',
    ],
    ['with a value', ['set', 'has alice/number', 'alice/rating=x', '--int', '--yes'], 'an int is digits'],
  ])('%s', async (_what, args, said) => {
    const { status, stderr } = await run(args)
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(said)
  })

  test('with values that one may not read, which are not shown', async () => {
    await service.ok('PUT', '/values', {
      as: 'alice',
      json: { queries: [['has alice/number', { 'alice/drop': { value: 'secret' } }]] },
    })
    for (const [action, exceptions] of [
      ['read', ['alice']],
      ['write', ['alice', 'bob']],
    ] as const) {
      await service.ok('PUT', '/permissions/tag-values/alice/drop', {
        as: 'alice',
        query: { action },
        json: { policy: 'closed', exceptions },
      })
    }
    const { status, stderr } = await run(['set', 'alice/number = 1', 'alice/drop=x', '--yes'], {}, 'bob')
    expect(status).toBe(0)
    expect(stderr).toContain('book:1  ? → x')
    expect(stderr).not.toContain('secret')
    expect(await count('alice/drop = "x"')).toBe(1)
  })
})
