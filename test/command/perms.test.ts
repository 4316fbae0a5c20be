/** `gloss perms`: who may do what, in rows and in words, and how that is changed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { expectGolden, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.ok('PUT', '/about/x/alice/books/note', { as: 'alice', primitive: '1' })
})
afterAll(() => service.stop())

const run = (args: readonly string[], columns?: number, as = 'alice'): Promise<Ended> =>
  gloss(['perms', ...args], {
    env: { GLOSS_URL: service.url, GLOSS_USER: as, GLOSS_PASSWORD: PASSWORD },
    ...(columns === undefined ? {} : { columns }),
  })

const allow = (category: string, path: string, action: string, json: object): Promise<unknown> =>
  service.ok('PUT', `/permissions/${category}/${path}`, { as: 'alice', query: { action }, json })

/** Everybody reads, alice does the rest. */
beforeEach(async () => {
  await allow('tag-values', 'alice/books/note', 'read', { policy: 'open', exceptions: [] })
  await allow('tag-values', 'alice/books/note', 'write', { policy: 'closed', exceptions: ['alice'] })
})

test.each([
  ['no name', ['show', ''], "'' names no tag and no namespace"],
  ['a slash', ['close', '/'], "'/' names no tag and no namespace"],
  ['no action', ['grant', 'alice/books/note', 'bob', '--action', ''], 'one name, or several'],
])('%s is misuse', async (_what, args, said) => {
  const { status, stderr } = await run(args)
  expect(status).toBe(2)
  expect(stderr).toContain(said)
})

describe('show', () => {
  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run(['show', 'alice/books/note', ...options])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expectGolden(`perms.${format}`, stdout)
  })

  test.each([80, 200])('on a terminal of %d columns', async (columns) => {
    expectGolden(`perms.${String(columns)}.txt`, (await run(['show', 'alice/books/note'], columns)).stdout)
  })
})

describe('who', () => {
  test('of a tag', async () => {
    await run(['grant', 'alice/books/note', 'bob', '--action', 'write'])
    expect((await run(['who', 'alice/books/note'])).stdout).toBe(
      'its values: everybody reads; alice and bob write; alice deletes and controls\n' +
        'the tag: alice updates, deletes, and controls\n',
    )
  })

  test.each(['alice/books', 'alice/books/', 'ALICE/books'])('of the namespace %s', async (path) => {
    expect((await run(['who', path])).stdout).toBe(
      'the namespace: everybody lists; alice creates, updates, deletes, and controls\n',
    )
  })

  test('of a namespace and a tag with one path', async () => {
    await service.ok('PUT', '/about/x/alice/books', { as: 'alice', primitive: '1' })
    expect((await run(['who', 'alice/books'])).stdout).toMatch(/^its values: /)
    expect((await run(['who', 'alice/books/'])).stdout).toMatch(/^the namespace: /)
    await service.ok('DELETE', '/tags/alice/books', { as: 'alice' })
  })
})

/** Command lines, what they say, and who reads afterwards. */
const CHANGES = [
  [['close', 'alice/books/note'], 'its values: alice reads', { policy: 'closed', exceptions: ['alice'] }],
  [['grant', 'alice/books/note', 'BOB', 'anon'], 'its values: alice, anon, and bob read', 'closed'],
  [['revoke', 'alice/books/note', 'bob', 'alice', 'anon'], 'its values: nobody reads', 'closed'],
  [['open', 'alice/books/note'], 'its values: everybody reads', { policy: 'open', exceptions: [] }],
  [['revoke', 'alice/books/note', 'bob'], 'its values: everybody but bob reads', 'open'],
  [['grant', 'alice/books/note', 'bob'], 'its values: everybody reads', { policy: 'open', exceptions: [] }],
] as const

test('open, close, grant and revoke, one after another', async () => {
  for (const [args, said, expected] of CHANGES) {
    const { status, stdout, stderr } = await run(args)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: `${said}\n` })
    const { policy, exceptions } = (
      await service.ok('GET', '/permissions/tag-values/alice/books/note', {
        as: 'alice',
        query: { action: 'read' },
      })
    ).json() as { policy: string; exceptions: string[] }
    expect(typeof expected === 'string' ? policy : { policy, exceptions }).toEqual(expected)
  }
})

test('several actions, also those on the tag itself', async () => {
  const { stderr } = await run(['grant', 'alice/books/note', 'bob', '--action', 'write,tags/delete'])
  expect(stderr).toBe('its values: alice and bob write\nthe tag: alice and bob delete\n')
  expect((await run(['close', 'alice/books', '--action', 'list,create'])).stderr).toBe(
    'the namespace: alice lists\nthe namespace: alice creates\n',
  )
  await run(['open', 'alice/books'])
})

test('what a superuser closes is left to its owner', async () => {
  expect((await run(['close', 'alice/books/note'], undefined, 'service')).stderr).toBe(
    'its values: alice reads\n',
  )
})

test.each([
  ['a misspelt tag', ['who', 'alice/books/nte'], 1, 'did you mean alice/books/note?'],
  ['a misspelt namespace', ['show', 'alice/boks/'], 1, 'did you mean alice/books?'],
  ['a user who is not there', ['revoke', 'alice/books/note', 'nobody'], 1, '[TNoSuchUser]'],
  [
    'an action that is none',
    ['open', 'alice/books/note', '--action', 'reed'],
    2,
    'there are tag-values/read',
  ],
  ['an action of something else', ['open', 'alice/books/', '--action', 'read'], 2, 'on a namespace'],
  ['anonymous writing', ['grant', 'alice/books/note', 'anon', '--action', 'write'], 1, '[TInvalidUsername]'],
])('%s is refused', async (_what, args, status, said) => {
  const ended = await run(args)
  expect(ended.status).toBe(status)
  expect(ended.stderr).toContain(said)
})

test('permissions are for users who control the tag; others are told what they themselves may do', async () => {
  const shown = await run(['show', 'alice/books/note'], undefined, 'bob')
  expect(shown).toMatchObject({ status: 1, stdout: '' })
  expect(shown.stderr).toContain('sign in as one of them, perhaps alice')
  const who = async (path: string): Promise<Ended> => run(['who', path], undefined, 'bob')
  expect(await who('alice/books/note')).toEqual({
    status: 0,
    stdout: 'its values: everybody reads\n',
    stderr: 'Users who control it, perhaps alice, see the rest.\n',
  })
  await allow('tag-values', 'alice/books/note', 'read', { policy: 'closed', exceptions: ['alice', 'bob'] })
  expect((await who('alice/books/note')).stdout).toBe('its values: you read\n')
  await allow('tag-values', 'alice/books/note', 'read', { policy: 'closed', exceptions: ['alice'] })
  expect((await who('alice/books/note')).stdout).toBe('its values: you do not read\n')
  expect((await who('alice/books')).stdout).toBe('the namespace: everybody lists\n')
  expect((await who('alice/private')).stdout).toBe('the namespace: you do not list\n')
})

test('who --json has the rows of show', async () => {
  const { stdout } = await run(['who', 'alice/books/note', '--json'])
  expect(stdout).toBe((await run(['show', 'alice/books/note', '--json'])).stdout)
})
