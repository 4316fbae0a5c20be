/** The gate for changes of the contract finds what breaks an application and lets additions pass. */
import { expect, test } from '@jest/globals'
import { isMap, isSeq, parseDocument, visit, type Document } from 'yaml'
import { admitsBreaking, breakingChanges } from '../../scripts/contract-changes.ts'

/** A small contract with every construct that ours uses. */
const contract = `
openapi: 3.1.0
info: { title: Shelf, version: 0.1.0 }
paths:
  /books:
    post:
      operationId: createBook
      security: [{}, { basic: [] }]
      requestBody:
        required: false
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewBook' }
      responses:
        '201': { $ref: '#/components/responses/Created' }
        '401': { description: No. }
  /books/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getBook
      tags: [books]
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
        - { name: field, in: query, explode: true, schema: { type: array, items: { type: string } } }
        - { $ref: '#/components/parameters/Full' }
      responses:
        '200':
          description: The book.
          headers:
            X-Kind: { schema: { $ref: '#/components/schemas/Kind' } }
          content:
            application/json: { schema: { $ref: '#/components/schemas/Book' } }
            text/plain: { schema: { type: string } }
        '404': { description: None. }
    put:
      operationId: setCover
      security: [{ basic: [] }]
      requestBody:
        content:
          application/json: { schema: { anyOf: [{ type: string }, { type: integer }] } }
          '*/*': { schema: { type: string } }
      responses:
        '204': { description: Done. }
components:
  securitySchemes:
    basic: { type: http, scheme: basic }
  parameters:
    Full: { name: full, in: query, schema: { type: boolean } }
  responses:
    Created:
      description: Created.
      headers:
        Location: { required: true, schema: { type: string } }
  schemas:
    NewBook:
      type: object
      required: [title]
      additionalProperties: false
      properties:
        title: { type: string }
        pages: { type: integer }
        state: { type: string, enum: [new, old] }
    Book:
      type: object
      required: [title]
      properties:
        title: { type: string }
        about: { type: [string, 'null'] }
        kind: { $ref: '#/components/schemas/Kind' }
    Kind: { type: string, enum: [novel, poem] }
`

type JsonPath = readonly (string | number)[]
type Change = (document: Document) => void

const remove =
  (...place: JsonPath): Change =>
  (document) => {
    if (!document.deleteIn(place)) throw new Error(`there is no ${place.join(' ')}`)
  }
const set =
  (value: unknown, ...place: JsonPath): Change =>
  (document) => {
    if (!document.hasIn(place)) throw new Error(`there is no ${place.join(' ')}`)
    document.setIn(place, value)
  }
const add =
  (value: unknown, ...place: JsonPath): Change =>
  (document) => {
    const parent = document.getIn(place)
    if (isSeq(parent)) parent.add(document.createNode(value))
    else if (isMap(parent) && Array.isArray(value))
      document.setIn([...place, value[0]], document.createNode(value[1]))
    else throw new Error(`there is no ${place.join(' ')}`)
  }

const changed = (...changes: Change[]): string => {
  const document = parseDocument(contract)
  for (const change of changes) change(document)
  return document.toString()
}

const BOOKS: JsonPath = ['paths', '/books', 'post']
const BOOK: JsonPath = ['paths', '/books/{id}']
const schema = (name: string): JsonPath => ['components', 'schemas', name]
const body = (required: string[]) => set(required, ...schema('NewBook'), 'required')
const argument = (required: boolean) =>
  add({ name: 'since', in: 'query', required, schema: { type: 'string' } }, ...BOOK, 'get', 'parameters')
const field = (name: string) => add(['age', { type: 'integer' }], ...schema(name), 'properties')
const typeOf = (name: string, property: string, type: unknown) =>
  set(type, ...schema(name), 'properties', property, 'type')

const kinds = (...values: string[]) => set(values, ...schema('Kind'), 'enum')
const rename = (document: Document, from: string, to: string): void => {
  document.setIn(schema(to), document.getIn(schema(from)))
  document.deleteIn(schema(from))
  visit(document, {
    Scalar: (_, node) => {
      if (node.value === `#/components/schemas/${from}`) node.value = `#/components/schemas/${to}`
    },
  })
}

