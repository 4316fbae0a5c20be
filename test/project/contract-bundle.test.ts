/** What the bundle of the contract adds to what is written, on a small contract with some of everything. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { explain, type Explained } from '../../scripts/contract-manual.ts'
import { complete, type Contract } from '../../scripts/contract-plugin.ts'
import { ERRORS } from '../../src/model/errors.ts'
import { readContract } from '../../src/http/contract/contract.ts'

const ROOT = new URL('../../', import.meta.url)

/** A contract as Redocly hands it over: bundled, and not yet complete. */
const written = `
paths:
  /books/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: getBook
      tags: [books]
      summary: Get a book
      description: All about it.
      x-head: { success: { $ref: '#/components/responses/JsonHeaders' } }
      parameters: [{ $ref: '#/components/parameters/Language' }]
      responses:
        '200': { description: The book. }
        '404': { description: There is no such book., $ref: '#/components/responses/NotFound' }
    put:
      operationId: setBook
      summary: Set a book
      x-error-classes: { '400': [NoTitle] }
      responses:
        '204': { description: Done. }
        '400': { $ref: '#/components/responses/BadBook' }
        '413': { $ref: '#/components/responses/TooManyBooks' }
  /books:
    get:
      operationId: findBooks
      summary: Find books
      x-head:
        operationId: headBooks
        summary: Check a search
        success: { $ref: '#/components/responses/JsonHeaders' }
      responses:
        '200': { description: The books. }
        '400': { $ref: '#/components/responses/BadBook' }
        '401': { $ref: '#/components/responses/WrongCredentials' }
components:
  responses:
    JsonHeaders: { description: What GET would answer. }
    BadBook:
      x-error-classes: [{ 'NoTitle, NoAuthor': something is missing }, { BadTitle: it is empty }, TInvalidPolicy]
      description: 'The book is wrong:'
      headers: { X-Field: { schema: { type: string } } }
    NotFound: { x-error-classes: [NoBook], description: There is no such thing (\`NoBook\`). }
    TooLarge: { x-error-classes: [BodyTooLarge], description: The body is too long (\`BodyTooLarge\`). }
    TooManyBooks: { x-error-classes: [{ TooMany: there are too many }], description: 'Too much:' }
    WrongCredentials: { x-error-classes: [], description: Who? }
x-common-responses:
  '413': { $ref: '#/components/responses/TooLarge' }
x-common-error-classes:
  '400': [{ BadTitle: nobody sees this }, TInvalidPolicy, { NoHost: there is no Host }]
  '413': [{ BodyTooLarge: the body is too long }]
x-error-headers:
  X-Service-Error-Class: { required: true, schema: { type: string } }
  X-Id: { schema: { type: string } }
x-error-notes:
  TNoSuchUser: or another
`

const MANUAL = `These are the errors:

<!-- The table of errors, with the sentence of each class: scripts/contract-manual.ts makes it. -->

So much for errors.`

type Written = Contract & Explained & { components: { responses: Record<string, Record<string, unknown>> } }

const contract = (change: (text: string) => string = (text) => text): Written =>
  parse(change(written)) as Written

const completed = (change: (text: string) => string = (text) => text): Written => {
  const bundle = contract(change)
  complete(bundle)
  explain(bundle, change(MANUAL))
  return bundle
}

const operationOf = (bundle: Written, path: string, method: string): Record<string, unknown> =>
  bundle.paths[path]?.[method] as unknown as Record<string, unknown>

test('a GET has a HEAD behind it, which answers the same but for its success', () => {
  const bundle = completed()
  expect(Object.keys(bundle.paths['/books/{id}'] ?? {})).toEqual(['parameters', 'get', 'head', 'put'])
  const get = operationOf(bundle, '/books/{id}', 'get')
  expect(operationOf(bundle, '/books/{id}', 'head')).toEqual({
    ...get,
    operationId: 'headBook',
    summary: 'Check a book',
    description:
      'The headers that `getBook` answers with, and no body. Arguments, checks and statuses are the same as for GET.',
    responses: {
      ...(get['responses'] as object),
      '200': { $ref: '#/components/responses/JsonHeaders' },
    },
  })
  expect(get).not.toHaveProperty('x-head')
})

test('a HEAD is called what its GET says', () => {
  const head = operationOf(completed(), '/books', 'head')
  expect([head['operationId'], head['summary']]).toEqual(['headBooks', 'Check a search'])
})

