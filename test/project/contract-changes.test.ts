/** The gate for changes of the contract finds what breaks an application and lets additions pass. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { compare } from '../../scripts/contract/compare.ts'
import type { Contract } from '../../scripts/contract/document.ts'
import { admitsBreaking } from '../../scripts/contract/versions.ts'
import { check, release } from '../../scripts/contract-changes.ts'
import {
  add,
  ADDING,
  AUTHOR,
  COMMON,
  GET,
  page,
  ALSO_ADDING,
  ALSO_BREAKING,
  BOOK,
  BREAKING,
  changed,
  CONTRACT,
  remove,
  schema,
  set,
  type Change,
} from './contract/edits.ts'

const breaking = (...changes: Change[]): string[] =>
  compare(parse(CONTRACT) as Contract, parse(changed(...changes)) as Contract)
    .filter(({ kind }) => kind === 'breaks')
    .map(({ text }) => text)

test.each([...BREAKING, ...ALSO_BREAKING])('breaking: %s', (_, ...changes) => {
  expect(breaking(...changes)).not.toEqual([])
})

test.each([...ADDING, ...ALSO_ADDING])('not breaking: %s', (_, ...changes) => {
  expect(breaking(...changes)).toEqual([])
})

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['0.1.0', '0.2.0', true],
  ['0.1.0', '1.0.0', true],
  ['1.2.3', '1.3.0', false],
  ['1.2.3', '2.0.0', true],
  ['2.0.0', '1.9.0', false],
  ['1.0.0-rc.1', '1.0.0-rc.2', true],
  ['1.0.0-rc.3', '1.0.0', true],
  ['1.0.0-rc.3', '1.1.0', false],
  ['1.1.0', '1.2.0-rc.1', false],
  ['1.1.0', '2.0.0-rc.1', true],
])('from version %s to %s, breaking changes are allowed: %p', (released, current, admitted) => {
  expect(admitsBreaking(released, current)).toBe(admitted)
})

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A checkout with only the contract and the files of the gate, in which the contract was released as `version`. */
class Checkout {
  readonly root = mkdtempSync(join(tmpdir(), 'gloss-contract-'))

  constructor(...versions: string[]) {
    folders.push(this.root)
    for (const folder of ['generated', 'openapi/versions'])
      mkdirSync(join(this.root, folder), { recursive: true })
    this.write('openapi/breaks.yaml', '{}\n')
    for (const version of versions) {
      this.be(version)
      release(this.root)
    }
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text)
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  /** Gives the contract a version, and makes changes. */
  be(version: string, ...changes: Change[]): void {
    this.write('generated/openapi.yaml', changed(set(version, 'info', 'version'), ...changes))
  }

  name(version: string, ...breaks: string[]): void {
    this.write(
      'openapi/breaks.yaml',
      stringify({ [version]: breaks.map((what) => ({ what, why: 'It was wrong.' })) }),
    )
  }
}

const GONE = remove(...schema('Book'), 'properties', 'about')
const WHAT = 'schema `Book`: no field `about` any more'
const added = (description?: string): Change =>
  add(['age', { type: 'integer', description }], ...schema('Book'), 'properties')

test('the first version needs no reference and lists nothing', () => {
  const checkout = new Checkout('1.0.0-rc.1')
  expect(check(checkout.root)).toEqual([])
  expect(checkout.read('openapi/CHANGES.md')).toBe(
    '# Changes of the contract\n\n## 1.0.0-rc.1\n\nThe first version.\n',
  )
  expect((parse(checkout.read('openapi/versions/1.0.0-rc.1.yaml')) as Contract).info.version).toBe(
    '1.0.0-rc.1',
  )
})

test('a version that was released does not change, not even in its texts', () => {
  const checkout = new Checkout('1.0.0-rc.1')
  checkout.be('1.0.0-rc.1', set('Well.', ...BOOK, 'put', 'responses', '204', 'description'))
  expect(check(checkout.root).join()).toMatch(
    /1.0.0-rc.1 has been released and does not change, not even in its texts: raise info.version/,
  )
  expect(() => release(checkout.root)).toThrow('has been released')
})

test('a version comes after the last one', () => {
  const checkout = new Checkout('1.0.0-rc.2')
  checkout.be('1.0.0-rc.1')
  expect(check(checkout.root).join()).toMatch(/1.0.0-rc.1 comes before 1.0.0-rc.2/)
})

test('a break is named with its reason, which the list of changes repeats', () => {
  const checkout = new Checkout('1.0.0-rc.1')
  checkout.be('1.0.0-rc.2', GONE)
  expect(check(checkout.root).join()).toContain(`1.0.0-rc.2:\n  - what: "${WHAT}"`)
  checkout.name('1.0.0-rc.2', WHAT)
  expect(check(checkout.root)).toEqual([])
  release(checkout.root)
  expect(check(checkout.root)).toEqual([])
  expect(checkout.read('openapi/CHANGES.md')).toContain(
    `## 1.0.0-rc.2\n\n### Breaks\n\n- ${WHAT} (in \`GET /books/{id}\`). It was wrong.\n\n## 1.0.0-rc.1\n`,
  )
})

