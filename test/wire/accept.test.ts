/** `Accept`: which values of it JSON answers and tag values satisfy, with quality values and ranges (RFC 9110). */
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Answer } from '../support/service.ts'
import { OPERATION_NAMES, PAGES, sampleOf, targetOf } from '../support/samples.ts'
import { ask, exchangeOne, rawRequest, useService } from './raw-requests.ts'

const setting = useService()

const get = (target: string, accept: string): Promise<Answer> =>
  ask(setting().url, 'GET', target, { headers: { accept } })

/** `Accept` headers, and whether they admit JSON. */
const FOR_JSON: readonly (readonly [accept: string, admitted: boolean])[] = [
  ['application/json', true],
  ['Application/JSON', true],
  ['application/*', true],
  ['*/*', true],
  ['application/json;q=0.001', true],
  ['application/json; q=1.000', true],
  ['application/json;Q=0.5', true],
  ['text/html, application/json;q=0.1', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html;level=1 , , application/json', true],
  ['text/*;q=0, */*', true],
  ['*/*;q=0, application/json', true],
  ['application/*;q=0, application/json;q=0.2', true],
  ['application/json;q=0.1, */*;q=0', true],
  ['text/plain;x="a, b;q=0", application/json', true],
  ['text/html', false],
  ['application/jsonp', false],
  ['application/json+x', false],
  ['application/vnd.service.value+json', false],
  ['text/json', false],
  ['*/*;q=0', false],
  ['application/json;q=0', false],
  ['application/json;q=0.000', false],
  ['application/json;q=0, */*', false],
  ['application/*;q=0, */*;q=1', false],
  ['application/json;q=0, application/*;q=1', false],
  ['text/html, image/*;q=0.8', false],
  ['application/json;level=1', false],
]

/** Malformed `Accept` headers, which admit nothing. */
const MALFORMED = ['nonsense', '/', 'application', 'application/', '/json', ';q=1', 'a b/c', '"*/*"', 'q=1']

describe('for JSON, Accept', () => {
  test.each(FOR_JSON)('%s admits it: %s', async (accept, admitted) => {
    const answer = await get('/users/alice', accept)
    expect([answer.status, answer.error]).toEqual(admitted ? [200, undefined] : [400, 'UnknownAcceptType'])
  })

  test.each(MALFORMED)('%j is malformed and admits nothing', async (accept) => {
    const answer = await get('/users/alice', accept)
    expect([answer.status, answer.error]).toEqual([400, 'UnknownAcceptType'])
  })

  test.each(OPERATION_NAMES)('without JSON is refused by %s unless it answers 204', async (name) => {
    const sample = await sampleOf(setting().service, name)
    const { as, body, type } = sample
    const answer = await ask(setting().url, sample.method, targetOf(sample), {
      ...(as !== undefined && { as }),
      ...(body !== undefined && { body }),
      headers: { accept: 'image/png;q=0.9, */*;q=0', ...(type !== undefined && { 'content-type': type }) },
    })
    const value = /^GET \/(about|objects)\/.*\{tag_path\}$/.test(name) || name in PAGES
    const expected = value ? [406, 'NotAcceptable'] : [400, 'UnknownAcceptType']
    expect([answer.status, answer.error]).toEqual(sample.status === 204 ? [204, undefined] : expected)
  })

  test('may be sent in two lines', async () => {
    const lines = (accepts: readonly string[]): Promise<{ status: number }> =>
      exchangeOne(
        setting().url,
        rawRequest(
          'GET /users/alice',
          accepts.map((accept) => `Accept: ${accept}`),
        ),
      )
    expect((await lines(['text/html', 'application/json'])).status).toBe(200)
    expect((await lines(['text/html', 'text/plain'])).status).toBe(400)
  })

  test('may have a thousand ranges', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => `text/x${i};q=0.${i}`)
    expect((await get('/users/alice', many.join(','))).status).toBe(400)
    expect((await get('/users/alice', [...many, '*/*;q=0.1'].join(','))).status).toBe(200)
  })
})