test('common answers stand wherever there is no other of the same status', () => {
  const bundle = completed()
  const tooLarge = { $ref: '#/components/responses/TooLarge' }
  expect(operationOf(bundle, '/books', 'get')).toHaveProperty(['responses', '413'], tooLarge)
  expect(operationOf(bundle, '/books', 'head')).toHaveProperty(['responses', '413'], tooLarge)
  const tooMany = { $ref: '#/components/responses/TooManyBooks' }
  expect(operationOf(bundle, '/books/{id}', 'put')).toHaveProperty(['responses', '413'], tooMany)
})

test('an answer with a description of its own keeps it beside the reference', () => {
  expect(operationOf(completed(), '/books/{id}', 'get')).toHaveProperty(['responses', '404'], {
    description: 'There is no such book.',
    $ref: '#/components/responses/NotFound',
  })
})

test('errors have the headers of all, with the first of their classes as the example, before their own', () => {
  const { BadBook, WrongCredentials, JsonHeaders } = completed().components.responses
  const headers = {
    'X-Service-Error-Class': { required: true, schema: { type: 'string' }, example: 'NoTitle' },
    'X-Id': { schema: { type: 'string' } },
    'X-Field': { schema: { type: 'string' } },
  }
  expect(BadBook?.['headers']).toEqual(headers)
  expect(Object.keys(BadBook?.['headers'] as object)).toEqual(Object.keys(headers))
  expect(WrongCredentials).toEqual({ description: 'Who?' })
  expect(JsonHeaders).toEqual({ description: 'What GET would answer.' })
})

test('an error keeps a header of its own in place of that of all', () => {
  const { BadBook } = completed((text) => text.replace('X-Field:', 'X-Id:')).components.responses
  expect(Object.keys(BadBook?.['headers'] as object)).toEqual(['X-Service-Error-Class', 'X-Id'])
})

test('causes, of which some are in the table of errors, become a list behind the description, those of all errors last', () => {
  const { BadBook, NotFound, TooManyBooks } = completed().components.responses
  expect(BadBook?.['description']).toBe(
    'The book is wrong:\n\n- `NoTitle`, `NoAuthor`: something is missing;\n- `BadTitle`: it is empty;\n' +
      '- `TInvalidPolicy`: there is no such policy;\n- `NoHost`: there is no Host.',
  )
  expect(NotFound?.['description']).toBe('There is no such thing (`NoBook`).')
  expect(TooManyBooks?.['description']).toBe(
    'Too much:\n\n- `TooMany`: there are too many;\n- `BodyTooLarge`: the body is too long.',
  )
})

test('the table of errors stands in the manual, with facts, sentences and notes, but without wrong credentials', () => {
  const lines = completed()['x-manual']?.split('\n') ?? []
  expect([lines[0], lines.at(-1)]).toEqual(['These are the errors:', 'So much for errors.'])
  const rows = lines.filter((line) => /^\| `T?[A-Z]\w+` \| [45]\d\d \|/.test(line))
  expect(rows).toHaveLength(Object.keys(ERRORS).length - 1)
  expect(rows).toContain(
    '| `TNoSuchUser` | 404 | there is no user {name}: check the spelling, or ask a superuser to create the user | Name | or another |',
  )
  expect(rows).toContain('| `TUnauthorized` | 401 | anonymous users cannot do this: sign in |  |  |')
  expect(rows.filter((row) => /undefined|Wrong/.test(row))).toEqual([])
})

test('an operation has the classes of its errors by status', () => {
  const bundle = completed()
  const classes = (path: string, method: string): unknown =>
    operationOf(bundle, path, method)['x-error-classes']
  expect(classes('/books/{id}', 'put')).toEqual({
    '400': ['NoTitle', 'BadTitle', 'TInvalidPolicy', 'NoHost'],
    '413': ['TooMany', 'BodyTooLarge'],
  })
  const ofSearch = {
    '400': ['NoTitle', 'NoAuthor', 'BadTitle', 'TInvalidPolicy', 'NoHost'],
    '401': [],
    '413': ['BodyTooLarge'],
  }
  expect(classes('/books', 'get')).toEqual(ofSearch)
  expect(classes('/books', 'head')).toEqual(ofSearch)
})