const BREAKING: [name: string, where: string, ...Change[]][] = [
  ['an operation is removed', '/books/{id} put', remove(...BOOK, 'put')],
  ['a path is removed', '/books', remove('paths', '/books')],
  ['an operation is renamed', '/books post operationId', set('addBook', ...BOOKS, 'operationId')],
  ['a success is removed', '/books post responses 201', remove(...BOOKS, 'responses', '201')],
  ['an error is removed', '/books post responses 401', remove(...BOOKS, 'responses', '401')],
  [
    'a header of an answer is removed',
    '/books post responses 201 headers',
    remove('components', 'responses', 'Created', 'headers', 'Location'),
  ],
  [
    'a content type of an answer is removed',
    '/books/{id} get responses 200 content',
    remove(...BOOK, 'get', 'responses', '200', 'content', 'text/plain'),
  ],
  [
    'a content type of a body is removed',
    '/books/{id} put requestBody content',
    remove(...BOOK, 'put', 'requestBody', 'content', '*/*'),
  ],
  [
    'a field of an answer is removed',
    '/books/{id} get responses 200',
    remove(...schema('Book'), 'properties', 'about'),
  ],
  [
    'a field of an answer may be absent',
    '/books/{id} get responses 200',
    set([], ...schema('Book'), 'required'),
  ],
  [
    'a field of an answer has another type',
    '/books/{id} get responses 200',
    typeOf('Book', 'title', 'integer'),
  ],
  [
    'a field of an answer may be null',
    '/books/{id} get responses 200',
    typeOf('Book', 'title', ['string', 'null']),
  ],
  ['a new field of a body is required', '/books post requestBody', field('NewBook'), body(['title', 'age'])],
  ['a field of a body becomes required', '/books post requestBody', body(['title', 'pages'])],
  [
    'a field of a body is removed',
    '/books post requestBody',
    remove(...schema('NewBook'), 'properties', 'pages'),
  ],
  ['a field of a body has another type', '/books post requestBody', typeOf('NewBook', 'pages', 'string')],
  [
    'a field of a body has fewer values',
    '/books post requestBody',
    set(['new'], ...schema('NewBook'), 'properties', 'state', 'enum'),
  ],
  ['a body becomes required', '/books post requestBody', set(true, ...BOOKS, 'requestBody', 'required')],
  [
    'a body has fewer types',
    '/books/{id} put requestBody',
    remove(...BOOK, 'put', 'requestBody', 'content', 'application/json', 'schema', 'anyOf', 1),
  ],
  ['a new argument is required', '/books/{id} get parameters', argument(true)],
  ['an argument is removed', '/books/{id} get parameters', remove(...BOOK, 'get', 'parameters', 0)],
  [
    'an argument has a smaller range',
    '/books/{id} get parameters',
    set(50, ...BOOK, 'get', 'parameters', 0, 'schema', 'maximum'),
  ],
  [
    'an argument has fewer values',
    '/books/{id} get parameters',
    add(['enum', [true]], 'components', 'parameters', 'Full', 'schema'),
  ],
  [
    'the values of an argument are sent in another way',
    '/books/{id} get parameters',
    set(false, ...BOOK, 'get', 'parameters', 1, 'explode'),
  ],
  [
    'a field of an answer has more values',
    '/books/{id} get responses 200 content',
    kinds('novel', 'poem', 'play'),
  ],
  [
    'a header has more values',
    '/books/{id} get responses 200 headers X-Kind',
    kinds('novel', 'poem', 'play'),
  ],
  [
    'a field of an answer may have any value',
    '/books/{id} get responses 200',
    remove(...schema('Kind'), 'enum'),
  ],
  [
    'users sign in in another way',
    'components securitySchemes basic',
    set('bearer', 'components', 'securitySchemes', 'basic', 'scheme'),
  ],
  [
    'a header of an answer may be absent',
    '/books post responses 201 headers Location',
    set(false, 'components', 'responses', 'Created', 'headers', 'Location', 'required'),
  ],
  [
    'a schema is renamed',
    'components schemas Kind',
    (document) => {
      rename(document, 'Kind', 'Genre')
    },
  ],
  ['an operation has another tag', '/books/{id} get tags', set(['shelf'], ...BOOK, 'get', 'tags')],
  [
    'a parameter in a path is renamed',
    '/books/{id}: rename',
    (document) => {
      const item = document.getIn(BOOK)
      document.setIn(['paths', '/books/{key}'], item)
      document.setIn(['paths', '/books/{key}', 'parameters', 0, 'name'], 'key')
      document.deleteIn(BOOK)
    },
  ],
  [
    'a body is cut down by a keyword that the comparison does not know',
    '/books post requestBody',
    add(['prefixItems', [{ type: 'string' }]], ...schema('NewBook'), 'properties', 'title'),
  ],
  ['credentials become necessary', '/books post security', set([{ basic: [] }], ...BOOKS, 'security')],
]