describe('for a tag value', () => {
  const VALUE = '/about/accepted/alice/books/plain'
  const store = (type: string): Promise<Answer> =>
    setting().service.ok('PUT', VALUE, { as: 'alice', body: '5', headers: { 'content-type': type } })

  async function expectAdmitted(accept: string, admitted: boolean): Promise<void> {
    const expected = admitted ? [200, undefined] : [406, 'NotAcceptable']
    const answer = await get(VALUE, accept)
    expect([accept, answer.status, answer.error]).toEqual([accept, ...expected])
    const head = await ask(setting().url, 'HEAD', VALUE, { headers: { accept } })
    expect([head.status, head.error]).toEqual(expected)
    const byId = await get(await pathById(), accept)
    expect([byId.status, byId.error]).toEqual(expected)
  }

  async function pathById(): Promise<string> {
    const { id } = (await setting().service.ok('GET', '/about/accepted')).json() as { id: string }
    return `/objects/${id}/alice/books/plain`
  }

  const rows: [stored: string, admitting: string[], refusing: string[]][] = [
    [
      PRIMITIVE_MEDIA_TYPE,
      [
        PRIMITIVE_MEDIA_TYPE,
        PRIMITIVE_MEDIA_TYPE.toUpperCase(),
        'application/*',
        '*/*',
        `text/html, ${PRIMITIVE_MEDIA_TYPE};q=0.1`,
      ],
      [
        'application/json',
        'text/*',
        `${PRIMITIVE_MEDIA_TYPE};q=0`,
        `${PRIMITIVE_MEDIA_TYPE};q=0, */*`,
        '*/*;q=0',
        'application/*+json',
      ],
    ],
    [
      'image/png',
      [
        'image/png',
        'IMAGE/PNG',
        'image/*',
        '*/*',
        'image/webp, image/*;q=0.8',
        'image/*;q=0, image/png',
        '*/*;q=0.001',
      ],
      [
        'image/webp',
        'text/*',
        'image/png;q=0',
        'image/png;q=0, image/*',
        'image/*;q=0, */*',
        'image/png;v=1',
        'nonsense',
      ],
    ],
    [
      'Text/Plain; Charset="UTF-8"; format=flowed',
      [
        'text/plain',
        'text/*',
        'text/plain;charset=utf-8',
        'text/plain; format=flowed; charset=UTF-8',
        'text/plain;q=0, text/plain;format=flowed',
        '*/*',
      ],
      [
        'text/html',
        'text/plain;charset=iso-8859-1',
        'text/plain;format=fixed',
        'text/plain;q=0, text/*',
        'image/*',
      ],
    ],
    [
      'application/vnd.service.value+jsonp',
      ['application/vnd.service.value+jsonp', '*/*'],
      [PRIMITIVE_MEDIA_TYPE],
    ],
  ]

  test.each(rows)('Accept admits or rules out a stored %s', async (stored, admitting, refusing) => {
    await store(stored)
    for (const accept of admitting) await expectAdmitted(accept, true)
    for (const accept of refusing) await expectAdmitted(accept, false)
  })

  test.each([
    'nonsense',
    '/',
    'a/b/c',
    ';',
    'text',
    'text/',
    '/plain',
    'te xt/plain',
    'text/plain x',
    '=',
    '"text/plain"',
  ])('only */* matches the malformed stored type %j', async (stored) => {
    await store(stored)
    for (const accept of ['*/*', 'text/html;q=0, */*;q=0.1']) await expectAdmitted(accept, true)
    for (const accept of [stored, 'text/*', 'text/plain', 'x-unknown/x-unknown', 'x-unknown/*', '*/*;q=0']) {
      await expectAdmitted(accept, false)
    }
  })

  test('no Accept header admits everything', async () => {
    await store('nonsense')
    expect((await ask(setting().url, 'GET', VALUE)).headers['content-type']).toBe('nonsense')
  })
})
