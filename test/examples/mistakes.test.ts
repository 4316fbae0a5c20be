/** What a beginner's mistakes are told, compared with docs/errors.md; and what other mistakes are told. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Answer, type Options, type Service } from '../support/service.ts'
import { MISTAKES, shownRequest, type Mistake } from './mistakes.ts'
import { stockShelf } from '../../mock/shelf.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await stockShelf(service)
})
afterAll(() => service.stop())

const PAGE = new URL('../../docs/errors.md', import.meta.url)
const UPDATE = process.env['UPDATE_MISTAKES'] === '1'

async function make({ request, ...options }: Mistake): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  return service.request(method, path, options)
}

/** The cells of the rows in the page's table. */
const rowsOf = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )

const tableOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `| ${row.join(' | ')} |\n`).join('')

async function rowOf(mistake: Mistake): Promise<string[]> {
  const { status, error, headers } = await make(mistake)
  const outcome = [String(status), ...(error === undefined ? [] : [`\`${error}\``])].join(' ')
  return [mistake.what, shownRequest(mistake), outcome, `\`${String(headers['x-service-message'])}\``]
}

test('docs/errors.md says what each mistake is told (UPDATE_MISTAKES=1 rewrites its table)', async () => {
  const rows: string[][] = []
  for (const mistake of MISTAKES) rows.push(await rowOf(mistake))
  const page = readFileSync(PAGE, 'utf8')
  if (UPDATE) {
    const head = /^\|[^]*?\n\|[ |:-]+\|\n/m
    writeFileSync(
      PAGE,
      page.replace(/(?:^\|.*\n)+/m, (table) => (head.exec(table)?.[0] ?? '') + tableOf(rows)),
    )
  }
  expect(rowsOf(readFileSync(PAGE, 'utf8'))).toEqual(rows)
})

test('each mistake is told what to do', async () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(25)
  for (const mistake of MISTAKES) {
    const { headers } = await make(mistake)
    expect([mistake.what, headers['x-service-message']]).toEqual([
      mistake.what,
      expect.stringMatching(/: \S/),
    ])
  }
})

const alice = { as: 'alice' }
const superuser = { as: 'service' }
const permission = { policy: 'closed', exceptions: [] as string[] }
const excepting = (...exceptions: string[]): Options => ({ ...alice, json: { ...permission, exceptions } })
const LIST = '/permissions/namespaces/alice/books?action=list'
const CREATE = '/permissions/namespaces/alice/books?action=create'

