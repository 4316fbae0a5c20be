/** The contract in OpenAPI 3.0.3: keywords are translated, and schemas are as strict as before. */
import { expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { publish } from '../../src/documents/published.ts'
import { readContract } from '../../src/http/contract/contract.ts'

const contractWith = (parts: object): object => ({ openapi: '3.1.0', info: {}, paths: {}, ...parts })

/** A path that uses a component. */
const using = ($ref: string): object => ({ '/': { parameters: [{ $ref }] } })

const schemaOf = (schema: object): unknown => {
  const paths = using('#/components/schemas/S')
  const { components } = toOpenApi30(
    contractWith({ paths, components: { schemas: { S: schema, T: {} } } }),
  ) as {
    components: { schemas: { S: unknown } }
  }
  return components.schemas.S
}

const SCHEMAS: [from: object, to: object][] = [
  [
    { type: ['string', 'null'], description: 'd' },
    { type: 'string', nullable: true, description: 'd' },
  ],
  [{ type: ['string'] }, { type: 'string' }],
  [{ type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
  [{ const: 5 }, { enum: [5] }],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [{ exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
  [{ exclusiveMaximum: 9 }, { maximum: 9, exclusiveMaximum: true }],
  [
    { anyOf: [{ type: 'null' }, { type: 'boolean' }, { type: 'string' }] },
    { oneOf: [{ type: 'boolean', nullable: true }, { type: 'string' }] },
  ],
  [
    { anyOf: [{ type: 'integer' }, { type: 'number' }] },
    { oneOf: [{ type: 'integer' }, { type: 'number', not: { type: 'integer' } }] },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: ['string', 'null'] }] },
    { anyOf: [{ type: 'string' }, { type: 'string', nullable: true }] },
  ],
  [
    { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/T' }] },
    { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/T' }] },
  ],
  [
    { oneOf: [{ $ref: '#/components/schemas/T' }, { type: 'null' }] },
    { oneOf: [{ $ref: '#/components/schemas/T' }, { type: 'string', nullable: true, enum: [null] }] },
  ],
  [
    { $ref: '#/components/schemas/T', description: 'd' },
    { description: 'd', allOf: [{ $ref: '#/components/schemas/T' }] },
  ],
  [
    { properties: { example: { const: 1 } }, items: { const: 2 }, not: { const: 3 }, allOf: [{ const: 4 }] },
    {
      properties: { example: { enum: [1] } },
      items: { enum: [2] },
      not: { enum: [3] },
      allOf: [{ enum: [4] }],
    },
  ],
  [{ additionalProperties: { const: 1 } }, { additionalProperties: { enum: [1] } }],
  [{ additionalProperties: false }, { additionalProperties: false }],
  [
    { enum: ['const'], default: { type: ['a'] } },
    { enum: ['const'], default: { type: ['a'] } },
  ],
]

test.each(SCHEMAS)('the schema %j is translated', (from, to) => {
  expect(schemaOf(from)).toEqual(to)
})

test.each(['patternProperties', 'if', '$defs', 'unevaluatedProperties'])(
  'the keyword %s cannot be translated',
  (keyword) => {
    expect(() => schemaOf({ [keyword]: {} })).toThrow(`OpenAPI 3.0 has no '${keyword}' in schemas`)
  },
)

test('what is said of each place of a list or each name is left out, and what is said of all stays', () => {
  const items = { type: 'string' }
  expect(schemaOf({ prefixItems: [{ type: 'string' }], items, propertyNames: { maxLength: 1 } })).toEqual({
    items,
  })
})

test('a schema of two types cannot be translated', () => {
  expect(() => schemaOf({ type: ['string', 'integer'] })).toThrow('no schema of the types string, integer')
})

test('a reference with a description becomes a copy with that description, and unused components are dropped', () => {
  const response = { description: 'shared', content: { 'text/plain': { schema: { const: 'x' } } } }
  const responses = { '404': { $ref: '#/components/responses/R', description: 'own' } }
  const translated = toOpenApi30(
    contractWith({
      info: { title: 't', summary: 's' },
      paths: { '/': { get: { responses } } },
      components: { responses: { R: response } },
    }),
  )
  const copy = { description: 'own', content: { 'text/plain': { schema: { enum: ['x'] } } } }
  expect(translated).toEqual({
    openapi: '3.0.3',
    info: { title: 't' },
    paths: { '/': { get: { responses: { '404': copy } } } },
    components: { responses: {} },
  })
})

test('examples are not translated', () => {
  const content = { 'application/json': { examples: { one: { value: { type: ['a', 'null'], schema: 1 } } } } }
  const parts = {
    paths: using('#/components/requestBodies/B'),
    components: { requestBodies: { B: { content } } },
  }
  expect(toOpenApi30(contractWith(parts))).toMatchObject(parts)
})

test('an enumeration that may grow becomes any string, and lists what is known', () => {
  const known = { type: 'string', enum: ['a', 'b'] }
  const open = { anyOf: [{ $ref: '#/components/schemas/Known' }, { type: 'string', description: 'd' }] }
  const closed = { anyOf: [{ $ref: '#/components/schemas/Known' }, { type: 'string', pattern: '^c' }] }
  const holder = { properties: { open: { $ref: '#/components/schemas/Open' } } }
  const schemasOf = (union: object): unknown => {
    const schemas = { Known: known, Open: { description: 'o', ...union }, Holder: holder }
    const paths = using('#/components/schemas/Holder')
    const translated = toOpenApi30(contractWith({ paths, components: { schemas } }))
    return (translated as { components: { schemas: unknown } }).components.schemas
  }
  const string = { description: 'o', type: 'string', 'x-extensible-enum': ['a', 'b'] }
  expect(schemasOf(open)).toEqual({ Open: string, Holder: holder })
  expect(schemasOf(closed)).toEqual({ Known: known, Open: { description: 'o', ...closed }, Holder: holder })
})

test('the schemas of both versions accept and refuse the same values', () => {
  const before = publish(readContract()) as { components: { schemas: Record<string, unknown> } }
  const validators = [new Ajv2020({ strict: false }), new Ajv({ strict: false })] as const
  const after = toOpenApi30(before) as typeof before
  const documents = [before, after]
  validators.forEach((ajv, i) => {
    ajvFormats.default(ajv)
    ajv.addSchema(documents[i] ?? {}, 'contract')
  })
  const verdicts = validators.map((ajv) =>
    Object.keys(after.components.schemas).flatMap((name) =>
      VALUES.map((value) => [
        name,
        value,
        ajv.validate({ $ref: `contract#/components/schemas/${name}` }, value),
      ]),
    ),
  )
  expect(verdicts[1]).toEqual(verdicts[0])
  expect(new Set(verdicts[0]?.map(([, , verdict]) => verdict))).toEqual(new Set([true, false]))
})

const CONTEXT = { id: '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4', about: null, tag: 'a/b', username: null }
const ENTRY = { value: null, 'updated-at': '2026-03-14T15:09:26.535897Z' }
const VALUES: readonly unknown[] = [
  ...[null, true, 0, 1.5, '', 'null', 'open', [], ['a'], [1], [null], {}],
  ...[ENTRY, { ...ENTRY, value: {} }, { ...CONTEXT, ...ENTRY }, { ...CONTEXT, ...ENTRY, about: 1 }],
  ...[{ tagPaths: [], about: null }, { tagPaths: [], about: 1 }, { tagPaths: [] }],
  ...[[['query', { 'a/b': { value: null } }]], { queries: [['query', { 'a/b': { value: null } }]] }],
]
