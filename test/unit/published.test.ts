/** The published form of the contract, its view for applications, and that other tools find nothing wrong with any form. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { apiOf, publish } from '../../src/documents/published.ts'
import { readContract } from '../../src/http/contract/contract.ts'

interface Operation {
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
  readonly 'x-error-classes': Readonly<Record<string, readonly string[]>>
}

interface Contract {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const bundle = readContract() as Contract
const published = publish(bundle) as Contract
const api = apiOf(published) as Contract
const FORMS: [name: string, form: object][] = [
  ['3.1', published],
  ['3.1 for applications', api],
  ['3.0.3', toOpenApi30(published)],
  ['3.0.3 for applications', toOpenApi30(api)],
]

const METHODS = ['get', 'head', 'post', 'put', 'delete']

const operationsOf = ({ paths }: Contract): [name: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): [string, Operation][] =>
      METHODS.includes(method) ? [[`${method} ${path}`, operation]] : [],
    ),
  )

test('what all operations answer alike is one answer, and what an operation answers otherwise stays with it', () => {
  const headers = (example: string): object => ({ Class: { required: true, example } })
  const answers = (own: object, more: object = {}): object => ({
    responses: {
      ...own,
      '400': { $ref: '#/components/responses/Bad' },
      '408': { $ref: '#/components/responses/Slow' },
      '500': { $ref: '#/components/responses/Fault' },
      ...more,
    },
    'x-error-classes': { '400': ['TBad'], '408': ['TSlow'], '500': ['TFault'] },
  })
  const [found, made] = [{ '200': { description: 'found' } }, { '201': { description: 'made' } }]
  const late = { '408': { $ref: '#/components/responses/Slow', description: 'too late' } }
  const { paths, components } = publish({
    paths: {
      '/a': { parameters: [], get: answers(found), post: answers(made, { '400': { description: 'own' } }) },
      '/b': { get: answers(found, late), put: answers(made, { '400': { description: 'other' } }) },
    },
    components: {
      securitySchemes: { basic: {} },
      responses: {
        Bad: { description: 'bad' },
        Slow: { description: 'too slow', headers: headers('Slow') },
        Fault: { description: 'a fault', headers: { ...headers('Fault'), Id: { required: true } } },
      },
    },
  }) as Contract
  const common = { $ref: '#/components/responses/CommonError' }
  const bad = { $ref: '#/components/responses/Bad' }
  const classes = { 'x-error-classes': { '400': ['TBad'] } }
  expect(paths).toEqual({
    '/a': {
      parameters: [],
      get: { responses: { ...found, '400': bad, default: common }, ...classes },
      post: { responses: { ...made, '400': { description: 'own' }, default: common }, ...classes },
    },
    '/b': {
      get: {
        responses: { ...found, '400': bad, ...late, default: common },
        'x-error-classes': { '400': ['TBad'], '408': ['TSlow'] },
      },
      put: { responses: { ...made, '400': { description: 'other' }, default: common }, ...classes },
    },
  })
  expect(components).toEqual({
    securitySchemes: { basic: {} },
    responses: {
      Bad: { description: 'bad' },
      Slow: { description: 'too slow', headers: headers('Slow') },
      CommonError: {
        description: 'What any request may be answered with:\n\n- 408: too slow\n- 500: a fault',
        headers: { Class: { required: true }, Id: { required: false } },
        'x-error-classes': { '408': ['TSlow'], '500': ['TFault'] },
      },
    },
  })
})

test('each operation has the statuses and the classes of the bundle, alone or with all', () => {
  const common = published.components['responses']?.['CommonError'] as Pick<Operation, 'x-error-classes'>
  const all = operationsOf(published).map(([name, { responses, 'x-error-classes': classes }]) => {
    const { default: shared, ...own } = responses
    expect(shared).toEqual({ $ref: '#/components/responses/CommonError' })
    return [
      name,
      new Set([...Object.keys(own), ...Object.keys(common['x-error-classes'])]),
      { ...common['x-error-classes'], ...classes },
    ]
  })
  expect(all).toEqual(
    operationsOf(bundle).map(([name, operation]) => [
      name,
      new Set(Object.keys(operation.responses)),
      operation['x-error-classes'],
    ]),
  )
  expect(Object.keys(common['x-error-classes'])).toEqual(
    expect.arrayContaining(['408', '412', '413', '500', '503']),
  )
})

test.each(FORMS)('%s begins with a page, and has the query language where its operations are', (_, form) => {
  const { info, tags } = form as {
    info: { description: string }
    tags: { name: string; description: string }[]
  }
  expect(Buffer.byteLength(info.description)).toBeLessThanOrEqual(3000)
  expect(tags.find(({ name }) => name === 'search')?.description).toContain('query   = query "or" query')
})

test.each(FORMS)('%s has no extension but the classes of errors', (name, form) => {
  const extensions = new Set(JSON.stringify(form).match(/"x-[a-z-]+"/g))
  const openEnum = name.startsWith('3.0') ? ['"x-extensible-enum"'] : []
  expect(extensions).toEqual(new Set(['"x-error-classes"', ...openEnum]))
})

test.each(FORMS)('%s has no component that nothing refers to', (_, form) => {
  const text = JSON.stringify(form)
  const { components } = form as Contract
  const unused = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).filter(
      (name) => kind !== 'securitySchemes' && !text.includes(`"#/components/${kind}/${name}"`),
    ),
  )
  expect(unused).toEqual([])
})

test('examples may hold anything', () => {
  const content = {
    'application/json': { example: { 'x-own': 1 }, examples: { a: { value: { 'x-own': 2 } } } },
  }
  const responses = { '200': { description: 'd', content } }
  expect(publish({ paths: { '/a': { get: { responses } } }, components: {} })).toMatchObject({
    paths: { '/a': { get: { responses } } },
  })
})

test('the view for applications is all but HEAD and the documents', () => {
  const wanted = operationsOf(published).filter(
    ([name, { tags }]) => !name.startsWith('head ') && !tags.includes('documents'),
  )
  expect(operationsOf(api)).toEqual(wanted)
  expect(Object.keys(api.paths)).not.toContain('/docs')
  expect(published.tags.filter(({ name }) => name !== 'documents')).toEqual(api.tags)
  expect(api).toEqual({ ...published, ...api })
})

test.each(FORMS)('Redocly finds nothing wrong with %s', (_, form) => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-openapi-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(form))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--extends=recommended-strict'],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  rmSync(folder, { recursive: true })
  expect([status, stdout]).toEqual([0, expect.any(String)])
  expect(stderr).toContain('Your API description is valid')
})