test.each(BREAKING)('breaking: %s', (_, where, ...changes) => {
  const found = breakingChanges(contract, changed(...changes))
  expect(found.filter((change) => change.startsWith(where))).not.toEqual([])
})

const ADDING: [name: string, ...Change[]][] = [
  ['nothing changes'],
  ['a description changes', set('Well.', ...BOOK, 'put', 'responses', '204', 'description')],
  [
    'an operation is added',
    add(
      ['/health', { get: { operationId: 'getHealth', responses: { 200: { description: 'Well.' } } } }],
      'paths',
    ),
  ],
  ['a status is added', add(['418', { description: 'A teapot.' }], ...BOOKS, 'responses')],
  ['a field of an answer is added', field('Book')],
  ['a field of an answer is never null', typeOf('Book', 'about', 'string')],
  ['a field of an answer becomes certain', set(['title', 'about'], ...schema('Book'), 'required')],
  ['a field of a body that may be absent is added', field('NewBook')],
  ['a field of a body has more values', add('lost', ...schema('NewBook'), 'properties', 'state', 'enum')],
  ['a field of a body has a wider type', typeOf('NewBook', 'pages', 'number')],
  ['an argument that may be absent is added', argument(false)],
  ['an argument says how its values are sent by default', remove(...BOOK, 'get', 'parameters', 1, 'explode')],
  ['an argument may be empty', add(['allowEmptyValue', true], ...BOOK, 'get', 'parameters', 0)],
  ['an example changes', add(['example', 'novel'], ...BOOK, 'get', 'responses', '200', 'headers', 'X-Kind')],
  ['a field of an answer has fewer values', kinds('novel')],
  ['an answer promises to have no other fields', add(['additionalProperties', false], ...schema('Book'))],
  [
    'a header of an answer becomes certain',
    add(['required', true], ...BOOK, 'get', 'responses', '200', 'headers', 'X-Kind'),
  ],
  ['credentials become unnecessary', set([{}, { basic: [] }], ...BOOK, 'put', 'security')],
  ['the ways to authenticate are listed in another order', set([{ basic: [] }, {}], ...BOOKS, 'security')],
  ['a tag is added', add('shelf', ...BOOK, 'get', 'tags')],
  ['a note for programs is added', add(['x-note', true], ...schema('NewBook'), 'properties', 'title')],
  ['an argument has a larger range', set(500, ...BOOK, 'get', 'parameters', 0, 'schema', 'maximum')],
]

test.each(ADDING)('not breaking: %s', (_, ...changes) => {
  expect(breakingChanges(contract, changed(...changes))).toEqual([])
})

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['0.1.0', '0.2.0', true],
  ['0.1.0', '1.0.0', true],
  ['1.2.3', '1.3.0', false],
  ['1.2.3', '2.0.0', true],
  ['2.0.0', '1.9.0', false],
])('from version %s to %s, breaking changes are allowed: %p', (released, current, admitted) => {
  expect(admitsBreaking(released, current)).toBe(admitted)
})