test('a break that is named and is not there, or in a version that is not there, is refused', () => {
  const checkout = new Checkout('1.0.0-rc.1')
  checkout.be('1.0.0-rc.2')
  checkout.name('1.0.0-rc.2', WHAT)
  expect(check(checkout.root)).toEqual([
    `openapi/breaks.yaml names a break of 1.0.0-rc.2 that there is not: ${WHAT}`,
  ])
  checkout.name('1.0.0-rc.9', WHAT)
  expect(check(checkout.root)).toEqual(['openapi/breaks.yaml names version 1.0.0-rc.9, which there is not'])
})

test.each([
  [['1.0.0'], '1.1.0', false],
  [['1.0.0'], '2.0.0', true],
  // What 1.0.0 promised holds in 1.1.0, whatever lies between.
  [['1.0.0', '1.1.0-rc.1'], '1.1.0-rc.2', false],
  [['1.0.0', '2.0.0-rc.1'], '2.0.0-rc.2', true],
])('after %p, a break that is named in %s is admitted: %p', (versions, version, admitted) => {
  const checkout = new Checkout(...versions)
  checkout.be(version, GONE)
  checkout.name(version, WHAT)
  const faults = check(checkout.root)
  if (admitted) expect(faults).toEqual([])
  else expect(faults.join()).toMatch(new RegExp(`version ${version} may not break 1.0.0`))
})

test.each([
  ['1.0.0-rc.2', ['1.0.0-rc.1'], undefined, true],
  ['1.1.0', ['1.0.0'], 'In years. New in 1.1.0.', true],
  ['1.1.0-rc.1', ['1.0.0'], 'New in 1.1.0.', true],
  ['1.1.0', ['1.0.0'], 'In years.', false],
  ['1.1.0', ['1.0.0'], 'New in 1.0.0.', false],
  ['1.1.0', ['1.0.0'], 'New in 1.2.0.', false],
])('in %s after %p, a field that says %p is right: %p', (version, versions, description, right) => {
  const checkout = new Checkout(...versions)
  checkout.be(version, added(description))
  const wanted = "the description does not say 'New in 1.1.0.': schema `Book`: new field `age`"
  expect(check(checkout.root)).toEqual(right ? [] : [wanted])
})

