/** Edits of a contract, by whether they break an application of it. */
import { isMap, isSeq, parseDocument, visit, type Document } from 'yaml'

/** A small contract with every construct that ours uses. */
export const CONTRACT = `
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
  /authors/{name}:
    get:
      operationId: getAuthor
      tags: [authors]
      security: [{ basic: [] }]
      parameters:
        - { name: name, in: path, required: true, schema: { $ref: '#/components/schemas/Name' } }
        - { name: sort, in: query, schema: { type: string, enum: [up, down], default: up } }
        - { name: fields, in: query, schema: { type: array, maxItems: 10, items: { type: string, maxLength: 20 } } }
        - { $ref: '#/components/parameters/View' }
      responses:
        '200': { $ref: '#/components/responses/Author' }
        '404': { description: None. }
        default: { $ref: '#/components/responses/CommonError' }
      x-error-classes: { '400': [BadName], '404': [NoAuthor, NoBook] }
    head:
      operationId: headAuthor
      tags: [authors]
      security: [{ basic: [] }]
      parameters:
        - { name: name, in: path, required: true, schema: { $ref: '#/components/schemas/Name' } }
        - { name: sort, in: query, schema: { type: string, enum: [up, down], default: up } }
      responses:
        '200': { $ref: '#/components/responses/Author' }
        default: { $ref: '#/components/responses/CommonError' }
      x-error-classes: { '400': [BadName], '404': [NoAuthor, NoBook] }
    put:
      operationId: putAuthor
      tags: [authors]
      security: [{ basic: [] }]
      parameters:
        - { name: name, in: path, required: true, schema: { $ref: '#/components/schemas/Name' } }
        - { name: If-Match, in: header, schema: { type: string } }
      requestBody: { $ref: '#/components/requestBodies/Author' }
      responses:
        '204': { description: Done. }
        default: { $ref: '#/components/responses/CommonError' }
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
            application/page+json: { schema: { $ref: '#/components/schemas/Page' } }
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
  requestBodies:
    Author:
      required: false
      content:
        application/json: { schema: { $ref: '#/components/schemas/Author' } }
  headers:
    Class: { required: true, schema: { $ref: '#/components/schemas/ErrorClass' } }
    Retry: { schema: { type: integer, format: int32 } }
  parameters:
    View: { name: view, in: query, schema: { type: string, enum: [api, whole] } }
    Full: { name: full, in: query, schema: { type: boolean } }
  responses:
    CommonError:
      description: Common.
      headers:
        X-Class: { $ref: '#/components/headers/Class' }
        Retry-After: { $ref: '#/components/headers/Retry' }
      x-error-classes: { '500': [Failure], '503': [Busy, Overloaded] }
    Author:
      description: The author.
      content:
        application/json: { schema: { $ref: '#/components/schemas/Author' } }
    Created:
      description: Created.
      headers:
        Location: { required: true, schema: { type: string } }
  schemas:
    Name: { type: string, minLength: 1, maxLength: 40, pattern: '^[a-z]+$' }
    KnownErrorClass: { type: string, enum: [BadName, NoAuthor, NoBook, Failure, Busy, Overloaded] }
    ErrorClass: { anyOf: [{ $ref: '#/components/schemas/KnownErrorClass' }, { type: string }] }
    Author:
      type: object
      required: [name]
      properties:
        name: { $ref: '#/components/schemas/Name' }
        born: { type: integer, minimum: 0, maximum: 3000 }
        role: { type: string, enum: [writer, poet] }
    Page:
      type: object
      required: [items]
      properties:
        id: { type: string, format: uuid }
        size: { type: integer }
        long: { type: integer, format: int64 }
        items: { type: array, maxItems: 100, items: { oneOf: [{ $ref: '#/components/schemas/Book' }, { type: string }] } }
        more: { type: object, additionalProperties: { type: string } }
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
/** An edit by name, and what it does. */
export type Edits = readonly (readonly [name: string, ...Change[]])[]
export type Change = (document: Document) => void

export const remove =
  (...place: JsonPath): Change =>
  (document) => {
    if (!document.deleteIn(place)) throw new Error(`there is no ${place.join(' ')}`)
  }
export const set =
  (value: unknown, ...place: JsonPath): Change =>
  (document) => {
    if (!document.hasIn(place)) throw new Error(`there is no ${place.join(' ')}`)
    document.setIn(place, value)
  }
export const add =
  (value: unknown, ...place: JsonPath): Change =>
  (document) => {
    const parent = document.getIn(place)
    if (isSeq(parent)) parent.add(document.createNode(value))
    else if (isMap(parent) && Array.isArray(value))
      document.setIn([...place, value[0]], document.createNode(value[1]))
    else throw new Error(`there is no ${place.join(' ')}`)
  }

export const changed = (...changes: Change[]): string => {
  const document = parseDocument(CONTRACT)
  for (const change of changes) change(document)
  return document.toString()
}

const BOOKS: JsonPath = ['paths', '/books', 'post']
export const BOOK: JsonPath = ['paths', '/books/{id}']
export const schema = (name: string): JsonPath => ['components', 'schemas', name]
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

export const BREAKING: Edits = [
  ['an operation is removed', remove(...BOOK, 'put')],
  ['a path is removed', remove('paths', '/books')],
  ['an operation is renamed', set('addBook', ...BOOKS, 'operationId')],
  ['a success is removed', remove(...BOOKS, 'responses', '201')],
  ['an error is removed', remove(...BOOKS, 'responses', '401')],
  ['a header of an answer is removed', remove('components', 'responses', 'Created', 'headers', 'Location')],
  [
    'a content type of an answer is removed',
    remove(...BOOK, 'get', 'responses', '200', 'content', 'text/plain'),
  ],
  ['a content type of a body is removed', remove(...BOOK, 'put', 'requestBody', 'content', '*/*')],
  ['a field of an answer is removed', remove(...schema('Book'), 'properties', 'about')],
  ['a field of an answer may be absent', set([], ...schema('Book'), 'required')],
  ['a field of an answer has another type', typeOf('Book', 'title', 'integer')],
  ['a field of an answer may be null', typeOf('Book', 'title', ['string', 'null'])],
  ['a new field of a body is required', field('NewBook'), body(['title', 'age'])],
  ['a field of a body becomes required', body(['title', 'pages'])],
  ['a field of a body is removed', remove(...schema('NewBook'), 'properties', 'pages')],
  ['a field of a body has another type', typeOf('NewBook', 'pages', 'string')],
  ['a field of a body has fewer values', set(['new'], ...schema('NewBook'), 'properties', 'state', 'enum')],
  ['a body becomes required', set(true, ...BOOKS, 'requestBody', 'required')],
  [
    'a body has fewer types',
    remove(...BOOK, 'put', 'requestBody', 'content', 'application/json', 'schema', 'anyOf', 1),
  ],
  ['a new argument is required', argument(true)],
  ['an argument is removed', remove(...BOOK, 'get', 'parameters', 0)],
  ['an argument has a smaller range', set(50, ...BOOK, 'get', 'parameters', 0, 'schema', 'maximum')],
  ['an argument has fewer values', add(['enum', [true]], 'components', 'parameters', 'Full', 'schema')],
  [
    'the values of an argument are sent in another way',
    set(false, ...BOOK, 'get', 'parameters', 1, 'explode'),
  ],
  ['a field of an answer has more values', kinds('novel', 'poem', 'play')],
  ['a header has more values', kinds('novel', 'poem', 'play')],
  ['a field of an answer may have any value', remove(...schema('Kind'), 'enum')],
  ['users sign in in another way', set('bearer', 'components', 'securitySchemes', 'basic', 'scheme')],
  [
    'a header of an answer may be absent',
    set(false, 'components', 'responses', 'Created', 'headers', 'Location', 'required'),
  ],
  [
    'a schema is renamed',
    (document) => {
      rename(document, 'Kind', 'Genre')
    },
  ],
  ['an operation has another tag', set(['shelf'], ...BOOK, 'get', 'tags')],
  [
    'a parameter in a path is renamed',
    (document) => {
      const item = document.getIn(BOOK)
      document.setIn(['paths', '/books/{key}'], item)
      document.setIn(['paths', '/books/{key}', 'parameters', 0, 'name'], 'key')
      document.deleteIn(BOOK)
    },
  ],
  [
    'a body is cut down by a keyword that the comparison does not know',
    add(['prefixItems', [{ type: 'string' }]], ...schema('NewBook'), 'properties', 'title'),
  ],
  ['credentials become necessary', set([{ basic: [] }], ...BOOKS, 'security')],
]

export const ADDING: Edits = [
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

export const AUTHOR: JsonPath = ['paths', '/authors/{name}']
export const GET: JsonPath = [...AUTHOR, 'get']
export const COMMON: JsonPath = ['components', 'responses', 'CommonError']
const CLASSES: JsonPath = [...GET, 'x-error-classes']
export const page = (name: string, keyword: string): JsonPath => [
  ...schema('Page'),
  'properties',
  name,
  keyword,
]
const argumentOf = (index: number, keyword: string): JsonPath => [
  ...GET,
  'parameters',
  index,
  'schema',
  keyword,
]

/** More that breaks: among it the classes of errors, defaults, formats and the common answer. */
export const ALSO_BREAKING: Edits = [
  ['an operation has another first tag', set(['shelf', 'books'], ...BOOK, 'get', 'tags')],
  [
    'an argument is sent as JSON',
    add(['content', { 'application/json': {} }], ...BOOK, 'get', 'parameters', 0),
    remove(...BOOK, 'get', 'parameters', 0, 'schema'),
  ],
  ['a class of errors is renamed', set(['NoSuchAuthor', 'NoBook'], ...CLASSES, '404')],
  ['a class of errors is removed', set(['NoBook'], ...CLASSES, '404')],
  [
    'a class of errors has another status',
    set(['NoBook'], ...CLASSES, '404'),
    set(['BadName', 'NoAuthor'], ...CLASSES, '400'),
  ],
  ['a common class of errors is removed', set(['Busy'], ...COMMON, 'x-error-classes', '503')],
  [
    'a common class of errors has another status',
    set({ '500': ['Failure', 'Busy'], '503': ['Overloaded'] }, ...COMMON, 'x-error-classes'),
  ],
  [
    'a known class is removed from the open list',
    set(['BadName', 'NoBook', 'Failure', 'Busy', 'Overloaded'], ...schema('KnownErrorClass'), 'enum'),
  ],
  [
    'the open list of classes is closed',
    set([{ $ref: '#/components/schemas/KnownErrorClass' }], ...schema('ErrorClass'), 'anyOf'),
    set(['BadName', 'X'], ...schema('KnownErrorClass'), 'enum'),
  ],
  ['the common answer is removed', remove(...GET, 'responses', 'default')],
  ['a header of the common answer is removed', remove(...COMMON, 'headers', 'Retry-After')],
  [
    'a header that several answers share may be absent',
    set(false, 'components', 'headers', 'Class', 'required'),
  ],
  [
    'an integer of an answer becomes longer',
    set('int64', 'components', 'headers', 'Retry', 'schema', 'format'),
  ],
  ['an argument has another default', set('down', ...argumentOf(1, 'default'))],
  ['an argument has no default any more', remove(...argumentOf(1, 'default'))],
  ['an argument has a value less', set(['up'], ...argumentOf(1, 'enum'))],
  ['an argument takes fewer items', set(5, ...argumentOf(2, 'maxItems'))],
  ['the items of an argument are shorter', set(10, ...GET, 'parameters', 2, 'schema', 'items', 'maxLength')],
  [
    'the items of an argument have a format',
    add(['format', 'uuid'], ...GET, 'parameters', 2, 'schema', 'items'),
  ],
  [
    'an unbounded integer that is sent has a format',
    add(['format', 'int32'], ...schema('NewBook'), 'properties', 'pages'),
  ],
  ['a shared text is shorter where it is sent', set(30, ...schema('Name'), 'maxLength')],
  ['a shared text has another pattern', set('^[a-y]+$', ...schema('Name'), 'pattern')],
  [
    'a value is added to what is sent and answered',
    set(['writer', 'poet', 'editor'], ...schema('Author'), 'properties', 'role', 'enum'),
  ],
  ['a view is removed', set(['whole'], 'components', 'parameters', 'View', 'schema', 'enum')],
  ['a shared argument has another name', set('form', 'components', 'parameters', 'View', 'name')],
  ['a shared argument becomes required', add(['required', true], 'components', 'parameters', 'View')],
  ['a header that is sent is removed', remove(...AUTHOR, 'put', 'parameters', 1)],
  ['a header that is sent becomes required', add(['required', true], ...AUTHOR, 'put', 'parameters', 1)],
  ['a shared body becomes required', set(true, 'components', 'requestBodies', 'Author', 'required')],
  ['a body is removed', remove(...AUTHOR, 'put', 'requestBody')],
  ['a body is required where there was none', add(['requestBody', { required: true, content: {} }], ...GET)],
  ['HEAD is removed', remove(...AUTHOR, 'head')],
  ['a new success is answered', add(['202', { description: 'Later.' }], ...GET, 'responses')],
  ['a redirection is answered', add(['303', { description: 'Elsewhere.' }], ...GET, 'responses')],
  ['credentials of another kind are wanted', set([{ other: [] }], ...GET, 'security')],
  ['two credentials are wanted at once', set([{ basic: [], other: [] }], ...GET, 'security')],
  [
    'a list of an answer may hold another type',
    set(
      [{ $ref: '#/components/schemas/Book' }, { type: 'string' }, { type: 'integer' }],
      ...page('items', 'items'),
      'oneOf',
    ),
  ],
  [
    'further fields of an answer have another type',
    set({ type: 'integer' }, ...page('more', 'additionalProperties')),
  ],
  ['a field of an answer has another format', set('date', ...page('id', 'format'))],
  ['a body takes no further fields', add(['additionalProperties', false], ...schema('Author'))],
  [
    'a value that is sent is a constant',
    set({ type: 'string', const: 'new' }, ...schema('NewBook'), 'properties', 'state'),
  ],
  [
    'a field with a name of its own schema becomes another',
    set({ type: 'string' }, ...page('items', 'items'), 'oneOf', 0),
  ],
  [
    'an answer is renamed',
    (document) => {
      document.setIn(
        ['components', 'responses', 'Writer'],
        document.getIn(['components', 'responses', 'Author']),
      )
      document.deleteIn(['components', 'responses', 'Author'])
      for (const method of ['get', 'head'])
        document.setIn([...AUTHOR, method, 'responses', '200', '$ref'], '#/components/responses/Writer')
    },
  ],
]

/** More that breaks nothing: what the contract says may change. */
export const ALSO_ADDING: Edits = [
  [
    'a second way to sign in is offered',
    add(['other', { type: 'http', scheme: 'bearer' }], 'components', 'securitySchemes'),
    set([{ basic: [] }, { other: [] }], ...GET, 'security'),
  ],
  ['a format of an answer is dropped', remove(...page('id', 'format'))],
  ['an integer of an answer has a format', add(['format', 'int32'], ...schema('Page'), 'properties', 'size')],
  ['an integer of an answer becomes shorter', set('int32', ...page('long', 'format'))],
  [
    'a bounded integer that is sent has a format',
    add(['format', 'int32'], ...schema('Author'), 'properties', 'born'),
  ],
  ['a class of errors is added', set(['NoAuthor', 'NoBook', 'NoPage'], ...CLASSES, '404')],
  [
    'a common class of errors is added',
    set(['Busy', 'Overloaded', 'Full'], ...COMMON, 'x-error-classes', '503'),
  ],
  ['a known class is added to the open list', add('Full', ...schema('KnownErrorClass'), 'enum')],
  ['an argument gets a default', add(['default', 'whole'], 'components', 'parameters', 'View', 'schema')],
  ['an argument has a value more', set(['up', 'down', 'none'], ...argumentOf(1, 'enum'))],
  ['a view is added', add('short', 'components', 'parameters', 'View', 'schema', 'enum')],
  ['an argument takes more items', set(20, ...argumentOf(2, 'maxItems'))],
  ['a shared text may be longer', set(80, ...schema('Name'), 'maxLength')],
  ['a shared text may be anything', remove(...schema('Name'), 'pattern')],
  ['a list of an answer is shorter', set(50, ...page('items', 'maxItems'))],
  [
    'a list of an answer holds fewer types',
    set([{ $ref: '#/components/schemas/Book' }], ...page('items', 'items'), 'oneOf'),
  ],
  [
    'a choice is in another order',
    set([{ type: 'string' }, { $ref: '#/components/schemas/Book' }], ...page('items', 'items'), 'oneOf'),
  ],
  ['an operation is deprecated', add(['deprecated', true], ...GET)],
  ['an argument is deprecated', add(['deprecated', true], 'components', 'parameters', 'View')],
  ['a field is deprecated', add(['deprecated', true], ...page('long', 'type').slice(0, -1))],
  ['a header is added', add(['X-New', { schema: { type: 'string' } }], ...COMMON, 'headers')],
  [
    'a content type is answered, too',
    add(['text/plain', { schema: { type: 'string' } }], 'components', 'responses', 'Author', 'content'),
  ],
  [
    'a content type is taken, too',
    add(['text/plain', { schema: { type: 'string' } }], 'components', 'requestBodies', 'Author', 'content'),
  ],
  ['304 is answered', add(['304', { description: 'As it was.' }], ...GET, 'responses')],
  ['a link is added', add(['links', {}], 'components', 'responses', 'Author')],
  ['a schema is added', add(['Shelf', { type: 'object' }], 'components', 'schemas')],
  [
    'an argument of a component stands in the operation',
    set(
      { name: 'view', in: 'query', schema: { type: 'string', enum: ['api', 'whole'] } },
      ...GET,
      'parameters',
      3,
    ),
  ],
  ['an internal note is removed', add(['x-internal', true], ...GET)],
  [
    'a header is added that may be sent',
    add({ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }, ...AUTHOR, 'put', 'parameters'),
  ],
]