const HINTS: readonly [message: RegExp, method: string, path: string, options?: Options][] = [
  [/: it has DELETE, GET, HEAD, OPTIONS, PUT$/, 'POST', '/users/alice', alice],
  [/: there is \/recent\/objects\/\{object_id\}, /, 'GET', '/recent'],
  [/: see \/docs for the paths that exist$/, 'GET', '/something'],
  [/: did you mean \/values\?$/, 'GET', '/value'],
  [/: did you mean \/namespaces\?$/, 'GET', '/Namespaces/alice'],
  [/: a tag path has at least two names/, 'PUT', '/about/x/rating', { ...alice, primitive: '1' }],
  [/: a tag path has at least two names/, 'GET', '/tags/rating'],
  [/: one of its names is empty$/, 'PUT', '/about/x/alice//a', { ...alice, primitive: '1' }],
  [/: it begins with a slash; percent-encode/, 'PUT', '/about/http://x/a/b', { ...alice, primitive: '1' }],
  [
    /: it is longer than 233 characters$/,
    'PUT',
    `/about/x/alice/${'a'.repeat(240)}`,
    { ...alice, primitive: '1' },
  ],
  [/: there is no user nobody, /, 'PUT', '/about/x/nobody/a', { ...superuser, primitive: '1' }],
  [
    /: there is no user nobody, /,
    'POST',
    '/namespaces/nobody',
    { ...superuser, json: { name: 'a', description: 'd' } },
  ],
  [/: a superuser may do everything/, 'PUT', LIST, excepting('service')],
  [/: the anonymous user can be an exception for list/, 'PUT', CREATE, excepting('anon')],
  [/^the user name "a b" is not allowed here: user names are made of /, 'PUT', LIST, excepting('a b')],
  [/^the user name "" is not allowed here: /, 'PUT', LIST, excepting('')],
  [/^there is no user ghost: /, 'PUT', LIST, excepting('ghost')],
  [
    /: nobody could sign in with a name that holds :$/,
    'POST',
    '/users',
    { ...superuser, json: { username: 'a:b', password: 'long enough' } },
  ],
  [/: the user is built in/, 'DELETE', '/users/anon', superuser],
  [/: use 8 characters or more$/, 'PUT', '/users/alice', { ...alice, json: { password: 'a' } }],
  [/: did you mean password\?$/, 'PUT', '/users/alice', { ...alice, json: { pasword: 'a' } }],
  [
    /: it may have name, description$/,
    'POST',
    '/namespaces/alice',
    {
      ...alice,
      json: { name: 'x', description: 'd', colour: 'red' },
    },
  ],
  [
    /^the field role has an invalid value: it must be one of superuser, user$/,
    'PUT',
    '/users/bob',
    {
      ...superuser,
      json: { role: 'king' },
    },
  ],
  [
    /^the field indexed has an invalid value: it must be a boolean, for example true$/,
    'POST',
    '/tags/alice',
    {
      ...alice,
      json: { name: 'x', description: 'd', indexed: 'yes' },
    },
  ],
  [
    /^the payload is JSON of the wrong shape: it must be an object$/,
    'PUT',
    '/values',
    { ...alice, json: [] },
  ],
  [
    /: queries\[1\] must have at least 2 items, for example \[/,
    'PUT',
    '/values',
    {
      ...alice,
      json: { queries: [['has alice/books/title', {}], ['has alice/books/title']] },
    },
  ],
  [
    /: add tag=\.\.\. to the query string, once for each, without brackets$/,
    'GET',
    '/values',
    {
      ...alice,
      query: { query: 'has alice/books/title', 'tag[]': 'alice/books/title' },
    },
  ],
  [/: it is a whole number$/, 'GET', '/recent/about/x', { query: { limit: 'ten' } }],
  [
    /: it must have another form, for example "exact"$/,
    'GET',
    '/search',
    { query: { query: 'has a/b', count: 'upto:0' } },
  ],
  [/: it must not be empty$/, 'GET', '/search', { query: { query: 'has a/b', cursor: '' } }],
  [
    /^there is no tag with an empty path: /,
    'GET',
    '/search',
    { query: { query: 'has service/users/username', tag: '' } },
  ],
  [/: it must be at most 100$/, 'GET', '/recent/about/x', { query: { limit: '1000' } }],
  [/: it must be a boolean$/, 'GET', '/tags/alice/comment', { query: { returnDescription: 'yes' } }],
  [/: it is the name of a JavaScript function$/, 'GET', '/users/alice', { query: { callback: '1(' } }],
  [/: it is DELETE, GET, HEAD, POST, PUT$/, 'GET', '/users/alice', { query: { verb: 'PATCH' } }],
  [/: the number does not fit in 64 bits$/, 'PUT', '/about/x/alice/n', { ...alice, primitive: '1e999' }],
  [/: send JSON as application\/json$/, 'POST', '/objects', { ...alice, body: '{}' }],
  [
    /: it holds what no header can hold$/,
    'GET',
    '/about/x/alice/n',
    {
      ...alice,
      query: { verb: 'PUT', payload: 'x', 'payload-length': '1', 'payload-type': 'text/ü€' },
    },
  ],
  [/: an about value has 1 to 65,535 bytes/, 'POST', '/about/a%00b', alice],
  [
    /: compare its values, or create another tag/,
    'GET',
    '/objects',
    {
      ...alice,
      query: { query: 'alice/unindexed matches "x"' },
    },
  ],
]

describe('whoever throws an error may know better what helps', () => {
  test.each(HINTS)('%s', async (message, method, path, options = {}) => {
    if (path === '/objects' && options.query !== undefined) {
      await service.request('POST', '/tags/alice', {
        ...alice,
        json: { name: 'unindexed', description: 'd', indexed: false },
      })
    }
    const { status, headers } = await service.request(method, path, options)
    expect([status, headers['x-service-message']]).toEqual([
      expect.any(Number),
      expect.stringMatching(message),
    ])
    expect(status).toBeGreaterThanOrEqual(400)
  })

  test('without showing much of what was sent', async () => {
    const long = `${'ü'.repeat(5_000)}:`
    const { headers } = await service.request('GET', `/about/${encodeURIComponent(long)}`)
    expect(headers['x-service-message']).toMatch(
      /^no object .*%C3%BC\.\.\."; percent-encode the slashes in it$/,
    )
  })
})