test('what came in an earlier version goes on saying so', () => {
  const checkout = new Checkout('1.0.0')
  checkout.be('1.1.0', added('New in 1.1.0.'))
  release(checkout.root)
  checkout.be('1.2.0', added('New in 1.1.0.'))
  expect(check(checkout.root)).toEqual([])
  checkout.be('1.2.0', added('In years.'))
  expect(check(checkout.root).join()).toMatch(/does not say 'New in/)
})

test('the list of changes is the one that the release writes', () => {
  const checkout = new Checkout('1.0.0-rc.1')
  checkout.write('openapi/CHANGES.md', '# Changes\n')
  expect(check(checkout.root)).toEqual(['openapi/CHANGES.md is not what npm run contract:release writes'])
})

/** Further edits, each through the whole gate, with all that it says of them. */
const TOLD: readonly (readonly [name: string, lines: readonly string[], ...Change[]])[] = [
  [
    'two operations have the same new argument',
    ['new: `GET /authors/{name}`, `GET /books/{id}`: new argument `lang`'],
    add({ name: 'lang', in: 'query', schema: { type: 'string' } }, ...GET, 'parameters'),
    add({ name: 'lang', in: 'query', schema: { type: 'string' } }, ...BOOK, 'get', 'parameters'),
  ],
  [
    'GET and HEAD have the same new argument',
    ['new: `GET /authors/{name}`: new argument `lang`'],
    add({ name: 'lang', in: 'query', schema: { type: 'string' } }, ...GET, 'parameters'),
    add({ name: 'lang', in: 'query', schema: { type: 'string' } }, ...AUTHOR, 'head', 'parameters'),
  ],
  [
    'a name may be longer',
    ['other: schema `Name`: longest: 80, was 40 (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    set(80, ...schema('Name'), 'maxLength'),
  ],
  [
    'a name is shorter',
    ['breaks: schema `Name`: longest: 30, was 40 (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    set(30, ...schema('Name'), 'maxLength'),
  ],
  [
    'a name begins otherwise',
    ['breaks: schema `Name`: another pattern (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    set('^[b-z]+$', ...schema('Name'), 'pattern'),
  ],
  [
    'the author has a new field',
    ['new: schema `Author`: new field `died` (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    add(['died', { type: 'integer' }], ...schema('Author'), 'properties'),
  ],
  [
    'the author needs a field',
    ['breaks: schema `Author`: field `born`: required (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    set(['name', 'born'], ...schema('Author'), 'required'),
  ],
  [
    'the author may lack the name',
    [
      'breaks: schema `Author`: field `name`: may be absent (in `GET /authors/{name}`, `PUT /authors/{name}`)',
    ],
    set([], ...schema('Author'), 'required'),
  ],
  [
    'the author loses a field',
    ['breaks: schema `Author`: no field `born` any more (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    remove(...schema('Author'), 'properties', 'born'),
  ],
  [
    'a poet is no role',
    [
      'breaks: schema `Author`: field `role`: no value `poet` any more (in `GET /authors/{name}`, `PUT /authors/{name}`)',
    ],
    set(['writer'], ...schema('Author'), 'properties', 'role', 'enum'),
  ],
  [
    'a view is deprecated',
    ['deprecated: argument `view` (`View`): deprecated (in `GET /authors/{name}`)'],
    add(['deprecated', true], 'components', 'parameters', 'View'),
  ],
  [
    'every operation may be too much',
    ['new: `GET /authors/{name}`, `PUT /authors/{name}`: new error `Full` (503)'],
    set(['Busy', 'Overloaded', 'Full'], ...COMMON, 'x-error-classes', '503'),
  ],
  [
    'Retry-After is certain',
    ['other: header `Retry`: always there (in `GET /authors/{name}`, `PUT /authors/{name}`)'],
    add(['required', true], 'components', 'headers', 'Retry'),
  ],
  [
    'books are XML, too',
    ['new: `GET /books/{id}`: answer 200: also as `text/xml`'],
    add(['text/xml', { schema: { type: 'string' } }], ...BOOK, 'get', 'responses', '200', 'content'),
  ],
  [
    'books are not text',
    ['breaks: `GET /books/{id}`: answer 200: not as `text/plain` any more'],
    remove(...BOOK, 'get', 'responses', '200', 'content', 'text/plain'),
  ],
  ['covers go', ['breaks: `PUT /books/{id}`: no longer there'], remove(...BOOK, 'put')],
  [
    'books can be deleted',
    ['new: `DELETE /books/{id}`: new operation'],
    add(['delete', { operationId: 'deleteBook', responses: { '204': { description: 'Gone.' } } }], ...BOOK),
  ],
  [
    'a page holds more',
    ['other: schema `Page`: field `items`: most items: 200, was 100 (in `GET /books/{id}`)'],
    set(200, ...page('items', 'maxItems')),
  ],
  [
    'books need no credentials to be seen as authors',
    ['new: `GET /authors/{name}`: no credentials required'],
    set([{}, { basic: [] }], ...GET, 'security'),
  ],
  [
    'a class has another status',
    ['breaks: `GET /authors/{name}`: error `NoBook` with status 400, was 404'],
    set({ '400': ['BadName', 'NoBook'], '404': ['NoAuthor'] }, ...GET, 'x-error-classes'),
  ],
  [
    'a class has one more status',
    ['new: `GET /authors/{name}`: error `NoBook` also with status 400'],
    set({ '400': ['BadName', 'NoBook'], '404': ['NoAuthor', 'NoBook'] }, ...GET, 'x-error-classes'),
  ],
  ['only a text changes', [], set('Well.', ...BOOK, 'put', 'responses', '204', 'description')],
]

test.each(TOLD)('told: %s', (_, lines, ...changes) => {
  const checkout = new Checkout('1.0.0-rc.1')
  checkout.be('1.0.0-rc.2', ...changes)
  const isBreak = (line: string): boolean => line.startsWith('breaks: ')
  const breaks = lines.filter(isBreak).map((line) => line.replace(/^breaks: | \(in `.*\)$/g, ''))
  expect(check(checkout.root)).toHaveLength(breaks.length)
  checkout.name('1.0.0-rc.2', ...breaks)
  expect(check(checkout.root)).toEqual([])
  release(checkout.root)
  const [, section = ''] = checkout.read('openapi/CHANGES.md').split('## 1.0.0-rc')
  const told = section.split('\n').filter((line) => line.startsWith('- '))
  expect(told).toEqual(
    lines.map((line) => `- ${line.replace(/^\w+: /, '')}${isBreak(line) ? '. It was wrong.' : ''}`),
  )
})

test('the reason of a break is a text', () => {
  const breaks = (parse(readFileSync('openapi/breaks.yaml', 'utf8')) ?? {}) as Record<
    string,
    { why: string }[]
  >
  for (const { why } of Object.values(breaks).flat()) expect(why.length).toBeGreaterThan(10)
})
