/** Requests as curl commands: encoded paths, and words that every POSIX shell reads unchanged. */
import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { curlOf, pathOf, shellWord } from '../../src/documents/page/request.js'

test.each([
  ['a', 'b', '/x/a/b'],
  ['book:Dune', 'alice/books/rating', '/x/book:Dune/alice/books/rating'],
  ['a/b é?#', 'a b/%/c', '/x/a%2Fb%20%C3%A9%3F%23/a%20b/%25/c'],
  ['{tail}', '{name}', '/x/%7Btail%7D/%7Bname%7D'],
])('a path is filled in with %j and %j', (name, tail, path) => {
  const values = new Map([
    ['name', name],
    ['tail', tail],
  ])
  expect(pathOf('/x/{name}/{tail}', values, 'tail')).toBe(path)
})

const plain = { url: 'http://h/p', query: [], headers: [], login: undefined, body: undefined }
const rows: [request: Parameters<typeof curlOf>[0], lines: string[]][] = [
  [{ ...plain, method: 'GET' }, ['curl http://h/p']],
  [{ ...plain, method: 'HEAD' }, ['curl -I http://h/p']],
  [{ ...plain, method: 'POST' }, ['curl -X POST http://h/p']],
  [{ ...plain, method: 'DELETE', login: 'alice' }, ['curl -X DELETE -u alice http://h/p']],
  [{ ...plain, method: 'POST', body: '' }, ['curl http://h/p', "--data-raw ''"]],
  [{ ...plain, method: 'PUT', body: "it's" }, ['curl -X PUT http://h/p', String.raw`--data-raw 'it'\''s'`]],
  [
    { ...plain, method: 'PUT', body: '1', query: [['a', 'b &']] },
    ["curl -X PUT 'http://h/p?a=b+%26'", '--data-raw 1'],
  ],
  [
    { ...plain, method: 'GET', query: [['q', 'a > 1']] },
    ['curl -G http://h/p', "--data-urlencode 'q=a > 1'"],
  ],
  [{ ...plain, method: 'HEAD', query: [['q', '1']] }, ['curl -I -G http://h/p', '--data-urlencode q=1']],
  [{ ...plain, method: 'GET', headers: [['If-Match', '*']] }, ['curl http://h/p', "-H 'If-Match: *'"]],
  [{ ...plain, method: 'GET', headers: [['X', '']] }, ['curl http://h/p', "-H 'X;'"]],
]

test.each(rows)('the command is right for %j', (request, lines) => {
  expect(curlOf(request)).toBe(lines.join(' \\\n  '))
})

test('any text can be quoted as one word', () => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0') && one.isWellFormed())
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 50 }), (texts) => {
      const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`
      expect(execFileSync('sh', ['-c', script]).toString()).toBe(texts.map((one) => `${one}\0`).join(''))
    }),
    { numRuns: 20 },
  )
})