test('an operation may have other classes than its answer has elsewhere if it describes them', () => {
  const bundle = completed((text) =>
    text
      .replace("'400': [NoTitle]", "'400': [NoTitle, TooOld]")
      .replace("'400': {", "'400': { description: It is too old (`TooOld`).,"),
  )
  expect(operationOf(bundle, '/books/{id}', 'put')).toHaveProperty(
    ['x-error-classes', '400'],
    ['NoTitle', 'TooOld', 'BadTitle', 'TInvalidPolicy', 'NoHost'],
  )
})

test('nothing is left of what only the bundling reads', () => {
  const bundle = completed()
  expect(Object.keys(bundle)).toEqual(['paths', 'components', 'x-manual'])
  expect(JSON.stringify(bundle.components)).not.toContain('x-error-classes')
})

const REFUSED: [why: string, change: (text: string) => string][] = [
  ['getBook does not say what HEAD answers', (text) => text.replace(/x-head: .*JsonHeaders.*/, '')],
  ['findBooks does not say what HEAD is called', (text) => text.replace('operationId: headBooks', '')],
  ['findBooks does not say what HEAD is called', (text) => text.replace('summary: Check a search', '')],
  ["'NotFound' does not say of which classes", (text) => text.replace('x-error-classes: [NoBook], ', '')],
  [
    'neither a description nor the table of errors says what NoBook is',
    (text) => text.replace('(`NoBook`)', ''),
  ],
  ['the table of errors has no NoBook', (text) => text.replace('TNoSuchUser:', 'NoBook:')],
  ['the manual has no line <!--', (text) => text.replace('The table of errors', 'A table')],
  ['setBook has no errors of the status 409', (text) => text.replace("{ '400'", "{ '409'")],
  ['setBook does not describe Other', (text) => text.replace("'400': [NoTitle]", "'400': [Other]")],
  [
    'NotFound is the answer under two statuses',
    (text) => text.replace('responses/TooManyBooks', 'responses/NotFound'),
  ],
]

test.each(REFUSED)('%s', (why, change) => {
  expect(() => completed(change)).toThrow(why)
})

test('Redocly follows what the extensions refer to into other files, and completes the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-bundle-'))
  const plugin = new URL('scripts/contract-plugin.ts', ROOT).pathname
  const files = {
    'redocly.yaml': `plugins: ['${plugin}']\ndecorators: { contract/complete: on }\n`,
    'spec.yaml': `
openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: getBooks
      summary: Get books
      x-head: { success: { $ref: parts.yaml#/responses/JsonHeaders } }
      responses: { '200': { description: The books. } }
x-common-responses:
  '500': { $ref: parts.yaml#/responses/Fault }
x-error-headers:
  X-Service-Error-Class: { schema: { type: string } }
  X-Id: { $ref: parts.yaml#/headers/X-Id }
`,
    'parts.yaml': `
headers:
  X-Id: { schema: { type: string } }
responses:
  JsonHeaders: { description: What GET would answer. }
  Fault: { x-error-classes: [Broken: it broke], description: 'A fault:' }
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [new URL('node_modules/@redocly/cli/bin/cli.js', ROOT).pathname, 'bundle', 'spec.yaml'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  rmSync(folder, { recursive: true })
  expect(stderr).toContain('Created a bundle')
  expect(parse(stdout)).toMatchObject({
    paths: {
      '/books': {
        head: {
          operationId: 'headBooks',
          responses: {
            '200': { $ref: '#/components/responses/JsonHeaders' },
            '500': { $ref: '#/components/responses/Fault' },
          },
          'x-error-classes': { '500': ['Broken'] },
        },
      },
    },
    components: {
      headers: { 'X-Id': {} },
      responses: {
        Fault: {
          description: 'A fault:\n\n- `Broken`: it broke.',
          headers: {
            'X-Service-Error-Class': { example: 'Broken' },
            'X-Id': { $ref: '#/components/headers/X-Id' },
          },
        },
      },
    },
  })
})

test('all that is written of the contract is in use', () => {
  const parts = globSync('openapi/components/*.yaml', { cwd: ROOT }).map(
    (file) => parse(readFileSync(new URL(file, ROOT), 'utf8')) as Record<string, object>,
  )
  const namesOf = (part: Record<string, object>): string[] =>
    Object.entries(part).flatMap(([kind, held]) => Object.keys(held).map((name) => `${kind} ${name}`))
  const { components } = readContract() as { components: Record<string, object> }
  const bundled = namesOf(components).filter((name) => !name.startsWith('securitySchemes '))
  expect(parts.flatMap(namesOf).sort()).toEqual(bundled.sort())
})
